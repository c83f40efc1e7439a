"""What other projects were hit by, against this protocol: Documentation/Security.md has the list."""

import itertools
import unittest
from dataclasses import replace

from conformance import bounds, content, frontier
from conformance.bundle import MAGIC, made, opened
from conformance.content import Operation
from conformance.epochs import Epochs
from conformance.handshake import Closed
from conformance.held import PastMissing, Refused
from conformance.keys import discovery_key, epoch_name, selector_key, session_key
from conformance.membership import IN, REMOVED, WAITS, Membership
from conformance.network import initiator, responder
from conformance.session import EPOCH, INVITE
from conformance.statements import Admit, Remove, consent_text
from conformance.tests.test_session import ADDRESS, PORT, Meeting
from conformance.world import judged

FORKS, HOSTS = 50, 5


class Field(Meeting):
    def take(self, node, change, early):
        """Hands a change to a node, and again what came before its past (`early`), as a peer does that is asked for that past."""
        early.append(change)
        taken = True
        while taken:
            taken = False
            for one in [*early]:
                try:
                    node.held.take(one.record)
                except PastMissing:
                    continue
                early.remove(one)
                taken = True
        node.changed()


class Duplicates(Field):
    def test_anothers_change_under_ones_own_name_is_ones_own(self):
        mal = self.world.join(self.jie, "Mal")
        item = self.jie.add("Tent")
        self.world.tell_all()
        vote = self.ana.held.changes[self.ana.held.indices[self.ana.vote(item)]]
        self.world.tell_all()
        renamed = replace(vote, replica=mal.keys.device.replica, signature=mal.keys.sign(vote.signed))
        with self.assertRaises(Refused):
            self.jie.held.take(renamed.record)
        copy = mal.write(None, [Operation(content.VOTE, item=item, number=1)])
        self.world.tell(mal, self.jie)
        self.assertNotEqual(copy, vote.hash)
        self.assertEqual(len(self.jie.view["items"][0]["votes"]), 2, "one of each of the two")
        index = self.jie.held.indices[vote.hash]
        again = replace(vote, signature=bytes(64))
        self.assertEqual(self.jie.held.take(again.record), index, "a change that is held is taken once, whatever signature comes")
        self.assertEqual(self.jie.held.changes[index].signature, vote.signature)


class Domains(Field):
    def test_no_secret_opens_what_is_for_another_purpose(self):
        secrets = [self.jie.newest_secret, self.jie.invite(), self.jie.keys.pair_secret(self.ana.keys.device)]
        keys = [of(secret) for secret in secrets for of in (session_key, selector_key, discovery_key)]
        self.assertEqual(len(set(keys + secrets)), 12)
        for secret in secrets[1:] + keys:
            file = made(self.jie.trip, self.jie.keys, [], secret, bytes(32), bytes(24)).written
            with self.assertRaises(ValueError):
                opened(file, {epoch_name(self.jie.newest_secret): self.jie.newest_secret})

    def test_a_signature_for_one_purpose_is_none_for_another(self):
        change = self.ana.held.changes[self.ana.held.indices[self.ana.add("Tent").change]]
        consent = self.ana.keys.sign(consent_text(self.jie.trip, self.ana.keys.device, self.ana.name))
        for signature in (consent, self.ana.keys.sign(change.hash), self.ana.keys.sign(MAGIC + change.hash)):
            with self.assertRaises(Refused):
                self.jie.held.take(replace(change, signature=signature).record)
        with self.assertRaises(Refused):
            self.jie.write(Admit(self.ana.keys.device, self.ana.name, self.ana.came_by, change.signature, None))

    def test_an_invites_secret_is_none_for_sessions_nor_an_epochs_for_joining(self):
        invite = self.jie.invite()
        stranger = self.world.newcomer("Xen", invite)
        for secret, said_as, psk in ((invite, EPOCH, INVITE), (self.jie.newest_secret, INVITE, EPOCH)):
            self.assertEqual(self.jie.psks()[secret], psk)
            dialling, answering = initiator(stranger, secret, ADDRESS, PORT, said_as), responder(self.jie, ADDRESS, PORT)
            with self.assertRaises(ValueError):
                for _ in range(6):
                    answering.receive(dialling.taken())
                    dialling.receive(answering.taken())


