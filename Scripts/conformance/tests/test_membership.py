"""Section 5 with keys and hashes: scenarios by name, each in several orders of arrival. `test_rules` has the rules themselves."""

import random
import unittest

from conformance.keys import DeviceKeys, guest_of
from conformance.membership import IN, LEFT, MEMBER, OTHER, OUT, REMOVED, UNKNOWN, WAITS
from conformance.statements import Invite, Remove
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
            self.assertEqual((other.standings, other.roster.resolved), (all_judged[0].standings, all_judged[0].roster.resolved))
        return all_judged[0]

    def standing(self, *nodes):
        standings = self.judged().standings
        return [standings[participant(node)] for node in nodes]

    def is_in(self, node):
        return self.judged().is_in(node.keys.device)

    def counts(self, *hashes):
        membership = self.judged()
        return [bool(membership.effective >> membership.held.indices[hash] & 1) for hash in hashes]

    def parent(self, node):
        return self.judged().graph.parent[participant(node)]

    def friends(self, *names):
        """Newcomers that the founder admitted, one after the other, who know of each other."""
        nodes = [self.world.join(self.jie, name) for name in names]
        self.world.tell_all()
        return nodes

    def met(self, node):
        return self.judged().who_is_met(node.keys.device.replica, node.keys.device.session)


class Removal(Scenario):
    def test_a_removal_cuts_what_its_author_had_not_seen(self):
        ana, _ = self.friends("Ana", "Bo")
        seen = ana.add("seen").change
        self.world.tell(ana, self.jie)
        removal, late = self.jie.remove(participant(ana)), ana.add("late").change
        self.assertEqual((self.standing(ana), self.counts(seen, removal, late)), ([REMOVED], [True, True, False]))
        self.assertNotIn(late.hex(), hashes(self.judged(), self.judged().retained))

    def test_nobody_removes_a_sibling_or_somebody_above(self):
        ana, bo = self.friends("Ana", "Bo")
        ana.remove(participant(bo))
        ana.remove(participant(self.jie))
        self.assertEqual(self.standing(bo, self.jie), [IN, IN])

    def test_nobody_becomes_a_parent_by_another_admission(self):
        """F2: the parent is in the name."""
        mal, = self.friends("Mal")
        link = self.jie.invite()
        self.world.tell_all()
        before = mal.fork()
        ana = self.world.join(mal, "Ana", link)
        tent = ana.add("tent").change
        before.close_invite(link)
        self.world.admit(before, ana)
        before.remove(participant(ana))
        self.world.tell(before, self.jie)
        self.assertEqual((self.standing(ana), self.parent(ana), self.counts(tent)), ([IN], participant(self.jie), [True]))

    def test_partitions_that_each_removed_somebody_agree_when_they_meet(self):
        ana, bo, cy = self.friends("Ana", "Bo", "Cy")
        dan = self.world.join(cy, "Dan")
        self.jie.remove(participant(ana))
        cy.remove(participant(dan))
        self.world.tell_all()
        self.assertEqual(self.standing(ana, bo, cy, dan), [REMOVED, IN, IN, REMOVED])
        self.assertEqual(*(hashes(node.membership, node.membership.effective) for node in (self.jie, cy)))


