"""Section 5: scenarios by name, each in several orders of arrival."""

import random
import unittest

from conformance.keys import DeviceKeys
from conformance.membership import MEMBER, OTHER, OUT
from conformance.statements import Invite
from conformance.world import World, hashes, judged, shuffled


def participant(node):
    return node.keys.device.participant


class Scenario(unittest.TestCase):
    def setUp(self):
        self.world = World(self.id())
        self.jie = self.world.founder

    def judged(self):
        """The membership of everything that anybody holds, in five orders of arrival."""
        changes, chance = self.world.everything(), random.Random(1)
        all_judged = [judged(self.jie.trip, shuffled(changes, chance)) for _ in range(5)]
        for other in all_judged:
            self.assertEqual({name: (p.parent, p.is_in, p.devices) for name, p in other.persons.items()},
                             {name: (p.parent, p.is_in, p.devices) for name, p in all_judged[0].persons.items()})
        return all_judged[0]

    def is_in(self, node):
        return self.judged().is_in(node.keys.device)

    def is_effective(self, hash):
        membership = self.judged()
        return bool(membership.effective >> membership.held.places[hash] & 1)

    def is_retained(self, hash):
        membership = self.judged()
        return bool(membership.retained >> membership.held.places[hash] & 1)

    def friends(self, *names):
        """Newcomers whom the founder let in, one after the other, who know of each other."""
        nodes = [self.world.join(self.jie, name) for name in names]
        self.world.tell_all()
        return nodes


class Removal(Scenario):
    def test_a_removal_cuts_what_its_author_had_not_seen(self):
        ana, _ = self.friends("Ana", "Bo")
        seen = ana.add("seen").change
        self.world.tell(ana, self.jie)
        removal, late = self.jie.remove(participant(ana)), ana.add("late").change
        self.assertFalse(self.is_in(ana))
        self.assertEqual([self.is_effective(hash) for hash in (seen, removal, late)], [True, True, False])
        self.assertFalse(self.is_retained(late))

    def test_nobody_removes_a_sibling_or_who_is_above(self):
        ana, bo = self.friends("Ana", "Bo")
        ana.remove(participant(bo))
        ana.remove(participant(self.jie))
        self.assertTrue(self.is_in(bo) and self.is_in(self.jie))

    def test_a_removal_by_whoever_was_removed_before_is_void(self):
        ana, = self.friends("Ana")
        bo = self.world.join(ana, "Bo")
        self.world.tell(ana, self.jie)
        self.world.tell(ana, bo)
        self.jie.remove(participant(ana))
        ana.remove(participant(bo))
        self.assertTrue(self.is_in(bo))

    def test_a_removal_by_an_elders_second_device_that_was_admitted_after_its_target_stands(self):
        ana, = self.friends("Ana")
        bo = self.world.join(ana, "Bo")
        self.world.tell(ana, bo)
        phone = self.world.second_device(ana)
        self.world.tell(ana, phone)
        phone.remove(participant(bo))
        self.assertFalse(self.is_in(bo))

    def test_a_removal_stands_though_its_author_left(self):
        ana, = self.friends("Ana")
        bo = self.world.join(ana, "Bo")
        ana.leave()
        removal = ana.remove(participant(bo))
        self.assertFalse(self.is_in(bo) or self.is_in(ana))
        self.assertTrue(self.is_retained(removal))
        self.assertFalse(self.is_effective(removal))

    def test_partitions_that_each_removed_somebody_agree_when_they_meet(self):
        ana, bo, cy = self.friends("Ana", "Bo", "Cy")
        dan = self.world.join(cy, "Dan")
        self.jie.remove(participant(ana))
        cy.remove(participant(dan))
        self.world.tell_all()
        self.assertEqual([self.is_in(node) for node in (ana, bo, cy, dan)], [False, True, True, False])
        self.assertEqual(*(hashes(node.membership, node.membership.effective) for node in (self.jie, cy)))

    def test_who_is_admitted_by_somebody_who_is_cut_is_nobody(self):
        ana, = self.friends("Ana")
        self.jie.remove(participant(ana))
        bo = self.world.join(ana, "Bo")
        self.assertNotIn(participant(bo), self.judged().persons)

    def test_a_device_whose_first_admission_is_void_can_be_admitted_again(self):
        ana, = self.friends("Ana")
        self.jie.remove(participant(ana))
        bo = self.world.join(ana, "Bo")
        self.world.admit(self.jie, bo)
        self.assertEqual(self.judged().persons[participant(bo)].parent, participant(self.jie))


    def test_nobody_is_in_by_the_admission_of_a_device_that_was_admitted_by_something_higher(self):
        ana, = self.friends("Ana")
        self.jie.remove(participant(ana))
        bo = self.world.join(ana, "Bo")
        cy = self.world.newcomer("Cy")
        introduction = ana.held.changes[ana.last]
        bo.held.take(introduction.record)
        self.world.admit(bo, cy)
        for number in range(9):
            self.jie.add(str(number))
        self.world.admit(self.jie, bo)
        self.assertTrue(self.is_in(bo))
        self.assertFalse(self.is_in(cy))


class Farewell(Scenario):
    def test_whoever_leaves_on_two_branches_at_once_is_out_on_both(self):
        ana, = self.friends("Ana")
        ana.add("before")
        twin = ana.fork()
        self.world.nodes.append(twin)
        late = [ana.add("here").change, twin.add("there").change]
        ana.leave()
        twin.leave()
        self.world.tell_all()
        self.assertFalse(self.is_in(ana))
        self.assertFalse(any(self.is_effective(hash) for hash in late))

    def test_a_further_device_that_leaves_takes_the_person_out(self):
        ana, = self.friends("Ana")
        phone = self.world.second_device(ana)
        phone.leave()
        self.assertFalse(self.is_in(ana) or self.is_in(phone))

    def test_a_first_device_with_another_session_key_that_leaves_takes_the_person_out(self):
        ana, eve = self.friends("Ana", "Eve")
        again = self.world.newcomer("Ana", DeviceKeys(ana.keys.signing.private_bytes_raw(), b"\2" * 32))
        self.world.admit(eve, again)
        self.assertFalse(self.is_in(again))
        again.leave()
        self.assertFalse(self.is_in(ana))


