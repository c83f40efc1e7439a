"""Section 7: operations in bytes, the fold by past, and what has no effect."""

import hashlib
import json
import unittest
from pathlib import Path

from conformance import bounds, content, texts
from conformance.content import Insertion, Operation, Position, Reference, Removal, read_content, write_content
from conformance.encoding import data, sequence, u
from conformance.versions import CURRENT, NEWER, OLDER
from conformance.world import World

OTHERS = Path(__file__).resolve().parents[3] / "Tests/Vectors/content.json"
ITEM = Reference(bytes(32), 0)
EVERY = [Operation(1, text="Trip", beside=(ITEM,)), Operation(2, text="Jie"), Operation(3, number=-2, writes=((1, "Lofoten"), (5, "68,13"))),
         Operation(4, item=ITEM, writes=((1, None, ()), (2, "x", (ITEM, Reference(None, 0))))), Operation(5, item=ITEM),
         Operation(6, item=Reference(None, 2)), Operation(7, item=ITEM, number=2), Operation(8, item=ITEM, number=-9),
         Operation(9, writes=((1, "Mussels"),)), Operation(10, item=ITEM, position=Position(ITEM, Reference(None, 0), 0)),
         Operation(11, item=ITEM, text="Yes\nplease"), Operation(12, item=ITEM, number=3),
         Operation(13, item=ITEM, words=(("wifi",), ("sauna", "pool"))), Operation(14, bytes=bytes(32)),
         Operation(20, item=ITEM, bytes=(b"\1\2\3\5" + bytes(32)) * 3), Operation(21, item=ITEM, other=Reference(None, 1)),
         Operation(22, item=ITEM, number=3), Operation(23, item=ITEM, answer=(("Faro", 2), ("Lisbon", 1))),
         Operation(24, item=ITEM, words=(("Lisbon",), ("Faro, or near",))), Operation(25, item=ITEM, bytes=b"c" * 32, note=b"own"),
         Operation(26, item=ITEM, counted=((b"a" * 16, ITEM), (b"b" * 16, ITEM))),
         Operation(27, item=ITEM, other=Reference(bytes(32), 4), bytes=b"n" * 32, answer=(("Faro", 2), ("Lisbon", 1))),
         Operation(28, item=ITEM, insertions=(Insertion("By boat"), Insertion("\n", (ITEM, 3)), Insertion("\t", (Reference(None, 1), 300), 0)),
                   removals=(Removal(ITEM, 0, 3), Removal(Reference(None, 1), 99_000, 1_000))),
         Operation(29, insertions=(Insertion("North"),)), Operation(29, removals=(Removal(ITEM, 2, 1),))]
OF_ONESELF = Operation(15, bytes=b"sealed")  # which has no end of its own