class Waiting(Scenario):
    def doorman(self):
        """The founder is away while Mal lets Ana in by the founder's link, and Ana lets Bo in; then the founder removes Mal."""
        mal, zoe = self.friends("Mal", "Zoe")
        link = self.jie.invite()
        self.world.tell_all()
        ana = self.world.join(mal, "Ana", link)
        bo = self.world.join(ana, "Bo")
        tent = ana.add("tent").change
        self.jie.remove(participant(mal))
        return ana, bo, tent

    def test_somebody_whose_host_was_removed_waits_and_is_kept_with_all_that_they_did(self):
        ana, bo, tent = self.doorman()
        self.assertEqual((self.standing(ana, bo), self.counts(tent)), ([WAITS, WAITS], [False]))
        self.assertEqual([self.met(node) for node in (ana, bo)], [OUT, OUT])
        self.world.tell(self.world.nodes[1], self.jie)  # what Mal holds
        for node in (ana, bo):
            for change in node.held.changes:
                self.jie.held.take(change.record)
        removal = [index for index in self.jie.membership.cuts]
        self.assertEqual([self.jie.membership.reasons(node.keys.device) for node in (ana, bo)], [removal, removal])
        self.jie.keep(participant(ana))
        self.assertEqual((self.standing(ana, bo), self.counts(tent)), ([IN, IN], [True]))

    def test_somebody_who_waits_is_not_kept_by_a_removal_before_or_after(self):
        ana, bo, _ = self.doorman()
        self.world.tell_all()
        for change in ana.held.changes:
            self.jie.held.take(change.record)
        keep = self.jie.fork()
        self.jie.remove(participant(ana))
        keep.keep(participant(ana))
        self.world.nodes.append(keep)
        self.assertEqual(self.standing(ana, bo), [REMOVED, WAITS])

    def test_what_somebody_who_waits_writes_is_handed_over_when_they_are_kept(self):
        ana, _, _ = self.doorman()
        self.world.tell(self.jie, ana)
        late = ana.add("late").change
        self.assertNotIn(late.hex(), hashes(ana.membership, ana.membership.retained))
        for change in ana.held.changes:
            self.jie.held.take(change.record)
        self.jie.keep(participant(ana))
        self.world.tell(self.jie, ana)
        self.assertIn(late.hex(), hashes(ana.membership, ana.membership.retained))

    def test_what_somebody_who_waits_writes_stands_on_what_is_pending_of_their_other_devices(self):
        ana, _, _ = self.doorman()
        phone = self.world.second_device(ana)
        self.world.tell(self.jie, ana)
        late = ana.add("late")
        for change in ana.held.changes:
            phone.held.take(change.record)
        vote = phone.held.changes[phone.held.indices[phone.vote(late)]]
        self.assertEqual((vote.heads, vote.subjects), ((late.change,), (late.change,)))
        self.hears(phone)
        self.assertFalse(self.jie.membership.effective >> self.jie.held.indices[vote.hash] & 1)
        self.jie.keep(participant(ana))
        self.assertEqual(self.counts(late.change, vote.hash), [True, True])

    def test_what_is_pending_is_by_somebody_who_is_out_and_not_resolved(self):
        ana, bo, _ = self.doorman()
        self.hears(ana, bo, self.world.nodes[1])
        pending = [bool(self.jie.membership.pending(participant(node))) for node in (*self.world.nodes[:2], ana, bo)]
        self.assertEqual(pending, [False, False, True, False])
        self.jie.remove(participant(ana))
        self.assertTrue(self.jie.membership.pending(participant(ana)))

    def hears(self, *nodes):
        """The founder hears of all that others hold, retained or not."""
        for node in nodes:
            for change in node.held.changes:
                self.jie.held.take(change.record)

    def test_who_left_before_they_would_have_waited_is_told_of_the_farewell_alone(self):
        ana, = self.friends("Ana")
        link = self.jie.invite()
        self.world.tell_all()
        bo = self.world.join(ana, "Bo", link)
        bo.leave()
        self.jie.remove(participant(ana))
        self.hears(ana, bo)
        told = [self.jie.held.changes[index].hash for index in self.jie.membership.reasons(bo.keys.device)]
        self.assertEqual((self.standing(bo), told), ([WAITS], [bo.held.changes[bo.last].hash]))

    def test_who_knows_that_they_were_removed_is_told_nothing_that_stands_on_it_once_they_wait(self):
        ana, = self.friends("Ana")
        bo = self.world.join(ana, "Bo")
        first = ana.remove(participant(bo))
        self.hears(ana)
        second = self.jie.write(Remove(participant(ana), kept=()))
        held, membership = self.jie.held, self.jie.membership
        self.assertEqual(self.standing(bo), [WAITS])
        self.assertEqual(membership.why_out(bo.keys.device, 0), held.indices[second])
        self.assertIsNone(membership.why_out(bo.keys.device, held.pasts[held.indices[first]]))
        self.assertEqual(membership.why_out(ana.keys.device, held.pasts[held.indices[first]]), held.indices[second])


