"""One hostile member with a crowd of devices: they do not push the others out."""

import time

from lab.caravan import Caravan, converge, everyone_meets, newcomers
from lab.network import Failure, Lan, until
from lab.puppets import Puppets

ABOUT = "12, then 30 devices of one hostile member in a trip of 8: honest changes are seen within 2 s by all"
QUICK = False
NEEDS_CARAVAN = True
NEEDS_PYTHON = True
SIZES = (12, 30)
SECONDS, SEEN_SECONDS = 40, 2.0

NAMES = ["jie", "michelle", "noah", "ada", "ben", "cleo", "dina", "emil"]


def run(folder, program):
    failures = []
    with Lan(folder, [*NAMES, "mallory"]) as lan:
        people = [Caravan(lan[name], program, name.capitalize()) for name in NAMES]
        jie, *others = people
        jie.new("Lisbon in June")
        jie.up()
        newcomers(jie, others)
        everyone_meets(people, 60)
        failures += slow("before", rounds(people, "before"))
        for size in SIZES:
            swarm = Puppets(lan["mallory"], jie.invite(), "swarm", people, count=size, seconds=SECONDS)
            time.sleep(6)
            # Every node restarts amid the crowd, and finds the crowd there.
            for person in people:
                person.down()
                person.up()
            until(lambda: all(person.people_here() for person in people), 30, "everyone meets somebody")
            waits = rounds(people, f"during {size}")
            lasted = not swarm.is_over
            counts = swarm.counts()
            if not lasted or counts["sessions"] < size:
                raise Failure(f"the swarm is no swarm: {counts}")
            failures += slow(f"during {size}, with {counts['sessions']} sessions begun", waits)
            failures += slow(f"after {size}", rounds(people, f"after {size}"))
    if failures:
        raise Failure(f"later than {SEEN_SECONDS} s: {'; '.join(failures)}")


def slow(what, waits):
    print(f"swarm: {what}: {len(waits)} changes seen by all after {max(waits):.2f} s at most", flush=True)
    return [f"{what}: {max(waits):.2f} s"] if max(waits) > SEEN_SECONDS else []


def rounds(people, what):
    """Each writes something; the seconds from the command's start until all others were told."""
    waits = []
    for writer in people:
        title = f"{writer.name}'s, {what}"
        marks = [len(person.host.log_text(person.job)) for person in people]
        began = time.monotonic()
        writer.do("add", title)
        try:
            until(lambda: all(person is writer or person.has_said(title, mark) for person, mark in zip(people, marks)),
                  30, f"{title}: seen by all", pause=0.01)
            waits.append(time.monotonic() - began)
        except Failure:
            waits.append(30.0)
    converge(people, 30)
    return waits
