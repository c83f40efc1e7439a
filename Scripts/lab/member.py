"""What a member's device speaks, without any code of ours: Noise by `noiseprotocol` from PyPI, and our framing over it.

For scripts that run under the folder of Python packages that `Scripts/python` makes.
"""

import hashlib
import hmac
import ipaddress
import os
import socket
import struct

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from noise.connection import Keypair, NoiseConnection

NAME = b"Noise_XXpsk0_25519_ChaChaPoly_SHA256"
PROLOGUE = b"caravan 1"
FRAGMENT_SIZES = [112, 240, 496, 1_008, 2_032, 4_080, 8_176, 16_368, 32_752, 65_519]
GREETING_SIZE, SELECTOR_SIZE, REPLICA_SIZE = 16, 16, 16
HELLO, FRONTIER, CHANGES, HAVE, PING, REKEY, END = 1, 2, 3, 4, 9, 10, 11


class Ended(Exception):
    """The other side ended the connection."""


class WrongSelector(Exception):
    """A first message under another secret."""


def derive(secret, label):
    return HKDF(algorithm=hashes.SHA256(), length=32, salt=None, info=label).derive(secret)


def session_key(secret):
    """The psk of sessions under a secret."""
    return derive(secret, b"caravan session")


def selector(secret, greeting, ephemeral):
    """Tells a holder of the secret that a first message is under it."""
    key = derive(secret, b"caravan selector")
    return hmac.digest(key, greeting + ephemeral, hashlib.sha256)[:SELECTOR_SIZE]


def dialled(address):
    """The payload of a first message: where it is sent."""
    host, port = address
    parsed = ipaddress.ip_address(host)
    packed = parsed.packed if parsed.version == 6 else bytes(10) + b"\xff\xff" + parsed.packed
    return packed + struct.pack(">H", port) + b"\0"


class Session:
    """One connection, from the handshake on."""

    def __init__(self, connection, is_initiator, secret, static_secret, prologue=PROLOGUE, psk=None):
        self.socket, self.is_initiator, self.partial, self.secret = connection, is_initiator, b"", secret
        self.rekeys = {"theirs": 0, "ours": 0}
        self.noise = NoiseConnection.from_name(NAME)
        self.noise.set_as_initiator() if is_initiator else self.noise.set_as_responder()
        self.noise.set_psks(psk or session_key(secret))
        self.noise.set_keypair_from_private_bytes(Keypair.STATIC, static_secret)
        # The side that accepts the connection speaks first.
        if is_initiator:
            self.greeting = self._read(GREETING_SIZE)
        else:
            self.greeting = os.urandom(GREETING_SIZE)
            self.socket.sendall(self.greeting)
        self.noise.set_prologue(prologue + self.greeting)
        self.noise.start_handshake()

    @classmethod
    def dial(cls, address, **options):
        return cls(socket.create_connection(address, timeout=5), True, **options)

    def first_message(self):
        """What opens a handshake, for the address that was dialled."""
        message = bytes(self.noise.write_message(dialled(self.socket.getpeername()[:2])))
        return selector(self.secret, self.greeting, message[:32]) + message

    def read_first(self, message):
        """Reads what opens a handshake. A selector of another secret is no message for us."""
        if message[:SELECTOR_SIZE] != selector(self.secret, self.greeting, message[SELECTOR_SIZE:][:32]):
            raise WrongSelector
        return bytes(self.noise.read_message(message[SELECTOR_SIZE:]))

    def handshake(self):
        """The three messages; the other's replica and static key."""
        state, replica = self.noise.noise_protocol.handshake_state, os.urandom(REPLICA_SIZE)
        if self.is_initiator:
            self.write_frame(self.first_message())
            peer = bytes(self.noise.read_message(self.read_frame()))
            self.write_frame(bytes(self.noise.write_message(replica)))
        else:
            self.read_first(self.read_frame())
            self.write_frame(bytes(self.noise.write_message(replica)))
            peer = bytes(self.noise.read_message(self.read_frame()))
        return peer, state.rs.public_bytes

    def write_frame(self, data):
        self.socket.sendall(struct.pack(">H", len(data)) + data)

    def read_frame(self):
        return self._read(struct.unpack(">H", self._read(2))[0])

    def _read(self, count):
        data = b""
        while len(data) < count:
            part = self.socket.recv(count - len(data))
            if not part:
                raise Ended
            data += part
        return data

    def say(self, kind, body=b""):
        """Sends a message in as many fragments as it needs."""
        rest = bytes([kind]) + body
        room = FRAGMENT_SIZES[-1] - 3
        while True:
            part, rest = rest[:room], rest[room:]
            size = next(size for size in FRAGMENT_SIZES if size >= len(part) + 3)
            plaintext = struct.pack(">BH", bool(rest), len(part)) + part
            self.write_frame(self.noise.encrypt(plaintext.ljust(size, b"\0")))
            if not rest:
                break
        if kind == REKEY:
            self.noise.rekey_outbound_cipher()
            self.rekeys["ours"] += 1

    def hear(self):
        """The next message but a ping, as its kind and its body; keys are renewed as it says."""
        while True:
            plaintext = self.noise.decrypt(self.read_frame())
            more, length = struct.unpack_from(">BH", plaintext)
            if len(plaintext) not in FRAGMENT_SIZES or any(plaintext[3 + length:]):
                raise ValueError("a fragment is not padded as it must be")
            self.partial += plaintext[3:3 + length]
            if more:
                continue
            message, self.partial = self.partial, b""
            if message[0] == REKEY:
                self.noise.rekey_inbound_cipher()
                self.rekeys["theirs"] += 1
            elif message[0] != PING:
                return message[0], message[1:]

    def close(self):
        self.socket.close()
