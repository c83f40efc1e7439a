"""Section 5 as a function of the set of changes held: random trips in random orders of arrival."""

import random
import unittest

from conformance import vectors
from conformance.epochs import Epochs
from conformance.fold import Fold
from conformance.frontier import digest, tips
from conformance.hostile import hostile_trip, noted_trip
from conformance.membership import LEFT, REMOVED, WAITS
from conformance.world import hashes, judged, shuffled

SEEDS = 200


def outcome(membership):
    newest = Epochs(membership).newest
    resolved = {name: (membership.graph.parent[name], membership.standings[name], membership.name(name)) for name in membership.roster.resolved}
    return hashes(membership, membership.effective), resolved, newest and newest.name, digest(tips(membership)), Fold(membership).view()


class RandomTrips(unittest.TestCase):
    def test_nothing_depends_on_the_order_of_arrival_or_on_what_is_not_retained(self):
        self.check(vectors.random_trip, SEEDS)

    def test_nothing_that_a_hostile_member_writes_makes_the_order_of_arrival_matter(self):
        self.check(hostile_trip, SEEDS // 2)

    def test_nothing_that_anybody_writes_in_a_note_makes_the_order_of_arrival_matter(self):
        self.check(noted_trip, SEEDS // 2)
        upheld = 0
        for seed in range(SEEDS // 4):
            fold = Fold(judged(*noted_trip(seed)))
            cut = {index for index in fold.held.members(fold.membership.roster.shown & ~fold.membership.effective)}
            upheld += any(index in cut for index, _ in fold.note.texts)
        self.assertGreater(upheld, SEEDS // 40, "the trips are too tame")

    def check(self, made, seeds):
        seen = dict.fromkeys(("unretained", REMOVED, LEFT, WAITS), 0)
        for seed in range(seeds):
            with self.subTest(seed=seed):
                trip, changes = made(seed)
                chance = random.Random(seed)
                first = judged(trip, changes)
                expected = outcome(first)
                other = judged(trip, shuffled(changes, chance))
                self.assertEqual(outcome(other), expected)
                self.assertEqual((other.standings, other.roster.resolved), (first.standings, first.roster.resolved))
                kept = set(hashes(first, first.retained))
                retained = [change for change in shuffled(changes, chance) if change.hash.hex() in kept]
                self.assertEqual(outcome(judged(trip, retained)), expected)
                seen["unretained"] += len(kept) < len(changes)
                for standing in {*first.standings.values()} & {*seen}:
                    seen[standing] += 1
        self.assertTrue(all(count > seeds // 10 for count in seen.values()), f"the trips are too tame: {seen}")
