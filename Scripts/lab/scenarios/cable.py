"""A cable that is out for a while: in sync soon after it is back, at the same address or at another."""

import os
import time

from lab.caravan import converge, everyone_meets, party
from lab.figures import BRIEF_SLACK
from lab.network import Failure, Lan, until

ABOUT = "the cable is out for 1 s and 60 s, and back at the same address or another: in sync within 1 s"
QUICK = True
NEEDS_CARAVAN = True
PAUSES = [float(pause) for pause in os.environ.get("CARAVAN_CABLE_SECONDS", "1 10 60").split()]
BRIEF_PAUSES = [1]
SECONDS_MAX = 600 + 3 * sum(map(int, PAUSES))
SYNC_SECONDS = 1.0

NAMES = {"jie": "Jie", "michelle": "Michelle"}


def run(folder, program, pauses=PAUSES, slack=1):
    with Lan(folder, list(NAMES)) as lan:
        people = party(lan, program, NAMES, "Lisbon in June")
        time.sleep(2)  # what a network says of newcomers is said
        late = []
        for number, pause in enumerate(pauses):
            for address in (None, f"10.77.0.{50 + number}"):
                seconds = pull(lan["michelle"], people, pause, address)
                where = "at another address" if address else "at the same address"
                print(f"cable: out for {pause:g} s, back {where}: in sync after {seconds:.2f} s", flush=True)
                late += [f"{pause:g} s, {where}: {seconds:.2f} s"] if seconds > SYNC_SECONDS * slack else []
        if late:
            raise Failure(f"not within {SYNC_SECONDS * slack:g} s: {'; '.join(late)}")


def brief(folder, program):
    run(folder, program, BRIEF_PAUSES, BRIEF_SLACK)


def pull(host, people, pause, address):
    """Both write while one's cable is out for so long; the seconds from its return until each has the other's."""
    jie, michelle = people
    title = f"{pause} s, {address}"
    host.cut()
    until(lambda: "NO-CARRIER" in host.run("ip", "link", "show", "eth0").stdout, 5, "the cut")
    began = time.monotonic()
    if address:
        host.take_address(address)
    jie.do("add", f"Jie's of {title}")
    michelle.do("add", f"Michelle's of {title}")
    marks = [len(person.host.log_text(person.job)) for person in people]
    time.sleep(max(0, began + pause - time.monotonic()))
    if jie.has_said("Michelle's of", marks[0]):
        raise Failure("the cable was not out")
    host.join()

    def is_over():
        return jie.has_said(f"Michelle's of {title}", marks[0]) and michelle.has_said(f"Jie's of {title}", marks[1])

    seconds = until(is_over, 60, "both are in sync again", pause=0.005)[1]
    converge(people, 10)
    everyone_meets(people)
    return seconds