class Bytes(unittest.TestCase):
    def test_every_operation_is_read_as_it_was_written_by_older_and_newer(self):
        self.assertEqual({operation.kind for operation in [*EVERY, OF_ONESELF]}, CURRENT.operations)
        self.assertEqual(read_content(write_content([*EVERY, OF_ONESELF])), [*EVERY, OF_ONESELF])
        self.assertEqual(read_content(write_content(EVERY, NEWER, [(90, b"what?")])), [*EVERY, None])
        self.assertEqual(read_content(write_content(EVERY), OLDER)[-1], None)

    def test_what_the_other_implementation_wrote_is_read_and_written_again(self):
        seen = set()
        for vector in json.loads(OTHERS.read_text())["contents"]:
            whole = bytes.fromhex(vector["bytes"])
            read = read_content(whole)
            if vector["isWritten"] and whole and None not in read:
                with self.subTest(vector["name"]):
                    self.assertEqual(write_content(read) or b"\0", whole)
                    seen |= {operation.kind for operation in read}
        self.assertEqual(seen, CURRENT.operations)

    def test_what_cannot_be_read_has_no_effect_and_its_neighbours_have(self):
        for operation in EVERY:
            body = content.written(operation)[2:]
            for length in range(len(body)):
                broken = u(3) + content.written(EVERY[1]) + u(operation.kind) + data(body[:length]) + content.written(EVERY[1])
                read = read_content(broken)
                self.assertEqual([read[0], read[2]], [EVERY[1], EVERY[1]])
        self.assertEqual(read_content(b""), [])
        self.assertEqual(read_content(b"\xff" * 20), [])

    def test_no_cut_and_no_changed_byte_stops_a_reader(self):
        whole = write_content(EVERY, NEWER)
        for at in range(len(whole)):
            read_content(whole[:at])
            read_content(whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1:])

    def test_a_note_beside_a_commitment_has_its_bound(self):
        longest = Operation(content.SEAL, item=ITEM, bytes=bytes(32), note=bytes(bounds.NOTE))
        longer = Operation(content.SEAL, item=ITEM, bytes=bytes(32), note=bytes(bounds.NOTE + 1))
        self.assertEqual(read_content(write_content([longest, longer])), [longest, None])

    def test_a_closing_names_people_in_their_order_each_once(self):
        def close(*people):
            return Operation(content.CLOSE, item=ITEM, counted=tuple((person, ITEM) for person in people))

        most = [number.to_bytes(16, "big") for number in range(bounds.COUNTED + 1)]
        sound = [close(), close(b"a" * 16, b"b" * 16), close(*most[1:])]
        self.assertEqual(read_content(write_content([*sound, close(b"b" * 16, b"a" * 16), close(b"a" * 16, b"a" * 16), close(*most)])),
                         [*sound, None, None, None])

    def test_a_commitment_is_the_hash_of_these_bytes(self):
        answer = (("Lisbon", 2), ("Porto", 1))
        bytes_ = b"caravan answer" + bytes(32) + b"\3" + b"p" * 16 + b"n" * 32 + b"\2\6Lisbon\2\5Porto\1"
        self.assertEqual(content.commitment(Reference(bytes(32), 3), b"p" * 16, b"n" * 32, answer),
                         hashlib.blake2b(bytes_, digest_size=32).digest())

    def test_operations_beyond_the_ten_thousandth_have_no_effect(self):
        many = sequence([content.written(EVERY[1])] * (bounds.OPERATIONS + 1))
        self.assertEqual(len(read_content(many)), bounds.OPERATIONS)

    def test_texts_keep_their_rules(self):
        for text in ("", " x", "x ", "\u200b", "x\0", "x\n", "\u3000", "a\u202eb", "x" * 201, "\u2028", "\u2800", "x\u0085"):
            self.assertFalse(texts.may_stand(texts.TITLE, text), ascii(text))
        for text in ("a\u200eb", "a\u200db", "a\ufe0fb", "A\u00adB", "\N{FAMILY}\u200b", "a\u2066b", "\u200d\N{FAMILY}"):
            self.assertFalse(texts.may_stand(texts.TITLE, text), ascii(text))
            self.assertTrue(texts.may_stand(texts.NOTE, text), ascii(text))
        for text in ("x", "x" * 200, "Bø", "\N{FAMILY}\u200d\N{FAMILY}", "1\ufe0f", "\u00a9\ufe0f", "a\u00a0b", "\u0915\u200d\u0916"):
            self.assertTrue(texts.may_stand(texts.TITLE, text), ascii(text))
        self.assertTrue(texts.may_stand(texts.NOTE, "a\n\tb"))
        for place, sound in (("68.1,13.5", True), ("90,-180", True), ("90.1,0", False), ("1, 2", False), ("1e1,2", False), ("٦,١", False), ("1." + 15 * "1" + ",2", True), ("1." + 16 * "1" + ",2", False)):
            self.assertEqual(texts.may_stand(texts.PLACE, place), sound, place)
        links = ("https://a", "HTTP://a", "javascript:a", "https://", "https://a b", "ht\u017ftp://a")
        self.assertEqual([texts.may_stand(texts.LINK, link) for link in links], [True, True, False, False, False, False])
        self.assertEqual([texts.may_stand(texts.DONE, done) for done in ("true", "yes")], [True, False])
        questions = {"one": False, "one hidden": True, "points 10 threshold 80 hidden": True, "one  hidden": None, "hidden": None,
                     "one hidden threshold 80": None, "one hidden hidden": None}
        self.assertEqual({text: texts.is_hidden(text) if texts.may_stand(texts.QUESTION, text) else None for text in questions}, questions)


