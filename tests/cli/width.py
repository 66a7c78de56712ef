"""Run `attend` in a terminal of some width and check what it prints. Usage: width.py COLUMNS KIND COMMAND...

KIND `lines`: prints the text without colors; fails if a line is wider than the terminal. KIND `progress`: waits for a line
of progress, halves the window, waits for another, presses Ctrl-C; fails if a line of progress fills its terminal's width,
or if what a narrower terminal broke into several lines is not removed."""

import fcntl
import os
import pty
import re
import struct
import sys
import termios
import unicodedata

columns, kind, command = int(sys.argv[1]), sys.argv[2], sys.argv[3:]
# Back to the start of what is shown, up some lines, erase.
AGAIN = "\r(?:\x1b\\[[0-9]+A)?\x1b\\[J"
UP = "\x1b\\[([0-9]+)A"


def width(text):
    """The columns of a text in most terminals."""
    wide = 0
    for c in text:
        if unicodedata.category(c) not in ("Mn", "Me", "Cf"):
            wide += 2 if unicodedata.east_asian_width(c) in "WF" else 1
    return wide


def resize(fd, wide):
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", 50, wide, 0, 0))


def read(fd, output):
    try:
        more = os.read(fd, 1 << 16)
    except OSError:
        return False
    output.extend(more)
    return bool(more)


def states(output):
    """What a line of progress showed, one after another; the last may be incomplete."""
    return re.split(AGAIN, output.decode(errors="replace").rsplit("\n", 1)[-1])


def start():
    pid, fd = pty.fork()
    if pid == 0:
        resize(0, columns)
        os.environ.pop("COLUMNS", None)
        os.environ.pop("XTERM_VERSION", None)
        os.execvp(command[0], command)
    return pid, fd


def finish(pid, wanted, output):
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    if status != wanted:
        sys.exit(f"FAILED: exit code {status}, not {wanted}: {output.decode(errors='replace')}")


def check_lines():
    pid, fd = start()
    output = bytearray()
    while read(fd, output):
        pass
    finish(pid, 0, output)
    text = re.sub("\x1b\\[[0-9;]*m", "", output.decode().replace("\r\n", "\n"))
    for line in text.split("\n"):
        if width(line) > columns:
            sys.exit(f"FAILED: {width(line)} columns, not {columns}: {line!r}\n{text}")
    sys.stdout.write(text)


def check_state(state, wide):
    if "epoch" not in state or width(state) >= wide:
        sys.exit(f"FAILED: {width(state)} of {wide} columns of progress: {state!r}")


def check_progress():
    pid, fd = start()
    output = bytearray()
    while len(states(output)) < 3 and read(fd, output):
        pass
    check_state(states(output)[1], columns)
    resize(fd, columns // 2)
    seen = len(states(output))
    while len(states(output)) < seen + 3 and read(fd, output):
        pass
    check_state(states(output)[seen + 1], columns // 2)
    shown = width(states(output)[seen - 1])
    broken = max((shown - 1) // (columns // 2), (width(states(output)[seen]) - 1) // (columns // 2))
    ups = [int(up) for up in re.findall(UP, output.decode(errors="replace"))]
    if max(ups, default=0) != broken:
        sys.exit(f"FAILED: went up {ups} lines, not {broken}: {output!r}")
    os.write(fd, b"\x03")
    while read(fd, output):
        pass
    finish(pid, 130, output)


check_progress() if kind == "progress" else check_lines()
