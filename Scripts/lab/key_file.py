"""A device's secrets, read from its key file without any code of ours."""

import ctypes
import ctypes.util
import hashlib
from dataclasses import dataclass

MAGIC = b"caravan keys"
PLAIN_VERSION = 5
CHECKSUM_SIZE = 8


class UnknownKeyFile(Exception):
    """Not a key file that is known here."""


class Reader:
    """Takes the parts of the canonical coding one by one."""

    def __init__(self, data):
        self.data = data

    def take(self, count):
        if count > len(self.data):
            raise UnknownKeyFile("it ends too early")
        part, self.data = self.data[:count], self.data[count:]
        return part

    def flag(self):
        byte = self.take(1)[0]
        if byte > 1:
            raise UnknownKeyFile("a flag that is neither")
        return bool(byte)

    def number(self):
        value = shift = 0
        while True:  # LEB128
            byte = self.take(1)[0]
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value


@dataclass
class DeviceKeys:
    trip: bytes
    signing_seed: bytes
    agreement_secret: bytes
    participant: bytes
    record_key: bytes
    epoch_secrets: list

    @classmethod
    def read(cls, path):
        data = path.read_bytes()
        if not data.startswith(MAGIC) or data[len(MAGIC)] != PLAIN_VERSION:
            raise UnknownKeyFile(path)
        reader = Reader(data[len(MAGIC) + 1:-CHECKSUM_SIZE])
        trip, seed, agreement, record, participant = (reader.take(32) for _ in range(5))
        epochs = [reader.take(32) for _ in range(reader.number())]
        if reader.flag():
            reader.take(reader.number())
        for _ in range(reader.number()):
            reader.take(32)
        if reader.data:
            raise UnknownKeyFile(f"{path} says more than is known here")
        return cls(trip, seed, agreement, participant, record, epochs)

    @property
    def signing_key(self):
        return _public(self.signing_seed, "crypto_sign_seed_keypair", 64)

    @property
    def agreement_key(self):
        return _public(self.agreement_secret, "crypto_scalarmult_base", None)

    @property
    def replica(self):
        """The name of the device's log, which commits to its keys and its participant."""
        described = b"caravan device" + self.signing_key + self.agreement_key + self.participant
        return hashlib.blake2b(described, digest_size=32).digest()[:16]


def _public(secret, function, secret_size):
    sodium = ctypes.CDLL(ctypes.util.find_library("sodium") or "libsodium.so.23")
    key = ctypes.create_string_buffer(32)
    call = getattr(sodium, function)
    done = call(key, ctypes.create_string_buffer(secret_size), secret) if secret_size else call(key, secret)
    if done != 0:
        raise UnknownKeyFile(f"{function} failed")
    return key.raw
