#!/usr/bin/env python3
"""Runs the commands of Markdown files and compares what they print with what the text shows.

    tools/check_claims.py [--model FILE] [--save FILE] [--study DIR] [--verbose] FILE.md...

ATTEND is the program. A command is a line of an indented block that starts like one (attend, echo, M=). It runs in a
folder that has build/attend (which is `attend` too), the demo's corpus and a demo model: the one that demo/run.sh
trains, or --model. The rest of the block, after a blank line, is what it prints, or a part of it. Words, whole numbers
and marks are compared exactly, numbers with a point within a tolerance, 0.001 unless a comment before the block says otherwise:

    <!-- claims: 0.05; </s>: words; step: * -->

These are rules for lines, by their beginning, the last one that fits wins: tolerances of the numbers in a line, one after
the other, of which the last one repeats; * is any number; `words` compares the words only, `any` nothing. In the text:

    <!-- shown -->`home`                 the last command printed this
    <!-- at least accuracy -->99 %       it printed the word, followed by a number that is at least this (or `at most`)
    <!-- looks -->`I` looks at `mai`, ... to the end of the sentence: pairs of a word and the source word that gets most
                                         of its weight, in the demo's sentence
    <!-- each: build/attend explain --model $M --attend {1} "..." => after: {2} -->
                                         before a table: in every row, {1} is the code of the first column, {2} the text
                                         of the second, and the command prints the line after =>

Commands that take longer than a minute are not run; LONG lists them. Exits with 1 if a claim does not hold."""
import argparse
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SENTENCE = "mai ghar ja raha hoon"
MODEL = "build/demo/hindi-english.safetensors"
TOLERANCE = 0.001

# What is not run, by the beginning of the command, and why.
LONG = {
    "make test": "runs every test",
    "make deps install": "installs into the system; tests/cli/06-install.sh does it elsewhere",
    "make deps deb": "builds packages; tests/long/chroot.sh does it",
    "sudo apt-get install ./build/deb/": "installs into the system; tests/long/chroot.sh does it",
    "make deps wasm": "installs packages and builds attend.wasm; CI does it",
    "build/attend playground": "needs attend.wasm; tests/page has tests of it",
    "cmake -B build": "builds the program; CI does it",
    "cmake --install": "installs into the system; tests/cli/06-install.sh does it elsewhere",
    "recipes/debian-titles/run.sh": "20 minutes, and needs apt",
    "recipes/dates/run.sh": "half a minute of its own; tests/cli/91-recipes.sh runs it",
    "recipes/listen/run.sh": "needs recordings",
    "espeak-ng": "a package that may be missing",
    "bash docs/studies/": "minutes",
}
# Folders with models that take minutes to train; a command that names one runs only if it is there.
STUDY = "build/lesson/"
ELSEWHERE = {
    STUDY: "needs the models of docs/studies/pictures.sh",
    "recipes/listen/out/": "needs a model of recipes/listen",
}
COMMAND = re.compile(r"(build/attend|attend|echo|make|cmake|bash|recipes/\S+|M=)(\s|$|\S)")
MARKER = re.compile(r"<!-- (claims|each): (.*?) -->\s*$")


class Page:
    """A Markdown file as a list of items in order: (line, kind, data)."""

    def __init__(self, path):
        self.path, self.items, self.rules = path, [], None
        with open(path, encoding="utf-8") as file:
            self.lines = file.read().split("\n")
        at = 0
        while at < len(self.lines):
            at = self.read(at)

    def read(self, at):
        line = self.lines[at]
        marker = MARKER.match(line)
        if marker:
            self.items.append((at + 1, marker[1], marker[2]))
            return at + 1
        if line.startswith("    ") and (at == 0 or not self.lines[at - 1].strip()):
            return self.read_block(at)
        if line.startswith("```"):
            at += 1
            while at < len(self.lines) and not self.lines[at].startswith("```"):
                at += 1
            return at + 1
        end = at
        while end < len(self.lines) and self.lines[end].strip() and not MARKER.match(self.lines[end]):
            end += 1
        if end > at:
            self.items.append((at + 1, "text", self.lines[at:end]))
        return max(end, at + 1)

    def read_block(self, at):
        end = at
        while end < len(self.lines) and (self.lines[end].startswith("    ") or not self.lines[end].strip()):
            end += 1
        chunks, start = [], at
        for i in range(at, end + 1):
            if i == end or not self.lines[i].strip():
                if i > start:
                    chunks.append((start, [line[4:] for line in self.lines[start:i]]))
                start = i + 1
        follows = False # output, if a command precedes it in the same block; otherwise a formula
        for start, chunk in chunks:
            is_command = COMMAND.match(chunk[0]) is not None
            follows = follows or is_command
            if follows:
                self.items.append((start + 1, "commands" if is_command else "output", chunk))
        return end


