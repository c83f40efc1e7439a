"""Section 2: primitives against the vectors that other implementations made, and what opens what."""

import json
import unittest

from conformance.keys import Device, DeviceKeys, H, participant_name, seal, unseal, verifies
from conformance.main import ROOT


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
        self.assertIsNone(one.pair_secret(Device(bytes(32), bytes(32), bytes(16))))
        self.assertTrue(one.device.is_first)
        self.assertFalse(DeviceKeys(b"\1" * 32, b"\2" * 32, participant_name(other.device.signing)).device.is_first)
        self.assertEqual(one.device.replica, H(b"caravan device" + one.device.signing + one.device.session + one.device.participant)[:16])
