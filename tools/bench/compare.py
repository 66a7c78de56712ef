#!/usr/bin/env python3
"""The benchmark: attend and PyTorch doing the same work in turns, in one table.

Each row runs attend and PyTorch alternately for several rounds, and shows medians with minimum and
maximum. A ratio above 1 means that attend is faster, or smaller. The table has only figures of this
run; a failure is shown as FAILED, and the exit code is then 1.

Start it with `make bench`. It needs only Python; PyTorch is used if it is installed.
"""

import argparse
import datetime
import json
import os
import platform
import subprocess
import sys

from growth import Growth
from inputs import Failure, Inputs, read_lines, say
from measure import Line, Row, figures, timed, wall
from products import Products
import table

HERE = os.path.dirname(os.path.abspath(__file__))
PEER = os.path.join(HERE, "torch_peer.py")


class Sizes:
    """The sizes that are measured; `quick` only checks that everything runs."""
    name = "full"
    emb, hidden, vocab, batch = 256, 512, 8000, 64
    large = dict(emb=512, hidden=1024, batch=80)
    small = dict(emb=128, hidden=256, batch=128, vocab=60, symbols=56, length=10, pairs=12800)
    updates = dict(base=30, large=10, small=60, encoder=30, encoder_long=8)
    encoder = dict(hidden=256, layers=3, heads=4, ff=1024)
    long = dict(pairs=64, words=500, batch=8)
    shortlist = 50
    warmup = 5                    # PyTorch's warm-up; ours is 3
    train_lines, test_lines = 29000, 1000
    model_updates = 1500
    growth_words, growth_length, growth_updates = 3200, 20, 6
    growth_lengths = (10, 20, 50, 100, 200)


class QuickSizes(Sizes):
    name = "quick"
    emb, hidden, vocab, batch = 16, 24, 500, 16
    large = dict(emb=24, hidden=32, batch=16)
    small = dict(emb=8, hidden=12, batch=16, vocab=60, symbols=56, length=10, pairs=128)
    updates = dict(base=2, large=2, small=2, encoder=2, encoder_long=2)
    encoder = dict(hidden=16, layers=2, heads=2, ff=32)
    long = dict(pairs=8, words=60, batch=4)
    warmup = 1
    train_lines, test_lines = 400, 40
    model_updates = 20
    growth_words, growth_length, growth_updates = 400, 20, 2


# ---- The peer

def find_torch():
    """A Python that has PyTorch, and its version; or None."""
    for python in (sys.executable, "/usr/bin/python3", "python3"):
        try:
            found = subprocess.run([python, "-c", "import numpy, torch; print(torch.__version__)"],
                                   capture_output=True, text=True, check=False)
        except OSError:
            continue
        if found.returncode == 0:
            return python, found.stdout.strip()
    return None


def peer_environment():
    """The environment in which PyTorch is fastest, for its processes only, and a warning or None."""
    script = 'set -e; . "$1"; env -0'
    done = subprocess.run(["bash", "-c", script, "bash", os.path.join(HERE, "torch-env.sh")],
                          capture_output=True, text=True, check=False)
    env = dict(line.split("=", 1) for line in done.stdout.split("\0") if "=" in line)
    if done.returncode or not os.path.isabs(env.get("LD_LIBRARY_PATH", "")):
        return dict(os.environ), ("tools/bench/torch-env.sh failed (is libopenblas0-openmp "
                                  "installed?): PyTorch is slower here than it could be")
    return env, None


# ---- The rows