class Folding(unittest.TestCase):
    def setUp(self):
        self.world = World(self.id())
        self.jie = self.world.founder
        self.ana = self.world.join(self.jie, "Ana")
        self.item = self.jie.add("Lofoten")
        self.world.tell_all()

    def shown(self, at=0):
        self.world.tell_all()
        self.assertEqual(self.jie.view, self.ana.view)
        return self.jie.view["items"][at]

    def test_concurrent_texts_both_stand_and_a_later_one_replaces_both(self):
        self.jie.edit(self.item, 1, "Lofoten in May")
        self.ana.edit(self.item, 1, "Lofoten in June")
        self.assertEqual(sorted(self.shown()["fields"]["1"]), ["Lofoten in June", "Lofoten in May"])
        self.jie.edit(self.item, 1, "Lofoten in July")
        self.assertEqual(self.shown()["fields"]["1"], ["Lofoten in July"])

    def test_equal_texts_are_shown_once(self):
        for node in (self.jie, self.ana):
            node.edit(self.item, 7, "by boat")
        self.assertEqual(self.shown()["fields"]["7"], ["by boat"])

    def test_what_an_edit_names_beside_stays(self):
        self.jie.edit(self.item, 1, "Reine", beside=[self.item])
        self.assertEqual(self.shown()["fields"]["1"], ["Reine", "Lofoten"])

    def test_an_edit_without_a_text_clears(self):
        self.jie.edit(self.item, 7, "by boat")
        self.jie.edit(self.item, 7, None)
        self.assertNotIn("7", self.shown()["fields"])

    def test_a_vote_while_somebody_removes_the_item_upholds_it_whole(self):
        self.jie.write(None, [Operation(content.REMOVE, item=self.item)])
        self.ana.vote(self.item)
        shown = self.shown()
        self.assertTrue(shown["exists"])
        self.assertEqual((shown["fields"]["1"], len(shown["votes"])), (["Lofoten"], 1))

    def test_a_removed_item_is_restored(self):
        self.jie.write(None, [Operation(content.REMOVE, item=self.item)])
        self.assertFalse(self.shown()["exists"])
        self.ana.write(None, [Operation(content.RESTORE, item=self.item)])
        self.assertTrue(self.shown()["exists"])

    def test_quantities_are_summed_and_votes_are_a_persons(self):
        self.ana.write(None, [Operation(content.QUANTITY, item=self.item, number=2), Operation(content.QUANTITY, item=self.item, number=-5),
                              Operation(content.QUANTITY, item=self.item, number=bounds.STEP + 1)])
        phone = self.world.second_device(self.ana)
        phone.vote(self.item, 2)
        self.world.tell(phone, self.ana)
        self.assertEqual((self.shown()["quantity"], list(self.shown()["votes"].values())), (-3, [2]))
        self.jie.remove(self.ana.keys.device.participant)
        self.assertEqual(self.shown()["votes"], {})

    def test_what_names_an_item_that_is_not_in_its_past_has_no_effect(self):
        reine = self.ana.add("Reine")
        for _ in range(3):
            self.jie.vote(self.item, 0)  # so that its vote comes after the item in the order of stamps
        self.jie.vote(reine)
        self.jie.vote(Reference(b"\xff" * 32, 0))
        self.jie.write(None, [Operation(content.VOTE, item=Reference(None, 5), number=1)])
        self.world.tell_all()
        self.assertEqual([item["votes"] for item in self.jie.view["items"]], [{}, {}])

    def test_an_add_without_a_title_has_no_effect_and_a_bad_field_alone_none(self):
        self.jie.add("Reine", field3="ftp://x", field2="n")
        self.jie.write(None, [Operation(content.ADD, writes=((2, "no title"),))])
        self.assertEqual(self.shown(1)["fields"], {"1": ["Reine"], "2": ["n"]})
        self.assertEqual(len(self.jie.view["items"]), 2)

    def test_an_edit_that_says_nothing_legible_upholds_its_item(self):
        self.jie.write(None, [Operation(content.REMOVE, item=self.item)])
        body = self.item.written() + b"\x05\1"
        self.ana.write(None, unknown=[(content.EDIT, body)])
        self.assertTrue(self.shown()["exists"])


