#!/usr/bin/env python3
"""Instructions of fixed work, counted by callgrind on one thread: a check of speed that does not
depend on how busy the machine is.

Each work is run twice, the second time with more of the same, and the difference counts, so that
start-up, loading and warm-up cancel out. counts.txt has the earlier counts. A total that has grown
by more than 3 % is reported with the folders in which it grew, and the exit code is 1.

Start it with `make bench-counts`; `make bench-counts UPDATE=1` rewrites counts.txt.
"""

import argparse
import collections
import os
import re
import subprocess
import sys

from inputs import Failure, call, random_lines, say, write_lines

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
GROWTH = 0.03
OTHER = "other"
LINES = (2, 6)  # to translate; emulated multiply-adds are slow, so all sizes are small


# ---- Counting

def folder_of(file):
    """tensor for src/tensor/gemm.c; OTHER for code that is not ours."""
    inside = os.path.relpath(file, ROOT) if os.path.isabs(file) else os.path.normpath(file)
    found = re.match(r"(?:src/)?([a-z]+)/[^/]+$", inside)
    return found[1] if found and not inside.startswith("..") else OTHER


def own_costs(path):
    """Instructions by folder of a callgrind profile, without callees. Inlined code counts
    for its own folder, what comes from outside (a compiler's header) for the function's."""
    names, costs, function, file, after_calls = {}, collections.Counter(), None, None, False
    with open(path, encoding="utf-8") as f:
        for line in f:
            head = re.match(r"(fl|fi|fe|cfi|cfl)=\((\d+)\)(?: (.*))?", line)
            if head:
                if head[3]:
                    names[head[2]] = folder_of(head[3].strip())
                if head[1] == "fl":
                    function = names[head[2]]
                if not head[1].startswith("c"):
                    file = names[head[2]]
                    file = function if file == OTHER else file
            elif line.startswith("calls="):
                after_calls = True  # the next line is the cost of what was called
            elif line[0] in "0123456789+-*":
                parts = line.split()
                if not after_calls and len(parts) > 1:
                    costs[file] += int(parts[1])
                after_calls = False
    return costs


def count(command, profile):
    """Instructions by folder, of the whole process."""
    call(["valgrind", "--tool=callgrind", "--callgrind-out-file=" + profile, *command])
    return own_costs(profile)


# ---- Work

class Work:
    def __init__(self, attend, folder):
        self.attend, self.folder = attend, folder
        os.makedirs(folder, exist_ok=True)

    def path(self, name):
        return os.path.join(self.folder, "counts." + name)

    def prepare(self):
        """A model with the random weights that training starts with (a learning rate this small
        moves nothing), so that they do not depend on how training is computed."""
        for seed, side in enumerate(("src", "tgt")):
            write_lines(self.path(side), random_lines(seed, 400, 400, lambda _: 8))
        for lines in LINES:
            write_lines(self.path("in%d" % lines), random_lines(9, lines, 400, lambda _: 8))
        call([self.attend, "train", "--train-src", self.path("src"), "--train-tgt",
              self.path("tgt"), "--model", self.path("safetensors"), "--overwrite", "--tokenizer",
              "spaces", "--emb", 32, "--hidden", 64, "--lr", "1e-20", "--max-updates", 1,
              "--threads", 1])
        call([self.attend, "convert", "--model", self.path("safetensors"), "--int8", "--output",
              self.path("int8.safetensors")])

    def update(self, times):
        return [self.attend, "bench", "--no-peak", "--threads", 1, "--emb", 32, "--hidden", 64,
                "--vocab", 400, "--batch-sentences", 8, "--length", 6, "--updates", times]

    def translate(self, model, lines, *flags):
        return [self.attend, "translate", "--threads", 1, "--model", self.path(model), "--input",
                self.path("in%d" % lines), "--output", self.path("out"), "--finish-all",
                "--max-length", 1.5, *flags]

    def pairs(self):
        """Name: less work, more work. To add one: a line here, then `make bench-counts UPDATE=1`."""
        def both(model, *flags):
            return [self.translate(model, lines, *flags) for lines in LINES]
        return {
            "two updates": (self.update(1), self.update(3)),
            "beam 5, 4 sentences": both("safetensors", "--beam", 5),
            "beam 5, 4 sentences, int8": both("int8.safetensors", "--beam", 5),
            "greedy, 4 sentences one by one": both("safetensors", "--beam", 1,
                                                    "--batch-sentences", 1),
        }

    def measure(self):
        found = {}
        for name, (less, more) in self.pairs().items():
            say("counting: " + name)
            folders = count(more, self.path("profile"))
            folders.subtract(count(less, self.path("profile")))
            total = sum(folders.values())
            # A folder with very few instructions is left out; it may come and go.
            found[name] = dict([("total", total)] + sorted(
                (f, n) for f, n in folders.items() if n > total / 500))
        return found


