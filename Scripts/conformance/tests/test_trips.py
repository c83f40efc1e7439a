"""Section 5 as a function of the set of changes held: random trips in random orders of arrival."""

import random
import unittest

from conformance import vectors
from conformance.epochs import Epochs
from conformance.fold import Fold
from conformance.frontier import digest, tips
from conformance.keys import DeviceKeys
from conformance.node import Node
from conformance.statements import Found, Invite, Remove
from conformance.world import World, hashes, judged, shuffled

SEEDS = 200


def outcome(membership):
    newest = Epochs(membership).newest
    persons = {name: (person.parent, person.guest, person.is_in) for name, person in membership.persons.items()}
    return hashes(membership, membership.effective), persons, newest and newest.name, digest(tips(membership)), Fold(membership).view()


class HostileWorld(World):
    """A world in which some members also write whatever the form lets them."""

    def act(self):
        if self.random.random() < 0.7:
            super().act()
            return
        node, other = self.random.choice(self.nodes), self.random.choice(self.nodes)
        if not node.may_write:
            return
        self.random.choice([self.forge_device, self.open_again, self.leave_early, self.remove_nobody, self.found_again])(node, other)

    def forge_device(self, node, other):
        """Admits a device of its own as another's, which then writes as that other, and often says farewell."""
        keys = DeviceKeys(self.random.randbytes(32), self.random.randbytes(32), other.keys.device.participant)
        if len(self.nodes) < 12:
            forged = self.newcomer("x", keys)
            self.admit(node, forged)
            if forged.may_write and self.random.random() < 0.5:
                forged.leave()

    def open_again(self, node, other):
        """Opens another's invite as its own."""
        if secrets := [node.held.changes[place].statement.secret for place in node.held.all_of(Invite)]:
            node.write(Invite(self.random.choice(secrets), 2))

    def leave_early(self, node, other):
        """Says farewell on a branch that begins long before."""
        own = [place for place, change in enumerate(node.held.changes) if change.replica == node.keys.device.replica]
        if own and node.keys.device != self.founder.keys.device:
            twin = node.fork()
            twin.last = twin.held.places[node.held.changes[self.random.choice(own)].hash]
            twin.write(Remove(node.keys.device.participant), heads=[])
            self.tell(twin, node)

    def remove_nobody(self, node, other):
        node.write(Remove(self.random.randbytes(16)))

    def found_again(self, node, other):
        """The founder founds the trip a second time, with another session key."""
        keys = self.founder.keys
        again = Node(self.founder.trip, DeviceKeys(keys.signing.private_bytes_raw(), self.random.randbytes(32)), "Jie", **self.options())
        again.write(Found(again.keys.device, "Jie", self.random.randbytes(16)))
        if len(self.nodes) < 12:
            self.nodes.append(again)
            self.tell(again, node)


def hostile_trip(seed):
    world = HostileWorld(f"hostile {seed}")
    for _ in range(60):
        world.act()
    return world.founder.trip, world.everything()


class RandomTrips(unittest.TestCase):
    def test_nothing_depends_on_the_order_of_arrival_or_on_what_is_not_retained(self):
        self.check(vectors.random_trip, SEEDS)

    def test_nothing_that_a_hostile_member_writes_makes_the_order_of_arrival_matter(self):
        self.check(hostile_trip, SEEDS // 2)

    def check(self, made, seeds):
        seen = {"out": 0, "unretained": 0, "void": 0}
        for seed in range(seeds):
            with self.subTest(seed=seed):
                trip, changes = made(seed)
                chance = random.Random(seed)
                first = judged(trip, changes)
                expected = outcome(first)
                self.assertEqual(outcome(judged(trip, shuffled(changes, chance))), expected)
                kept = set(hashes(first, first.retained))
                retained = [change for change in shuffled(changes, chance) if change.hash.hex() in kept]
                self.assertEqual(outcome(judged(trip, retained)), expected)
                seen["out"] += any(not person.is_in for person in first.persons.values())
                seen["unretained"] += len(kept) < len(changes)
                seen["void"] += len(first.persons) < len({d.participant for d in first.held.devices.values()})
        self.assertTrue(all(count > seeds // 10 for count in seen.values()), f"the trips are too tame: {seen}")