class Farewell(Scenario):
    def test_a_farewell_cuts_what_follows_it_and_nobody_else(self):
        """F3: who leaves on an old branch takes nobody along."""
        ana, = self.friends("Ana")
        twin = ana.fork()
        bo = self.world.join(ana, "Bo")
        before = ana.add("before").change
        self.world.nodes.append(twin)
        twin.leave()
        after = twin.add("after").change
        self.assertEqual((self.standing(ana, bo), self.counts(before, after)), ([LEFT, IN], [True, False]))

    def test_a_further_device_that_leaves_takes_the_person_out(self):
        ana, = self.friends("Ana")
        phone = self.world.second_device(ana)
        phone.leave()
        self.assertFalse(self.is_in(ana) or self.is_in(phone))

    def test_somebody_who_left_may_be_removed(self):
        ana, = self.friends("Ana")
        ana.leave()
        self.world.tell(ana, self.jie)
        self.jie.remove(participant(ana))
        self.assertEqual(self.standing(ana), [REMOVED])


class Devices(Scenario):
    def test_an_end_cuts_what_a_stolen_device_did_a_farewell_too(self):
        zoe, = self.friends("Zoe")
        phone = self.world.second_device(self.jie)
        milk = phone.add("milk").change
        theft, thiefs = phone.remove(participant(zoe)), self.world.second_device(phone)
        self.world.tell(phone, thiefs)
        phone.leave()
        self.world.tell(phone, self.jie)
        end = self.jie.end(phone.keys.device.replica, milk)
        self.assertEqual((self.standing(self.jie, zoe), self.counts(milk, theft, end)), ([IN, IN], [True, False, True]))
        self.assertEqual([self.met(node) for node in (self.jie, phone, thiefs)], [MEMBER, OUT, OTHER])
        self.assertEqual(self.jie.membership.devices(participant(self.jie)), {self.jie.keys.device.replica})

    def test_who_is_met_is_the_device_that_a_replica_names_where_its_own_key_is_shown(self):
        ana, bo = self.friends("Ana", "Bo")
        secret = bo.invite()
        origin = b"\1" + bo.membership.invite(bo.last)
        eve = self.world.newcomer("Eve", secret, keys=DeviceKeys(b"\1" * 32, ana.keys.session_private, origin))
        self.world.admit(bo, eve)
        self.world.tell_all()
        device, other = ana.keys.device, eve.keys.device
        met = self.judged().who_is_met
        self.assertEqual([met(device.replica, device.session), met(other.replica, device.session)], [MEMBER, MEMBER])
        self.assertEqual([met(device.replica, bo.keys.device.session), met(b"r" * 16, device.session)], [None, OTHER])
        self.jie.remove(participant(ana))
        met = self.judged().who_is_met
        self.assertEqual([met(device.replica, device.session), met(other.replica, device.session)], [OUT, MEMBER])

    def test_a_device_that_a_removed_person_admits_is_out(self):
        ana, = self.friends("Ana")
        self.jie.remove(participant(ana))
        self.assertEqual(self.met(self.world.second_device(ana)), OUT)


