"""Half of the nodes are far away: all converge, and those who are near are not slower for it."""

import statistics
import time

from lab.caravan import Caravan, converge, everyone_meets, newcomers
from lab.figures import spread
from lab.network import Failure, Lan
from lab.slow_cable import SlowCable
from lab.watching import Watching

ABOUT = "half the nodes behind 200 ms ± 50 ms and 5% loss: all converge, and nobody else is slower by more than 10%"
QUICK = False
NEEDS_CARAVAN = True
BLOCKS, VOTES = 6, 15
# A machine that does other things too is slower now and then: a difference below this says nothing.
NOISE_MS = 3

NAMES = ["jie", "michelle", "noah", "ada", "ben", "cleo"]


def run(folder, program):
    with Lan(folder, NAMES) as lan:
        people = [Caravan(lan[name], program, name.capitalize()) for name in NAMES]
        jie, michelle, _, *far = people
        jie.new("Lisbon in June")
        jie.up()
        newcomers(jie, people[1:])
        everyone_meets(people, 40)
        jie.do("add", "Casa do Rio")
        converge(people, 20)
        cables = [SlowCable(person.host, number, 0.2, 0.05, 0.05, number) for number, person in enumerate(far)]
        everyone_meets(people, 40)
        try:
            near_and_far(people, jie, michelle, far, cables)
        finally:
            for cable in cables:
                cable.end()


def near_and_far(people, jie, michelle, far, cables):
    watching = Watching(michelle, '"vote"')
    time.sleep(1)
    times = {False: [], True: []}
    for block in range(2 * BLOCKS):
        for cable in cables:
            cable.is_on = block % 2 == 1
        for number in range(VOTES):
            before = len(watching.times())
            # Those who are far write meanwhile, so that there is something to wait for.
            if number % 5 == 0:
                far[number // 5 % len(far)].do("add", f"From afar {block} {number}")
            began = time.monotonic()
            jie.do("vote", "1", *(["--against"] if (number + block * VOTES) % 2 else []))
            seen = watching.is_seen(before + 1, 10)
            if seen is None:
                raise Failure(f"vote {number} of block {block} is not seen within 10 s")
            times[block % 2 == 1].append((seen - began) * 1000)
    lost = sum(cable.lost for cable in cables)
    print(f"slow: from one who is near to another: {spread(times[False])}; while the others are far: {spread(times[True])}; "
          f"{lost} frames lost", flush=True)
    if lost == 0:
        raise Failure("nothing was lost: the cables are not slow")
    for person in people:
        person.do("add", f"{person.name}'s, at the end")
    _, seconds = converge(people, 60, lambda: sum("at the end" in title for title in jie.items()) == len(people))
    print(f"slow: all lists are equal {seconds:.2f} s after everybody wrote", flush=True)
    usual, meanwhile = (statistics.median(times[which]) for which in (False, True))
    if meanwhile > usual * 1.1 + NOISE_MS:
        raise Failure(f"who is near is slower by {meanwhile / usual - 1:.0%}")
