"""Section 8: connections byte by byte, messages in every wrong form, and who may do what."""

import random
import unittest
from dataclasses import replace

from conformance import bounds, frontier, messages
from conformance.encoding import Malformed, sequence, u
from conformance.frontier import Tip, write_frontier
from conformance.handshake import Closed, Initiator, Responder, endpoint
from conformance.held import Refused
from conformance.keys import epoch_name
from conformance.messages import Channel
from conformance.network import Connection, initiator, responder
from conformance.session import EPOCH, INVITE, PAIR, Session
from conformance.statements import BeginEpoch, Remove
from conformance.world import World

ADDRESS, PORT = "127.0.0.1", 7070


def pump(one, other, step=1 << 20):
    """Carries bytes between two connections until neither says more; at most `step` at a time."""
    for _ in range(200):
        said = [(to, sender.taken()) for sender, to in ((one, other), (other, one))]
        if not any(data for _, data in said):
            return
        for to, data in said:
            for at in range(0, len(data), step):
                to.receive(data[at:at + step])
    raise AssertionError("they talk for ever")


def shown(node):
    """What a node names and shows in a handshake."""
    return node.keys.device.replica, node.keys.device.session


class Meeting(unittest.TestCase):
    def setUp(self):
        self.world = World(self.id())
        self.jie = self.world.founder
        self.ana = self.world.join(self.jie, "Ana")

    def met(self, one, other, secret=None, kind=EPOCH, step=1 << 20):
        dialling = initiator(one, secret or one.newest_secret, ADDRESS, PORT, kind)
        answering = responder(other, ADDRESS, PORT)
        pump(dialling, answering, step)
        return dialling, answering


class Handshakes(Meeting):
    def test_the_messages_have_the_lengths_that_the_document_names(self):
        one = Initiator(self.ana.keys, b"s" * 32, ADDRESS, PORT)
        other = Responder(self.jie.keys, [b"r" * 32, b"s" * 32], {endpoint(ADDRESS, PORT)})
        first = one.greeted(other.greeting)
        second = other.take(first)
        third = one.take(second)
        other.take(third)
        self.assertEqual([len(message) for message in (other.greeting, first, second, third)], [16, 83, 112, 80])
        self.assertEqual((one.peer, other.peer, other.secret),
                         (shown(self.jie), shown(self.ana), b"s" * 32))

    def test_a_first_message_that_is_replayed_relayed_cut_or_changed_is_not_answered(self):
        def answer(change=lambda first: first, greeting=None, secret=b"s" * 32, port=PORT, named=False):
            other = Responder(self.jie.keys, [b"s" * 32], {endpoint(ADDRESS, PORT)})
            one = Initiator(self.ana.keys, secret, ADDRESS, port, named)
            return other.take(change(one.greeted(greeting or other.greeting)))
        self.assertEqual((len(answer()), len(answer(port=1, named=True))), (112, 112))
        for wrong in ({"greeting": b"another greeting"}, {"secret": b"t" * 32}, {"port": PORT + 1},
                      {"change": lambda first: first[:-1]}, {"change": lambda first: first + b"\0"},
                      *({"change": lambda first, at=at: first[:at] + bytes([first[at] ^ 1]) + first[at + 1:]} for at in range(83))):
            with self.assertRaises(Closed, msg=str(wrong)):
                answer(**wrong)

    def test_an_initiator_shows_itself_to_nobody_but_whom_it_accepts(self):
        one = Initiator(self.ana.keys, b"s" * 32, ADDRESS, PORT, accepts=lambda *peer: False)
        other = Responder(self.jie.keys, [b"s" * 32], {endpoint(ADDRESS, PORT)})
        with self.assertRaises(Closed):
            one.take(other.take(one.greeted(other.greeting)))

    def test_an_older_epoch_is_dialled_and_only_a_member_is_shown_who_dials(self):
        older = self.ana.newest_secret
        self.ana.remove(self.world.join(self.ana, "Bo").keys.device.participant)
        self.assertTrue(self.ana.may_dial(older, *shown(self.jie)))
        self.assertFalse(self.ana.may_dial(older, self.jie.keys.device.replica, b"\7" * 32))
        self.assertTrue(self.ana.may_dial(self.ana.newest_secret, bytes(16), b"\7" * 32))


