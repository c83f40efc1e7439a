"""Hostile multicast DNS of every kind: people meet all the same, and are told."""

import json
import os
import secrets
import time

from lab import mdns_noise
from lab.caravan import Caravan, party
from lab.network import Failure, Lan, until

ABOUT = "fakes, conflicts, replays, goodbyes, probes, 6,000 names, loops that kill Avahi: nodes meet within 10 s, a newcomer joins"
QUICK = False
NEEDS_CARAVAN = True
SECONDS_MAX = 900
KINDS = os.environ.get("CARAVAN_NOISE_KINDS", "fakes conflicts replays probes goodbyes names loop").split()
RATE, MEET_SECONDS, RECOVERED_SECONDS = 500, 10, 60

NAMES = {"fay": "Fay", "ron": "Ron"}


def run(folder, program):
    failures = []
    for kind in KINDS:
        with Lan(folder / kind, [*NAMES, "noah", "mallory"]) as lan:
            failures += withstand(lan, party(lan, program, NAMES, "Lisbon in June", hosts=tuple(NAMES)), program, kind)
    if failures:
        raise Failure("; ".join(failures))


def withstand(lan, people, program, kind):
    """One kind of noise: what took too long."""
    if kind == "loop":
        return without_daemons(lan, people)
    before = meeting(lan, people, 20), joining(lan["noah"], people, program, "Noah")
    mallory = lan["mallory"]
    mallory.kill_avahi()
    mallory.start("noise", "python3", mdns_noise.__file__, mallory.address, kind, RATE, 60)
    time.sleep(4)  # caches fill
    told = json.loads(people[0].do("status", "--json")).get("discovery_problem")
    writing = written(people)
    during = meeting(lan, people, 60), joining(lan["noah"], people, program, "Zoe")
    print(f"noise-on-the-lan: {kind}: nodes with new addresses meet after {during[0]:.1f} s ({before[0]:.1f} s before), a newcomer "
          f"without hints joins after {during[1]:.1f} s ({before[1]:.1f} s before), an item is seen after {writing:.2f} s; status "
          f"says: {told or 'nothing'}", flush=True)
    most = RECOVERED_SECONDS if kind == "names" else MEET_SECONDS
    slow = [f"{kind}: {what} after {seconds:.1f} s" for what, seconds in zip(("met", "joined"), during) if seconds > most]
    return slow + [f"{kind}: status says nothing"] * (kind in ("names", "fakes") and not told)


def without_daemons(lan, people):
    """Loops of names, which kill Avahi 0.8: those who have met find each other without it."""
    mallory = lan["mallory"]
    mallory.kill_avahi()
    mallory.start("noise", "python3", mdns_noise.__file__, mallory.address, "loop", 20, 4)
    time.sleep(5)
    dead = [host.name for host in (lan["fay"], lan["ron"]) if host.processes["avahi"].poll() is not None]
    for host in (lan["fay"], lan["ron"]):
        if host.name not in dead:
            host.kill_avahi()
    told = until(lambda: json.loads(people[0].do("status", "--json")).get("discovery_problem"), 10, "status tells of the daemon")[0]
    writing = written(people)
    for person in people:
        person.down()
    started = time.monotonic()
    for person in people:
        person.up()
    until(lambda: people[0].people_here(), 30, "they find each other without a daemon")
    found = time.monotonic() - started
    print(f"noise-on-the-lan: loop: killed Avahi of {' and '.join(dead) or 'nobody'}; with none, an item is seen after {writing:.2f} s, "
          f"restarted nodes meet after {found:.1f} s; status says: {told}", flush=True)
    return [f"loop: met after {found:.1f} s"] * (found > MEET_SECONDS)


def meeting(lan, people, seconds):
    """All restart with new addresses; the seconds until one sees what another wrote meanwhile."""
    for person in people:
        person.down()
    people[0].do("add", title := f"Written while away {secrets.token_hex(3)}")
    for host in (lan[name] for name in NAMES):
        mac = "02:" + ":".join(f"{byte:02x}" for byte in secrets.token_bytes(5))
        host.run("sh", "-c", f"ip link set eth0 down; ip link set eth0 address {mac}; ip link set eth0 up")
        host.take_address(f"10.77.0.{100 + secrets.randbelow(150)}")
    time.sleep(1)
    started = time.monotonic()
    for person in people:
        person.up()
    until(lambda: title in people[1].items(), seconds, f"{title}: seen", pause=0.25)
    return time.monotonic() - started


def joining(host, people, program, name):
    """Somebody joins by a link that names no address; how long that takes."""
    people[0].down()
    link = people[0].invite()
    people[0].up()
    newcomer = Caravan(host, program, name, seat=name.lower())
    started = time.monotonic()
    newcomer.join(link)
    return time.monotonic() - started


def written(people):
    """The seconds until one sees what another adds."""
    title = f"Written beside {secrets.token_hex(3)}"
    started = time.monotonic()
    people[0].do("add", title)
    until(lambda: title in people[1].items(), 20, f"{title}: seen")
    return time.monotonic() - started