# ---- The record

def compiler_of(attend):
    """The compiler that built the program, by its own account."""
    done = subprocess.run(["readelf", "--string-dump=.comment", attend], capture_output=True,
                          text=True, check=False)
    found = re.findall(r"\]\s+(.*)", done.stdout)
    return found[0].strip() if found else "unknown"


def write_record(path, compiler, found):
    with open(path, "w", encoding="utf-8") as f:
        f.write("# Instructions of fixed work, in all and by folder of src; see counts.py.\n"
                "# `make bench-counts` compares with these, `make bench-counts UPDATE=1` writes "
                "them.\n")
        f.write("compiler: %s\n" % compiler)
        for name, groups in found.items():
            f.write("\n%s:\n" % name)
            f.writelines("%14d %s\n" % (n, group) for group, n in groups.items())


def read_record(path):
    """The compiler, and {name: {group: count}}."""
    compiler, found, groups = "unknown", {}, None
    with open(path, encoding="utf-8") as f:
        for line in f:
            entry = re.match(r" *(\d+) (\w+)$", line)
            if line.startswith("compiler: "):
                compiler = line[len("compiler: "):].strip()
            elif entry and groups is not None:
                groups[entry[2]] = int(entry[1])
            elif line.rstrip().endswith(":") and not line.startswith("#"):
                groups = found.setdefault(line.rstrip()[:-1], {})
    return compiler, found


def change(now, before):
    return now / before - 1 if before else float("inf")


def compare(found, before):
    """Print all totals; return those that have grown too much."""
    grown = []
    for name, groups in found.items():
        old = before.get(name, {})
        if "total" not in old:
            print("%-34s %14d  new: not in the record" % (name, groups["total"]))
            grown.append(name)
            continue
        by = change(groups["total"], old["total"])
        print("%-34s %14d  %+6.1f %%" % (name, groups["total"], 100 * by))
        if by <= GROWTH:
            continue
        grown.append(name)
        for group, now in groups.items():
            if group != "total" and now - old.get(group, 0) > GROWTH / 10 * old["total"]:
                print("  %-32s %14d  before %d" % (group, now, old.get(group, 0)))
    return grown


def main():
    ap = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    ap.add_argument("--attend", default="build-counts/attend", help="built with debug information")
    ap.add_argument("--folder", default="build-counts/counts", help="for texts and profiles")
    ap.add_argument("--record", default=os.path.join(HERE, "counts.txt"))
    ap.add_argument("--update", action="store_true", help="write the record anew")
    args = ap.parse_args()
    try:
        work = Work(os.path.abspath(args.attend), os.path.abspath(args.folder))
        work.prepare()
        found = work.measure()
    except Failure as failure:
        say("counts.py: %s" % failure)
        return 1
    compiler = compiler_of(args.attend)
    if args.update:
        write_record(args.record, compiler, found)
        return 0
    recorded_by, before = read_record(args.record)
    grown = compare(found, before)
    if recorded_by != compiler:
        print("recorded with %s, counted with %s: they may differ for that alone" % (recorded_by,
                                                                                    compiler))
    if grown:
        print("grown by more than %.0f %%: %s" % (100 * GROWTH, ", ".join(grown)))
    return bool(grown)


if __name__ == "__main__":
    sys.exit(main())
