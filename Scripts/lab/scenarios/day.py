"""A day of everything at once: actions and faults without a pause, and in the end all have all, and no node has grown."""

import os
import random
import time
from collections import Counter

from lab.caravan import Caravan, converge, everyone_meets, newcomers
from lab.filters import UNICAST, Filter, has_filters
from lab.network import Failure, Lan

ABOUT = "8 hosts, 10 minutes of actions and faults: all equal, all that was acknowledged is there, descriptors and memory flat"
QUICK = False
NEEDS_CARAVAN = True
SECONDS = float(os.environ.get("CARAVAN_DAY_SECONDS", "600"))
SECONDS_MAX = int(SECONDS) + 600
DIAL_SECONDS = 8  # how long a dial to nobody may last, and more
DESCRIPTORS_GROWTH_MAX, MEMORY_GROWTH_KB_MAX = 8, 30 * 1024

NAMES = ["jie", "michelle", "noah", "ada", "ben", "cleo", "dina", "emil"]
# These nodes run all day and are never restarted, so that a leak shows.
STEADY = {"Jie", "Michelle"}


class Day:
    """What happens, in an order that a seed gives, and what of it has an end."""

    def __init__(self, lan, people, chance):
        self.lan, self.people, self.chance = lan, people, chance
        self.done, self.counts = set(), Counter()
        self.ends = []  # (when, how) of what is wrong now

    def step(self):
        due = [end for end in self.ends if end[0] <= time.monotonic()]
        self.ends = [end for end in self.ends if end not in due]
        for _, mend in due:
            mend()
        person = self.chance.choice(self.people)
        weights = {self.add: 12, self.vote: 8, self.cut: 2, self.crash: 1, self.restart: 1, self.daemon: 1, self.move: 1,
                   self.isolate: 1 if has_filters() else 0}
        act = self.chance.choices(list(weights), list(weights.values()))[0]
        self.counts[act.__name__] += 1
        act(person)

    def heal(self):
        for _, mend in self.ends:
            mend()
        self.ends = []

    def settle(self):
        """Ends all that is wrong, and waits until everybody has met and no dial is under way any more."""
        self.heal()
        everyone_meets(self.people, 60)
        time.sleep(DIAL_SECONDS)

    def _later(self, mend):
        self.ends.append((time.monotonic() + self.chance.uniform(0.5, 8), mend))

    def add(self, person):
        title = f"{person.name}'s {self.counts['add']}"
        if person.command("add", title, timeout=60).returncode == 0:
            self.done.add(title)

    def vote(self, person):
        person.command("vote", str(self.chance.randrange(1, 20)), timeout=60)

    def cut(self, person):
        person.host.cut()
        self._later(person.host.join)

    def crash(self, person):
        if person.name not in STEADY:
            person.crash()
            person.up()

    def restart(self, person):
        if person.name not in STEADY:
            person.down()
            person.up()

    def daemon(self, person):
        host = person.host
        if "avahi" in host.processes:
            host.kill_avahi()
            self._later(host.start_avahi)

    def move(self, person):
        number = self.chance.randrange(100, 250)
        taken = {host.address for host in self.lan}
        if (address := f"10.77.0.{number}") not in taken:
            person.host.take_address(address)

    def isolate(self, _):
        apart = Filter("bridge", "forward", UNICAST)
        apart.__enter__()
        self._later(lambda: apart.__exit__())


def run(folder, program):
    seed = int(os.environ.get("CARAVAN_DAY_SEED", random.SystemRandom().randrange(1 << 32)))
    print(f"day: seed {seed}", flush=True)
    with Lan(folder, NAMES) as lan:
        people = [Caravan(lan[name], program, name.capitalize()) for name in NAMES]
        people[0].new("Lisbon in June")
        people[0].up()
        newcomers(people[0], people[1:])
        day = Day(lan, people, random.Random(seed))
        began, halfway = time.monotonic(), None
        while time.monotonic() < began + SECONDS:
            day.step()
            if halfway is None and time.monotonic() > began + SECONDS / 2:
                day.settle()
                halfway = measured(people)
        day.heal()
        _, seconds = converge(people, 120, lambda: day.done <= set(people[0].items()))
        day.settle()
        last = measured(people)
        print(f"day: {dict(day.counts)} in {SECONDS:.0f} s: all lists are equal {seconds:.1f} s later, with all "
              f"{len(day.done)} items that were acknowledged", flush=True)
        grown = []
        for name in sorted(STEADY):
            (descriptors, kilobytes), (descriptors_before, kilobytes_before) = last[name], halfway[name]
            print(f"day: {name}: descriptors {descriptors_before} and {descriptors}, "
                  f"memory {kilobytes_before / 1024:.0f} and {kilobytes / 1024:.0f} MB", flush=True)
            if descriptors > descriptors_before + DESCRIPTORS_GROWTH_MAX:
                grown.append(f"{name}: {descriptors} descriptors")
            if kilobytes > kilobytes_before + MEMORY_GROWTH_KB_MAX:
                grown.append(f"{name}: {kilobytes} KB")
        if grown:
            raise Failure(f"seed {seed}: grown since half of the day: {'; '.join(grown)}")


def measured(people):
    """Of each node its descriptors, and its memory."""
    return {person.name: (person.process().descriptors(), person.process().resident_kb()) for person in people}
