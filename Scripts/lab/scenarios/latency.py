"""How long one vote takes from the command's return on one host to its sight on another."""

import statistics
import time

from lab import syncthing
from lab.caravan import converge, party
from lab.figures import fsync_ms, p99, spread
from lab.network import Failure, Lan
from lab.watching import Watching

ABOUT = "200 votes from host to host: median and p99, beside the disk's own fsync and Debian's Syncthing"
QUICK = True
NEEDS_CARAVAN = True
VOTES, BRIEF_VOTES = 200, 60
FILES = 5
# Beyond the disk's own fsync.
MEDIAN_MS_MAX, P99_MS_MAX, DEBUG_MEDIAN_MS_MAX = 5, 20, 20

NAMES = {"jie": "Jie", "michelle": "Michelle"}


def run(folder, program):
    measure(folder, program, VOTES)
    beside(folder / "syncthing")


def brief(folder, program):
    measure(folder, program, BRIEF_VOTES)


def beside(folder):
    """The same of Syncthing, as it comes and with its shortest delay."""
    if not syncthing.is_here():
        return print("latency: Syncthing was left out: Scripts/setup --syncthing installs it")
    with Lan(folder, list(NAMES), services=False) as lan:
        for delay, what in ((syncthing.DEFAULT_DELAY, "with its defaults"),
                            (syncthing.SHORTEST_DELAY, "with its shortest delay")):
            with syncthing.Pair(list(lan), delay) as pair:
                times = [pair.measure(f"file {number}") for number in range(FILES)]
                print(f"latency: Syncthing {what}: {FILES} files, from their writing to the other host: {spread(times, 's')}; "
                      f"the first {pair.start_seconds:.1f} s after the start", flush=True)


def start_ms(person):
    """What a command takes that does nothing: the median, with what it takes to get into the host's namespaces."""
    times = []
    for _ in range(20):
        started = time.monotonic()
        person.do("--version")
        times.append((time.monotonic() - started) * 1000)
    return statistics.median(times)


def measure(folder, program, count):
    with Lan(folder, list(NAMES)) as lan:
        people = jie, michelle = party(lan, program, NAMES, "Lisbon in June")
        jie.do("add", "Casa do Rio")
        converge(people, 10, lambda: len(michelle.items()) == 1)
        watching = Watching(michelle, '"vote"')
        for _ in range(20):  # until the watch is on
            jie.do("vote", "1", "--against")
            if watching.is_seen(1, 0.5):
                break
        before = len(watching.times())
        after_return, after_start = [], []
        for number in range(count):
            started = time.monotonic()
            jie.do("vote", "1", *(["--against"] if number % 2 else []))
            returned = time.monotonic()
            seen = watching.is_seen(before + number + 1, 10)
            if seen is None:
                raise Failure(f"vote {number + 1} is not seen within 10 s")
            after_return.append((seen - returned) * 1000)  # below zero: seen before the command had even returned
            after_start.append((seen - started) * 1000)
        sync = fsync_ms(folder)
        print(f"latency: {count} votes, from the command's return to the other host's sight: {spread(after_return)}")
        print(f"latency: the same from the command's start: {spread(after_start)}; a command that says its version takes "
              f"{start_ms(jie):.1f} ms, one fsync {sync:.1f} ms")
        median, slow = statistics.median(after_return), p99(after_return)
        if "release" not in str(program):
            if median > DEBUG_MEDIAN_MS_MAX + sync:
                raise Failure(f"the median is more than {DEBUG_MEDIAN_MS_MAX} ms beyond one fsync")
        elif median > MEDIAN_MS_MAX + sync or slow > P99_MS_MAX + sync:
            raise Failure(f"the median is more than {MEDIAN_MS_MAX} ms beyond one fsync, or p99 more than {P99_MS_MAX}")
