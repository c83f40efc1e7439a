"""What a member's device speaks, without any code of ours: Noise by `noiseprotocol` from PyPI, and our framing over it.

For scripts that run under the folder of Python packages that `Scripts/python` makes.
"""

import socket
import struct

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from noise.connection import Keypair, NoiseConnection

NAME = b"Noise_XXpsk0_25519_ChaChaPoly_SHA256"
PROLOGUE = b"caravan 1"
FRAGMENT_SIZES = [112, 240, 496, 1_008, 2_032, 4_080, 8_176, 16_368, 32_752, 65_519]
HELLO, FRONTIER, CHANGES, HAVE, PING, REKEY, END = 1, 2, 3, 4, 9, 10, 11


class Ended(Exception):
    """The other side ended the connection."""


def session_key(epoch_secret):
    """The psk of an epoch's sessions."""
    return HKDF(algorithm=hashes.SHA256(), length=32, salt=None, info=b"caravan session").derive(epoch_secret)


class Session:
    """One connection, from the handshake on."""

    def __init__(self, connection, is_initiator, psk, static_secret, prologue=PROLOGUE):
        self.socket, self.is_initiator, self.partial = connection, is_initiator, b""
        self.rekeys = {"theirs": 0, "ours": 0}
        self.noise = NoiseConnection.from_name(NAME)
        self.noise.set_as_initiator() if is_initiator else self.noise.set_as_responder()
        self.noise.set_prologue(prologue)
        self.noise.set_psks(psk)
        self.noise.set_keypair_from_private_bytes(Keypair.STATIC, static_secret)
        self.noise.start_handshake()

    @classmethod
    def dial(cls, address, **options):
        return cls(socket.create_connection(address, timeout=5), True, **options)

    def handshake(self):
        """The three messages; the other's static key."""
        turn, state = self.is_initiator, self.noise.noise_protocol.handshake_state
        for _ in range(3):
            if turn:
                self.write_frame(bytes(self.noise.write_message()))
            else:
                self.noise.read_message(self.read_frame())
            turn = not turn
        return state.rs.public_bytes

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
