"""Daemons that die and come back: sessions go on, and newcomers are found soon after."""

import time

from lab.caravan import everyone_meets, party
from lab.figures import BRIEF_SLACK
from lab.network import Failure, Lan, until

ABOUT = "avahi-daemon and D-Bus are killed, on one host and on both, and come back: sync never stops, others are found"
QUICK = True
NEEDS_CARAVAN = True
SYNC_SECONDS, FOUND_SECONDS = 1.0, 3.0

NAMES = {"jie": "Jie", "michelle": "Michelle", "noah": "Noah"}
FAULTS = {
    "avahi-daemon of one": (("jie",), False), "avahi-daemon of both": (("jie", "michelle"), False),
    "D-Bus of one": (("jie",), True), "D-Bus of both": (("jie", "michelle"), True),
}
BRIEF = ["D-Bus of both"]


def run(folder, program, faults=tuple(FAULTS), slack=1):
    with Lan(folder, list(NAMES)) as lan:
        people = party(lan, program, NAMES, "Lisbon in June")
        for fault in faults:
            hosts, with_bus = FAULTS[fault]
            endure(people, fault, [lan[name] for name in hosts], with_bus, slack)


def brief(folder, program):
    run(folder, program, BRIEF, BRIEF_SLACK)


def endure(people, fault, hosts, with_bus, slack):
    """One fault: from the daemons' end until a member whose address nobody knows is found."""
    jie, michelle, noah = people
    noah.down()
    for host in hosts:
        host.kill_avahi()
        if with_bus:
            host.kill_bus()
    sync = write(people[:2], f"under {fault}")
    # Daemons are absent at a node's start too, and what others remember of Jie is of another port.
    jie.down()
    jie.up()
    noah.up()
    time.sleep(2)
    began = time.monotonic()
    for host in hosts:
        if with_bus:
            host.start_bus()
        host.start_avahi()
    came_back = time.monotonic()
    until(lambda: jie.people_here() >= {"Michelle", "Noah"}, 20, f"{fault}: Jie finds the others")
    found = time.monotonic() - came_back
    print(f"daemons: {fault}: seen by the other after {sync:.2f} s meanwhile; others are found {found:.2f} s after the "
          f"return, which took {came_back - began:.2f} s", flush=True)
    if sync > SYNC_SECONDS * slack or found > FOUND_SECONDS * slack:
        raise Failure(f"{fault}: later than {SYNC_SECONDS * slack:g} s and {FOUND_SECONDS * slack:g} s")
    everyone_meets(people)


def write(people, title):
    """Each adds something; the longest from the command's start until the other is told of it."""
    waits = []
    for writer, reader in (people, people[::-1]):
        name = f"{title}, by {writer.name}"
        before = len(reader.host.log_text(reader.job))
        began = time.monotonic()
        writer.do("add", name)
        until(lambda: reader.has_said(name, before), 10, f"{name}: seen", pause=0.005)
        waits.append(time.monotonic() - began)
    return max(waits)
