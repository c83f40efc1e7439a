"""Section 2: primitives against the vectors that other implementations made, and what opens what."""

import json
import unittest

from conformance.keys import FOUNDER, Device, DeviceKeys, H, guest_of, invited, seal, unseal, verifies
from conformance.main import ROOT
from conformance.statements import Invite


class Keys(unittest.TestCase):
    def test_signatures_are_judged_as_the_frozen_vectors_say(self):
        cases = json.loads((ROOT / "Tests/Vectors/primitives.json").read_text())["ed25519"]["cases"]
        for case in cases:
            parts = (bytes.fromhex(case[name]) for name in ("key", "message", "signature"))
            self.assertEqual(verifies(*parts), case["valid"], case["comment"])
        self.assertTrue(any(not case["valid"] for case in cases))

    def test_a_box_opens_for_its_receiver_alone(self):
        one, other = DeviceKeys(b"\1" * 32, b"\2" * 32), DeviceKeys(b"\3" * 32, b"\4" * 32)
        box = seal(b"s" * 32, one.device.session, b"\5" * 32)
        self.assertEqual((len(box), one.open(box), other.open(box)), (80, b"s" * 32, None))
        for at in range(len(box)):
            self.assertIsNone(one.open(box[:at] + bytes([box[at] ^ 1]) + box[at + 1:]))
        for wrong in (b"", bytes(47), bytes(80), box[:-1]):
            self.assertIsNone(unseal(wrong, one.session_private, one.device.session))

    def test_a_pair_agrees_and_names_follow_from_keys(self):
        one, other = DeviceKeys(b"\1" * 32, b"\2" * 32), DeviceKeys(b"\3" * 32, b"\4" * 32)
        self.assertEqual(one.pair_secret(other.device), other.pair_secret(one.device))
        self.assertIsNone(one.pair_secret(Device(bytes(32), bytes(32), bytes(32))))
        self.assertEqual(one.device.replica, H(b"caravan device" + one.device.signing + one.device.session + one.device.participant)[:16])

    def test_a_participants_name_follows_from_the_key_and_from_how_somebody_came(self):
        signing, link = DeviceKeys(b"\1" * 32, b"\2" * 32).device.signing, b"i" * 32
        for origin, end in ((FOUNDER, b"\0"), (invited(link), b"\1" + link), (guest_of(link), b"\2" + link)):
            keys = DeviceKeys(b"\1" * 32, b"\2" * 32, origin)
            self.assertEqual(keys.device.participant, H(b"caravan participant" + signing + end))
            self.assertEqual(keys.device.written(), signing + keys.device.session + keys.device.participant)

    def test_an_invite_is_its_openers_on_its_terms(self):
        opener, other = (DeviceKeys(bytes([number]) * 32, b"\2" * 32).device for number in (1, 3))
        invite = Invite(bytes(32), 2, 5, other.participant)
        self.assertEqual(invite.secret(opener), H(b"caravan invite" + opener.written() + bytes(32) + b"\2\1\x0a\1" + other.participant))
        self.assertEqual(len({invite.name(opener), invite.name(other), Invite(bytes(32), 3, 5, other.participant).name(opener)}), 3)