class Bench:
    def __init__(self, args):
        self.sizes = QuickSizes if args.quick else Sizes
        self.attend = os.path.abspath(args.attend)
        self.inputs = Inputs(os.path.abspath(args.folder), self.attend, self.sizes, args.model)
        self.torch = None if args.no_peer else find_torch()
        self.env, self.warning = peer_environment() if self.torch else (None, None)
        self.threads = args.threads or self.default_threads()

    def default_threads(self):
        tiny = ["--no-peak", "--json", "--updates", 1, "--emb", 4, "--hidden", 4, "--vocab", 9,
                "--batch-sentences", 1, "--length", 2]
        return figures([self.attend, "bench", *tiny])["threads"]

    def bench(self, *flags):
        return [self.attend, "bench", "--json", *flags]

    def peer(self, *flags):
        return [self.torch[0], PEER, *flags]

    def with_peer(self, runs):
        """Runs of the peer, or none where it is not installed."""
        return runs if self.torch else {}

    # Training

    def training(self, key, title, source, target, updates, shape):
        flags = ["--emb", shape["emb"], "--hidden", shape["hidden"], "--vocab", shape["vocab"],
                 "--src", source, "--tgt", target, "--updates", updates, "--threads", self.threads]
        ours = self.bench(*flags, "--batch-sentences", shape["batch"])
        runs = {"attend": lambda: figures(ours)}
        runs.update(self.with_peer({"peer": lambda: figures(
            self.peer("train", *flags, "--batch", shape["batch"], "--warmup", self.sizes.warmup),
            self.env)}))
        peer = [name for name in runs if name == "peer"]
        return Row(key, runs, [
            Line(title + ", target words/s", ["attend"], peer,
                 (lambda r: r["target_tokens_per_second"], lambda r: r["tgt_tokens_per_s"]),
                 share=lambda r: r["share_of_peak"]),
            Line(title + ", updates/s", ["attend"], peer,
                 (lambda r: r["updates_per_second"], lambda r: r["updates_per_s"]), digits=2)])

    def base_shape(self):
        s = self.sizes
        return dict(emb=s.emb, hidden=s.hidden, vocab=s.vocab, batch=s.batch)

    def train_base(self):
        return self.training("train-base", "training, base", *self.inputs.pairs(),
                             self.sizes.updates["base"], self.base_shape())

    def train_large(self):
        shape = dict(self.base_shape(), **self.sizes.large)
        return self.training("train-large", "training, large", *self.inputs.pairs(),
                             self.sizes.updates["large"], shape)

    def train_small(self):
        shape = self.sizes.small
        files = self.inputs.fixed("small." + self.sizes.name, shape["pairs"], shape["symbols"],
                                  shape["length"])
        return self.training("train-small", "training, small", *files,
                             self.sizes.updates["small"], shape)

    # A transformer encoder alone: forward and backward, on one thread, in CPU time

    def encoder(self, key, title, source, batch, updates):
        shape, s = self.sizes.encoder, self.sizes
        flags = ["--vocab", s.vocab, "--hidden", shape["hidden"], "--src", source, "--updates",
                 updates, "--threads", 1]
        ours = self.bench(*flags, "--tgt", self.inputs.short(source), "--emb", shape["hidden"],
                          "--encoder", "transformer", "--encoder-layers", shape["layers"],
                          "--encoder-heads", shape["heads"], "--encoder-ff", shape["ff"],
                          "--batch-sentences", batch, "--no-peak")
        runs = {"attend": lambda: figures(ours)}
        runs.update(self.with_peer({"peer": lambda: figures(
            self.peer("encoder", *flags, "--layers", shape["layers"], "--heads", shape["heads"],
                      "--ff", shape["ff"], "--batch", batch, "--warmup", s.warmup), self.env)}))
        peer = [name for name in runs if name == "peer"]
        return Row(key, runs, [
            Line(title + ", source words a CPU second", ["attend"], peer,
                 (lambda r: r["encoder_words_per_cpu_second"], lambda r: r["words_per_cpu_s"]))])

    def encoder_captions(self):
        return self.encoder("encoder-captions", "transformer encoder, captions",
                            self.inputs.pairs()[0], self.sizes.batch,
                            self.sizes.updates["encoder"])

    def encoder_long(self):
        long = self.sizes.long
        source = self.inputs.fixed("long." + self.sizes.name, long["pairs"], 7990,
                                   long["words"])[0]
        return self.encoder("encoder-long", "transformer encoder, %d words" % long["words"], source,
                            long["batch"], self.sizes.updates["encoder_long"])

    # Translating

    @staticmethod
    def search(beam):
        """The peer's rules: K finished hypotheses, log P / length, 1.5 times the source plus 10."""
        return ["--beam", beam, "--finish-all", "--length-penalty", 1, "--max-length", 1.5]

    def translating(self, text, model, beam, batch, threads, more=()):
        return lambda: figures(self.bench("--model", model, "--src", text, "--repeats", 1,
                                          "--batch-sentences", batch, "--threads", threads,
                                          *self.search(beam), *more))

    def peer_translating(self, text, beam, batch, threads):
        return lambda: figures(self.peer("translate", "--model", self.inputs.model(), "--input",
                                         text, "--beam", beam, "--batch", batch, "--threads",
                                         threads, "--output", self.inputs.path("peer.out")),
                               self.env)

    def lines(self, text, model, beam, batch, more=()):
        made = self.inputs.path("attend.out")
        timed([self.attend, "translate", "--model", model, "--batch-sentences", batch,
               *self.search(beam), *more, "--input", text, "--output", made])
        return read_lines(made)

    def equal_to_peer(self, ours):
        """How many of our lines equal those of the peer's last run."""
        theirs = read_lines(self.inputs.path("peer.out"))
        if len(ours) != len(theirs):
            raise Failure("%d lines of ours, %d of the peer's" % (len(ours), len(theirs)))
        return "%d of %d lines equal" % (sum(a == b for a, b in zip(ours, theirs)), len(ours))

    def notes(self, text, forms, beam):
        """What each form changes: against the peer, and against the form before it."""
        notes, before = {}, None
        for name, (model, more) in forms.items():
            ours = self.lines(text, model, beam, 64, more)
            parts = [self.equal_to_peer(ours)] if self.torch else []
            if before:
                changed = sum(a != b for a, b in zip(ours, before[1]))
                parts.append("%d differ from '%s'" % (changed, before[0]))
            notes[name], before = "; ".join(parts), (name, ours)
        return notes

    def forms(self):
        """The models that translate batches, by the name of their runs: a file and more flags."""
        int8 = self.inputs.int8_model()
        return {"attend": (self.inputs.model(), ()), "attend int8": (int8, ()),
                "attend int8, shortlist": (int8, ("--shortlist", self.sizes.shortlist))}

    def words_per_core(self, text):
        """What others publish for CPUs: words of the source, before they are cut into pieces, in a
        second of a core."""
        each = self.inputs.words(text) / len(read_lines(text)) / self.threads
        return (lambda r: each * r["sentences_per_second"], lambda r: each * r["sents_per_s"])

    def batches(self, key, title, beam):
        text, forms = self.inputs.test(), self.forms()
        runs = {"attend": self.translating(text, *forms["attend"][:1], beam, 64, self.threads)}
        runs.update(self.with_peer(
            {"peer": self.peer_translating(text, beam, 64, self.threads)}))
        for name, (model, more) in list(forms.items())[1:]:
            runs[name] = self.translating(text, model, beam, 64, self.threads, more)
        notes = {}

        def compare():
            notes.update(self.notes(text, forms, beam))
            return ""

        sentences = (lambda r: r["sentences_per_second"], lambda r: r["sents_per_s"])
        peer = ["peer"] if self.torch else []

        def line(name, what, figure, digits, note):
            return Line("%s%s, %s" % (title, name[len("attend"):], what), [name], peer, figure,
                        digits=digits, note=note)

        lines = [line(name, "sentences/s", sentences, 1, lambda row, run: notes.get(run, ""))
                 for name in forms]
        lines += [line(name, "source words/s of a core", self.words_per_core(text), 0,
                       lambda row, run: "") for name in forms]
        return Row(key, runs, lines, compare)

    def beam(self):
        return self.batches("beam", "beam 5, batch 64", 5)

    def greedy(self):
        return self.batches("greedy", "greedy, batch 64", 1)

    def one(self, key, title, beam):
        """On one thread and on all; the best of each side counts."""
        text, model = self.inputs.part_of_test(), self.inputs.model()
        runs = {}
        for threads in sorted({1, self.threads}):
            called = "%d thread%s" % (threads, "s" if threads > 1 else "")
            runs[called] = self.translating(text, model, beam, 1, threads)
            runs.update(self.with_peer(
                {"peer, " + called: self.peer_translating(text, beam, 1, threads)}))
        ours = [name for name in runs if not name.startswith("peer")]
        peer = [name for name in runs if name.startswith("peer")]

        def note(row, run):
            medians = row.spread(run, lambda r: r["ms_median"])
            worst = row.spread(run, lambda r: r["ms_worst"])
            return "%smedian %.1f, worst %.1f" % (row.note and row.note + "; ", medians[0],
                                                  worst[2]) if medians else ""

        return Row(key, runs, [Line(title + ", ms", ours, peer,
                                    (lambda r: r["ms_per_sentence"],
                                     lambda r: 1e3 / r["sents_per_s"]),
                                    higher=False, digits=1, note=note)],
                   (lambda: self.equal_to_peer(self.lines(text, model, beam, 1)))
                   if self.torch else None)

    def one_beam(self):
        return self.one("one-beam", "one sentence at a time, beam 5", 5)

    def one_greedy(self):
        return self.one("one-greedy", "one sentence at a time, greedy", 1)

    # Whole processes

    def start_up(self):
        line = self.inputs.one_line()
        models = {"attend": self.inputs.model(), "attend int8": self.inputs.int8_model()}
        runs = {name: self.starting(line, model) for name, model in models.items()}
        runs.update(self.with_peer({"peer": lambda: wall(
            self.peer("translate", "--model", models["attend"], "--input", line, "--beam", 5,
                      "--threads", self.threads, "--no-warmup"), self.env)}))
        peer = ["peer"] if self.torch else []
        lines = []
        for name, model in models.items():
            size = os.path.getsize(model) / 1e6
            what = "%.0f MB%s" % (size, name[len("attend"):])
            lines += [Line("start, load %s, translate a line, ms" % what, [name], peer,
                           (lambda r: r["wall_ms"],) * 2, higher=False, digits=1),
                      Line("the same, peak memory, MB", [name], peer,
                           (lambda r: r["process_mb"],) * 2, higher=False)]
        return Row("start-up", runs, lines)

    def starting(self, line, model):
        ours = [self.attend, "translate", "--model", model, "--input", line, "--threads",
                self.threads, *self.search(5)]
        return lambda: wall(ours)

    def memory(self):
        source, target = self.inputs.pairs()
        updates, made = self.sizes.updates["base"], self.inputs.path("memory.safetensors")
        ours = [self.attend, "train", *self.inputs.train_flags(), "--model", made, "--overwrite",
                "--max-updates", updates, "--threads", self.threads]
        shape = self.base_shape()
        runs = {"attend": lambda: wall(ours)}
        runs.update(self.with_peer({"peer": lambda: wall(self.peer(
            "train", "--src", source, "--tgt", target, "--emb", shape["emb"], "--hidden",
            shape["hidden"], "--vocab", shape["vocab"], "--batch", shape["batch"], "--updates",
            updates, "--warmup", 0, "--threads", self.threads), self.env)}))
        return Row("memory", runs, [Line(
            "training, peak memory, MB", ["attend"], ["peer"] if self.torch else [],
            (lambda r: r["process_mb"],) * 2, higher=False)])

    def growth(self):
        s = self.sizes
        flags = self.bench("--emb", s.emb, "--hidden", s.hidden, "--vocab", s.vocab, "--updates",
                           s.growth_updates, "--threads", self.threads)
        return Growth(flags, self.inputs, s)

    def products(self):
        return Products(self.attend, self.threads, self.inputs.folder)


