"""Timed commands, and summaries of their runs."""

import json
import os
import statistics
import subprocess
import tempfile
import time

from inputs import Failure, say


def timed(command, env=None, output=None):
    """Run a command: (output, seconds, peak resident MB), for the whole process."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
        start = time.monotonic()
        process = subprocess.Popen([str(c) for c in command], stdin=subprocess.DEVNULL,
                                   stdout=output or out, stderr=errors, env=env)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.monotonic() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        errors.seek(0)
        if process.returncode:
            last = (errors.read().decode(errors="replace").strip().splitlines() or ["no word"])[-1]
            raise Failure("%s ended with %d: %s" % (os.path.basename(str(command[0])),
                                                    process.returncode, last))
        return out.read().decode(), seconds, usage.ru_maxrss / 1024


def figures(command, env=None):
    """The last line that a command prints, a JSON object, plus the time and memory of the process."""
    text, seconds, memory = timed(command, env)
    try:
        found = json.loads(text.strip().splitlines()[-1])
    except (ValueError, IndexError):
        raise Failure("%s printed no JSON" % os.path.basename(str(command[0]))) from None
    return dict(found, wall_seconds=seconds, process_mb=memory)


def wall(command, env=None):
    _, seconds, memory = timed(command, env)
    return {"wall_ms": 1e3 * seconds, "process_mb": memory}


class Row:
    """Runs that alternate, and the lines of the table made from them."""

    def __init__(self, key, runs, lines, check=None):
        self.key, self.runs, self.lines, self.check = key, runs, lines, check
        self.results = {name: [] for name in runs}
        self.errors, self.note, self.load = {}, "", os.getloadavg()[0]

    def measure(self, rounds):
        for turn in range(rounds):
            for name, run in self.runs.items():
                if name in self.errors:
                    continue
                say("%s: %s, %d of %d" % (self.key, name, turn + 1, rounds))
                try:
                    self.results[name].append(run())
                except (Failure, OSError) as error:
                    self.errors[name] = str(error)
                    say("%s: %s FAILED: %s" % (self.key, name, error))
        if self.check and not self.errors:
            try:
                self.note = self.check()
            except (Failure, OSError) as error:
                self.errors["comparing"] = str(error)

    def spread(self, name, figure):
        """(median, least, most) of a figure, which a function takes from a run's result; None when
        the run failed or there is none of that name."""
        if name in self.errors or not self.results.get(name):
            return None
        values = [figure(result) for result in self.results[name]]
        return statistics.median(values), min(values), max(values)

    def best(self, names, figure, higher):
        """The best of several runs by their medians, and its name. None if any of them failed: the
        others might have been worse."""
        found = [(self.spread(name, figure), name) for name in names]
        if not found or any(spread is None for spread, _ in found):
            return None, None
        return (max if higher else min)(found)


class Line:
    """One figure of both sides. ours and peer: names of runs; the best one counts."""

    def __init__(self, title, ours, peer, figure, higher=True, digits=0, share=None, note=None):
        self.title, self.ours, self.peer, self.figure = title, ours, peer, figure
        self.higher, self.digits, self.share, self.note = higher, digits, share, note

    def cells(self, row):
        of_ours, of_peer = self.figure
        ours, our_run = row.best(self.ours, of_ours, self.higher)
        peer, peer_run = row.best(self.peer, of_peer, self.higher)
        share = self.share and row.spread(our_run, self.share)
        ratio = None
        if ours and peer:
            ratio = ours[0] / peer[0] if self.higher else peer[0] / ours[0]
        notes = [part for part in (row.note if not self.note else self.note(row, our_run),
                                   len(self.ours) > 1 and our_run and "attend: " + our_run,
                                   len(self.peer) > 1 and peer_run and "peer: " + peer_run) if part]
        return {"work": self.title, "attend": ours, "share_of_peak": share or None, "peer": peer,
                "ratio": ratio, "digits": self.digits, "notes": "; ".join(notes),
                "attend_failed": any(name in row.errors for name in self.ours),
                "peer_failed": any(name in row.errors for name in self.peer),
                "peer_ran": bool(self.peer)}
