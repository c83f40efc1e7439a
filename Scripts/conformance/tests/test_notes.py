"""Section 7, of notes: texts that several write at once, as bytes and as what they show."""

import random
import unittest

from conformance import bounds, content, texts
from conformance.content import Insertion, Operation, Reference, Removal, read_content, write_content
from conformance.encoding import sequence
from conformance.fold import Fold
from conformance.hostile import alias
from conformance.notes import Note
from conformance.versions import OLDER
from conformance.world import World, judged

NOWHERE = Reference(bytes(32), 0)


class Bytes(unittest.TestCase):
    def read(self, **parts):
        return read_content(write_content([Operation(content.TRIP_NOTE, **parts)]))[0]

    def test_an_edit_has_these_bytes(self):
        edit = Operation(content.TRIP_NOTE, insertions=(Insertion("a"), Insertion("b", (NOWHERE, 300)), Insertion("c", (Reference(None, 2), 0), 0)),
                         removals=(Removal(NOWHERE, 1, 2),))
        name = b"\1" + bytes(32) + b"\0"
        self.assertEqual(content.body(edit, content.CURRENT),
                         b"\3" + b"\0\1a" + b"\1" + name + b"\xac\2\1b" + b"\2\0\2\0\1c" + b"\1" + name + b"\1\2")

    def test_an_edit_has_its_bounds(self):
        def is_read(**parts):
            return self.read(**parts) is not None

        self.assertTrue(is_read(insertions=(Insertion("x"),) * bounds.INSERTIONS))
        self.assertFalse(is_read(insertions=(Insertion("x"),) * (bounds.INSERTIONS + 1)))
        self.assertTrue(is_read(insertions=(Insertion("ø" * (bounds.INSERTED - 1)), Insertion("\N{FAMILY}"))))
        self.assertFalse(is_read(insertions=(Insertion("x" * bounds.INSERTED), Insertion("y"))))
        for number, is_sound in ((bounds.INSERTED - 1, True), (bounds.INSERTED, False), (2**40, False)):
            self.assertEqual(is_read(insertions=(Insertion("x", (NOWHERE, number)),)), is_sound)
        for first, count, is_sound in ((0, bounds.INSERTED, True), (bounds.INSERTED - 1, 1, True), (0, 0, False), (5, 0, False),
                                       (1, bounds.INSERTED, False), (bounds.INSERTED, 1, False), (2**64 - 1, 1, False)):
            self.assertEqual(is_read(removals=(Removal(NOWHERE, first, count),)), is_sound, (first, count))
        for index, is_sound in ((bounds.INDEX, True), (bounds.INDEX + 1, False)):
            self.assertEqual(is_read(removals=(Removal(Reference(None, index), 0, 1),)), is_sound)

    def test_an_unknown_side_is_not_read(self):
        body = sequence([b"\3" + NOWHERE.written() + b"\0\1x"]) + b"\0"
        self.assertIsNone(read_content(write_content([], unknown=[(content.TRIP_NOTE, body)]))[0])

    def test_what_is_inserted_is_not_empty_and_has_no_controls(self):
        for text, is_sound in (("", False), (" ", True), ("\n\t", True), ("a\0", False), ("\r", False), ("\u2028", False), ("\x85", False),
                               ("\u200b", True), ("\u202e", True)):
            self.assertEqual(texts.may_insert(text), is_sound, ascii(text))

    def test_what_is_shown_has_no_white_space_at_its_ends_and_something_to_see(self):
        for text, shown in (("", []), (" \n", []), ("\u200b\u2800", []), ("\u3000 a\tb\x85", ["a\tb"]), ("\u200ba", ["\u200ba"]),
                            (" " + "x" * bounds.NOTE_SHOWN, ["x" * (bounds.NOTE_SHOWN - 1)])):
            self.assertEqual(texts.shown_note(text), shown)


