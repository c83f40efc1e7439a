"""False names by the thousand: those who know each other's addresses go on as if nothing were."""

import json
import time

from lab import false_names
from lab.caravan import Caravan, everyone_meets, party
from lab.figures import spread
from lab.network import Failure, Lan, until
from lab.scenarios.daemons import write

ABOUT = "1,000 false names a second, then 500 while all restart: known peers connect, and a new one by a link's hint"
QUICK = False
NEEDS_CARAVAN = True
SECONDS = 40
MEET_SECONDS = 10

NAMES = {"jie": "Jie", "michelle": "Michelle", "ada": "Ada", "ben": "Ben"}


def run(folder, program):
    with Lan(folder, [*NAMES, "noah", "mallory"]) as lan:
        people = party(lan, program, NAMES, "Lisbon in June", hosts=tuple(NAMES))
        time.sleep(1)
        lan["mallory"].kill_avahi()
        sent = Flood(lan["mallory"], 1_000, SECONDS)
        known_and_new(people, Caravan(lan["noah"], program, "Noah"))
        sent.end()
        restart_all(people, lan["mallory"])


class Flood:
    """False names from a host for so long, and for as long as it takes; `end` fails where there were too few."""

    def __init__(self, host, rate, seconds):
        self.host, self.rate, self.ends = host, rate, time.monotonic() + seconds
        self.before = len(host.log_text("names"))
        host.start("names", "python3", false_names.__file__, host.address, rate, seconds + 1)
        time.sleep(2)  # the daemons' caches fill

    def end(self):
        if (status := self.host.processes.pop("names").wait(timeout=120)) != 0:
            raise Failure(f"the flood ended with {status}: {self.host.log_text('names')[-300:]}")
        counts = json.loads(self.host.log_text("names")[self.before:])
        rate = counts["sent"] / counts["seconds"]
        print(f"false-names: {counts['sent']} names in {counts['seconds']} s", flush=True)
        if rate < self.rate * 0.8:
            raise Failure(f"the flood is no flood: {rate:.0f} a second")


def known_and_new(people, noah):
    """Under a flood a member comes back, and a newcomer joins by the address in the link."""
    jie, michelle, *_ = people
    times = []
    for _ in range(3):
        michelle.down()
        began = time.monotonic()
        michelle.up()
        everyone_meets(people, MEET_SECONDS)
        times.append(time.monotonic() - began)
    print(f"false-names: a member who comes back meets all after {spread(times, 's')}", flush=True)
    link = jie.invite()
    began = time.monotonic()
    noah.join(link)
    joined = time.monotonic() - began
    noah.up()
    everyone_meets([jie, noah], MEET_SECONDS)
    print(f"false-names: a newcomer is let in by the link's hint after {joined:.2f} s, and meets after "
          f"{time.monotonic() - began:.2f} s; seen by the other after {write([jie, noah], 'written under the flood'):.2f} s",
          flush=True)
    noah.down()


def restart_all(people, mallory):
    """All restart, and find each other by what they remember."""
    flood = Flood(mallory, 500, SECONDS / 2)
    for person in people:
        person.down()
    began = time.monotonic()
    marks = [person.begin() for person in people]
    until(lambda: all(one.has_said("ready", mark) for one, mark in zip(people, marks)), 20, "all are up")
    everyone_meets(people, MEET_SECONDS)
    print(f"false-names: all {len(people)} restart, and have met after {time.monotonic() - began:.2f} s", flush=True)
    flood.end()
