"""A member sends bursts of what costs the others most: their own acts arrive, and they start again (F4, F5, F6)."""

import os
import threading
import time

from lab.caravan import everyone_meets, party
from lab.network import Failure, Lan
from lab.puppets import Crafter
from lab.scenarios.hostile_cost import write

ABOUT = "bursts by a member, of ports, of admissions and removals, of junk: honest acts within 1 s, and a start at most 1 s longer"
QUICK = False
NEEDS_CARAVAN = True
NEEDS_PYTHON = True
BURSTS = os.environ.get("CARAVAN_BURSTS", "ports:20000 tree:2400 junk:128").split()
SECONDS_MAX = 900
SEEN_SECONDS, START_SECONDS = 1.0, 1.0

NAMES = {"fay": "Fay", "ron": "Ron"}


def run(folder, program):
    failures = []
    for burst in BURSTS:
        kind, count = burst.split(":")
        with Lan(folder / kind, [*NAMES, "mallory"]) as lan:
            people = party(lan, program, NAMES, "Lisbon in June", hosts=tuple(NAMES))
            failures += withstand(people, Crafter(lan["mallory"], people[0].invite(), people), kind, count)
    if failures:
        raise Failure("; ".join(failures))


def withstand(people, crafter, kind, count):
    """One burst, while both write; what was too slow."""
    fay, ron = people
    before = start_seconds(fay, people)
    cpu, memory = fay.process().cpu_seconds(), fay.process().resident_kb()
    time.sleep(1)  # the hostile member is in session again
    sending = threading.Thread(target=lambda: sent.update(crafter.do(kind, count, seconds=400)))
    sent, waits, ends = {}, [], None
    sending.start()
    while ends is None or time.monotonic() < ends:
        waits.append(write(people, len(waits), f"Written under {kind} {len(waits)}"))
        if ends is None and not sending.is_alive():
            ends = time.monotonic() + 5
    if not sent:
        raise Failure(f"{kind}: the burst was not sent")
    cpu, grown = fay.process().cpu_seconds() - cpu, fay.process().resident_kb() - memory
    crafter.end()
    after = start_seconds(fay, people)
    fay.do("members", "remove", "Mal", "--yes")
    removed = start_seconds(fay, people)
    disk = sum(file.stat().st_size for file in fay.home.rglob("*") if file.is_file())
    print(f"bursts: {kind} {count}: {sent['bytes'] / 1e6:.2f} MB: {len(waits)} honest acts seen after {max(waits):.2f} s at most, "
          f"CPU {cpu:.1f} s, memory +{grown / 1024:.0f} MiB; a start takes {before:.2f} s before, {after:.2f} s after, {removed:.2f} s "
          f"after the removal; {disk / 1e6:.1f} MB on disk then", flush=True)
    slow = [f"{kind}: an honest act was seen after {max(waits):.2f} s"] * (max(waits) > SEEN_SECONDS)
    return slow + [f"{kind}: a start takes {after - before:.2f} s longer"] * (after - before > START_SECONDS)


def start_seconds(person, people):
    """A start of a node; everybody has met again after it."""
    person.down()
    started = time.monotonic()
    person.up()
    took = time.monotonic() - started
    everyone_meets(people)
    return took
