"""Many nodes, on one host and on many: all converge, and the wire carries each change to each node about once."""

import json
import os
import time
from concurrent.futures import ThreadPoolExecutor

from lab import control
from lab.caravan import Caravan
from lab.network import Failure, Lan, command, until

ABOUT = "5 nodes on one host, 24 hosts, 60 nodes on 12 hosts: 1,000 concurrent changes are everywhere, each sent about once"
QUICK = True
NEEDS_CARAVAN = True
SECONDS_MAX = 1_500
SHAPES = [tuple(map(int, shape.split("x"))) for shape in os.environ.get("CARAVAN_CROWDS", "1x5 24x1 12x5").split()]
CHANGES, BRIEF_CHANGES = 1_000, 100
COPIES_MAX = 1.5


def run(folder, program, shapes=tuple(SHAPES), count=CHANGES):
    failures = []
    for hosts, seats in shapes:
        with Lan(folder / f"{hosts}x{seats}", [f"host{number}" for number in range(hosts + 1)]) as lan:
            *crowded, spare = lan
            people = [Caravan(host, program, f"P{place}x{seat}", f"seat{seat}")
                      for place, host in enumerate(crowded) for seat in range(seats)]
            came = gather(people)
            copies = write(lan, people, Caravan(spare, program, "Last"), count, f"{seats} on each of {hosts} hosts", came)
            if hosts > 1 and copies > COPIES_MAX:
                failures.append(f"{seats} on each of {hosts} hosts: {copies:.2f} copies")
    if failures:
        raise Failure("; ".join(failures))


def brief(folder, program):
    run(folder, program, [(1, 5)], BRIEF_CHANGES)


def gather(people):
    """Lets all in and starts them; the seconds until nobody lacks anything."""
    founder, *others = people
    founder.new("Lisbon in June")
    founder.up("--no-page")
    link = founder.invite(uses=len(others))
    began = time.monotonic()
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda person: (person.join(link), person.up("--no-page")), others))
    wanted = changes(founder)
    settle(people, lambda: wanted)
    return time.monotonic() - began


def changes(person):
    return json.loads(person.do("status", "--json"))["changes"]


def settle(people, wanted, seconds=180):
    """Waits until everybody has so much, one after the other."""
    ends = time.monotonic() + seconds
    for person in people:
        until(lambda: changes(person) >= wanted(), max(1, ends - time.monotonic()),
              f"{person.name} has all {wanted()} changes", pause=0.1)


def sent_bytes(lan):
    """What all hosts have put on the bridge."""
    links = {host.link for host in lan}
    return sum(link["stats64"]["rx"]["bytes"] for link in json.loads(command("ip", "-s", "-j", "link", "show"))
               if link["ifname"] in links)


def write(lan, people, last, count, what, came):
    """Everybody writes at once; how many copies of each change the bridge carried for each node beside the writer."""
    time.sleep(3)
    quiet, began = sent_bytes(lan), time.monotonic()
    time.sleep(4)
    before = sent_bytes(lan)
    rate = (before - quiet) / (time.monotonic() - began)
    began, had = time.monotonic(), changes(people[0])
    each = -(-count // len(people))
    with ThreadPoolExecutor(len(people)) as pool:
        list(pool.map(lambda person: [control.add(person, [f"{person.name}'s {number}"]) for number in range(each)], people))
    written = time.monotonic() - began
    settle(people, lambda: had + each * len(people))
    seconds = time.monotonic() - began
    sent = sent_bytes(lan) - before - rate * seconds
    listings = {person.listing() for person in people}
    if len(listings) != 1:
        raise Failure(f"{what}: there are {len(listings)} lists")
    # One copy: what a change takes on the way to somebody who comes last, among all others.
    link = people[0].invite()
    before = sent_bytes(lan)
    last.join(link)
    last.up("--no-page")
    settle([last], lambda: changes(people[0]))
    copy = (sent_bytes(lan) - before) / changes(people[0])
    copies = sent / (each * len(people)) / (len(people) - 1) / copy
    print(f"crowd: {what}: all in after {came:.1f} s; {each * len(people)} changes written in {written:.1f} s are everywhere "
          f"after {seconds:.1f} s; {sent / each / len(people) / (len(people) - 1):.0f} bytes on the bridge a change and "
          f"node, {copies:.2f} times the {copy:.0f} that it takes a newcomer", flush=True)
    return copies
