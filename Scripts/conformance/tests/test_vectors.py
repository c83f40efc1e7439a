"""Golden vectors: our own are the same each time, and another implementation's say what this one says."""

import json
import unittest

from conformance import vectors
from conformance.main import ROOT

THEIRS = ROOT / "Tests/Vectors/protocol.json"
OURS = ROOT / "Tests/Vectors/protocol-python.json"


class Vectors(unittest.TestCase):
    def test_our_own_are_the_same_each_time_and_differ_where_a_byte_does(self):
        made = vectors.made(trips=3)
        self.assertEqual(json.loads(json.dumps(made)), json.loads(json.dumps(vectors.made(trips=3))))
        self.assertEqual(list(vectors.differences(made)), [])
        made["trips"][0]["effective"].pop()
        made["records"][0]["hash"] = "00"
        made["instances"][0]["name"] = made["instances"][1]["name"]
        self.assertEqual(list(vectors.differences(made)), ["records 0: hash", "trips 0: effective", "instances 0: name"])

    def test_those_that_are_kept_say_what_this_one_says(self):
        self.assertEqual(list(vectors.differences(json.loads(OURS.read_text()))), [])

    def test_the_other_implementations_say_what_this_one_says(self):
        if not THEIRS.exists():
            self.skipTest(f"there is no {THEIRS.name}: nothing of another implementation was compared")
        self.assertEqual(list(vectors.differences(json.loads(THEIRS.read_text()))), [])
