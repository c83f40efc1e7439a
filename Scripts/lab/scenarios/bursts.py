"""A member sends bursts of what costs the others most: their own acts arrive, and they start again (F4, F5, F6)."""

import json
import os
import threading
import time

from lab.caravan import Caravan, converge, everyone_meets, party
from lab.network import Failure, Lan, command
from lab.puppets import Crafter
from lab.scenarios.hostile_cost import write

ABOUT = "bursts by a member, of ports, of admissions and removals, of junk, of changes: honest acts within 1 s, and a start at most 1 s longer"
QUICK = False
NEEDS_CARAVAN = True
NEEDS_PYTHON = True
BURSTS = os.environ.get("CARAVAN_BURSTS", "ports:20000 tree:2400 junk:128 flood:8000 cable:32").split()
SECONDS_MAX = 900
SEEN_SECONDS, START_SECONDS = 1.0, 1.0

NAMES = {"fay": "Fay", "ron": "Ron"}


def run(folder, program):
    failures = []
    for burst in BURSTS:
        kind, count = burst.split(":")
        with Lan(folder / kind, [*NAMES, "nora", "mallory"]) as lan:
            people = party(lan, program, NAMES, "Lisbon in June", hosts=tuple(NAMES))
            failures += withstand(people, Crafter(lan["mallory"], people[0].invite(), people), kind, count, lan, program)
    if failures:
        raise Failure("; ".join(failures))


def withstand(people, crafter, kind, count, lan, program):
    """One burst, while both write; what was too slow."""
    fay, ron = people
    before = start_seconds(fay, people)
    cpu, memory = fay.process().cpu_seconds(), fay.process().resident_kb()
    time.sleep(1)  # the hostile member is in session again
    act = (kind, count)
    if kind == "cable":
        # Ron gets it from Fay alone, more slowly than she does.
        act = ("junk", count, 1)
        throttle(ron.host)
    sending = threading.Thread(target=lambda: sent.update(crafter.do(*act, seconds=400)))
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
    if kind == "cable":
        unthrottle(ron.host)
    after = start_seconds(fay, people)
    full = disk(fay)
    erase(fay, kind)
    # The member who goes on writes on top of it all.
    waits.append(write(people, len(waits), f"Written after {kind}"))
    time.sleep(3)  # memory is given back a little later
    freed, resident = disk(fay), fay.process().resident_kb() / 1024
    removed = start_seconds(fay, people)
    nora = Caravan(lan["nora"], program, "Nora")
    nora.join(fay.invite())
    nora.up()
    everyone_meets([*people, nora])
    converge([*people, nora], 60)
    fetched = disk(nora)
    print(f"bursts: {kind} {count}: {sent['bytes'] / 1e6:.2f} MB: {len(waits)} honest acts seen after {max(waits):.2f} s at most, "
          f"CPU {cpu:.1f} s, memory +{grown / 1024:.0f} MiB; a start takes {before:.2f} s before, {after:.2f} s after, {removed:.2f} s "
          f"after the removal; disk {full / 1e6:.1f} MB before it, {freed / 1e6:.1f} after it, of a newcomer {fetched / 1e6:.1f}; "
          f"memory {resident:.0f} MiB after it, {fay.process().resident_kb() / 1024:.0f} after a start", flush=True)
    slow = [f"{kind}: an honest act was seen after {max(waits):.2f} s"] * (max(waits) > SEEN_SECONDS)
    if kind == "junk" and max(freed, fetched) > full / 4:
        slow.append(f"{kind}: {freed / 1e6:.1f} MB stay on disk, and a newcomer fetches {fetched / 1e6:.1f} MB")
    return slow + [f"{kind}: a start takes {after - before:.2f} s longer"] * (after - before > START_SECONDS)


def throttle(host):
    """Has a host's cable carry 10 Mbit/s each way."""
    shape = ("root", "tbf", "rate", "10mbit", "burst", "32k", "latency", "100ms")
    command("tc", "qdisc", "add", "dev", host.link, *shape)
    host.run("tc", "qdisc", "add", "dev", "eth0", *shape)


def unthrottle(host):
    command("tc", "qdisc", "del", "dev", host.link, "root")
    host.run("tc", "qdisc", "del", "dev", "eth0", "root")


def erase(fay, kind):
    """Removes the member with everything, and the puppets that wait then where they are few."""
    fay.do("members", "remove", "Mal", "--with-everything", "--yes")
    if kind != "tree":
        for one in json.loads(fay.do("members", "--json")):
            if one.get("may_be_kept"):
                fay.do("members", "remove", one["id"], "--with-everything", "--yes")


def disk(person):
    return sum(file.stat().st_size for file in person.home.rglob("*") if file.is_file())


def start_seconds(person, people):
    """A start of a node; everybody has met again after it."""
    person.down()
    started = time.monotonic()
    person.up()
    took = time.monotonic() - started
    everyone_meets(people)
    return took
