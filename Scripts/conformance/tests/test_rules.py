"""The rules of membership: the examples of Documentation/Protocol.md, crafted sets, and the mutants."""

import random
import unittest
from pathlib import Path

from conformance.rules import cases, vectors
from conformance.rules.cases import CASES, trip
from conformance.rules.crafted import crafted, every_set, told
from conformance.rules.laws import broken
from conformance.rules.mutants import MUTANTS
from conformance.bounds import DEPTH
from conformance.rules.roster import WAITS, Admit, End, Remove


def faults(rules, chance):
    """Whether an example or a law tells some rules from the right ones."""
    for make in CASES:
        case, who = make()
        roster = rules(case.graph)
        if {person: roster.status(person) for person in case.graph.parent} != who:
            return True
        if any(True for _ in range(8) for _ in broken(case.graph, rules, chance)):
            return True
    return any(True for _ in range(400) for _ in broken(crafted(chance, chance.randint(6, 20)), rules, chance))


class Examples(unittest.TestCase):
    def test_who_is_in(self):
        for make in CASES:
            with self.subTest(make.__name__):
                case, who = make()
                self.assertEqual(case.who(), who, make.__doc__ + "\n" + told(case.graph))

    def test_no_law_is_broken(self):
        for make in CASES:
            with self.subTest(make.__name__):
                case, _ = make()
                self.assertEqual(list(broken(case.graph)), [])

    def test_what_counts(self):
        for make, counting, not_counting in (
                (cases.hijack, ["tent", "aX"], []),
                (cases.doorman, ["vote", "removal"], ["aX", "tent", "aY"]),
                (cases.doorman_confirmed, ["vote", "tent", "aY"], ["aX"]),
                (cases.crossed, ["by F"], ["by Z"]),
                (cases.device_again, ["tea", "again", "farewell"], ["aZ3"]),
                (cases.forks, ["fork 0", "fork 11", "F goes on", "Z goes on"], []),
                (cases.upheld, ["vote"], ["booking", "other"]),
                (cases.taken_back, ["tent", "vote"], ["junk", "iM", "aX"]),
                (cases.guest, ["seen"], ["unseen"]),
                (cases.second_device_does_not_know, ["milk", "farewell"], ["after"]),
                (cases.stolen_phone, ["milk", "tea", "end"], ["theft", "by F3", "farewell"])):
            with self.subTest(make.__name__):
                case, _ = make()
                self.assertEqual((case.counts(*counting), case.counts(*not_counting)), ([True] * len(counting), [False] * len(not_counting)))

    def test_what_somebody_else_did_upholds_what_it_is_about(self):
        case, _ = cases.upheld()
        self.assertTrue(case.is_shown("booking"))
        self.assertFalse(case.is_shown("other"))
        case, _ = cases.doorman()
        self.assertTrue(case.is_shown("tent"))

    def test_a_body_goes_where_the_founder_cut_it_and_all_that_is_about_it(self):
        case, _ = cases.waiting_vote()
        self.assertEqual([case.roster().may_drop_bodies(case.at[label]) for label in ("tent", "junk")], [False, True])
        case.put("keep", "F", Admit("X"))
        self.assertTrue(case.is_shown("tent"))
        case, _ = cases.waiting_vote()
        case.put("no", "F", Remove("X", ()))
        self.assertTrue(case.roster().may_drop_bodies(case.at["tent"]))