# To add a row: a method of Bench that returns a Row, and its name here, with - for _.
ROWS = ["train-base", "train-large", "train-small", "encoder-captions", "encoder-long", "beam",
        "greedy", "one-beam", "one-greedy", "start-up", "memory", "growth", "products"]


ROUNDS = 5


def choose(asked):
    """`train` chooses train-base and the like."""
    chosen = []
    for name in filter(None, asked.split(",")):
        found = [row for row in ROWS if row == name or row.startswith(name + "-")]
        if not found:
            raise SystemExit("compare.py: there is no row '%s'; there are: %s" % (name,
                                                                                 ", ".join(ROWS)))
        chosen += [row for row in found if row not in chosen]
    return chosen or ROWS


def cpu_field(name):
    try:
        for line in read_lines("/proc/cpuinfo"):
            if line.startswith(name):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return ""


def cpu_name():
    """The processor and those of its instructions that matter here."""
    flags = set(cpu_field("flags").split())
    kinds = [flag for flag in ("avx2", "avx512f", "avx512_vnni", "avx_vnni", "avx512_bf16",
                               "amx_int8") if flag in flags]
    name = cpu_field("model name") or platform.processor() or platform.machine()
    return name + (" (%s)" % " ".join(kinds) if kinds else "")


def commit():
    """What was measured, as far as git knows."""
    done = subprocess.run(["git", "-C", HERE, "describe", "--always", "--dirty"],
                          capture_output=True, text=True, check=False)
    return "commit " + done.stdout.strip() if done.returncode == 0 else "no commit"


