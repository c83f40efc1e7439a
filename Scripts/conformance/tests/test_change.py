"""Section 3: records in their one form, every bound of one change, and the rules of acceptance."""

import unittest
from dataclasses import replace

from conformance import bounds, statements
from conformance.change import Change, read_record
from conformance.encoding import Malformed, NewerVersion
from conformance.held import Held, PastMissing, Refused
from conformance.keys import Device, DeviceKeys, guest_of, invite_name, invited, seal
from conformance.statements import Admit, BeginEpoch, Close, End, Found, GiveEpoch, Grant, Invite, Remove
from conformance.world import World

DEVICE = Device(bytes(range(32)), bytes(range(32, 64)), bytes(32))
GRANT = Grant(bytes(16), ((b"a" * 16, bytes(80)), (b"b" * 16, bytes(80))))
EVERY = [None, Found(DEVICE, "Jie", bytes(16)), Invite(bytes(32), 1), Invite(bytes(32), 1_000, -1, bytes(32)), Close(bytes(32)),
         Admit(DEVICE, "Bø", None, bytes(64), None), Admit(DEVICE, "", bytes(32), bytes(64), (bytes(16), bytes(80))),
         Remove(bytes(32)), Remove(bytes(32), GRANT), Remove(bytes(32), None, ()), Remove(bytes(32), GRANT, (b"k" * 32,)), BeginEpoch(GRANT), GiveEpoch(GRANT), End(bytes(16), None), End(bytes(16), bytes(32), GRANT)]


def change(**parts):
    return replace(Change(bytes(32), bytes(16), 2, bytes(32), (), 2, -1, None, b"", bytes(64)), **parts)


class Form(unittest.TestCase):
    def test_every_statement_is_read_as_it_was_written(self):
        for statement in EVERY:
            for number in (1, bounds.NUMBER):
                one = change(statement=statement, number=number, previous=None if number == 1 else bytes(32), heads=(b"a" * 32, b"b" * 32))
                self.assertEqual(read_record(one.record), one)

    def test_a_record_that_is_cut_or_longer_anywhere_is_refused(self):
        for statement in EVERY:
            record = change(statement=statement, content=b"x").record
            head = len(read_record(record).head)
            for length in range(len(record)):
                if length == head:
                    continue  # the change without its body
                with self.assertRaises(Malformed, msg=f"{statement} {length}"):
                    read_record(record[:length])
            with self.assertRaises(Malformed):
                read_record(record + b"\0")

    def test_whatever_is_read_after_a_byte_was_changed_is_written_as_it_was_read(self):
        for statement in EVERY:
            record = change(statement=statement, heads=(b"a" * 32,), content=b"x").record
            for at in range(len(record)):
                other = record[:at] + bytes([record[at] ^ 1 << at % 8]) + record[at + 1:]
                try:
                    self.assertEqual(read_record(other).record, other)
                except (Malformed, NewerVersion):
                    pass

    def test_what_is_beyond_a_bound_is_refused_and_what_reaches_it_is_not(self):
        heads = tuple(number.to_bytes(32, "big") for number in range(bounds.HEADS + 1))
        boxes = tuple((number.to_bytes(16, "big"), bytes(80)) for number in range(bounds.BOXES + 1))
        for most, beyond in [
                ({"number": bounds.NUMBER}, {"number": bounds.NUMBER + 1}), ({"lamport": bounds.LAMPORT}, {"lamport": bounds.LAMPORT + 1}),
                ({"lamport": 1}, {"lamport": 0}), ({"heads": heads[:-1]}, {"heads": heads}),
                ({"subjects": heads[:bounds.SUBJECTS]}, {"subjects": heads[:bounds.SUBJECTS + 1]}),
                ({"digest": (bounds.BODY, bytes(32))}, {"digest": (bounds.BODY + 1, bytes(32))}),
                ({"statement": Remove(bytes(32), None, heads[:bounds.KEPT])}, {"statement": Remove(bytes(32), None, heads[:bounds.KEPT + 1])}),
                ({"statement": Invite(bytes(32), 1_000)}, {"statement": Invite(bytes(32), 1_001)}),
                ({"statement": Invite(bytes(32), 1)}, {"statement": Invite(bytes(32), 0)}),
                ({"statement": Found(DEVICE, "n" * 256, bytes(16))}, {"statement": Found(DEVICE, "n" * 257, bytes(16))})]:
            read_record(change(**most).head)
            with self.assertRaises(Malformed, msg=str(beyond)[:80]):
                read_record(change(**beyond).head)

    def test_a_body_that_cannot_be_read_says_nothing_and_is_no_reason_to_refuse(self):
        boxes = tuple((number.to_bytes(16, "big"), bytes(80)) for number in range(bounds.BOXES + 1))
        for most, beyond in [
                ({"content": bytes(bounds.CONTENT)}, {"content": bytes(bounds.CONTENT + 1)}),
                ({"statement": BeginEpoch(Grant(bytes(16), boxes[:-1]))}, {"statement": BeginEpoch(Grant(bytes(16), boxes))}),
                ({"statement": BeginEpoch(GRANT)}, {"statement": BeginEpoch(Grant(bytes(16), GRANT.boxes[::-1]))})]:
            self.assertEqual(read_record(change(**most).record), change(**most))
            read = read_record(change(**beyond).record)
            self.assertEqual((read.content, statements.boxes(read.statement)), (b"", ()))
            self.assertEqual((read.record, read.hash), (change(**beyond).record, change(**beyond).hash))

    def test_a_change_without_its_body_is_the_same_change(self):
        one = change(statement=BeginEpoch(GRANT), content=b"x", salt=b"s" * 16)
        bare = read_record(one.head)
        self.assertEqual((bare.hash, bare.size, bare.is_whole, bare.content), (one.hash, one.size, False, b""))
        self.assertEqual(read_record(one.record).without_body().record, one.head)

    def test_lists_out_of_order_unknown_statements_and_other_forms_are_refused(self):
        for wrong in ({"heads": (b"b" * 32, b"a" * 32)}, {"heads": (b"a" * 32,) * 2}, {"subjects": (b"b" * 32, b"a" * 32)}):
            with self.assertRaises(Malformed):
                read_record(change(**wrong).record)
        record = change().record
        at = record.index(statements.written(None) + b"\0" + bytes(64))
        with self.assertRaises(Malformed):
            read_record(record[:at] + b"\x09" + record[at + 1:])
        with self.assertRaises(Malformed):
            read_record(b"\0" + record[1:])
        with self.assertRaises(NewerVersion):
            read_record(b"\2" + record[1:])


