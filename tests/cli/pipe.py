"""Talk to `attend translate` as another program and as a person would. Usage: pipe.py ATTEND MODEL FOLDER

No test measures time: each waits for an answer and fails only if none comes within a minute."""

import gzip
import json
import os
import pty
import select
import signal
import socket
import subprocess
import sys
import zlib

attend, model, folder = sys.argv[1:]
command = [attend, "translate", "--model", model, "--max-length", "5"]
PATIENCE = 60


def fail(what):
    sys.exit("FAILED: " + what)


def equal(what, got, wanted):
    if got != wanted:
        fail(f"{what}: got {got!r}, wanted {wanted!r}")


def read_some(fd, what):
    if not select.select([fd], [], [], PATIENCE)[0]:
        fail(f"{what}: no answer")
    try:
        return os.read(fd, 1 << 16)
    except OSError:  # a terminal whose other end was closed
        return b""


class Coprocess:
    """The program with a pipe, a socket or a FIFO as its standard input."""

    def __init__(self, *options, reads=None, writes=None):
        if reads is None:
            reads, writes = os.pipe()
        self.writes, self.buffer = writes, b""
        self.process = subprocess.Popen(command + list(options), stdin=reads, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        os.close(reads)

    def send(self, data):
        while data:
            data = data[os.write(self.writes, data):]

    def line(self, what):
        while b"\n" not in self.buffer:
            more = read_some(self.process.stdout.fileno(), what)
            if not more:
                fail(f"{what}: the program ended")
            self.buffer += more
        line, self.buffer = self.buffer.split(b"\n", 1)
        return line.decode()

    def idle(self):
        """Nothing may come while the program waits for the rest of a line."""
        return not self.buffer and not select.select([self.process.stdout], [], [], 0.2)[0]

    def end(self, what):
        os.close(self.writes)
        rest = self.process.stdout.read()
        equal(what + ": exit code", self.process.wait(), 0)
        return (self.buffer + rest).decode()


lines = ["mai ghar ja raha hoon", "kya tum", "woh ghar", "", "P", "("]
wanted = subprocess.run(command, input="\n".join(lines), capture_output=True, text=True, check=True).stdout.split("\n")[:-1]
equal("answers", len(wanted), len(lines))


def talks(what, child, rounds=20):
    for i in range(rounds):
        line = lines[i % len(lines)]
        child.send(line.encode() + b"\n")
        equal(f"{what}, line {i + 1}", child.line(what), wanted[i % len(lines)])
    child.send((lines[0] + "\n" + lines[1] + "\n").encode())
    equal(what + ", two at once", [child.line(what), child.line(what)], wanted[:2])
    child.send((lines[0] + "\n" + lines[1][:3]).encode())
    equal(what + ", a line and a half", child.line(what), wanted[0])
    if not child.idle():
        fail(what + ": half a line was answered")
    child.send((lines[1][3:] + "\n").encode())
    equal(what + ", the other half", child.line(what), wanted[1])
    child.send(lines[2].encode())
    equal(what + ", without an end", child.end(what), wanted[2] + "\n")


def ways_in():
    talks("a pipe", Coprocess(), 200)
    mine, its = socket.socketpair()
    talks("a socket", Coprocess(reads=its.detach(), writes=mine.detach()))
    reads, writes = os.pipe()
    os.set_blocking(reads, False)
    talks("a pipe that does not block", Coprocess(reads=reads, writes=writes))
    fifo = os.path.join(folder, "fifo")
    os.mkfifo(fifo)
    child = Coprocess("--input", fifo, reads=os.open("/dev/null", os.O_RDONLY))
    child.writes = os.open(fifo, os.O_WRONLY)  # returns when the program has opened it
    talks("a FIFO", child)


def forms():
    child = Coprocess("--json")
    for i in range(5):
        child.send((json.dumps({"source": lines[i % 3]}) + "\n").encode())
        equal("--json", json.loads(child.line("--json"))["text"], wanted[i % 3])
    equal("--json", child.end("--json"), "")
    child = Coprocess("--alignment", "json")
    child.send(lines[0].encode() + b"\n")
    equal("--alignment json", json.loads(child.line("--alignment json"))["text"], wanted[0])
    equal("--alignment json", child.end("--alignment json"), "")
    child = Coprocess("--nbest", "3", "--beam", "3")
    for i in range(4):
        child.send(lines[0].encode() + b"\n")
        got = [child.line("--nbest") for _ in range(3)]
        equal("--nbest", [line.split(" ||| ")[0] for line in got], [str(i)] * 3)
    equal("--nbest", child.end("--nbest"), "")


def compressed():
    coder = zlib.compressobj(wbits=31)
    child = Coprocess()
    for i in range(5):
        data = coder.compress(lines[i].encode() + b"\n") + coder.flush(zlib.Z_SYNC_FLUSH)
        for byte in data:
            child.send(bytes([byte]))
        equal("gzip", child.line("gzip"), wanted[i])
    child.send(coder.flush() + gzip.compress(lines[1].encode() + b"\n"))
    equal("a second member", child.line("a second member"), wanted[1])
    equal("gzip", child.end("gzip"), "")


def person(typed, code, shown=(), hidden=(), options=()):
    """Type at a terminal, each text after its prompt; the last byte typed ends the program."""
    pid, fd = pty.fork()
    if pid == 0:
        os.execv(command[0], command + list(options))
    screen = b""
    for text in typed:
        while not screen.endswith(b"> "):
            more = read_some(fd, f"a terminal with {screen!r}")
            if not more:
                fail(f"the program ended before {text!r}: {screen!r}")
            screen += more
        os.write(fd, text)
        screen += b"|"
    while True:
        more = read_some(fd, f"the end of a terminal with {screen!r}")
        if not more:
            break
        screen += more
    status = os.waitpid(pid, 0)[1]
    got = 128 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
    equal(f"exit code after {typed!r} with {screen!r}", got, code)
    for text in shown:
        if text.encode() not in screen:
            fail(f"{text!r} is not on the screen: {screen!r}")
    for text in hidden:
        if text.encode() in screen:
            fail(f"{text!r} is on the screen: {screen!r}")


def terminals():
    first = lines[0].encode()
    person([b"\x04"], 0, shown=["Ctrl-D ends", "> "])
    person([first + b"\n", b"\x04"], 0, shown=["Ctrl-D ends", wanted[0]])
    person([first + b"\n" + lines[1].encode() + b"\n", b"\x04"], 0, shown=wanted[:2])
    person([first + b"\x04\x04"], 0, shown=[wanted[0]])  # the first sends the line, the second ends the input
    person([b"\x03"], 130)
    person([first + b"\n", b"mai \x03"], 130, shown=[wanted[0]])
    person([], 0, shown=[wanted[0], wanted[1]], hidden=["Ctrl-D"], options=lines[:2])
    child = subprocess.run(command, input=lines[0] + "\n", capture_output=True, text=True)
    equal("no prompt in a pipe", (child.stdout, "Ctrl-D" in child.stderr, "> " in child.stderr), (wanted[0] + "\n", False, False))


def messages():
    """A line of stderr is one write. A datagram socket keeps writes apart."""
    for call in [["train", "--model", folder + "/none"], ["train", "--train-src", "a", "--train-tgt", "b", "--model", folder + "/none"]]:
        here, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
        subprocess.run([attend, *call], stderr=there, timeout=PATIENCE)
        there.close()
        said = here.recv(1 << 16)
        if said.count(b"\n") != 1 or not said.endswith(b"\n"):
            fail(f"the first write to stderr is not one line: {said!r}")


signal.alarm(10 * PATIENCE)
ways_in()
forms()
compressed()
terminals()
messages()