def command(args):
    """The line that measures the same again."""
    given = [("ROWS", args.rows), ("ROUNDS", args.rounds != ROUNDS and args.rounds),
             ("MODEL", args.model), ("QUICK", args.quick and 1)]
    return " ".join(["make bench"] + ["%s=%s" % (name, value) for name, value in given if value])


def about(bench, args):
    torch = ("PyTorch %s" % bench.torch[1] if bench.torch else
             "PyTorch was not looked for, or is not installed: `make deps GROUP=parity` installs it")
    version = subprocess.run([bench.attend, "--version"], capture_output=True, text=True,
                             check=True).stdout.strip()
    rounds = args.rounds
    lines = ["%s, %s, %s: %s" % (version, commit(), datetime.date.today(), command(args)),
             "%s, %d threads; %s" % (cpu_name(), bench.threads, torch),
             "%s; %d round%s, medians with the least and the most; ratio above 1: attend is better"
             % (bench.inputs.what(), rounds, "s" if rounds > 1 else "")]
    if bench.sizes is QuickSizes:
        lines.append("QUICK: toy sizes, to see that everything runs; the figures mean nothing")
    return lines + ([bench.warning] if bench.warning else [])


def save(folder, results):
    with open(os.path.join(folder, "results.json"), "w", encoding="utf-8") as f:
        json.dump(results, f, indent=1)
        f.write("\n")
    with open(os.path.join(folder, "table.md"), "w", encoding="utf-8") as f:
        f.write(table.render(results, table.markdown))