class Admissions(Scenario):
    def test_somebody_is_in_by_the_admission_of_the_lowest_stamp(self):
        ana, bo = self.friends("Ana", "Bo")
        ana.add("later")
        cy = self.world.newcomer("Cy")
        self.world.admit(ana, cy)
        cy.held, cy.last = type(cy.held)(cy.trip), None
        self.world.admit(bo, cy)
        self.assertEqual(self.judged().persons[participant(cy)].parent, participant(bo))

    def test_the_parent_is_whoever_opened_the_invite(self):
        ana, = self.friends("Ana")
        secret = self.jie.invite()
        self.world.tell_all()
        bo = self.world.newcomer("Bo")
        self.world.admit(ana, bo, secret)
        self.assertEqual(self.judged().persons[participant(bo)].parent, participant(self.jie))

    def test_whoever_opens_with_anothers_seed_opens_another_invite(self):
        ana, cy = self.friends("Ana", "Cy")
        secret = self.jie.invite()
        seed = self.jie.held.changes[self.jie.last].statement.seed
        self.world.tell_all()
        cy.write(Invite(seed, 1))
        self.world.tell_all()
        self.assertEqual(len(set(self.jie.membership.secrets(self.jie.membership.open_invites()))), 2)
        bo = self.world.newcomer("Bo")
        self.world.admit(ana, bo, secret)
        self.assertEqual(self.judged().persons[participant(bo)].parent, participant(self.jie))

    def test_an_invite_that_is_opened_twice_is_open_by_either(self):
        ana, cy, dan = self.friends("Ana", "Cy", "Dan")
        secret = self.jie.invite()
        seed = self.jie.held.changes[self.jie.last].statement.seed
        self.jie.remove(participant(cy))
        self.assertEqual(self.jie.membership.open_invites(), [])
        self.jie.write(Invite(seed, 1))
        self.world.tell_all()
        bo = self.world.newcomer("Bo")
        self.world.admit(ana, bo, secret)
        self.assertEqual(self.judged().persons[participant(bo)].parent, participant(self.jie))

    def test_the_parent_is_the_author_where_the_invite_was_over(self):
        for end in ("closed", "used", "removal"):
            with self.subTest(end):
                self.world = World(end)
                self.jie = self.world.founder
                ana, cy = self.friends("Ana", "Cy")
                secret = self.jie.invite()
                if end == "closed":
                    self.jie.close_invite(secret)
                elif end == "used":
                    self.world.admit(self.jie, self.world.newcomer("Dan"), secret)
                else:
                    self.jie.remove(participant(cy))
                self.world.tell_all()
                bo = self.world.newcomer("Bo")
                self.world.admit(ana, bo, secret)
                self.assertEqual(self.judged().persons[participant(bo)].parent, participant(ana))

    def test_guests_go_with_their_host(self):
        ana, = self.friends("Ana")
        guest = self.world.join(ana, "Guest", guest=True)
        self.assertTrue(self.is_in(guest))
        self.world.tell(ana, self.jie)
        self.jie.remove(participant(ana))
        self.assertFalse(self.is_in(guest))

    def test_who_is_met_is_the_device_that_a_replica_names_where_its_own_key_is_shown(self):
        ana, bo = self.friends("Ana", "Bo")
        claimant = DeviceKeys(b"\1" * 32, ana.keys.session_private)
        eve = self.world.newcomer("Eve", claimant)
        self.world.admit(bo, eve)
        self.world.tell_all()
        device, other = ana.keys.device, eve.keys.device
        met = self.judged().who_is_met
        self.assertEqual([met(device.replica, device.session), met(other.replica, device.session)], [MEMBER, MEMBER])
        self.assertEqual([met(device.replica, bo.keys.device.session), met(b"r" * 16, device.session)], [None, OTHER])
        self.jie.remove(participant(ana))
        met = self.judged().who_is_met
        self.assertEqual([met(device.replica, device.session), met(other.replica, device.session)], [OUT, MEMBER])

    def test_who_is_admitted_by_nothing_effective_is_neither_a_member_nor_out(self):
        ana, = self.friends("Ana")
        self.jie.remove(participant(ana))
        bo, phone = self.world.join(ana, "Bo"), self.world.second_device(ana)
        met = self.judged().who_is_met
        self.assertEqual([met(node.keys.device.replica, node.keys.device.session) for node in (bo, phone)], [OTHER, OUT])


class Open(Scenario):
    def test_an_invite_is_open_until_it_expires_is_used_closed_or_somebody_goes(self):
        def openings(now=None):
            return len(self.jie.membership.open_invites(now))
        ana, bo = self.friends("Ana", "Bo")
        self.jie.invite(uses=1, expires=5)
        self.assertEqual([openings(4), openings(5), openings()], [1, 0, 1])
        self.world.admit(self.jie, self.world.newcomer("Cy"), self.jie.membership.secrets([self.jie.last])[0])
        self.assertEqual(openings(), 0)
        self.jie.close_invite(self.jie.invite())
        self.assertEqual(openings(), 0)
        self.jie.invite()
        self.world.tell(self.jie, ana)
        ana.leave()
        self.world.tell(ana, self.jie)
        self.assertEqual(openings(), 0)
