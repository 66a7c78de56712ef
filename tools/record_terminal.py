#!/usr/bin/env python3
"""Runs commands in a terminal and draws the session as an animated SVG, docs/images/terminal.svg.

    tools/record_terminal.py            write the picture
    tools/record_terminal.py --check    exit with 1 if the picture is not what the commands print today

What the picture shows is what the commands print here: they run in a pseudoterminal of COLUMNS columns. Only the time
is made up, so that the same output makes the same bytes. The picture needs no script. It is whole where animations do
not run or are not wanted. ATTEND is the program; it is called `attend` in the session."""
import html
import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import tempfile
import termios

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PICTURE = os.path.join(ROOT, "docs/images/terminal.svg")
COLUMNS = 88
SESSION = [
    "attend translate --model english-pronunciation gracht hello",
    "attend translate --model dates 'le 1er juillet 1987' 'Monday, August 12th, 1991'",
    "attend plot --dark --model hindi-english 'mai ghar ja raha hoon'",
]

# Seconds.
PER_KEY, BEFORE_OUTPUT, AFTER_OUTPUT, AT_END = 0.05, 0.4, 1.6, 5.0
# Pixels.
CELL, LINE, MARGIN, BAR = 8.0, 19, 16, 30
PAPER, INK, PROMPT, FRAME = "#1b1f27", "#d8dee9", "#8fbf7f", "#2b313d"
FONT = "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, 'Liberation Mono', monospace"


# ---- Recording -------------------------------------------------------------------------------------------------------