class Sync(Meeting):
    def test_two_come_to_hold_the_same_byte_by_byte(self):
        self.jie.add("Lofoten")
        self.ana.add("Reine")
        self.met(self.ana, self.jie, step=1)
        self.assertEqual(self.ana.view, self.jie.view)
        self.assertEqual(len(self.ana.view["items"]), 2)

    def test_forks_on_both_sides_are_exchanged(self):
        twin = self.ana.fork()
        for number in range(9):
            self.ana.add(f"here {number}")
            if number % 2:
                twin.add(f"there {number}")
        self.met(twin, self.jie)
        self.met(self.ana, self.jie)
        self.assertEqual(self.ana.view, self.jie.view)
        self.assertEqual(len(self.jie.view["items"]), 13)
        self.met(twin, self.jie)
        self.assertEqual(twin.view, self.jie.view)

    def test_what_is_written_in_a_session_is_pushed_and_a_thousand_fragments_later_keys_are_new(self):
        dialling, answering = self.met(self.ana, self.jie)
        for _ in range(messages.REKEY_FRAGMENTS + 50):
            dialling.session.say(messages.PING)
        self.ana.add("Lofoten")
        pump(dialling, answering)
        self.assertEqual(self.jie.view, self.ana.view)
        self.assertLess(dialling.channel.written, messages.REKEY_FRAGMENTS)

    def test_who_is_lazy_is_announced_to_and_asks(self):
        dialling, answering = self.met(self.ana, self.jie)
        answering.session.say(messages.LAZY)
        pump(dialling, answering)
        self.ana.add("Lofoten")
        self.assertEqual([kind for kind, _ in dialling.session.said], [messages.HAVE])
        pump(dialling, answering)
        self.assertEqual(self.jie.view, self.ana.view)

    def test_who_was_admitted_by_another_proves_it_and_is_sent_no_more_before(self):
        bo, cy = self.world.join(self.jie, "Bo"), self.world.join(self.ana, "Cy")
        cy.joined(*self.ana.held.changes[self.ana.last].statement.grant)
        bo.add("secret of Bo's")
        self.met(cy, bo)
        self.assertTrue(bo.membership.is_in(cy.keys.device))
        self.assertEqual(cy.view, bo.view)

    def test_a_stranger_who_knows_the_epoch_is_sent_nothing_but_the_admission(self):
        self.jie.add("secret")
        eve = self.world.newcomer("Eve")
        dialling, answering = self.met(eve, self.jie, self.jie.newest_secret)
        self.assertEqual(answering.session.standing(), "other")
        self.assertEqual(len(eve.held), 1)

    def test_whoever_names_a_replica_with_another_session_key_is_closed_as_soon_as_that_is_known(self):
        bo, impostor = self.world.join(self.ana, "Bo"), self.world.newcomer("Impostor")
        impostor.joined(*self.ana.held.changes[self.ana.last].statement.grant)
        bo.joined(*self.ana.held.changes[self.ana.last].statement.grant)
        named, impostor.keys.device = impostor.keys.device, replace(impostor.keys.device)
        impostor.keys.device.__dict__["replica"] = bo.keys.device.replica
        dialling, answering = self.met(impostor, self.jie, self.jie.newest_secret)
        self.assertEqual((named.session, answering.session.peer[0]), (answering.session.peer[1], bo.keys.device.replica))
        self.assertEqual(answering.session.standing(), "other")
        self.world.tell(self.ana, self.jie)
        pump(dialling, answering)
        self.assertTrue(answering.is_over)
        with self.assertRaises(Closed):
            self.met(impostor, self.jie, self.jie.newest_secret)
        self.met(bo, self.jie)
        self.assertEqual(bo.view, self.jie.view)

    def test_somebody_removed_in_session_is_told_and_the_session_ends(self):
        dialling, answering = self.met(self.ana, self.jie)
        self.jie.remove(self.ana.keys.device.participant)
        self.jie.add("secret")
        pump(dialling, answering)
        self.assertTrue(dialling.is_over and answering.is_over)
        self.assertFalse(self.ana.is_in)
        self.assertEqual(self.ana.view["items"], [])
        with self.assertRaises(Closed):
            self.met(self.ana, self.jie)

    def test_somebody_removed_while_away_is_told_under_the_pairs_secret_and_nothing_of_them_is_taken(self):
        late, pair = self.ana.add("late").change, self.ana.keys.pair_secret(self.jie.keys.device)
        self.jie.remove(self.ana.keys.device.participant)
        self.jie.add("secret")
        dialling, answering = self.met(self.ana, self.jie, pair, PAIR)
        self.assertTrue(dialling.is_over and answering.is_over)
        self.assertEqual((self.ana.is_in, self.ana.view["items"], late in self.jie.held), (False, [], False))
        self.world.time += bounds.TELLING
        with self.assertRaises(Closed):
            self.met(self.ana, self.jie, pair, PAIR)

    def test_somebody_who_waits_is_told_in_session_whose_removal_that_is(self):
        bo, link = self.world.join(self.jie, "Bo"), self.jie.invite()
        self.world.tell_all()
        cy = self.world.join(self.ana, "Cy", link)
        cy.joined(*self.ana.held.changes[self.ana.last].statement.grant)
        self.jie.remove(self.ana.keys.device.participant)
        dialling, answering = self.met(cy, bo)
        self.assertTrue(cy.is_in)
        self.world.tell(self.jie, bo)
        pump(dialling, answering)
        self.assertTrue(dialling.is_over)
        self.assertEqual(cy.membership.standings[cy.keys.device.participant], "waits")

    def test_somebody_who_waits_for_two_removals_is_told_of_one_in_each_session(self):
        bo, link = self.world.join(self.jie, "Bo"), self.jie.invite()
        self.world.tell_all()
        before, cy = bo.fork(), self.world.join(self.ana, "Cy", link)
        self.jie.remove(self.ana.keys.device.participant)
        self.world.admit(before, cy)
        for node in (self.ana, before):
            for change in node.held.changes:
                self.jie.held.take(change.record)
        self.jie.write(Remove(bo.keys.device.participant, kept=()))
        standings, pair = [], cy.keys.pair_secret(self.jie.keys.device)
        for _ in range(2):
            self.met(cy, self.jie, pair, PAIR)
            standings.append(cy.membership.standings[cy.keys.device.participant])
        self.assertEqual(standings, ["in", "waits"])

    def test_somebody_who_waits_for_an_end_is_told_of_it(self):
        link = self.jie.invite()
        self.world.tell_all()
        phone = self.world.second_device(self.ana)
        cy = self.world.join(phone, "Cy", link)
        self.ana.end(phone.keys.device.replica)
        self.world.tell(self.ana, self.jie)
        for change in phone.held.changes:
            self.jie.held.take(change.record)
        self.met(cy, self.jie, cy.keys.pair_secret(self.jie.keys.device), PAIR)
        self.assertEqual(cy.membership.standings[cy.keys.device.participant], "waits")

    def test_who_asks_for_an_epoch_is_given_it_once(self):
        secret = self.jie.new_epoch()
        self.jie.write(BeginEpoch(self.jie.grant(secret, [self.jie.keys.device])))
        dialling, answering = self.met(self.jie, self.ana, self.ana.newest_secret)
        for _ in range(3):
            answering.session.say(messages.EPOCH_WANTED, epoch_name(secret))
        count = len(self.jie.held)
        pump(dialling, answering)
        self.assertEqual(len(self.jie.held), count + 1)
        self.assertIn(secret, self.ana.epochs.secrets(self.ana.keys).values())

    def test_parts_that_each_removed_somebody_meet_by_a_pairs_secret(self):
        bo, cy = self.world.join(self.jie, "Bo"), self.world.join(self.ana, "Cy")
        self.world.tell_all()
        self.jie.remove(bo.keys.device.participant)
        self.ana.remove(cy.keys.device.participant)
        with self.assertRaises(Closed):
            self.met(self.ana, self.jie)
        self.met(self.ana, self.jie, self.ana.keys.pair_secret(self.jie.keys.device), PAIR)
        self.ana.tend_epochs()
        self.world.meet(self.ana, self.jie)
        self.met(self.ana, self.jie)
        self.assertEqual(self.ana.newest_secret, self.jie.newest_secret)


