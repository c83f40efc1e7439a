"""What a node costs that has nothing to do."""

import time

from lab import control
from lab.caravan import converge, party
from lab.network import Failure, Lan

ABOUT = "two idle nodes of a trip with 10,000 items: below 0.2% of a core and 60 MB"
QUICK = False
NEEDS_CARAVAN = True
ITEMS, BATCH = 10_000, 500
SECONDS = 60
CPU_MAX, MEMORY_KB = 0.002, 60 * 1024

NAMES = {"jie": "Jie", "michelle": "Michelle"}


def run(folder, program):
    is_release = "release" in str(program)
    with Lan(folder, list(NAMES)) as lan:
        people = jie, michelle = party(lan, program, NAMES, "Lisbon in June")
        for first in range(0, ITEMS, BATCH):
            control.add(jie, [f"Stay number {number}" for number in range(first, first + BATCH)])
        converge(people, 120)
        for person in people:  # what making the items took is no node's that has nothing to do
            person.down()
            person.up()
        time.sleep(5)
        for person in people:
            process = person.process()
            share, kilobytes = process.cpu_share(SECONDS), process.resident_kb()
            print(f"idle: {person.name}: {share:.3%} of a core in {SECONDS} s, {kilobytes / 1024:.0f} MB", flush=True)
            if is_release and (share > CPU_MAX or kilobytes > MEMORY_KB):
                raise Failure(f"more than {CPU_MAX:.1%} or {MEMORY_KB} KB")
