"""Looks for a set of changes that breaks a law.

    Scripts/python Scripts/conformance/rules/search.py --sets 100000 --seed 1
    Scripts/python Scripts/conformance/rules/search.py --all 4
    Scripts/python Scripts/conformance/rules/search.py --mutants 5000
"""

import argparse
import random
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from conformance.rules.crafted import crafted, every_set, told
from conformance.rules.laws import broken
from conformance.rules.mutants import MUTANTS
from conformance.rules.roster import Roster


def random_sets(count, seed, sizes=(6, 20)):
    """Random sets: how many people had each standing, and how often each law was broken."""
    chance, found, people = random.Random(seed), Counter(), Counter()
    for number in range(count):
        graph = crafted(chance, chance.randint(*sizes))
        for law, what in broken(graph, chance=chance):
            found[law] += 1
            if sum(found.values()) <= 3:
                print(f"set {number}: {law}: {what}\n{told(graph)}")
        roster = Roster(graph)
        people.update(roster.status(person) for person in graph.parent)
    return people, found


def all_sets(size):
    """All sets of so many statements: how many, and how often each law was broken."""
    found, count = Counter(), 0
    for graph in every_set(size):
        count += 1
        for law, what in broken(graph):
            found[law] += 1
            if sum(found.values()) <= 3:
                print(f"{law}: {what}\n{told(graph)}")
    return count, found


def mutants(count, seed):
    """Of each mutant, after how many random sets a law found it, and which; None where none did."""
    for mutant in MUTANTS:
        chance = random.Random(seed)
        yield mutant, next(((number + 1, law) for number in range(count)
                            for law, _ in broken(crafted(chance, chance.randint(6, 20)), mutant, chance)), None)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", type=int, default=0, help="so many random sets")
    parser.add_argument("--all", type=int, default=0, help="all sets of up to so many statements")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--mutants", type=int, default=0, help="at most so many random sets for each mutant")
    arguments = parser.parse_args()
    begun, failed = time.time(), False
    if arguments.sets:
        people, found = random_sets(arguments.sets, arguments.seed)
        failed |= bool(found)
        print(f"{arguments.sets} random sets, seed {arguments.seed}, {time.time() - begun:.0f} s: people {dict(people)}, violations {dict(found)}")
    for size in range(1, arguments.all + 1):
        count, found = all_sets(size)
        failed |= bool(found)
        print(f"{count} sets of {size} statements, {time.time() - begun:.0f} s: violations {dict(found)}", flush=True)
    if arguments.mutants:
        for mutant, found in mutants(arguments.mutants, arguments.seed):
            failed |= found is None
            print(f"{mutant.__name__}: {'NOT FOUND' if found is None else f'set {found[0]}, {found[1]}'}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