def commands_of(chunk):
    """The commands of a block: joined at backslashes, without comments."""
    joined = re.sub(r"\\\n\s*", "", "\n".join(chunk))
    return [re.sub(r"\s+#\s.*$", "", line).strip() for line in joined.split("\n") if line.strip()]


NUMBER = re.compile(r"[-+]?\d*\.\d+")


def parts(line):
    """Words and numbers of a line; bars and shades only repeat the numbers, and their width is not compared."""
    plain = re.sub(r"[█▓▒░]+|#{2,}|(?<=\s)#(?=\s|$)", " ", line)
    return NUMBER.sub("\0", plain).split(), [float(number) for number in NUMBER.findall(plain)]


def rules_of(text):
    """[(beginning, tolerances or a word)] of a comment; the empty beginning fits every line."""
    rules = [("", [TOLERANCE])]
    for rule in (text or "").split(";"):
        begin, found, spec = rule.strip().rpartition(": ")
        if rule.strip():
            values = spec.split(",")
            rules.append((begin if found else "",
                          spec if spec in ("words", "any") else [None if v.strip() == "*" else float(v) for v in values]))
    return rules


def line_fits(want, got, rules):
    spec = [spec for begin, spec in rules if want.strip().startswith(begin)][-1]
    if spec == "any":
        return True
    (words, numbers), (got_words, got_numbers) = parts(want), parts(got)
    if spec == "words":
        return without_numbers(want) == without_numbers(got)
    # A table leaves small weights out as 0.
    if words != got_words:
        words, numbers = spelled(want)
        got_words, got_numbers = spelled(got)
    if words != got_words or len(numbers) != len(got_numbers):
        return False
    for i, (one, other) in enumerate(zip(numbers, got_numbers)):
        tolerance = spec[min(i, len(spec) - 1)]
        if tolerance is not None and abs(one - other) > tolerance + 1e-9:
            return False
    return True


def spelled(line):
    """The same, where a lone 0 counts as a number, as in heatmaps."""
    return parts(re.sub(r"(?<!\S)0(?!\S)", "0.0", line))


def without_numbers(line):
    return [word for word in spelled(line)[0] if word.strip("\0,()")]


def fits(want, got, rules):
    """Whether the lines of `want` follow each other somewhere in `got`."""
    return any(all(line_fits(w, g, rules) for w, g in zip(want, got[at:]))
               for at in range(len(got) - len(want) + 1))