class Writing(unittest.TestCase):
    """The tree alone, with a writer that does what the document says that one does."""

    def test_an_edit_puts_a_text_where_its_writer_means(self):
        chance, note, expected = random.Random(1), Note(lambda operation: operation), ""
        for number in range(400):
            start = chance.randrange(len(expected) + 1)
            end = min(len(expected), start + chance.randrange(4))
            text = chance.choice(["", "a", "bc", "def"])
            edit = note.edit(start, end, text, lambda operation: operation)
            for removal in edit["removals"]:
                note.remove(removal.operation, removal.first, removal.count)
            for insertion in edit["insertions"]:
                note.insert(number * 7 % 400, insertion.text, insertion.beside, insertion.side)
            expected = expected[:start] + text + expected[end:]
            self.assertEqual(note.text, expected)


class Notes(unittest.TestCase):
    def setUp(self):
        self.world = World(self.id())
        self.jie = self.world.founder
        self.ana = self.world.join(self.jie, "Ana")
        self.item = self.jie.add("Lofoten", field2="by boat")
        self.world.tell_all()

    def shown(self):
        """The notes of the trip and of the items."""
        self.world.tell_all()
        self.assertEqual(self.jie.view, self.ana.view)
        return self.jie.view["note"] + [text for item in self.jie.view["items"] for text in item["fields"].get("2", [])]

    def edit(self, node, item=None, insertions=(), removals=()):
        kind = content.NOTE if item else content.TRIP_NOTE
        return Reference(node.write(None, [Operation(kind, item=item, insertions=tuple(insertions), removals=tuple(removals))]), 0)

    def test_what_two_write_at_once_in_one_note_stays(self):
        self.jie.edit_note(self.item, 0, 0, "Go ")
        self.ana.edit_note(self.item, 7, 7, " or by train")
        self.assertEqual(self.shown(), ["Go by boat or by train"])
        self.jie.edit_note(self.item, 3, 10, "by ferry")
        self.ana.edit_note(self.item, 6, 10, "ship")
        self.assertIn(self.shown(), (["Go by ferryship or by train"], ["Go shipby ferry or by train"]))

    def test_what_two_write_at_one_place_stands_in_two_blocks(self):
        for node, words in ((self.jie, "one "), (self.ana, "two ")):
            for at, letter in enumerate(words):
                node.edit_note(None, at, at, letter)
        self.assertIn(self.shown(), (["one two", "by boat"], ["two one", "by boat"]))
        for node, words in ((self.jie, "cba"), (self.ana, "zyx")):
            for letter in words:
                node.edit_note(None, 4, 4, letter)
        self.assertIn(self.shown()[0][4:-3], ("abcxyz", "xyzabc"))

    def test_siblings_stand_by_their_hashes_and_indexes_and_then_by_their_numbers(self):
        both = [Operation(content.TRIP_NOTE, insertions=(Insertion(f"{index}a"), Insertion(f"{index}b"))) for index in range(2)]
        hashes = [node.write(None, both) for node in (self.jie, self.ana) for _ in range(3)]

        def key(name):
            return int.from_bytes(name[0][:16], "big") ^ name[1]

        expected = "".join(f"{index}a{index}b" for _, index in sorted(((hash, index) for hash in hashes for index in range(2)), key=key))
        self.assertEqual(self.shown()[0], expected)

    def test_both_sides_of_a_character_and_its_place_when_it_is_removed(self):
        first = self.edit(self.jie, insertions=[Insertion("ac")])
        self.edit(self.jie, insertions=[Insertion("B", (first, 1), content.BEFORE), Insertion("d", (first, 1)), Insertion("_", (first, 0), content.BEFORE)],
                  removals=[Removal(first, 0, 2)])
        self.assertEqual(self.shown()[0], "_Bd")

    def test_an_insertion_may_stand_beside_an_earlier_one_of_its_edit(self):
        own = Reference(None, 0)
        self.edit(self.jie, insertions=[Insertion("ad"), Insertion("b", (own, 1), content.BEFORE), Insertion("c", (own, 2)), Insertion("!", (own, 4)),
                                     Insertion("?", (own, 99))])
        # The last two name a character that is not there yet, and so stand at the beginning, behind what was inserted there before.
        self.assertEqual(self.shown()[0], "abcd!?")

    def test_what_is_not_in_the_past_is_neither_a_neighbor_nor_removed(self):
        first = self.edit(self.jie, insertions=[Insertion("mn")])
        for _ in range(3):
            self.ana.vote(self.item, 0)  # so that it is lower in the order of stamps
        self.edit(self.ana, insertions=[Insertion("z", (first, 0))], removals=[Removal(first, 0, 2)])
        self.edit(self.ana, insertions=[Insertion("y", (NOWHERE, 0))], removals=[Removal(NOWHERE, 0, 2), Removal(Reference(None, 0), 0, 1)])
        self.assertCountEqual(self.shown()[0], "mnyz")
        self.assertIn("mn", self.shown()[0])
        # Nor is what another note holds, nor a number beyond what an operation inserted.
        self.edit(self.ana, self.item, insertions=[Insertion("x", (first, 0))], removals=[Removal(first, 0, 1), Removal(self.item, 6, 50)])
        self.assertIn(self.shown()[1], ("xby boa", "by boax"))
        self.assertIn("mn", self.shown()[0])

    def test_only_the_whole_hash_names_an_operation(self):
        first = self.edit(self.jie, insertions=[Insertion("mn")])
        self.world.tell_all()
        for other in (alias(first), Reference(first.change[:16] + bytes(16), 0)):
            self.edit(self.ana, insertions=[Insertion("x", (other, 0))], removals=[Removal(other, 0, 2)])
        self.assertIn("mn", self.shown()[0])

    def test_an_earlier_operation_of_a_change_is_in_the_past_and_a_later_one_is_not(self):
        self.jie.write(None, [
            Operation(content.TRIP_NOTE, insertions=(Insertion("b", (Reference(None, 1), 0)),), removals=(Removal(Reference(None, 1), 0, 1),)),
            Operation(content.TRIP_NOTE, insertions=(Insertion("ac"),)),
            Operation(content.TRIP_NOTE, insertions=(Insertion("!", (Reference(None, 1), 0)),), removals=(Removal(Reference(None, 1), 1, 1),))])
        self.assertIn(self.shown()[0], ("ba!", "a!b"))

    def test_an_edit_that_says_nothing_or_breaks_a_rule_leaves_no_token(self):
        self.jie.write(None, [Operation(content.REMOVE, item=self.item)])
        self.edit(self.ana, self.item)
        self.edit(self.ana, self.item, insertions=[Insertion("a"), Insertion("\r")])
        self.edit(self.ana, self.item, insertions=[Insertion("")])
        self.edit(self.ana, insertions=[Insertion("a\0")])
        self.assertEqual(self.shown(), ["by boat"])
        self.assertFalse(self.jie.view["items"][0]["exists"])
        self.edit(self.ana, self.item, removals=[Removal(NOWHERE, 0, 1)])
        self.shown()
        self.assertTrue(self.jie.view["items"][0]["exists"])

    def test_only_items_and_the_trip_have_notes_that_are_edited(self):
        lists = Reference(self.jie.write(None, [Operation(content.ADD_LIST, writes=((1, "Stays"), (2, "cheap")))]), 0)
        self.world.tell_all()
        self.edit(self.jie, lists, insertions=[Insertion("x")])
        self.jie.edit(lists, 2, "dear")
        self.ana.edit(lists, 2, "near")
        self.shown()
        self.assertCountEqual(self.jie.view["lists"][0]["fields"]["2"], ["dear", "near"])

    def test_an_edit_of_an_earlier_version_replaces_what_is_in_its_past_but_for_what_it_names(self):
        extra = self.jie.edit_note(self.item, 7, 7, ", slowly")
        self.world.tell_all()
        self.ana.edit_note(self.item, 0, 0, "Go ")
        self.jie.edit(self.item, 2, "by train", beside=[extra])
        self.assertIn(self.shown(), (["Go by train, slowly"], ["by trainGo , slowly"], ["Go , slowlyby train"]))
        self.jie.edit(self.item, 2, None)
        self.assertEqual(self.shown(), [])
        self.jie.edit(self.item, 2, "x\r")
        self.ana.edit(self.item, 2, "y")
        self.assertEqual(self.shown(), ["y"])

    def test_of_two_writes_in_one_edit_the_last_that_can_be_read_counts(self):
        self.jie.write(None, [Operation(content.EDIT, item=self.item, writes=((2, "one", ()), (2, "two and more", ()), (2, " ", ())))])
        self.assertEqual(self.shown(), ["two and more"])

    def test_an_older_version_passes_edits_over_and_shows_what_it_knows(self):
        self.jie.edit_note(self.item, 7, 7, ", slowly")
        old = Fold(self.jie.membership, OLDER).view()
        self.assertEqual(old["items"][0]["fields"]["2"], ["by boat"])