class Admissions(Scenario):
    def test_the_parent_opened_the_invite_whoever_admits(self):
        ana, = self.friends("Ana")
        secret = self.jie.invite()
        self.world.tell_all()
        bo = self.world.join(ana, "Bo", secret)
        self.assertEqual((self.standing(bo), self.parent(bo)), ([IN], participant(self.jie)))

    def test_the_name_is_that_of_the_admission_of_the_lowest_stamp_that_counts(self):
        ana, bo = self.friends("Ana", "Bo")
        secret = self.jie.invite()
        self.world.tell_all()
        cy = self.world.join(ana, "Cy", secret)
        cy.name = "Cyril"
        bo.add("later")
        bo.add("later still")
        self.world.admit(bo, cy)
        self.assertEqual(self.judged().name(participant(cy)), "Cy")
        self.jie.remove(participant(ana))
        self.assertEqual(self.judged().name(participant(cy)), "Cyril")

    def test_nobody_comes_in_by_an_invite_that_was_over(self):
        for end in ("closed", "used", "removal", "farewell"):
            with self.subTest(end):
                self.world = World(end)
                self.jie = self.world.founder
                ana, cy = self.friends("Ana", "Cy")
                opener = cy if end == "farewell" else self.jie
                secret = opener.invite()
                if end == "closed":
                    opener.close_invite(secret)
                elif end == "used":
                    self.world.join(opener, "Dan", secret)
                elif end == "removal":
                    opener.remove(participant(cy))
                else:
                    opener.leave()
                self.world.tell_all()
                self.assertEqual(self.standing(self.world.join(ana, "Bo", secret)), [UNKNOWN])

    def test_nobody_else_ends_an_invite(self):
        """F7."""
        mal, = self.friends("Mal")
        secret = self.jie.invite()
        self.world.tell_all()
        sybil = self.world.join(mal, "Sybil")
        mal.close_invite(secret)
        mal.remove(participant(sybil))
        mal.remove(participant(self.jie))
        self.world.tell_all()
        self.assertEqual(len(self.jie.membership.open_invites()), 1)
        self.assertEqual(self.standing(self.world.join(mal, "Bo", secret)), [IN])

    def test_whoever_opens_with_anothers_seed_opens_another_invite(self):
        ana, = self.friends("Ana")
        secret = self.jie.invite()
        said = self.jie.held.changes[self.jie.last].statement
        self.world.tell_all()
        ana.write(Invite(said.seed, said.uses))
        self.world.tell_all()
        self.assertEqual(len(set(self.jie.membership.secrets(self.jie.membership.open_invites()))), 2)
        self.assertEqual(self.parent(self.world.join(ana, "Bo", secret)), participant(self.jie))

    def test_an_invite_that_is_opened_twice_is_open_by_either(self):
        _, cy = self.friends("Ana", "Cy")
        secret = self.jie.invite()
        said = self.jie.held.changes[self.jie.last].statement
        self.jie.remove(participant(cy))
        self.assertEqual(self.jie.membership.open_invites(), [])
        self.jie.write(Invite(said.seed, said.uses))
        self.assertEqual(self.standing(self.world.join(self.jie, "Bo", secret)), [IN])

    def test_guests_go_with_their_host(self):
        ana, = self.friends("Ana")
        guest = self.world.guest(ana, "Guest")
        self.assertEqual((self.standing(guest), self.parent(guest)), ([IN], participant(ana)))
        self.world.tell(ana, self.jie)
        self.jie.remove(participant(ana))
        self.assertEqual(self.standing(guest), [REMOVED])
        self.assertEqual(participant(guest), DeviceKeys(
            guest.keys.signing.private_bytes_raw(), bytes(32), guest_of(participant(ana))).device.participant)


class Open(Scenario):
    def openings(self, now=None):
        return len(self.jie.membership.open_invites(now))

    def test_an_invite_is_open_until_it_expires_is_used_closed_or_its_opener_removes_somebody(self):
        ana, bo = self.friends("Ana", "Bo")
        secret = self.jie.invite(uses=1, expires=5)
        self.assertEqual([self.openings(4), self.openings(5), self.openings()], [1, 0, 1])
        self.world.join(self.jie, "Cy", secret)
        self.assertEqual(self.openings(), 0)
        self.jie.close_invite(self.jie.invite())
        self.assertEqual(self.openings(), 0)
        self.jie.invite()
        self.world.tell(self.jie, ana)
        ana.leave()
        self.world.tell(ana, self.jie)
        self.assertEqual(self.openings(), 1)
        self.jie.remove(participant(bo))
        self.assertEqual(self.openings(), 0)

    def test_an_invite_for_a_further_device_is_used_by_it(self):
        ana, = self.friends("Ana")
        own = participant(ana)
        ana.invite(participant=own)
        phone = self.world.newcomer("Ana", keys=self.world.keys(participant=own))
        opening, phone.came_by = ana.last, ana.membership.invite(ana.last)
        self.assertIn(opening, ana.membership.open_invites())
        self.world.admit(ana, phone)
        self.assertNotIn(opening, ana.membership.open_invites())
        self.assertIn(opening, ana.membership.open_invites(device=phone.keys.device))
