"""Section 6: the newest epoch, who holds it, and boxes of garbage."""

import unittest

from conformance.epochs import Epochs
from conformance.keys import epoch_name
from conformance.statements import BeginEpoch, GiveEpoch, Grant, Remove
from conformance.world import World


class EpochTests(unittest.TestCase):
    def setUp(self):
        self.world = World(self.id())
        self.jie = self.world.founder
        self.ana, self.bo, self.cy = (self.world.join(self.jie, name) for name in ("Ana", "Bo", "Cy"))
        self.world.tell_all()

    def test_all_who_are_in_come_to_one_epoch_that_nobody_who_is_out_knows(self):
        self.jie.remove(self.cy.keys.device.participant)
        self.world.tell_all()
        newest = self.jie.newest_secret
        self.assertEqual({node.newest_secret for node in (self.ana, self.bo)}, {newest})
        self.assertNotIn(newest, self.cy.secrets.values())

    def test_two_removals_at_once_are_answered_by_a_third_epoch(self):
        dan = self.world.join(self.ana, "Dan")
        self.ana.remove(dan.keys.device.participant)
        self.jie.remove(self.cy.keys.device.participant)
        self.world.tell_all()
        self.assertTrue(self.bo.epochs.must_begin)
        self.bo.tend_epochs()
        self.world.tell_all()
        self.assertFalse(self.jie.epochs.must_begin)
        self.assertEqual(self.jie.newest_secret, self.bo.newest_secret)
        self.assertNotIn(self.jie.newest_secret, [*self.cy.secrets.values(), *dan.secrets.values()])

    def test_a_farewell_is_answered_too(self):
        self.cy.leave()
        self.world.tell_all()
        self.assertTrue(self.jie.epochs.must_begin)
        self.jie.tend_epochs()
        self.world.tell_all()
        self.assertEqual(self.ana.newest_secret, self.jie.newest_secret)
        self.assertNotIn(self.jie.newest_secret, self.cy.secrets.values())

    def test_an_end_is_answered_by_its_own_epoch_which_the_ended_device_does_not_know(self):
        phone = self.world.second_device(self.ana)
        self.world.tell(self.jie, phone)
        last = phone.add("milk").change
        self.world.tell(phone, self.ana)
        self.ana.end(phone.keys.device.replica, last)
        self.world.tell_all()
        self.assertFalse(self.jie.epochs.must_begin)
        self.assertEqual({node.newest_secret for node in (self.jie, self.bo)}, {self.ana.newest_secret})
        self.assertNotIn(self.ana.newest_secret, phone.secrets.values())
        self.assertNotIn(phone.keys.device, self.jie.membership.devices_in())

    def test_a_removal_by_somebody_who_is_not_above_begins_nothing(self):
        newest = self.jie.epochs.newest.name
        self.ana.remove(self.cy.keys.device.participant)
        self.world.tell_all()
        self.assertEqual((self.jie.epochs.newest.name, self.jie.epochs.must_begin), (newest, False))

    def test_a_second_removal_of_one_person_needs_no_answer(self):
        for _ in range(2):
            self.jie.remove(self.cy.keys.device.participant)
        self.assertEqual((len(self.jie.membership.cuts), [epoch.answers for epoch in self.jie.epochs.by_age()]), (1, [1, 1, 0]))

    def test_of_equals_the_highest_stamp_is_the_newest(self):
        self.bo.add("so that its beginning is the later")
        for node in (self.ana, self.bo):
            node.write(BeginEpoch(node.grant(node.new_epoch(), node.membership.devices_in())))
        self.world.tell_all()
        for node in self.world.nodes:
            stamps = [node.held.changes[epoch.index].stamp for epoch in node.epochs.by_age()]
            self.assertEqual(stamps, sorted(stamps, reverse=True))
            self.assertEqual(node.epochs.newest.name, epoch_name(self.bo.newest_secret))

    def test_a_box_of_garbage_or_of_another_epochs_secret_is_passed_over(self):
        name = self.jie.epochs.newest.name
        replica = self.ana.keys.device.replica
        self.bo.write(GiveEpoch(Grant(name, ((replica, bytes(80)),))))
        wrong = self.bo.grant(b"x" * 32, [self.ana.keys.device])
        self.bo.write(GiveEpoch(Grant(b"another name" + bytes(4), wrong.boxes)))
        self.world.tell_all()
        self.assertEqual(set(Epochs(self.ana.membership).secrets(self.ana.keys)), {name})

    def test_whoever_lacks_the_newest_is_granted_it(self):
        secret, some = self.jie.new_epoch(), [self.jie.keys.device, self.bo.keys.device]
        self.jie.write(Remove(self.cy.keys.device.participant, self.jie.grant(secret, some)))
        self.world.tell_all()
        self.assertNotEqual(self.ana.newest_secret, secret)
        self.bo.tend_epochs()
        self.world.tell_all()
        self.assertEqual(self.ana.newest_secret, secret)

    def test_a_guest_is_given_no_box(self):
        guest = self.world.guest(self.ana, "Guest")
        self.world.tell(self.ana, self.jie)
        self.jie.remove(self.cy.keys.device.participant)
        granted = self.jie.held.changes[self.jie.last].statement.grant
        self.assertNotIn(guest.keys.device.replica, [replica for replica, _ in granted.boxes])
