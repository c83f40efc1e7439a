"""Section 8, of what two nodes tell each other that they hold."""

from conformance import bounds, frontier, messages
from conformance.encoding import Malformed, u
from conformance.frontier import Known, Tip, digest, locator, read_frontier, tips, write_frontier
from conformance.session import EPOCH, Session
from conformance.tests.test_session import Meeting, shown


class Frontiers(Meeting):
    def test_a_node_with_an_excluded_fork_and_one_without_have_the_same_frontier(self):
        self.world.tell_all()
        twin = self.ana.fork()
        twin.add("excluded")
        self.jie.remove(self.ana.keys.device.participant)
        bare = digest(tips(self.jie.membership))
        self.world.tell(twin, self.jie)
        self.assertEqual(digest(tips(self.jie.membership)), bare)

    def test_a_locator_names_the_last_those_at_growing_distances_and_the_first_of_each_branch(self):
        for number in range(20):
            self.ana.add(str(number))
        own = [change for change in self.ana.held.changes if change.replica == self.ana.keys.device.replica]
        numbers = {change.hash: change.number for change in own}
        self.assertEqual([numbers[hash] for hash in locator(self.ana.held, self.ana.keys.device.replica)], [20, 19, 17, 13, 5, 1])

    def test_a_locator_of_many_branches_names_no_more_than_a_peer_reads(self):
        self.world.tell_all()
        for number in range(bounds.LOCATOR + 1):
            twin = self.ana.fork()
            twin.add(str(number))
            self.jie.held.take(twin.held.changes[-1].record)
        named = locator(self.jie.held, self.ana.keys.device.replica)
        self.assertEqual(len(named), bounds.LOCATOR)
        self.assertEqual(frontier.read_locator(frontier.write_locator(bytes(16), named)), (bytes(16), named))
        with self.assertRaises(Malformed):
            frontier.read_locator(frontier.write_locator(bytes(16), [*named, bytes(32)]))

    def test_a_longer_log_is_taken_to_hold_ours_until_a_locator_says_otherwise(self):
        for number in range(3):
            self.ana.add(str(number))
        replica, known = self.ana.keys.device.replica, Known(self.ana.held)
        self.assertEqual(known.learn([Tip(replica, 9, b"\7" * 32)]), [])
        self.assertEqual(known.all, self.ana.held.pasts[-1])
        known.found(replica, [])
        self.assertEqual(known.all, 0)
        self.assertEqual(known.learn([Tip(replica, 3, b"\7" * 32)]), [replica])

    def test_frontiers_beyond_their_bound_or_out_of_order_are_refused(self):
        two = [Tip(bytes(16), 1, b"b" * 32), Tip(bytes(16), 1, b"a" * 32)]
        for wrong in (write_frontier(two), write_frontier([two[0]] * 2), u(bounds.TIPS + 1) + bytes(49) * (bounds.TIPS + 1),
                      write_frontier([Tip(bytes(16), 0, bytes(32))])):
            with self.assertRaises(Malformed):
                read_frontier(wrong)

    def test_a_missing_past_is_asked_for_again_once_something_new_came_and_ends_no_session(self):
        eve = self.world.newcomer("Eve")
        session = Session(eve, EPOCH, True, shown(self.jie), b"s" * 32)
        session.hear(messages.HELLO, bytes(32 + 16) + u(0))
        founding, later = (frontier.write_records([self.jie.held.changes[index]]) for index in (0, 2))
        before = len(session.said)
        for heard in [later] * 20 + [founding] + [later] * 20:
            session.hear(messages.CHANGES, heard)
        self.assertEqual([kind for kind, _ in session.said[before:] if kind == messages.FRONTIER], [messages.FRONTIER] * 2)

    def test_the_answer_to_a_second_frontier_assumes_nothing(self):
        self.world.tell_all()
        twin = self.ana.fork()
        self.ana.add("Reine")
        self.world.tell(self.ana, self.jie)
        for number in range(3):
            twin.add(str(number))
        session = Session(self.jie, EPOCH, False, shown(twin), b"s" * 32)
        session.hear(messages.HELLO, bytes(32 + 16) + u(0))
        sent = []
        for _ in range(2):
            before = len(session.said)
            session.hear(messages.FRONTIER, write_frontier(tips(twin.membership)))
            sent.append(sum(kind == messages.CHANGES for kind, _ in session.said[before:]))
        self.assertEqual(sent, [0, 1])