class Cut(unittest.TestCase):
    """What somebody wrote whose removal cuts it: others wrote beside it."""

    def setUp(self):
        self.world = World(self.id())
        self.jie = self.world.founder
        self.ana, self.noa = (self.world.join(self.jie, name) for name in ("Ana", "Noa"))
        self.world.tell_all()
        self.first = self.jie.edit_note(None, 0, 0, "abc")
        self.world.tell_all()

    def shown(self):
        self.world.tell_all()
        changes = self.world.everything()
        self.assertEqual(Fold(judged(self.jie.trip, changes)).view(), self.jie.view)
        return self.jie.view["note"]

    def test_its_insertions_stay_if_somebody_wrote_beside_them_and_its_removals_do_not(self):
        self.ana.write(None, [Operation(content.TRIP_NOTE, insertions=(Insertion("X", (self.first, 2)),), removals=(Removal(self.first, 0, 1),)),
                              Operation(content.TRIP_NOTE, insertions=(Insertion("Y", (Reference(None, 0), 0)),), removals=(Removal(Reference(None, 0), 0, 1),))])
        self.world.meet(self.ana, self.noa)
        self.assertEqual(self.noa.view["note"], ["bcY"])
        self.noa.edit_note(None, 3, 3, "Z")
        self.jie.remove(self.ana.keys.device.participant)
        self.assertEqual(self.shown(), ["abcXYZ"])

    def test_they_go_if_nobody_wrote_beside_them(self):
        self.ana.edit_note(None, 3, 3, "X")
        self.world.meet(self.ana, self.noa)
        self.noa.edit_note(None, 0, 0, "Z")
        self.jie.remove(self.ana.keys.device.participant)
        self.assertEqual(self.shown(), ["Zabc"])

    def test_what_stood_beside_something_that_is_gone_goes_to_the_beginning(self):
        by_ana = self.ana.edit_note(None, 3, 3, "X")
        self.world.meet(self.ana, self.noa)
        self.noa.subjects = lambda operations, pending: ()  # as no node that keeps the rules writes it
        self.noa.write(None, [Operation(content.TRIP_NOTE, insertions=(Insertion("Z", (by_ana, 0)),))])
        self.assertEqual(self.noa.view["note"], ["abcXZ"])
        self.jie.remove(self.ana.keys.device.participant)
        self.assertIn(self.shown(), (["Zabc"], ["abcZ"]))

    def test_an_item_that_is_upheld_by_its_note_stays_and_the_note_without_a_token(self):
        item = self.ana.add("Reine", field2="north")
        self.world.meet(self.ana, self.noa)
        edit = self.ana.edit_note(item, 5, 5, "!")
        self.world.meet(self.ana, self.noa)
        self.noa.write(None, [Operation(content.TRIP_NOTE, insertions=(Insertion("Z", (edit, 0)),))])
        self.noa.write(None, [Operation(content.TRIP_NOTE, insertions=(Insertion("Z", (item, 0)),))])
        self.jie.remove(self.ana.keys.device.participant)
        self.shown()
        self.assertEqual([(one["exists"], one["fields"]["2"]) for one in self.jie.view["items"]], [(False, ["north!"])])