class Misbehaviour(Meeting):
    def session(self, psk=EPOCH, is_initiator=False):
        return Session(self.jie, psk, is_initiator, shown(self.ana), b"s" * 32)

    def test_what_comes_at_the_wrong_time_ends_the_session(self):
        hello = bytes(32 + 16) + u(0)
        for psk, is_initiator, said in [
                (EPOCH, False, [(messages.FRONTIER, b"\0")]), (EPOCH, False, [(messages.HELLO, hello)] * 2), (EPOCH, False, [(messages.JOIN, bytes(200))]),
                (EPOCH, True, [(messages.ADMITTED, bytes(96))]), (INVITE, False, [(messages.HELLO, hello)]),
                (INVITE, False, [(messages.ADMITTED, bytes(96))]), (INVITE, True, [(messages.JOIN, bytes(200))]),
                (INVITE, False, [(messages.CHANGES, b"\0")])]:
            session = self.session(psk, is_initiator)
            with self.assertRaises(Malformed, msg=str(said)[:60]):
                for kind, body in said:
                    session.hear(kind, body)

    def test_bodies_that_cannot_be_read_end_the_session_and_those_that_grew_do_not(self):
        hello = bytes(32 + 16) + u(0)
        bodies = {messages.FRONTIER: write_frontier([Tip(bytes(16), 1, bytes(32))]), messages.HAVE: sequence([bytes(32)]),
                  messages.LOCATOR: bytes(16) + sequence([bytes(32)]), messages.WANT: bytes(32), messages.EPOCH_WANTED: bytes(16),
                  messages.CHANGES: frontier.write_records([self.jie.held.changes[0]]),
                  messages.WRITERS: sequence([b"\0" + u(3) + b"one", b"\1" + bytes(32) + u(128) + bytes(128)])}
        for kind, body in bodies.items():
            for length in range(len(body)):
                session = self.session()
                session.hear(messages.HELLO, hello)
                with self.assertRaises((Malformed, Refused), msg=f"{kind} {length}"):
                    session.hear(kind, body[:length])
            session = self.session()
            session.hear(messages.HELLO, hello + b"and more")
            session.hear(kind, body + b"and more")
            for newer in (15, 16, 17, 18, 200):  # of photos, which this one takes no part in, and what is to come
                session.hear(newer, b"what is newer")

    def test_more_writers_than_a_node_has_room_for_end_the_session(self):
        for count, length in ((22, 0), (1, 129)):
            session = self.session()
            session.hear(messages.HELLO, bytes(32 + 16) + u(0))
            with self.assertRaises(Malformed, msg=f"{count} {length}"):
                session.hear(messages.WRITERS, sequence([b"\0" + u(length) + bytes(length)] * count))

    def test_no_bytes_of_any_message_are_more_than_the_end_of_a_session(self):
        chance = random.Random(1)
        for _ in range(3_000):
            session = self.session(chance.choice([EPOCH, PAIR, INVITE]), chance.random() < 0.5)
            try:
                if session.psk != INVITE:
                    session.hear(messages.HELLO, bytes(32 + 16) + u(0))
                session.hear(chance.randrange(1, 25), bytes([chance.randrange(4)]) + chance.randbytes(chance.randrange(200)))
            except (Malformed, Refused):
                pass

    def test_a_refused_change_ends_the_session(self):
        session = self.session()
        session.hear(messages.HELLO, bytes(32 + 16) + u(0))
        record = self.jie.held.changes[0].record
        with self.assertRaises(Refused):
            session.hear(messages.CHANGES, sequence([u(len(record)) + record[:-1] + bytes([record[-1] ^ 1]), b"\1\0"]))

    def test_a_sealed_frame_that_is_changed_repeated_or_lost_ends_the_connection(self):
        for spoil in (lambda data: data[:-1] + bytes([data[-1] ^ 1]), lambda data: data[:len(data) // 2] * 2, lambda data: data[len(data) // 2:]):
            dialling, answering = self.met(self.ana, self.jie)
            dialling.session.say(messages.PING)
            dialling.session.say(messages.PING)
            with self.assertRaises(Closed):
                answering.receive(spoil(dialling.taken()))


class Joining(Meeting):
    def join(self, secret, name="Bo", host=None):
        bo = self.world.newcomer(name, secret)
        dialling, answering = self.met(bo, host or self.jie, secret, INVITE)
        return bo, dialling.session

    def test_who_holds_an_invite_is_let_in_and_answered_again(self):
        secret = self.jie.invite()
        bo, session = self.join(secret)
        self.assertTrue(bo.joined(*session.admission))
        self.assertEqual(bo.newest_secret, self.jie.newest_secret)
        count = len(self.jie.held)
        dialling, _ = self.met(bo, self.jie, secret, INVITE)
        self.assertEqual((dialling.session.admission[0], len(self.jie.held)), (session.admission[0], count))
        self.met(bo, self.jie)
        self.assertEqual(bo.view, self.jie.view)
        self.assertTrue(bo.is_in)

    def test_a_second_newcomer_is_told_that_the_invite_is_over(self):
        secret = self.jie.invite()
        self.join(secret)
        _, session = self.join(secret, "Cy")
        self.assertEqual((session.admission, session.reason), (None, 1))

    def test_under_an_invite_that_is_over_nobody_is_recognized_and_who_came_by_it_is_answered(self):
        secret = self.jie.invite()
        bo, session = self.join(secret)
        self.assertEqual(session.peer, shown(self.jie))
        again = [self.met(bo, self.jie, secret, INVITE)[0].session for _ in range(2)]
        self.assertEqual(len({part for session in again for part in session.peer} - {*shown(self.jie)}), 4)
        self.assertTrue(all(session.admission for session in again))

    def test_of_invites_that_are_over_the_last_four_are_answered(self):
        secrets = [self.jie.invite() for _ in range(5)]
        for secret in secrets:
            self.jie.close_invite(secret)
        self.assertEqual([secret in self.jie.psks() for secret in secrets], [False, True, True, True, True])
        _, session = self.join(secrets[4])
        self.assertEqual(session.reason, 1)

    def test_an_invite_for_a_further_device_lets_in_nobody_else(self):
        secret = self.jie.invite(participant=self.jie.keys.device.participant)
        _, session = self.join(secret)
        self.assertEqual((session.admission, session.reason), (None, 2))

    def test_by_an_invite_for_a_further_device_nobody_comes_who_read_it_in_the_log(self):
        self.jie.invite(participant=self.jie.keys.device.participant)
        with self.assertRaises(Closed):
            self.join(self.jie.held.changes[self.jie.last].statement.secret(self.jie.keys.device))

    def test_an_invite_that_a_removal_ended_is_not_even_answered(self):
        secret = self.jie.invite()
        self.jie.remove(self.ana.keys.device.participant)
        with self.assertRaises(Closed):
            self.join(secret)

    def test_a_request_that_proves_nothing_is_told_so(self):
        secret = self.jie.invite()
        eve = self.world.newcomer("Eve", secret)
        for device, name, consent in [(self.ana.keys.device, "Ana", bytes(64)), (eve.keys.device, "Eve", bytes(64))]:
            kind, body = self.jie.let_join(secret, shown(eve), device, name, consent)
            self.assertEqual((kind, body), (messages.NOT_ADMITTED, b"\2"))


class Channels(unittest.TestCase):
    def test_a_stream_ends_with_an_end(self):
        world = World(1)
        ana = world.join(world.founder, "Ana")
        dialling, answering = initiator(ana, ana.newest_secret, ADDRESS, PORT, EPOCH), responder(world.founder, ADDRESS, PORT)
        self.assertIsInstance(dialling, Connection)
        pump(dialling, answering)
        self.assertIsInstance(dialling.channel, Channel)
        dialling.session.close()
        pump(dialling, answering)
        self.assertTrue(answering.is_over)
