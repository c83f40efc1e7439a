"""A device's secrets, read from its key file without any code of ours."""

import ctypes
import ctypes.util
import hashlib
from dataclasses import dataclass

MAGIC = b"caravan keys"
PLAIN_VERSION = 1


class UnknownKeyFile(Exception):
    """Not a key file that is known here."""


@dataclass
class DeviceKeys:
    trip: bytes
    signing_seed: bytes
    agreement_secret: bytes
    epoch_secrets: list

    @classmethod
    def read(cls, path):
        data = path.read_bytes()
        if not data.startswith(MAGIC) or data[len(MAGIC)] != PLAIN_VERSION:
            raise UnknownKeyFile(path)
        data = data[len(MAGIC) + 1:]
        trip, seed, agreement = (data[32 * index:32 * index + 32] for index in range(3))
        count, at, shift = 0, 96, 0
        while True:  # LEB128
            count |= (data[at] & 0x7F) << shift
            at, shift = at + 1, shift + 7
            if data[at - 1] < 0x80:
                break
        return cls(trip, seed, agreement, [data[at + 32 * index:at + 32 * index + 32] for index in range(count)])

    @property
    def signing_key(self):
        return _public(self.signing_seed, "crypto_sign_seed_keypair", 64)

    @property
    def agreement_key(self):
        return _public(self.agreement_secret, "crypto_scalarmult_base", None)

    @property
    def participant(self):
        return hashlib.blake2b(b"caravan participant" + self.signing_key, digest_size=32).digest()[:16]

    @property
    def replica(self):
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