class Checker:
    def __init__(self, work, program, verbose):
        self.work, self.program, self.verbose = work, program, verbose
        path = os.path.join(work, "build") + os.pathsep + os.environ.get("PATH", "/usr/bin:/bin")
        self.environment = dict(os.environ, PATH=path, M=MODEL, LC_ALL="C.UTF-8", COLUMNS="120")
        self.environment.pop("ATTEND_MODELS", None)
        self.printed, self.ran, self.wrong, self.left = "", 0, [], []
        self.demo = ""

    def fault(self, page, line, words):
        self.wrong.append(f"{os.path.relpath(page.path, ROOT)}:{line}: {words}")

    def run(self, page, line, command):
        if self.verbose:
            print(f"{os.path.basename(page.path)}:{line}: {command}", flush=True)
        try:
            done = subprocess.run(["bash", "-c", command], cwd=self.work, env=self.environment, capture_output=True,
                                  text=True, timeout=600, check=False)
        except subprocess.TimeoutExpired:
            self.fault(page, line, f"takes more than ten minutes: {command}")
            return None
        self.ran += 1
        if done.returncode:
            self.fault(page, line, f"exits with {done.returncode}: {command}\n    {done.stderr.strip()}")
            return None
        return done.stdout

    def commands(self, page, line, chunk):
        self.printed = None
        for command in commands_of(chunk):
            if re.match(r"M=\S+$", command):
                self.environment["M"] = command[2:]
                continue
            if command == "make demo":
                self.printed = self.demo
                continue
            why = next((why for begin, why in LONG.items() if command.startswith(begin)), None)
            for folder, needs in ELSEWHERE.items():
                if folder in command and not os.path.isdir(os.path.join(self.work, folder)):
                    why = why or needs
            if why:
                self.left.append(f"{os.path.basename(page.path)}:{line}: {command}: {why}")
                continue
            self.printed = self.run(page, line, command)

    def output(self, page, line, chunk, rules):
        if self.printed is not None and not fits(chunk, self.printed.split("\n"), rules):
            self.fault(page, line, "is not what the command prints. The text has\n    " + "\n    ".join(chunk) +
                       "\n  and the command\n    " + "\n    ".join(self.printed.strip().split("\n")))

    def text(self, page, line, lines):
        whole = " ".join(lines) # a comment may be wrapped
        for mark in re.finditer(r"<!-- (?!(shown|looks|at (least|most) [^>]+?) -->).*?-->", whole):
            self.fault(page, line, f"has a comment that is not a claim: {mark[0]}")
        for mark in re.finditer(r"<!-- shown -->\s*`([^`]+)`", whole):
            if self.printed is not None and mark[1] not in self.printed:
                self.fault(page, line, f"the command does not print `{mark[1]}`, but\n    {self.printed.strip()}")
        for mark in re.finditer(r"<!-- at (least|most) ([^>]+?) -->\s*(-?[\d.,]*\d)", whole):
            self.bound(page, line, *mark.groups())
        for mark in re.finditer(r"<!-- looks -->([^.]*)", whole):
            self.looks(page, line, re.findall(r"`([^`]+)`", mark[1]))

    def bound(self, page, line, side, name, value):
        if self.printed is None:
            return
        found = re.search(re.escape(name) + r"\s+(-?[\d.]+)", self.printed)
        limit = float(value.replace(",", ""))
        if not found or (float(found[1]) < limit if side == "least" else float(found[1]) > limit):
            self.fault(page, line, f"{name} is {found[1] if found else 'not there'}, not at {side} {value}")

    def looks(self, page, line, words):
        command = f"echo {SENTENCE} | build/attend translate --model {MODEL} --alignment json"
        answer = json.loads(self.run(page, line, command) or "{}")
        if len(words) < 2 or len(words) % 2 or not answer:
            self.fault(page, line, f"has no pairs of words: {words}")
            return
        for target, source in zip(words[::2], words[1::2]):
            row = answer["attention"][answer["target"].index(target)] if target in answer["target"] else [0]
            most = answer["source"][row.index(max(row))]
            if most != source:
                self.fault(page, line, f"`{target}` looks at `{most}`, not at `{source}`")

    def each(self, page, line, rule, table):
        command, _, wanted = rule.partition(" => ")
        for row in table[2:]:
            cells = [cell.strip() for cell in row.strip("|").split("|")]
            code = re.search(r"`([^`]+)`", cells[0])
            want = wanted.replace("{2}", cells[1]).split()
            printed = self.run(page, line, command.replace("{1}", shlex.quote(code[1]))) if code else None
            if printed is not None and not any(got.split() == want for got in printed.split("\n")):
                self.fault(page, line, f"{code[1]} does not print '{' '.join(want)}', but\n    {printed.strip()}")

    def check(self, page):
        rules, each = rules_of(None), None
        for line, kind, data in page.items:
            if kind == "claims":
                rules = rules_of(data)
            elif kind == "each":
                each = data
            elif kind == "commands":
                self.commands(page, line, data)
            elif kind == "output":
                self.output(page, line, data, rules)
                rules = rules_of(None)
            elif each and data[0].startswith("|"):
                self.each(page, line, each, data)
                each = None
            else:
                self.text(page, line, data)


