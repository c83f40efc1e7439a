"""Section 1: each value in its one form, and every other refused."""

import random
import unittest

from conformance.encoding import I64_MAX, I64_MIN, U64_MAX, Malformed, Reader, data, flag, i, optional, sequence, text, u


class Encoding(unittest.TestCase):
    def refuses(self, written, read):
        with self.assertRaises(Malformed, msg=written.hex()):
            reader = Reader(written)
            read(reader)
            reader.end()

    def test_integers_are_read_as_they_were_written(self):
        chance = random.Random(1)
        for number in [0, 1, 127, 128, 16_383, 16_384, U64_MAX] + [chance.getrandbits(chance.randrange(1, 65)) for _ in range(500)]:
            self.assertEqual(Reader(u(number)).u(), number)
        for number in [0, -1, 1, I64_MIN, I64_MAX] + [chance.randrange(I64_MIN, I64_MAX) >> chance.randrange(64) for _ in range(500)]:
            self.assertEqual(Reader(i(number)).i(), number)

    def test_integers_have_the_forms_that_the_document_names(self):
        self.assertEqual([u(0), u(300), u(U64_MAX)], [b"\0", b"\xac\2", b"\xff" * 9 + b"\1"])
        self.assertEqual([i(0), i(-1), i(1), i(I64_MIN)], [b"\0", b"\1", b"\2", b"\xff" * 9 + b"\1"])

    def test_an_integer_in_any_other_form_is_refused(self):
        for written in (b"", b"\x80", b"\x80\0", b"\xff\0", b"\xff" * 9 + b"\2", b"\xff" * 9 + b"\x81\0", b"\x80" * 10 + b"\1"):
            self.refuses(written, Reader.u)

    def test_a_flag_is_0_or_1(self):
        self.refuses(b"\2", Reader.flag)
        self.refuses(b"\xff", lambda reader: reader.optional(reader.byte))
        self.assertEqual([flag(True), optional(None), optional(7, u)], [b"\1", b"\0", b"\1\7"])

    def test_a_text_is_utf_8(self):
        self.assertEqual(Reader(text("Bø")).text(), "Bø")
        for written in (b"\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xff", b"\xe2\x82"):
            self.refuses(data(written), Reader.text)

    def test_a_count_is_checked_before_room_is_made(self):
        self.refuses(u(U64_MAX), lambda reader: reader.sequence(reader.byte))
        self.refuses(u(2**40) + bytes(100), lambda reader: reader.bytes())
        self.refuses(u(3) + bytes(3), lambda reader: reader.sequence(reader.byte, 2))
        self.refuses(u(3) + bytes(5), lambda reader: reader.sequence(lambda: reader.take(2), each=2))

    def test_lists_ascend_and_hold_nothing_twice(self):
        for listed in (b"ba", b"aa"):
            self.refuses(sequence([listed[:1], listed[1:]]), lambda reader: reader.ascending(lambda: reader.take(1)))
        reader = Reader(sequence([b"a", b"b"]))
        self.assertEqual(reader.ascending(lambda: reader.take(1)), [b"a", b"b"])

    def test_bytes_left_over_are_refused(self):
        self.refuses(b"\1\0", Reader.u)