class StateReset(Field):
    def test_six_crafted_changes_are_judged_alike_in_all_720_orders(self):
        mal, zoe = self.world.join(self.jie, "Mal"), self.world.join(self.jie, "Zoe")
        link = self.jie.invite(uses=9)
        self.world.tell_all()
        away = self.jie.fork()
        xen = self.world.newcomer("Xen", link)
        before = {change.hash for change in self.world.everything()}
        self.world.admit(mal, xen)
        item = xen.add("Tent")
        self.world.tell(xen, zoe)
        zoe.vote(item)
        old = away.fork()
        away.remove(mal.keys.device.participant)
        mal.write(Remove(xen.keys.device.participant))
        old.close_invite(link)
        told = [change for node in (*self.world.nodes, away, old) for change in node.held.changes if change.hash not in before]
        crafted = sorted({change.hash: change for change in told}.values(), key=lambda change: change.hash)
        self.assertEqual(len(crafted), 6)
        found = set()
        for order in itertools.permutations(crafted):
            node, early = self.ana.fork(), []
            for change in order:
                self.take(node, change, early)
            self.assertEqual(early, [])
            membership = node.membership
            kept = frozenset(node.held.changes[index].hash for index in node.held.members(membership.retained))
            found.add((tuple(sorted(membership.standings.items())), kept, frontier.digest(frontier.tips(membership))))
        self.assertEqual(len(found), 1)
        standings = dict(next(iter(found))[0])
        self.assertEqual([standings[node.keys.device.participant] for node in (mal, zoe, xen)], [REMOVED, IN, WAITS])

    def test_a_removal_is_not_undone_by_a_branch_that_was_away(self):
        mal = self.world.join(self.jie, "Mal")
        self.world.tell_all()
        away = mal.fork()
        for number in range(20):
            away.add(f"Away {number}")
        self.jie.remove(mal.keys.device.participant)
        self.world.nodes.append(away)
        away.write(Remove(mal.keys.device.participant))
        self.world.admit(away, mal)
        membership = judged(self.jie.trip, self.world.everything())
        self.assertEqual(membership.standings[mal.keys.device.participant], REMOVED)
        self.assertEqual([item["title"] for item in self.jie.view["items"]], [])


class Equivocation(Field):
    def test_fifty_forks_by_two_in_league_through_five_hosts_part_nobody(self):
        hosts = [self.jie, self.ana, *(self.world.join(self.jie, f"Host {number}") for number in range(HOSTS - 2))]
        mal, friend = self.world.join(self.jie, "Mal"), self.world.join(self.jie, "Friend")
        self.world.tell_all()
        for number in range(FORKS):
            fork = (mal, friend)[number % 2].fork()
            fork.add(f"Fork {number}")
            self.world.tell(fork, hosts[number % HOSTS])
        written = [host.add(f"Honest {number}") for number, host in enumerate(hosts)]
        for one, other in zip(hosts, hosts[1:] + hosts[:1]):
            self.met(one, other)
        for one, other in zip(hosts, hosts[1:]):
            self.met(one, other)
        self.assertEqual(len({frontier.digest(frontier.tips(host.membership)) for host in hosts}), 1)
        self.assertTrue(all(item.change in host.held for item in written for host in hosts))
        self.assertEqual(len(self.jie.view["items"]), FORKS + HOSTS)


class OldSecrets(Field):
    def test_whoever_is_out_for_three_epochs_opens_nothing_with_all_old_secrets(self):
        mal, *others = [self.world.join(self.jie, name) for name in ("Mal", "Ben", "Cy")]
        self.world.tell_all()
        for person in (mal, *others):
            self.jie.remove(person.keys.device.participant)
        self.world.tell(self.jie, self.ana)
        for index in range(len(self.jie.held)):
            try:
                mal.held.take(self.jie.held.changes[index].record)  # all that was ever written, as if somebody had handed it over
            except PastMissing:
                self.fail("each stands after its past")
        secrets = mal.secrets | Epochs(Membership(mal.held)).secrets(mal.keys)
        self.assertNotIn(epoch_name(self.jie.newest_secret), secrets)
        self.assertEqual(len(Epochs(self.jie.membership).usable), 4)
        for secret in secrets.values():
            with self.assertRaises(Closed):
                self.met(mal, self.ana, secret)
        self.assertEqual(mal.membership.standings[mal.keys.device.participant], REMOVED)

    def test_a_removed_person_who_is_invited_again_is_somebody_new_and_syncs(self):
        mal = self.world.join(self.jie, "Mal")
        self.world.tell_all()
        self.jie.remove(mal.keys.device.participant)
        self.world.tell(self.jie, self.ana)
        again = self.world.join(self.jie, "Mal")
        self.met(again, self.ana)
        item = again.add("Tent")
        self.met(again, self.ana)
        self.assertIn(item.change, self.ana.held)
        standings = self.ana.membership.standings
        self.assertEqual([standings[node.keys.device.participant] for node in (mal, again)], [REMOVED, IN])


class OneByteMore(Field):
    def test_a_change_that_is_one_byte_too_long_ends_a_session_and_nothing_else(self):
        most = self.ana.next_change(None)
        fits = replace(most, content=bytes(bounds.CONTENT), digest=None)
        fits = replace(fits, signature=self.ana.keys.sign(fits.signed))
        for extra, is_taken in ((b"", True), (bytes(bounds.RECORD - len(fits.record) + 1), False)):
            dialling, answering = self.met(self.ana, self.jie)
            dialling.session.say(3, frontier.sequence([fits], lambda change: frontier.data(change.record + extra)))
            dialling.flush()
            before = len(self.jie.held)
            if is_taken:
                answering.receive(dialling.taken())
                self.assertEqual(len(self.jie.held), before + 1)
            else:
                with self.assertRaises((ValueError, Refused)):
                    answering.receive(dialling.taken())
                self.assertEqual(len(self.jie.held), before)
        self.jie.add("Goes on")
        self.met(self.world.join(self.jie, "Noah"), self.jie)


if __name__ == "__main__":
    unittest.main()
