"""Law 2, for real: whatever a command said is done is there after any crash, once, and on the other hosts."""

import json
import random
import threading
import time
from collections import Counter

from lab.caravan import converge, party
from lab.network import Failure, Lan

ABOUT = "a node killed with -9 fifty times during a stream of adds: every add that returned is there, none twice"
QUICK = True
NEEDS_CARAVAN = True
KILLS = 50

NAMES = {"jie": "Jie", "michelle": "Michelle", "noah": "Noah"}


class Adding(threading.Thread):
    """Adds items, one after the other, until it is told to stop."""

    def __init__(self, person):
        super().__init__(daemon=True)
        self.person, self.stopped, self.failure = person, threading.Event(), None
        self.done, self.unsure = [], []

    def run(self):
        try:
            number = 0
            while not self.stopped.is_set():
                number += 1
                title = f"item {number}"
                done = self.person.command("add", title, timeout=30)
                (self.done if done.returncode == 0 else self.unsure).append(title)
        except Failure as failure:
            self.failure = failure


def run(folder, program):
    seed = random.SystemRandom().randrange(1 << 32)
    chance = random.Random(seed)
    with Lan(folder, list(NAMES)) as lan:
        people = jie, *_ = party(lan, program, NAMES, "Lisbon in June")
        adding = Adding(jie)
        adding.start()
        for _ in range(KILLS):
            time.sleep(chance.uniform(0.0, 0.3))
            jie.crash()
            restart(jie)
        adding.stopped.set()
        adding.join(60)
        if adding.failure or adding.is_alive():
            raise Failure(f"the stream of adds broke: {adding.failure}")

        expected = set(adding.done)
        listing, seconds = converge(people, 60, lambda: expected <= set(jie.items()))
        count = Counter(item["title"] for item in json.loads(listing)["items"])
        twice = [title for title, times in count.items() if times > 1]
        foreign = set(count) - expected - set(adding.unsure)
        if twice or foreign or expected - set(count):
            raise Failure(f"seed {seed}: twice: {twice}, from nowhere: {foreign}, lost: {expected - set(count)}")
        print(f"crash: {KILLS} kills, {len(adding.done)} adds returned and {len(adding.unsure)} were cut off; "
              f"all of the former are on all hosts once, {seconds:.1f} s after the last")


def restart(person):
    """Starts the node again. Without it an add opens the store itself, and has it for a moment."""
    for _ in range(50):
        try:
            return person.up()
        except Failure as failure:
            if "has this trip open" not in str(failure):
                raise
    raise Failure("the adds never leave the store to the node")
