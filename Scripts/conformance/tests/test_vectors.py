"""Golden vectors: our own are the same each time, and another implementation's say what this one says."""

import hashlib
import json
import unittest

from conformance import vectors
from conformance.encoding import data, sequence
from conformance.main import ROOT

THEIRS = ROOT / "Tests/Vectors/protocol.json"
BLOBS = ROOT / "Tests/Vectors/blobs.json"
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

    def test_messages_of_chunks_are_what_the_protocol_says(self):
        for message in json.loads(BLOBS.read_text()):
            chunks = [bytes.fromhex(chunk) for chunk in message["chunks"]]
            body = {"lack": lambda: sequence(chunks), "hold": lambda: sequence(chunks), "ask": lambda: chunks[0],
                    "chunk": lambda: chunks[0] + data(bytes.fromhex(message.get("bytes", "")))}[message["says"]]()
            kind = {"lack": 15, "hold": 16, "ask": 17, "chunk": 18}[message["says"]]
            self.assertEqual(message["message"], (bytes([kind]) + body).hex())
            if message.get("bytes"):
                self.assertEqual(hashlib.blake2b(bytes.fromhex(message["bytes"]), digest_size=32).digest(), chunks[0])
