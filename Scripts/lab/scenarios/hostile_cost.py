"""A member who writes what costs the others most: they go on as if it were anybody."""

import os
import time

from lab import control
from lab.caravan import everyone_meets, party
from lab.network import Failure, Lan, until
from lab.puppets import Puppets
from lab.scenarios.newcomer import changes

ABOUT = "forks, admissions that claim one key, removals that cut by puppets, 20 a second for a minute: seen within 1 s, CPU below 20%"
QUICK = False
NEEDS_CARAVAN = True
NEEDS_PYTHON = True
KINDS = os.environ.get("CARAVAN_HOSTILE_KINDS", "forks claims removals cuts").split()
SIZES = [int(size) for size in os.environ.get("CARAVAN_HOSTILE_CHANGES", "1000 50000").split()]
RATE, SECONDS = 20, 60
SECONDS_MAX = 2_000
SEEN_SECONDS, CPU_MAX = 1.0, 0.2

NAMES = {"jie": "Jie", "michelle": "Michelle"}


def run(folder, program, sizes=tuple(SIZES), seconds=SECONDS, kinds=tuple(KINDS)):
    failures = []
    for size in sizes:
        for kind in kinds:
            with Lan(folder / f"{kind}-{size}", ["jie", "michelle", "mallory"]) as lan:
                people = party(lan, program, NAMES, "Lisbon in June", hosts=tuple(NAMES))
                people[0].do("add", "Casa do Rio")
                failures += withstand(lan["mallory"], people, kind, size, seconds, "release" in str(program))
    if failures:
        raise Failure(f"more than {SEEN_SECONDS} s, or {CPU_MAX:.0%} of a core: {'; '.join(failures)}")


def withstand(mallory, people, kind, size, seconds, is_release):
    """One attack, while both write; what it cost, where that is too much."""
    processes = [person.process() for person in people]
    attack = Puppets(mallory, people[0].invite(), kind, people[:1], rate=RATE, seconds=seconds, fill=size, wait=8)
    until(lambda: all(changes(person) >= size for person in people), 200, "both have the log", pause=0.2)
    until(lambda: attack.has_begun(8), 20, "the attack")
    # What the members write and ask for themselves is no cost of the attack: they are measured while they are silent.
    waits, shares, number = [], [], 0
    while not attack.is_over:
        before, began = [process.cpu_seconds() for process in processes], time.monotonic()
        time.sleep(2)
        if not attack.is_over:
            took = time.monotonic() - began
            shares.append(max((process.cpu_seconds() - cpu) / took for process, cpu in zip(processes, before)))
        number += 1
        if not attack.is_over:
            waits.append(write(people, number, f"Written under {kind} {number}"))
    counts = attack.counts()
    if counts["messages"] < seconds * RATE * 0.9 or counts["leader_sessions"] > seconds:
        raise Failure(f"{kind}: the attack is no attack: {counts}")
    everyone_meets(people)
    share = sum(shares) / len(shares)
    print(f"hostile-cost: {kind} at {size} changes: {counts['changes']} changes in {counts['messages']} messages in "
          f"{counts['seconds']} s; {len(waits)} honest ones seen after {max(waits):.2f} s at most; "
          f"CPU {share:.1%} of a core, {shares[0]:.1%} at first and {shares[-1]:.1%} at last", flush=True)
    is_too_much = max(waits) > SEEN_SECONDS or is_release and share > CPU_MAX
    return [f"{kind} at {size} changes: {max(waits):.2f} s, {share:.1%}"] if is_too_much else []


def write(people, number, title):
    """One member's change; the seconds until the other's node shows it, to a watcher or a command run four times a second."""
    writer, reader = people if number % 2 else reversed(people)
    before = len(reader.host.log_text(reader.job))
    began = looked = time.monotonic()
    control.add(writer, [title])

    def is_seen():
        nonlocal looked
        if time.monotonic() < looked + 0.25:
            return reader.has_said(title, before)
        looked = time.monotonic()
        return control.shows(reader, title)

    until(is_seen, 30, f"{title}: seen", pause=0.01)
    return time.monotonic() - began