def record(command, folder):
    """What a command prints in a terminal, as text with escape sequences."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, COLUMNS, 0, 0))
    # Every processor rounds alike at the plain level.
    environment = {"PATH": folder + ":/usr/bin:/bin", "TERM": "xterm-256color", "COLORTERM": "truecolor",
                   "LC_ALL": "C.UTF-8", "ATTEND_SIMD": "plain"}
    with subprocess.Popen(["sh", "-c", command], stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs,
                          env=environment, cwd="/") as child:
        os.close(theirs)
        parts = []
        while True:
            try:
                part = os.read(ours, 65536)
            except OSError: # the child has closed its end
                break
            if not part:
                break
            parts.append(part)
    os.close(ours)
    if child.returncode:
        sys.exit(f"'{command}' exits with {child.returncode}: {b''.join(parts).decode()}")
    return b"".join(parts).decode().replace("\r\n", "\n")


STYLE = re.compile(r"\x1b\[([\d;]*)m")


def color(codes, kind):
    """The 24-bit color that a style sets: kind 38 is the ink, 48 the paper. None: the default."""
    match = re.search(rf"(?:^|;){kind};2;(\d+);(\d+);(\d+)", codes)
    return "#%02x%02x%02x" % tuple(map(int, match.groups())) if match else None


def runs(line):
    """A line as [(column, text, ink, paper)]."""
    found, column, ink, paper = [], 0, None, None
    for i, part in enumerate(STYLE.split(line)):
        if i % 2:
            ink, paper = (None, None) if part in ("", "0") else (color(part, 38) or ink, color(part, 48) or paper)
        elif part:
            found.append((column, part, ink, paper))
            column += len(part)
    return found


# ---- Drawing ---------------------------------------------------------------------------------------------------------

def text(x, y, words, fill, more=""):
    """Words at their place, as wide as their cells in every font. Blanks that may collapse are left out."""
    return "".join(f'<text x="{x + match.start() * CELL:g}" y="{y:g}" fill="{fill}" '
                   f'textLength="{len(match[0]) * CELL:g}"{more}>{html.escape(match[0], quote=False)}</text>'
                   for match in re.finditer(r"\S+(?: \S+)*", words))


class Film:
    """The parts of the picture and when each appears."""

    def __init__(self):
        self.time, self.row, self.body, self.shown = 0.5, 0, [], []

    def top(self):
        return BAR + MARGIN + self.row * LINE

    def typed(self, command):
        """A command, which appears key by key."""
        y = self.top() + LINE - 5
        seconds = PER_KEY * len(command)
        if self.row: # the first prompt is always there
            self.shown.append(("o", self.time - AFTER_OUTPUT, 0, 0))
        self.body.append(text(MARGIN, y, "$", PROMPT, f' class="o{len(self.shown)}"'))
        self.shown.append(("t", self.time, seconds, len(command)))
        self.body.append(text(MARGIN + 2 * CELL, y, command, INK, f' class="t{len(self.shown)}"'))
        self.time += seconds + BEFORE_OUTPUT
        self.row += 1

    def printed(self, output):
        """Its output, which appears at once."""
        self.shown.append(("o", self.time, 0, 0))
        self.body.append(f'<g class="o{len(self.shown)}">')
        for line in output.rstrip("\n").split("\n"):
            for column, words, ink, paper in runs(line):
                x = MARGIN + column * CELL
                if paper:
                    self.body.append(f'<rect x="{x:g}" y="{self.top()}" width="{len(words) * CELL:g}" height="{LINE}" '
                                     f'fill="{paper}"/>')
                self.body.append(text(x, self.top() + LINE - 5, words, ink or INK))
            self.row += 1
        self.body.append("</g>")
        self.time += AFTER_OUTPUT
        self.row += 1

    def animations(self):
        whole = self.time + AT_END
        rules = []
        for i, (kind, begin, seconds, keys) in enumerate(self.shown, 1):
            start, end = 100 * begin / whole, 100 * (begin + seconds) / whole
            if kind == "t":
                rules.append(f"@keyframes k{i} {{ 0%, {start:.2f}% {{ clip-path: inset(0 100% 0 0) }} "
                             f"{end:.2f}%, 100% {{ clip-path: inset(0 0 0 0) }} }}")
                rules.append(f".t{i} {{ animation: k{i} {whole:g}s steps({keys}) infinite }}")
            else:
                rules.append(f"@keyframes k{i} {{ 0%, {start:.2f}% {{ opacity: 0 }} {start + 0.01:.2f}%, 100% "
                             "{ opacity: 1 } }")
                rules.append(f".o{i} {{ animation: k{i} {whole:g}s infinite }}")
        return "@media (prefers-reduced-motion: no-preference) {\n" + "\n".join(rules) + "\n}"

    def svg(self):
        width, height = 2 * MARGIN + COLUMNS * CELL, self.top() - LINE + MARGIN
        dots = "".join(f'<circle cx="{MARGIN + 6 + 20 * i}" cy="{BAR / 2:g}" r="5" fill="#5c6675"/>' for i in range(3))
        body = "\n".join(part for part in self.body if part)
        return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
                f'height="{height:g}" role="img">\n<title>A terminal: words are pronounced, dates are read, and a '
                f"sentence's attention is drawn</title>\n<style>\n"
                f"text {{ font: 13px {FONT} }}\n{self.animations()}\n</style>\n"
                f'<rect width="{width:g}" height="{height:g}" rx="8" fill="{PAPER}"/>\n'
                f'<path d="M0 {BAR}V8a8 8 0 0 1 8-8H{width - 8:g}a8 8 0 0 1 8 8V{BAR}z" fill="{FRAME}"/>\n{dots}\n'
                f"{body}\n</svg>\n")


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    program = os.path.realpath(os.environ.get("ATTEND", os.path.join(ROOT, "build/attend")))
    film = Film()
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(program, os.path.join(folder, "attend"))
        for command in SESSION:
            film.typed(command)
            film.printed(record(command, folder))
    picture = film.svg()
    if not sys.argv[1:]:
        with open(PICTURE, "w", encoding="utf-8") as file:
            file.write(picture)
        return 0
    with open(PICTURE, encoding="utf-8") as file:
        same = file.read() == picture
    if not same:
        print("docs/images/terminal.svg is not what the commands print; run tools/record_terminal.py", file=sys.stderr)
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
