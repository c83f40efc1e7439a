"""How long one vote takes from the command's return on one host to its sight on another."""

import os
import statistics
import subprocess
import threading
import time

from lab.caravan import converge, party
from lab.network import Failure, Lan

ABOUT = "200 votes from host to host: median and p99, beside the disk's own fsync"
QUICK = True
NEEDS_CARAVAN = True
VOTES = 200
MEDIAN_MS_MAX = 20  # beyond the disk's own fsync

NAMES = {"jie": "Jie", "michelle": "Michelle"}


class Watching(threading.Thread):
    """Reads `caravan watch --json` and notes when each line came."""

    def __init__(self, person):
        super().__init__(daemon=True)
        host = person.host
        words = host._enter([person.program, "watch", "--json"], None)
        self.process = subprocess.Popen(words, env=host._environment(), stdout=subprocess.PIPE, text=True)
        host.processes["watch"] = self.process
        self.lines = []
        self.changed = threading.Condition()

    def run(self):
        for line in self.process.stdout:
            with self.changed:
                self.lines.append((time.monotonic(), line))
                self.changed.notify_all()

    def is_seen(self, count, seconds):
        """Waits for that many votes; when the last of them came, or None."""
        with self.changed:
            self.changed.wait_for(lambda: len(self.votes()) >= count, seconds)
            return self.votes()[count - 1] if len(self.votes()) >= count else None

    def votes(self):
        return [when for when, line in self.lines if '"vote"' in line]


def run(folder, program):
    with Lan(folder, list(NAMES)) as lan:
        people = jie, michelle = party(lan, program, NAMES, "Lisbon in June")
        jie.do("add", "Casa do Rio")
        converge(people, 10, lambda: len(michelle.items()) == 1)
        watching = Watching(michelle)
        watching.start()
        for _ in range(20):  # until the watch is on
            jie.do("vote", "1", "--against")
            if watching.is_seen(1, 0.5):
                break
        before = len(watching.votes())
        after_return, after_start = [], []
        for number in range(VOTES):
            started = time.monotonic()
            jie.do("vote", "1", *(["--against"] if number % 2 else []))
            returned = time.monotonic()
            seen = watching.is_seen(before + number + 1, 10)
            if seen is None:
                raise Failure(f"vote {number + 1} is not seen within 10 s")
            after_return.append((seen - returned) * 1000)  # below zero: seen before the command had even returned
            after_start.append((seen - started) * 1000)
        sync = fsync_ms(folder)
        median = statistics.median(after_return)
        print(f"latency: {VOTES} votes, from the command's return to the other host's sight: {spread(after_return)}")
        print(f"latency: the same from the command's start: {spread(after_start)}; one fsync here: {sync:.1f} ms")
        if median > MEDIAN_MS_MAX + sync:
            raise Failure(f"the median is more than {MEDIAN_MS_MAX} ms beyond one fsync")


def spread(values):
    ordered = sorted(values)
    return f"median {statistics.median(ordered):.1f} ms, p99 {ordered[len(ordered) * 99 // 100 - 1]:.1f} ms"


def fsync_ms(folder):
    """The median time of one fdatasync of a small write."""
    times = []
    with open(folder / "fsync", "wb", buffering=0) as file:
        for _ in range(50):
            file.write(bytes(200))
            started = time.monotonic()
            os.fdatasync(file.fileno())
            times.append((time.monotonic() - started) * 1000)
    return statistics.median(times)