class Planning(unittest.TestCase):
    """Lists, places, comments, claims, answers, amenities and photos."""

    def setUp(self):
        self.world = World(self.id())
        self.jie = self.world.founder
        self.ana = self.world.join(self.jie, "Ana")
        self.items = [self.jie.add(title) for title in ("Lofoten", "Reine", "Å")]
        self.list = Reference(self.jie.write(None, [Operation(content.ADD_LIST, writes=((1, "Stays"),))]), 0)
        self.world.tell_all()

    def do(self, node, kind, at=0, **parts):
        return Reference(node.write(None, [Operation(kind, item=self.items[at] if isinstance(at, int) else at, **parts)]), 0)

    def shown(self):
        self.world.tell_all()
        self.assertEqual(self.jie.view, self.ana.view)
        return self.jie.view

    def titles(self, names):
        titles = {item["id"]: item["fields"]["1"][0] for item in self.jie.view["items"]}
        return [titles[name] for name in names]

    def test_what_two_put_into_a_list_at_once_stands_in_two_blocks(self):
        first = self.do(self.jie, content.PLACE, 0, position=Position(self.list))
        self.do(self.jie, content.PLACE, 1, position=Position(self.list, first))
        for title in ("Bodø", "Narvik"):
            self.items.append(self.ana.add(title))
        other = self.do(self.ana, content.PLACE, 3, position=Position(self.list))
        self.do(self.ana, content.PLACE, 4, position=Position(self.list, other, content.BEFORE))
        shown = self.titles(self.shown()["lists"][0]["items"])
        self.assertIn(shown, (["Lofoten", "Reine", "Narvik", "Bodø"], ["Narvik", "Bodø", "Lofoten", "Reine"]))
        self.assertEqual(self.titles(self.jie.view["unlisted"]), ["Å"])

    def test_an_item_stands_where_it_was_put_last_and_its_anchors_stay(self):
        first = self.do(self.jie, content.PLACE, 0, position=Position(self.list))
        self.do(self.jie, content.PLACE, 1, position=Position(self.list, first))
        self.do(self.jie, content.PLACE, 0, position=Position())
        self.assertEqual(self.titles(self.shown()["lists"][0]["items"]), ["Reine"])
        self.assertEqual(self.titles(self.jie.view["unlisted"]), ["Å", "Lofoten"])
        self.do(self.jie, content.PLACE, 2, position=Position(Reference(bytes(32), 0)))
        self.assertEqual(self.titles(self.shown()["unlisted"]), ["Å", "Lofoten"])

    def test_what_is_put_into_a_list_keeps_it_beside_its_removal(self):
        self.do(self.jie, content.REMOVE, self.list)
        self.do(self.ana, content.PLACE, 0, position=Position(self.list))
        self.assertTrue(self.shown()["lists"][0]["exists"])
        self.do(self.jie, content.REMOVE, self.list)
        self.do(self.jie, content.VOTE, self.list, number=1)
        self.assertFalse(self.shown()["lists"][0]["exists"])

    def test_a_comment_is_its_authors_to_take_away(self):
        comment = self.do(self.ana, content.COMMENT, text="By boat?")
        self.world.tell_all()
        self.do(self.jie, content.REMOVE, comment)
        self.assertEqual([one["text"] for one in self.shown()["items"][0]["comments"]], ["By boat?"])
        self.do(self.ana, content.REMOVE, comment)
        self.assertEqual(self.shown()["items"][0]["comments"], [])
        self.do(self.ana, content.RESTORE, comment)
        self.assertEqual(len(self.shown()["items"][0]["comments"]), 1)

    def test_claims_are_a_persons_and_amenities_a_set_in_which_an_add_wins(self):
        for node, count in ((self.jie, 2), (self.ana, 1), (self.jie, bounds.STEP + 1)):
            self.do(node, content.CLAIM, number=count)
        self.do(self.jie, content.AMENITIES, words=(("wifi", "sauna"), ()))
        self.world.tell_all()
        self.do(self.jie, content.AMENITIES, words=((), ("wifi", "sauna")))
        self.do(self.ana, content.AMENITIES, words=(("wifi",), ()))
        self.do(self.ana, content.AMENITIES, words=(("pool", "Bar"), ()))
        item = self.shown()["items"][0]
        self.assertEqual((sorted(item["claims"].values()), item["amenities"]), ([1, 2], ["wifi"]))

    def test_an_answer_is_a_persons_and_their_last_one_counts(self):
        for node, answer in ((self.jie, 1), (self.ana, 2), (self.jie, 3), (self.jie, 4)):
            self.do(node, content.ATTENDANCE, number=answer)
            self.world.tell_all()
        item = self.shown()["items"][0]
        self.assertEqual((sorted(item["attendance"].values()), item["votes"]), ([2, 3], {}))
        self.do(self.jie, content.ATTENDANCE, number=0)
        self.assertEqual(list(self.shown()["items"][0]["attendance"].values()), [2])

    def test_what_is_said_after_a_closing_is_late_and_only_a_question_is_answered(self):
        where = self.jie.write(None, [Operation(content.ADD, number=0, writes=((1, "Where?"), (texts.QUESTION, "one")))])
        self.items.append(Reference(where, 0))
        item = len(self.items) - 1
        lisbon, faro = ((("Lisbon", 1),), (("Faro", 1),))
        self.world.tell_all()
        self.do(self.jie, content.ANSWER, 0, answer=lisbon)
        self.do(self.jie, content.OPTIONS, item, words=(("Porto",), ("Porto",)))
        self.do(self.jie, content.ANSWER, item, answer=lisbon)
        self.do(self.jie, content.EDIT, item, writes=((8, "true", ()), (texts.QUESTION, "ranked", ())))
        self.do(self.ana, content.ANSWER, item, answer=faro)
        self.world.tell_all()
        self.do(self.jie, content.ANSWER, item, answer=faro)
        shown = self.shown()["items"]
        said = {"counted": [["Lisbon", 1]], "late": [["Faro", 1]]}
        self.assertEqual((shown[item]["fields"]["20"], shown[item]["options"], "answers" in shown[0]), (["one"], ["Porto"], False))
        self.assertCountEqual(shown[item]["answers"].values(), [said, {"counted": [["Faro", 1]]}])
        self.do(self.ana, content.EDIT, item, writes=((8, None, ()),))
        self.assertEqual({tuple(answer) for answer in self.shown()["items"][item]["answers"].values()}, {("counted",)})

    def test_a_photo_goes_with_what_its_remover_had_seen(self):
        photos = [(bytes([1, width, 3, 5]) + bytes(32)) * 3 for width in (2, 3)]
        first = self.do(self.jie, content.ATTACH, bytes=photos[0])
        self.do(self.ana, content.ATTACH, bytes=photos[1])
        self.do(self.ana, content.ATTACH, bytes=photos[1])
        self.assertEqual(len(self.shown()["items"][0]["photos"]), 2)
        self.do(self.jie, content.DETACH, other=first)
        self.assertEqual(self.shown()["items"][0]["photos"], [photos[1].hex()])

    def test_titles_are_never_cleared_steps_of_nothing_do_nothing_and_a_new_items_quantity_is_above_nothing(self):
        self.do(self.jie, content.EDIT, writes=((1, None, ()),))
        self.jie.write(None, [Operation(content.ADD, number=-2, writes=((1, "Owed"),))])
        self.do(self.jie, content.REMOVE, 1)
        self.do(self.ana, content.QUANTITY, 1, number=0)
        items = self.shown()["items"]
        self.assertEqual((items[0]["fields"]["1"], items[1]["exists"], items[3]["quantity"]), (["Lofoten"], False, 0))
