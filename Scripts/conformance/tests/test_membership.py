"""Sections 4 and 5: scenarios by name, each in several orders of arrival."""

import random
import unittest

from conformance.keys import DeviceKeys
from conformance.statements import Admit, Invite, Remove, consent_text
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

    def test_nobody_else_can_say_farewell_for_a_person(self):
        ana, eve = self.friends("Ana", "Eve")
        keys = DeviceKeys(b"\1" * 32, b"\2" * 32, participant(ana))
        forged = self.world.newcomer("Ana", keys)
        self.world.admit(eve, forged)
        forged.held, forged.last = eve.held, None
        farewell = forged.next_change(Remove(participant(ana)), heads=[eve.held.changes[eve.last].hash])
        eve.held.take(farewell.record)
        self.assertIn(farewell.hash, eve.held)
        self.assertTrue(self.is_in(ana))


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

    def test_of_two_who_opened_one_secret_the_lower_stamp_is_the_parent(self):
        ana, cy = self.friends("Ana", "Cy")
        self.jie.add("so that its opening is the higher")
        secret = self.jie.invite()
        cy.write(Invite(secret, 1))
        self.world.tell_all()
        bo = self.world.newcomer("Bo")
        self.world.admit(ana, bo, secret)
        self.assertEqual(self.judged().persons[participant(bo)].parent, participant(cy))

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

    def test_a_further_device_is_admitted_by_its_own_person_alone(self):
        ana, eve = self.friends("Ana", "Eve")
        phone = self.world.second_device(ana)
        forged = self.world.newcomer("Ana", DeviceKeys(b"\1" * 32, b"\2" * 32, participant(ana)))
        self.world.admit(eve, forged)
        self.assertTrue(self.is_in(phone))
        self.assertFalse(self.is_in(forged))

    def test_a_sixteenth_other_device_has_no_effect(self):
        ana, = self.friends("Ana")
        phones = [self.world.second_device(ana) for _ in range(16)]
        self.assertEqual([self.is_in(phone) for phone in (phones[14], phones[15])], [True, False])

    def test_a_twenty_first_guest_has_no_effect_and_guests_go_with_their_host(self):
        ana, = self.friends("Ana")
        guests = [self.world.join(ana, f"Guest {number}", guest=True) for number in range(21)]
        self.assertEqual([self.is_in(guest) for guest in (guests[19], guests[20])], [True, False])
        self.world.tell(ana, self.jie)
        self.jie.remove(participant(ana))
        self.assertFalse(self.is_in(guests[0]))

    def test_a_session_key_stands_for_whoever_is_in_and_was_admitted_first(self):
        ana, bo = self.friends("Ana", "Bo")
        thief = DeviceKeys(b"\1" * 32, ana.keys.session_private)
        eve = self.world.newcomer("Eve", thief)
        self.world.admit(bo, eve)
        self.world.tell_all()
        self.assertEqual(self.judged().who_shows(ana.keys.device.session), (ana.keys.device, True))
        self.jie.remove(participant(ana))
        self.assertEqual(self.judged().who_shows(ana.keys.device.session), (eve.keys.device, True))
        self.assertEqual(self.judged().who_shows(b"\7" * 32), (None, False))

    def test_two_who_admit_each_others_devices_change_nothing(self):
        ana, bo = self.friends("Ana", "Bo")
        for host, owner in ((ana, bo), (bo, ana)):
            keys = DeviceKeys(owner.entropy(32), owner.entropy(32), participant(owner))
            agreed = consent_text(host.trip, None, host.keys.device.session, keys.device, "x")
            host.write(Admit(keys.device, "x", None, False, keys.sign(agreed), None))
        self.assertEqual({len(person.devices) for person in self.judged().persons.values()}, {1})


class Open(Scenario):
    def test_an_invite_is_open_until_it_expires_is_used_closed_or_somebody_goes(self):
        def openings(now=None):
            return len(self.jie.membership.open_invites(now))
        ana, bo = self.friends("Ana", "Bo")
        self.jie.invite(uses=1, expires=5)
        self.assertEqual([openings(4), openings(5), openings()], [1, 0, 1])
        self.world.admit(self.jie, self.world.newcomer("Cy"), self.jie.held.changes[self.jie.last].statement.secret)
        self.assertEqual(openings(), 0)
        self.jie.close_invite(self.jie.invite())
        self.assertEqual(openings(), 0)
        self.jie.invite()
        self.world.tell(self.jie, ana)
        ana.leave()
        self.world.tell(ana, self.jie)
        self.assertEqual(openings(), 0)
