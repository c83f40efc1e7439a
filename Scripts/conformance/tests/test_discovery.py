"""Sections 9 and 11: names, TXT records and links."""

import unittest

from conformance import bounds
from conformance.discovery import base32, from_base32, instance, may_dial, txt
from conformance.encoding import Malformed, NewerVersion
from conformance.invite import SCHEME, Link
from conformance.keys import H

SECRET, NONCE = b"s" * 32, b"nonce---"


class Names(unittest.TestCase):
    def test_an_address_is_dialled_under_the_secret_that_made_the_name(self):
        name, record = instance(SECRET, NONCE), txt(SECRET, NONCE, ["192.0.2.1", "2001:db8::1"], 7070)
        self.assertEqual((len(name), len(record), {len(tag) for key, tag in record.items() if key != "v"}), (26, 9, {8}))
        self.assertTrue(may_dial(SECRET, name, record, "192.0.2.1", 7070))
        self.assertTrue(may_dial(SECRET, name, record, "::ffff:192.0.2.1", 7070))
        for secret, address, port in ((b"t" * 32, "192.0.2.1", 7070), (SECRET, "192.0.2.2", 7070), (SECRET, "192.0.2.1", 7071)):
            self.assertFalse(may_dial(secret, name, record, address, port))
        self.assertFalse(may_dial(SECRET, name, record | {"v": b"2"}, "192.0.2.1", 7070))

    def test_a_name_in_another_form_fits_nothing(self):
        name, record = instance(SECRET, NONCE), txt(SECRET, NONCE, ["192.0.2.1"], 7070)
        for wrong in ("", "a", name.upper(), name + "=", name[:-1], name + "aa", name[:-1] + chr(ord(name[-1]) + 1), "é" * 26, "1" * 26):
            self.assertFalse(may_dial(SECRET, wrong, record, "192.0.2.1", 7070), wrong)
        self.assertFalse(may_dial(SECRET, name, {}, "192.0.2.1", 7070))


class Links(unittest.TestCase):
    LINK = Link(b"t" * 32, SECRET, ("192.0.2.1:7070", "[2001:db8::1]:7070"), b"p" * 32)

    def test_a_link_is_read_as_it_was_written(self):
        boxes = ((b"x" * 16, None), (b"y" * 16, "https://box.example.org/trip"))
        for link in (self.LINK, Link(b"t" * 32, SECRET), Link(b"t" * 32, SECRET, mailboxes=boxes[:1]),
                     Link(b"t" * 32, SECRET, mailboxes=boxes)):
            self.assertEqual(Link.read(str(link)), link)

    def test_a_link_of_which_a_character_was_lost_or_changed_is_refused(self):
        whole = str(self.LINK)
        for at in range(len(whole)):
            for wrong in (whole[:at], whole[:at] + whole[at + 1:], whole[:at] + ("b" if whole[at] == "a" else "a") + whole[at + 1:]):
                with self.assertRaises(Malformed, msg=wrong):
                    Link.read(wrong)

    def made(self, data):
        return SCHEME + base32(data + H(data)[:4])

    def test_a_newer_link_says_so_and_one_beyond_its_bounds_is_refused(self):
        with self.assertRaises(NewerVersion):
            Link.read(self.made(b"\3what is newer"))
        for data in (b"", b"\0" + bytes(66), b"\1" + bytes(65), b"\1" + bytes(67), b"\1" + bytes(64) + b"\5" + b"\1a" * 5 + b"\0",
                     b"\1" + bytes(64) + b"\1\1\xff\0", b"\2" + bytes(66), b"\2" + bytes(66) + b"\0",
                     b"\2" + bytes(66) + b"\1" + bytes(16) + b"\1\0", b"\2" + bytes(66) + b"\3" + bytes(51)):
            with self.assertRaises(Malformed, msg=data.hex()):
                Link.read(self.made(data))
        with self.assertRaises(Malformed):
            Link.read(str(Link(b"t" * 32, SECRET, ("h" * bounds.LINK,))))

    def test_base_32_has_one_form(self):
        self.assertEqual(from_base32(base32(b"caravan")), b"caravan")
        self.assertIsNone(from_base32("ab"[:1]))
        self.assertIsNone(from_base32("af"))
