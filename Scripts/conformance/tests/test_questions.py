"""Section 7, of questions: the order of options, and answers that are hidden until the closing."""

import unittest
from dataclasses import dataclass, replace

from conformance import bounds, content, texts
from conformance.content import Operation, Reference
from conformance.world import World


@dataclass(frozen=True)
class Sealed:
    author: bytes
    operation: Reference
    nonce: bytes
    answer: tuple


class Questions(unittest.TestCase):
    def setUp(self):
        self.world = World(self.id())
        self.jie = self.world.founder
        self.ana = self.world.join(self.jie, "Ana")
        self.items = [self.jie.add("Lofoten")]
        self.world.tell_all()

    def do(self, node, kind, at, **parts):
        node.write(None, [Operation(kind, item=self.items[at], **parts)])

    def shown(self):
        self.world.tell_all()
        self.assertEqual(self.jie.view, self.ana.view)
        return self.jie.view

    def ask(self, question, *options):
        """A question of Jie's; its index among the items."""
        return self.asked_by(self.jie, question, *options)

    def asked_by(self, node, question="one hidden", *options):
        where = node.write(None, [
            Operation(content.ADD, number=0, writes=((1, "Where?"), (texts.QUESTION, question))),
            *(Operation(content.OPTIONS, item=Reference(None, 0), words=((option,), ())) for option in options)])
        self.items.append(Reference(where, 0))
        self.world.tell_all()
        return len(self.items) - 1

    def seal(self, node, item, option, nonce=b"1"):
        """Answers a hidden question."""
        answer, own = ((option, 1),), node.keys.device.participant[:16]
        commitment = content.commitment(self.items[item], own, nonce * 32, answer)
        hash = node.write(None, [Operation(content.SEAL, item=self.items[item], bytes=commitment, note=b"own")])
        return Sealed(own, Reference(hash, 0), nonce * 32, answer)

    def close(self, node, item, *counted):
        """Closes a hidden question; what names the closing."""
        pairs = tuple(sorted((sealed.author, sealed.operation) for sealed in counted))
        return Reference(node.write(None, [Operation(content.CLOSE, item=self.items[item], counted=pairs)]), 0)

    def reveal(self, node, item, closing, sealed):
        self.do(node, content.REVEAL, item, other=closing, bytes=sealed.nonce, answer=sealed.answer)

    def write_done(self, node, item, text):
        self.do(node, content.EDIT, item, writes=((texts.DONE, text, ()),))

    def answers(self, item):
        return self.shown()["items"][item]["answers"]

    def named(self, **answers):
        """Answers by the names of their authors."""
        people = {"jie": self.jie, "ana": self.ana}
        return {people[name].keys.device.participant[:16].hex(): answer for name, answer in answers.items()}

    def test_options_are_shown_in_the_order_in_which_they_were_added(self):
        item = self.ask("one", "Porto", "Lisbon")
        self.do(self.jie, content.OPTIONS, item, words=(("Sintra", "Faro"), ()))
        self.world.tell_all()
        self.do(self.ana, content.OPTIONS, item, words=(("Porto",), ()))
        self.assertEqual(self.shown()["items"][item]["options"], ["Lisbon", "Faro", "Sintra", "Porto"])
        # Of one that two add at the same moment, the first addition says where it is.
        self.do(self.jie, content.OPTIONS, item, words=(("Beja",), ()))
        self.do(self.jie, content.OPTIONS, item, words=(("Aveiro",), ()))
        for _ in range(3):
            self.do(self.ana, content.VOTE, item, number=0)
        self.do(self.ana, content.OPTIONS, item, words=(("Beja",), ()))
        self.assertEqual(self.shown()["items"][item]["options"][-2:], ["Beja", "Aveiro"])

    def test_a_hidden_answer_is_shown_once_the_question_is_closed_and_its_author_reveals_it(self):
        item = self.ask("one hidden", "Lisbon", "Faro")
        jie, ana = self.seal(self.jie, item, "Lisbon"), self.seal(self.ana, item, "Faro")
        self.assertEqual(self.answers(item), self.named(jie={"sealed": "whole"}, ana={"sealed": "whole"}))
        # A changed client reveals its own answer early: it is not shown before the closing.
        self.reveal(self.ana, item, self.items[item], ana)
        self.assertEqual(self.answers(item), self.named(jie={"sealed": "whole"}, ana={"sealed": "whole"}))
        closing = self.close(self.jie, item, jie, ana)
        self.assertEqual(self.answers(item), self.named(jie={"sealed": "whole"}, ana={"counted": [["Faro", 1]]}))
        self.reveal(self.jie, item, closing, jie)
        self.assertEqual(self.answers(item), self.named(jie={"counted": [["Lisbon", 1]]}, ana={"counted": [["Faro", 1]]}))

    def test_the_closing_names_the_answers_that_count_one_of_each_person(self):
        item = self.ask("one hidden")
        first = self.seal(self.ana, item, "Faro")
        second = self.seal(self.ana, item, "Lisbon", b"2")
        jie = self.seal(self.jie, item, "Faro")
        self.world.tell_all()
        closing = self.close(self.jie, item, first)
        for sealed in (first, second):
            self.reveal(self.ana, item, closing, sealed)
        self.reveal(self.jie, item, closing, jie)
        self.assertEqual(self.answers(item), self.named(ana={"counted": [["Faro", 1]]}, jie={"sealed": "late"}))
        # Nobody's answer counts under another person's name.
        other = self.ask("one hidden")
        ana = self.seal(self.ana, other, "Faro")
        self.world.tell_all()
        self.reveal(self.ana, other, self.close(self.jie, other, replace(ana, author=jie.author)), ana)
        self.assertEqual(self.answers(other), self.named(ana={"sealed": "late"}))

    def test_each_of_two_closings_takes_away_what_it_does_not_name(self):
        item = self.ask("one hidden")
        tablet = self.world.second_device(self.jie)
        ana, jie = self.seal(self.ana, item, "Faro"), self.seal(self.jie, item, "Lisbon")
        self.world.tell_all()
        closing = self.close(self.jie, item, ana, jie)
        self.reveal(self.jie, item, closing, jie)
        self.assertEqual(self.jie.view["items"][item]["answers"], self.named(ana={"sealed": "whole"}, jie={"counted": [["Lisbon", 1]]}))
        self.close(tablet, item, jie)
        self.assertEqual(self.answers(item), self.named(ana={"sealed": "late"}, jie={"counted": [["Lisbon", 1]]}))
    def test_only_the_person_who_asked_closes_a_hidden_question_and_nobody_opens_it_again(self):
        item = self.ask("one hidden")
        ana = self.seal(self.ana, item, "Faro")
        self.world.tell_all()
        self.close(self.ana, item, ana)
        self.write_done(self.jie, item, "true")
        self.assertNotIn("8", self.shown()["items"][item]["fields"])
        self.close(self.jie, item, ana)
        self.world.tell_all()
        for node in (self.jie, self.ana):
            self.write_done(node, item, None)
        self.assertEqual(self.shown()["items"][item]["fields"]["8"], ["true"])
        # One that is made closed begins open.
        self.items.append(Reference(self.jie.write(None, [
            Operation(content.ADD, writes=((1, "Where?"), (texts.DONE, "true"), (texts.QUESTION, "one hidden")))]), 0))
        self.assertNotIn("8", self.shown()["items"][-1]["fields"])

    def test_nothing_shows_a_hidden_answer_but_what_its_author_sealed(self):
        item = self.ask("one hidden")
        # A reveal whose author had not seen the answer shows nothing, though the answer is the same.
        early = Sealed(self.ana.keys.device.participant[:16], None, b"1" * 32, (("Faro", 1),))
        self.reveal(self.ana, item, self.items[item], early)
        ana = self.seal(self.ana, item, "Faro")
        self.world.tell_all()
        closing = self.close(self.jie, item, ana)
        self.world.tell_all()
        self.reveal(self.jie, item, closing, ana)
        self.reveal(self.ana, item, closing, replace(ana, answer=(("Lisbon", 1),)))
        self.do(self.ana, content.ANSWER, item, answer=(("Lisbon", 1),))
        self.assertEqual(self.answers(item), self.named(ana={"sealed": "whole"}))
        self.reveal(self.ana, 0, closing, ana)
        self.seal(self.ana, 0, "Faro")
        self.close(self.jie, 0, ana)
        self.assertNotIn("answers", self.shown()["items"][0])
        self.assertNotIn("8", self.shown()["items"][0]["fields"])

    def test_a_sealed_answer_can_be_withdrawn_before_the_closing_and_a_removed_persons_does_not_count(self):
        item = self.ask("one hidden")
        ana, jie = self.seal(self.ana, item, "Faro"), self.seal(self.jie, item, "Lisbon")
        self.do(self.jie, content.ANSWER, item, answer=None)
        self.assertEqual(self.answers(item), self.named(ana={"sealed": "whole"}))
        closing = self.close(self.jie, item, ana)
        self.world.tell_all()
        self.reveal(self.ana, item, closing, ana)
        self.reveal(self.jie, item, closing, jie)
        self.assertEqual(self.answers(item), self.named(ana={"counted": [["Faro", 1]]}))
        self.world.tell_all()
        self.jie.remove(self.ana.keys.device.participant)
        self.assertEqual(self.jie.view["items"][item]["answers"], {})

    def test_the_first_64_answers_and_withdrawals_of_a_person_are_kept(self):
        item = self.ask("one hidden")
        for number in range(bounds.SEALED - 1):
            self.seal(self.ana, item, "Faro", bytes([number]))
        self.do(self.ana, content.ANSWER, item, answer=None)
        late = self.seal(self.ana, item, "Lisbon")
        self.assertEqual(self.answers(item), {})
        closing = self.close(self.jie, item, late)
        self.world.tell_all()
        self.reveal(self.ana, item, closing, late)
        self.assertEqual(self.answers(item), {})
        other = self.ask("one hidden")
        answers = [self.seal(self.ana, other, "Faro", bytes([number])) for number in range(bounds.SEALED + 1)]
        self.world.tell_all()
        closing = self.close(self.jie, other, answers[bounds.SEALED - 1])
        self.world.tell_all()
        self.reveal(self.ana, other, closing, answers[bounds.SEALED - 1])
        self.assertEqual(self.answers(other), self.named(ana={"counted": [["Faro", 1]]}))

    def test_a_reveal_does_not_keep_a_question_beside_its_removal(self):
        item = self.ask("one hidden")
        ana = self.seal(self.ana, item, "Faro")
        self.world.tell_all()
        closing = self.close(self.jie, item, ana)
        self.world.tell_all()
        self.reveal(self.ana, item, closing, ana)
        self.do(self.jie, content.REMOVE, item)
        self.assertFalse(self.shown()["items"][item]["exists"])

    def test_a_closing_that_is_cut_stays_one_if_somebody_revealed_an_answer_after_it(self):
        noa = self.world.join(self.jie, "Noa")
        self.world.tell_all()
        kept, cut = self.asked_by(self.ana), self.asked_by(self.ana)
        self.world.tell_all()
        answers = {item: self.seal(noa, item, "Faro") for item in (kept, cut)}
        self.world.tell_all()
        closings = {item: self.close(self.ana, item, sealed) for item, sealed in answers.items()}
        self.world.meet(self.ana, noa)
        self.reveal(noa, kept, closings[kept], answers[kept])
        self.jie.remove(self.ana.keys.device.participant)
        shown = self.shown()["items"]
        own = answers[kept].author.hex()
        self.assertEqual((shown[kept]["fields"].get("8"), shown[kept]["answers"]), (["true"], {own: {"counted": [["Faro", 1]]}}))
        self.assertEqual((shown[cut]["fields"].get("8"), shown[cut]["answers"]), (None, {own: {"sealed": "whole"}}))

    def test_a_closing_that_is_only_upheld_does_not_keep_its_question(self):
        noa = self.world.join(self.jie, "Noa")
        item = self.asked_by(self.ana)
        self.world.tell_all()
        noas = self.seal(noa, item, "Faro")
        self.world.tell_all()
        closing = self.close(self.ana, item, noas)
        self.do(self.jie, content.REMOVE, item)
        self.world.meet(self.ana, noa)
        self.reveal(noa, item, closing, noas)
        self.jie.remove(self.ana.keys.device.participant)
        shown = self.shown()["items"][item]
        self.assertEqual((shown["exists"], shown["fields"]["8"]), (False, ["true"]))
