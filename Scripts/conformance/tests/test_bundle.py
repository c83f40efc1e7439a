"""The sealed file: read as it was written, and refused where a byte of it is another."""

import unittest

from conformance import bundle
from conformance.encoding import Malformed
from conformance.keys import DeviceKeys
from conformance.vectors import made_bundle, material, random_trip

SECRET = material("one secret")
AUTHOR, READER = [(material(f"{name} signing"), material(f"{name} session")) for name in ("one", "two")]


class Bundles(unittest.TestCase):
    def setUp(self):
        self.changes = random_trip("bundle", acts=6)[1]
        self.file = made_bundle(self.changes, SECRET, AUTHOR, READER, chunks=2)

    def test_it_is_opened_by_the_secret_and_by_the_box_and_says_who_made_it(self):
        for secrets, device in (([SECRET], None), ([], DeviceKeys(*READER))):
            found = bundle.opened(self.file, secrets, device)
            self.assertEqual(found.records[:len(self.changes)], tuple(change.record for change in self.changes))
            self.assertTrue(found.is_signed_by(DeviceKeys(*AUTHOR).device.signing))
            self.assertFalse(found.is_signed_by(DeviceKeys(*READER).device.signing))
        with self.assertRaises(bundle.NotForThisDevice):
            bundle.opened(self.file, [material("another")], DeviceKeys(*AUTHOR))

    def test_an_altered_byte_and_a_cut_are_refused(self):
        for at in [*range(0, 200, 7), *range(200, len(self.file), 4_999), len(self.file) - 1]:
            altered = bytearray(self.file)
            altered[at] ^= 1
            for file in (bytes(altered), self.file[:at]):
                with self.assertRaises((Malformed, ValueError)):
                    bundle.opened(file, [SECRET])
        with self.assertRaises(Malformed):
            bundle.opened(self.file + b"\0", [SECRET])