class Acceptance(unittest.TestCase):
    def setUp(self):
        self.world = World(3)
        self.jie = self.world.founder
        self.ana = self.world.join(self.jie, "Ana")
        self.ana.add("Lofoten")
        self.held = self.ana.held

    def signed(self, node, **parts):
        one = replace(node.next_change(None), **parts)
        for cached in ("encoding", "hash"):
            one.__dict__.pop(cached, None)
        return replace(one, signature=node.keys.sign(one.signed))

    def refuses(self, one, why):
        with self.assertRaises(Refused) as caught:
            self.held.take(one.record)
        self.assertIn(why, str(caught.exception))
        self.assertNotIn(one.hash, self.held)

    def test_a_sound_change_is_taken_and_taken_once(self):
        one = self.signed(self.ana)
        self.assertEqual(self.held.take(one.record), self.held.take(one.record))

    def test_a_change_of_another_trip_is_refused(self):
        self.refuses(self.signed(self.ana, trip=bytes(32)), "another trip")

    def test_a_change_without_its_past_waits(self):
        with self.assertRaises(PastMissing) as caught:
            self.held.take(self.signed(self.ana, heads=(b"\xff" * 32,)).record)
        self.assertEqual(caught.exception.hashes, [b"\xff" * 32])

    def test_a_change_after_another_replicas_or_another_number_is_refused(self):
        other = next(change for change in self.held.changes if change.replica != self.ana.keys.device.replica)
        self.refuses(self.signed(self.ana, previous=other.hash), "previous")
        self.refuses(self.signed(self.ana, number=7), "previous")

    def test_a_lamport_time_that_is_not_the_next_is_refused(self):
        for step in (-1, 1):
            self.refuses(self.signed(self.ana, lamport=self.ana.next_change(None).lamport + step), "lamport")

    def test_an_author_whose_keys_nothing_in_the_past_introduced_is_refused(self):
        founding = self.held.changes[0].hash
        self.refuses(self.signed(self.ana, number=1, previous=None, heads=(founding,), lamport=2), "introduced")
        self.refuses(self.signed(self.ana, number=1, previous=None, heads=(), lamport=1), "introduced")

    def test_a_signature_by_another_key_or_of_other_bytes_is_refused(self):
        one = self.signed(self.ana)
        self.refuses(replace(one, signature=self.jie.keys.sign(one.signed)), "signature")
        self.refuses(replace(one, signature=one.signature[:-1] + bytes([one.signature[-1] ^ 1])), "signature")

    def admission(self, keys, invite=None, consent=None):
        agreed = statements.consent_text(self.jie.trip, keys.device, "Eve")
        return Admit(keys.device, "Eve", invite, consent or keys.sign(agreed), None)

    def keys(self, origin=guest_of(bytes(32)), participant=None):
        return DeviceKeys(bytes(32), b"\1" * 32, origin, participant)

    def invite(self):
        """An invite of Ana's, by its id."""
        return invite_name(self.ana.invite())

    def test_an_admission_without_the_devices_consent_is_refused_and_any_member_may_write_one_with_it(self):
        invite = self.invite()
        keys = self.keys(invited(invite))
        for name in ("Eve", "Eva"):
            agreed = statements.consent_text(self.jie.trip, keys.device, name)
            one = self.signed(self.ana, statement=self.admission(keys, invite, keys.sign(agreed)))
            self.held.take(one.record) if name == "Eve" else self.refuses(one, "consent")
        self.world.tell(self.ana, self.jie)
        self.jie.write(self.admission(keys, invite))

    def test_an_admission_of_whom_the_name_does_not_follow_from_the_invite_is_refused(self):
        invite, other = self.invite(), self.invite()
        keys = self.keys(invited(invite))
        for named in (other, bytes(32), None):
            self.refuses(self.signed(self.ana, statement=self.admission(keys, named)), "somebody else")
        self.refuses(self.signed(self.ana, statement=self.admission(self.keys(invited(bytes(32))), bytes(32))), "opened the invite")
        self.ana.invite(participant=self.ana.keys.device.participant)
        own = self.ana.held.changes[self.ana.last].statement.name(self.ana.keys.device)
        self.refuses(self.signed(self.ana, statement=self.admission(self.keys(invited(own)), own)), "opened the invite")
        self.held.take(self.signed(self.ana, statement=self.admission(keys, invite)).record)

    def test_an_admission_by_whoever_has_not_seen_the_invite_opened_is_refused(self):
        twin = self.ana.fork()
        invite = self.invite()
        one = self.signed(twin, statement=self.admission(self.keys(invited(invite)), invite))
        self.refuses(one, "opened the invite")

    def test_a_first_device_again_comes_by_its_own_invite_and_no_founder_is_admitted(self):
        again = DeviceKeys(self.ana.keys.signing.private_bytes_raw(), b"\1" * 32, participant=self.ana.keys.device.participant)
        self.refuses(self.signed(self.ana, statement=self.admission(again)), "as its name says")
        self.held.take(self.signed(self.ana, statement=self.admission(again, self.ana.came_by)).record)
        founder = DeviceKeys(self.jie.keys.signing.private_bytes_raw(), b"\1" * 32)
        self.refuses(self.signed(self.jie, statement=self.admission(founder)), "as its name says")

    def test_a_founding_by_anybody_else_or_anywhere_else_is_refused(self):
        said = self.held.changes[0].statement
        self.refuses(self.signed(self.jie, statement=said), "first of everything")
        mallory = Found(self.ana.keys.device, "Ana", bytes(16))
        self.refuses(self.signed(self.ana, number=1, previous=None, heads=(), lamport=1, statement=mallory), "not the founder")
        self.refuses(self.signed(self.jie, number=1, previous=None, heads=(self.held.changes[0].hash,), lamport=2, statement=said),
                     "first of everything")

    def test_somebody_elses_further_device_guest_and_invite_for_one_are_refused(self):
        for participant, is_taken in ((self.jie.keys.device.participant, False), (self.ana.keys.device.participant, True)):
            for keys, why in ((self.keys(participant=participant), "further device"), (self.keys(guest_of(participant)), "further device")):
                one = self.signed(self.ana, statement=self.admission(keys))
                self.held.take(one.record) if is_taken else self.refuses(one, why)
            invite = self.signed(self.ana, statement=Invite(bytes(32), 1, None, participant))
            self.held.take(invite.record) if is_taken else self.refuses(invite, "somebody else")

    def test_a_guest_says_nothing_about_membership_and_comes_by_no_invite(self):
        guest = self.world.guest(self.ana, "Guest")
        for said in (Remove(guest.keys.device.participant), Invite(bytes(32), 1), GiveEpoch(GRANT)):
            self.refuses(self.signed(guest, statement=said), "a guest")
        guest.add("Reine")
        keys = self.keys(guest_of(self.ana.keys.device.participant))
        self.refuses(self.signed(self.ana, statement=self.admission(keys, self.invite())), "comes by an invite")

    def test_a_seventeenth_device_and_a_twenty_first_guest_are_refused_and_known_ones_again_are_not(self):
        phones = [self.world.second_device(self.ana) for _ in range(15)]
        guests = [self.world.guest(self.ana, f"Guest {number}") for number in range(20)]
        own = self.ana.keys.device.participant
        self.refuses(self.signed(self.ana, statement=self.admission(self.keys(participant=own))), "too many devices")
        another = self.admission(self.keys(guest_of(own)))
        self.refuses(self.signed(self.ana, statement=another), "too many guests")
        self.world.admit(self.ana, phones[0])
        self.world.admit(self.ana, guests[0])
        self.assertTrue(all(self.ana.membership.is_in(node.keys.device) for node in phones + guests))
        self.ana.remove(guests[0].keys.device.participant)
        self.held.take(self.signed(self.ana, statement=another).record)

    def test_a_closing_and_a_removal_name_what_their_past_has(self):
        twin = self.ana.fork()
        invite = self.invite()
        eve = self.world.join(self.ana, "Eve")
        for one, why in ((Close(invite), "closes"), (Remove(eve.keys.device.participant), "removes")):
            self.refuses(self.signed(twin, statement=one), why)
            self.held.take(self.signed(self.ana, statement=one).record)

    def test_a_first_device_alone_ends_further_ones_of_its_person_as_of_their_changes(self):
        phone, eve = self.world.second_device(self.ana), self.world.join(self.ana, "Eve")
        milk, tea = phone.add("milk").change, eve.add("tea").change
        for node in (phone, eve):
            self.world.tell(node, self.ana)
        other, replica = self.world.second_device(eve), phone.keys.device.replica
        self.world.tell(other, self.ana)
        for node, ended, last in ((phone, self.ana.keys.device.replica, None), (phone, replica, None), (eve, replica, None),
                                  (self.ana, other.keys.device.replica, None), (self.ana, self.ana.keys.device.replica, None),
                                  (self.ana, replica, tea), (self.ana, replica, bytes(32)), (self.ana, bytes(16), None)):
            self.refuses(self.signed(node, statement=End(ended, last)), "an end")
        for last in (milk, None):
            self.held.take(self.signed(self.ana, statement=End(replica, last)).record)

    def test_the_seventeenth_below_another_is_refused(self):
        host = self.jie
        for number in range(bounds.DEPTH):
            host = self.world.join(host, f"Friend {number}")
        with self.assertRaisesRegex(Refused, "too many people are above"):
            self.world.join(host, "one more")

    def test_a_chain_begins_an_epoch_by_a_removal_or_by_beginning_one_and_not_by_a_founding(self):
        self.assertEqual(self.held.chains[0][2], 0)
        for begins in (Remove(self.ana.keys.device.participant), BeginEpoch(GRANT)):
            before = self.held.chains[self.held.indices[self.ana.next_change(None).previous]][2]
            index = self.held.take(self.signed(self.ana, statement=begins).record)
            self.assertEqual(self.held.chains[index][2], before + 1)

    def test_a_chain_beyond_its_bounds_is_refused_and_another_branch_is_not(self):
        invite = self.signed(self.ana, statement=Invite(bytes(32), 1))
        previous = self.held.indices[invite.previous]
        self.held.chains[previous] = (*self.held.chains[previous][:3], bounds.CHAIN_INVITES)
        self.refuses(invite, "chain")
        self.held.take(self.signed(self.ana).record)

    def test_a_fork_is_taken(self):
        twin = self.ana.fork()
        one, other = self.ana.add("Reine"), twin.add("Bodø")
        self.world.meet(self.ana, twin)
        self.assertTrue(all(reference.change in node.held for reference in (one, other) for node in (self.ana, twin)))


class Boxes(unittest.TestCase):
    def test_nothing_is_sealed_to_a_key_of_small_order(self):
        self.assertIsNone(seal(bytes(32), bytes(32), b"\1" * 32))

    def test_an_empty_log_takes_nothing_but_a_founding(self):
        world = World(4)
        world.founder.add("Lofoten")
        held = Held(world.founder.trip)
        with self.assertRaises(PastMissing):
            held.take(world.founder.held.changes[1].record)
        held.take(world.founder.held.changes[0].record)