def link(source, target):
    if os.path.exists(source):
        os.symlink(os.path.abspath(source), target)


def prepare(checker, program, model, study):
    """The folder in which commands run: like a clone with `make demo` done."""
    work, folder = checker.work, os.path.dirname(program)
    os.makedirs(os.path.join(work, "build/demo"))
    link(program, os.path.join(work, "build/attend"))
    for module in ("attend-paint.so", "attend-serve.so", "attend-mpi.so"):
        link(os.path.join(folder, module), os.path.join(work, "build", module))
    shutil.copytree(os.path.join(ROOT, "demo"), os.path.join(work, "demo"))
    link(os.path.join(ROOT, "docs"), os.path.join(work, "docs"))
    if study:
        link(study, os.path.join(work, STUDY.rstrip("/")))
    own_data(work)
    script = os.path.join(work, "demo/run.sh")
    if model:
        link(model, os.path.join(work, MODEL))
        with open(script, encoding="utf-8") as file:
            text = file.read()
        cut = re.sub(r'"\$attend" train .*?"\$@"\n', "", text, flags=re.S)
        assert cut != text, "demo/run.sh has no training to leave out"
        with open(script, "w", encoding="utf-8") as file:
            file.write(cut)
    done = subprocess.run(["bash", "demo/run.sh"], cwd=work, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"demo/run.sh exits with {done.returncode}: {done.stderr}")
    checker.demo = done.stdout


# Files for the commands that name the user's own: a few lines of the demo's.
OWN_LINES = 24


def own_data(work):
    def head(name):
        with open(os.path.join(ROOT, "demo", name), encoding="utf-8") as file:
            return [next(file) for _ in range(OWN_LINES)]

    def write(name, lines):
        with open(os.path.join(work, name), "w", encoding="utf-8") as file:
            file.writelines(lines)
    for name in ("train.hi", "train.en", "valid.hi", "valid.en", "test.hi", "test.en", "test.gold"):
        write(name, head(name))
    write("words.tsv", (f"{a.strip()}\t{b}" for a, b in zip(head("train.hi"), head("train.en"))))
    write("in.txt", head("test.hi"))
    write("ref.txt", head("test.en"))
    write("test.tsv", (f"{a.strip()}\t{b}" for a, b in zip(head("test.hi"), head("test.en"))))
    write("film.srt", ["1\n", "00:00:01,000 --> 00:00:02,500\n", SENTENCE + "\n"])


def main():
    parser = argparse.ArgumentParser(description="Check what Markdown files say the demo prints.")
    parser.add_argument("--model", help="a model of the demo; otherwise demo/run.sh trains one")
    parser.add_argument("--save", help="copy the model here")
    parser.add_argument("--study", help="folder with the models of docs/studies/pictures.sh")
    parser.add_argument("--verbose", action="store_true", help="print every command")
    parser.add_argument("file", nargs="+")
    arguments = parser.parse_args()
    program = os.path.abspath(os.environ.get("ATTEND", os.path.join(ROOT, "build/attend")))
    with tempfile.TemporaryDirectory() as work:
        checker = Checker(work, program, arguments.verbose)
        prepare(checker, program, arguments.model and os.path.abspath(arguments.model), arguments.study)
        if arguments.save:
            shutil.copy(os.path.join(work, MODEL), arguments.save)
        for path in arguments.file:
            checker.check(Page(os.path.abspath(path)))
    for words in checker.left:
        print(f"not run: {words}")
    for words in checker.wrong:
        print(f"WRONG: {words}", file=sys.stderr)
    print(f"{checker.ran} commands ran, {len(checker.wrong)} claims are wrong")
    return 1 if checker.wrong or not checker.ran else 0


if __name__ == "__main__":
    sys.exit(main())