class Waiting(unittest.TestCase):
    def waits_for(self, case, person):
        found = case.roster().waits_for(person)
        return {label for label, index in case.at.items() if index in found}

    def test_for_what_cut_the_admission_and_for_what_holds_back_who_is_above(self):
        for make in (cases.doorman, cases.own_link):
            self.assertEqual(self.waits_for(make()[0], "X"), {"removal"}, make.__doc__)
        case, _ = cases.doorman_refused()
        self.assertEqual(self.waits_for(case, "Y"), {"removal"})

    def test_for_what_cut_the_opening(self):
        self.assertEqual(self.waits_for(cases.link_of_the_removed()[0], "X"), {"removal"})

    def test_for_a_farewell(self):
        case = trip("M")
        case.put("farewell", "M", Remove("M"))
        case.admit("aX", "M", "X", "iF")
        self.assertEqual((case.who()["X"], self.waits_for(case, "X")), (WAITS, {"farewell"}))

    def test_for_the_end_of_the_device_that_admitted_the_device_that_admitted_them(self):
        case = trip("M")
        case.put("aM2", "M", Admit(case.story.further("M")))
        case.put("aM3", "M2", Admit(case.story.further("M")))
        case.admit("aX", "M3", "X", "iF")
        case.put("end", "M", End("M2", None), after=["aM2"])
        self.assertEqual((case.who()["X"], self.waits_for(case, "X")), (WAITS, {"end"}))

    def test_for_no_removal_that_cut_nothing_of_that(self):
        case = trip("M", "Q")
        case.open("iM", "M")
        case.put("of M", "F", Remove("M"))
        case.admit("aX", "Q", "X", "iM", after=["iM"])
        case.put("of Q", "F", Remove("Q"), after=["iM"])
        self.assertEqual((case.who()["X"], self.waits_for(case, "X")), (WAITS, {"of Q"}))


class Acceptance(unittest.TestCase):
    def test_a_newcomers_invite_is_opened_in_the_past(self):
        case = trip("M", "Z")
        case.story.newcomer("X", case.open("jF", "F"))
        self.assertTrue(case.is_refused("M", Admit("X"), after=["aZ"]))
        self.assertFalse(case.is_refused("M", Admit("X")))

    def test_a_guest_is_let_in_by_the_host_alone_and_says_nothing_of_membership(self):
        case, _ = cases.guest()
        self.assertTrue(case.is_refused("F", Admit("G")))
        self.assertTrue(case.is_refused("G", Remove("G")))
        self.assertFalse(case.is_refused("M", Admit("G")))

    def test_the_seventeenth_below_another_is_refused(self):
        case = trip("P0")
        for number in range(1, DEPTH):
            case.open(f"i{number}", f"P{number - 1}", after=[f"aP{number - 1}"])
            case.admit(f"aP{number}", f"P{number - 1}", f"P{number}", f"i{number}", after=[f"i{number}"])
        case.story.newcomer("one more", case.open("last", f"P{DEPTH - 1}"))
        self.assertTrue(case.is_refused(f"P{DEPTH - 1}", Admit("one more")))

    def test_a_first_device_alone_ends_further_ones(self):
        case, _ = cases.stolen_phone()
        self.assertTrue(case.is_refused("F2", End("F", None)))
        self.assertTrue(case.is_refused("F2", End("F3", None)))
        self.assertTrue(case.is_refused("Z", End("F2", None)))
        self.assertFalse(case.is_refused("F", End("F3", None)))
        self.assertTrue(case.is_refused("F", End("F3", case.at["milk"])))


class Vectors(unittest.TestCase):
    def test_they_are_as_written(self):
        self.assertEqual(vectors.written(), (Path(__file__).parents[3] / "Tests/Vectors/rosters.json").read_text())


class Laws(unittest.TestCase):
    def test_they_hold_for_crafted_sets(self):
        chance = random.Random(28)
        for _ in range(300):
            graph = crafted(chance, chance.randint(6, 20))
            self.assertEqual(list(broken(graph, chance=chance)), [], told(graph))

    def test_they_hold_for_every_set_of_two_statements(self):
        count = 0
        for graph in every_set(2):
            self.assertEqual(list(broken(graph)), [], told(graph))
            count += 1
        self.assertEqual(count, 327)

    def test_they_find_every_mutant(self):
        self.assertGreaterEqual(len(MUTANTS), 16)
        for mutant in MUTANTS:
            with self.subTest(mutant.__name__):
                self.assertTrue(faults(mutant, random.Random(1)), mutant.__doc__)


if __name__ == "__main__":
    unittest.main()
