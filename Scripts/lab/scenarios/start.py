"""How soon somebody who comes is in sync with somebody who is there."""

import statistics
import time

from lab.caravan import party
from lab.figures import BRIEF_SLACK, spread
from lab.network import Failure, Lan, until

ABOUT = "20 starts beside a running node, by a known address and by mDNS alone: in sync within 0.3 s and 1.5 s"
QUICK = True
NEEDS_CARAVAN = True
ROUNDS, BRIEF_ROUNDS = 20, 3
KNOWN_SECONDS, MDNS_SECONDS = 0.3, 1.5

NAMES = {"jie": "Jie", "michelle": "Michelle"}


def run(folder, program, rounds=ROUNDS, slack=1):
    with Lan(folder, list(NAMES)) as lan:
        people = party(lan, program, NAMES, "Lisbon in June")
        for what, is_known, most in (("a known address", True, KNOWN_SECONDS), ("mDNS alone", False, MDNS_SECONDS)):
            times = [start(people, f"{number}, by {what}", is_known) for number in range(rounds)]
            print(f"start: {rounds} times, by {what}: in sync after {spread(times, 's')}", flush=True)
            if statistics.median(times) > most * slack:
                raise Failure(f"by {what} the median is more than {most * slack:g} s")


def brief(folder, program):
    run(folder, program, BRIEF_ROUNDS, BRIEF_SLACK)


def start(people, title, is_known):
    """Jie writes while Michelle is away; the seconds from the start of Michelle's program to its telling her of that."""
    jie, michelle = people
    michelle.down()
    if not is_known:  # a new port: what Michelle remembers of Jie is of another
        jie.down()
        jie.up()
        time.sleep(2)
    jie.do("add", title)
    before = michelle.begin()
    return until(lambda: michelle.has_said(title, before), 15, f"Michelle has {title}", pause=0.002)[1]