def measure_row(bench, key, rounds):
    """The results of a row; if it cannot be prepared, its failure."""
    try:
        row = getattr(bench, key.replace("-", "_"))()
    except (Failure, OSError) as error:
        say("%s FAILED: %s" % (key, error))
        return {"key": key, "lines": [], "tables": [], "errors": {"preparing": str(error)}}
    row.measure(rounds)
    return {"key": key, "load_before": row.load, "lines": [line.cells(row) for line in row.lines],
            "tables": getattr(row, "tables", []), "errors": row.errors, "runs": row.results}


def main():
    ap = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    ap.add_argument("--attend", default="build/attend", help="the program")
    ap.add_argument("--folder", default="build/bench", help="for texts, models and results")
    ap.add_argument("--rows", default="", help="some of " + ", ".join(ROWS))
    ap.add_argument("--rounds", type=int, default=ROUNDS)
    ap.add_argument("--threads", type=int, default=0, help="0: what attend takes by itself")
    ap.add_argument("--model", help="translate with this model instead of training one")
    ap.add_argument("--no-peer", action="store_true", help="attend alone")
    ap.add_argument("--quick", action="store_true", help="toy sizes: does everything run?")
    args = ap.parse_args()
    rows = choose(args.rows)
    bench = Bench(args)
    results = {"about": about(bench, args), "rounds": args.rounds, "threads": bench.threads,
               "torch": bench.torch and bench.torch[1], "rows": []}
    for key in rows:
        results["rows"].append(measure_row(bench, key, args.rounds))
        save(bench.inputs.folder, results)
    print(table.render(results, table.aligned))
    return any(row["errors"] for row in results["rows"])


if __name__ == "__main__":
    sys.exit(main())
