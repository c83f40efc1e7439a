"""Section 8: messages of every size as fragments, and fragments in every wrong form."""

import unittest

from conformance import bounds
from conformance.encoding import Malformed
from conformance.messages import BUCKETS, FULL, Assembler, fragments


class Fragments(unittest.TestCase):
    def test_messages_of_every_size_come_whole(self):
        for size in (1, 109, 110, FULL - 1, FULL, FULL + 1, 3 * FULL, bounds.MESSAGE):
            message, assembler = b"m" * size, Assembler()
            whole = [assembler.take(fragment) for fragment in fragments(message)]
            self.assertEqual((whole[-1], set(whole[:-1]) - {None}), (message, set()))
        self.assertTrue(all(len(fragment) in BUCKETS for fragment in fragments(b"m" * 3 * FULL)))

    def test_a_fragment_in_any_other_form_is_refused(self):
        sound = next(fragments(b"mm"))
        full = next(fragments(b"m" * (FULL + 1)))
        for wrong in (b"", sound[:-1], sound + b"\0", b"\2" + sound[1:], sound[:-1] + b"\1", b"\0\0\1" + sound[3:], b"\1" + sound[1:],
                      b"\0\xff\xff" + sound[3:], b"\0\0\0" + bytes(109), full[:1] + b"\xff\xeb" + full[3:-1] + b"\0"):
            with self.assertRaises(Malformed, msg=wrong[:8].hex()):
                Assembler().take(wrong)

    def test_a_message_that_is_too_long_is_refused_before_it_is_whole(self):
        assembler, full = Assembler(), next(fragments(b"m" * (FULL + 1)))
        with self.assertRaises(Malformed):
            for _ in range(bounds.MESSAGE // FULL + 1):
                assembler.take(full)
        self.assertLessEqual(len(assembler.partial), bounds.MESSAGE)
