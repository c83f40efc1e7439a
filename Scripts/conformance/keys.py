"""Section 2: primitives, keys and the names that are derived from them."""

import hashlib
import hmac
import sys
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from Crypto.Cipher import ChaCha20_Poly1305
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from lab import curve25519 as curve  # noqa: E402

NONCE = bytes(24)


def H(message, key=b""):  # noqa: N802, as the document writes it
    return hashlib.blake2b(message, digest_size=32, key=key).digest()


def mac(key, message):
    return hmac.digest(key, message, "sha256")


def KDF(secret, label):  # noqa: N802, as the document writes it
    """HKDF-SHA256 with no salt: RFC 5869's extract under a key of zeros, and the one block of its expand."""
    return mac(mac(bytes(32), secret), label.encode() + b"\1")


# Signatures

# The seven encodings of points of small order that have no other name, and the two that are no canonical encoding of them.
SMALL_ORDER = {y.to_bytes(32, "little") for y in (0, 1, curve.P - 1, curve.P, curve.P + 1)} | {
    bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"),
    bytes.fromhex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a")}


def without_sign(point):
    return point[:31] + bytes([point[31] & 0x7F])


@lru_cache(100_000)
def verifies(key, message, signature):
    """What all nodes must judge alike: RFC 8032 without the cofactor, and neither keys nor R of small order, nor keys, R or
    S that are not in their one form."""
    if len(signature) != 64 or int.from_bytes(signature[32:], "little") >= curve.L:
        return False
    if int.from_bytes(without_sign(key), "little") >= curve.P:
        return False
    if without_sign(key) in SMALL_ORDER or without_sign(signature[:32]) in SMALL_ORDER:
        return False
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, message)
        return True
    except (InvalidSignature, ValueError):
        return False


# Agreement


def agree(private, public):
    """The X25519 agreement, or None where it is refused: its result is zeros."""
    try:
        return X25519PrivateKey.from_private_bytes(private).exchange(X25519PublicKey.from_public_bytes(public))
    except ValueError:
        return None


def seal(content, receiver, ephemeral):
    """A sealed box, or None where nothing can be sealed to that key; `ephemeral` is a fresh private key of X25519."""
    public = X25519PrivateKey.from_private_bytes(ephemeral).public_key().public_bytes_raw()
    shared = agree(ephemeral, receiver)
    if shared is None:
        return None
    key = H(b"caravan sealed box" + public + receiver, key=shared)
    sealed, tag = ChaCha20_Poly1305.new(key=key, nonce=NONCE).encrypt_and_digest(content)
    return public + sealed + tag


def unseal(box, private, receiver):
    """The content of a sealed box, or None where it does not open."""
    shared = agree(private, box[:32]) if len(box) >= 48 else None
    if shared is None:
        return None
    key = H(b"caravan sealed box" + box[:32] + receiver, key=shared)
    try:
        return ChaCha20_Poly1305.new(key=key, nonce=NONCE).decrypt_and_verify(box[32:-16], box[-16:])
    except ValueError:
        return None


# Names


FOUNDER = b"\0"  # the founder's origin, as it is hashed into a name


def invited(invite):
    """How a member came: by the invite of that id."""
    return b"\1" + invite


def guest_of(host):
    """How a guest came: as that participant's."""
    return b"\2" + host


def participant_name(signing_key, origin=FOUNDER):
    return H(b"caravan participant" + signing_key + origin)


def epoch_name(secret):
    return KDF(secret, "caravan epoch id")[:16]


def invite_secret(opener, body):
    return H(b"caravan invite" + opener.written() + body)


def invite_name(secret):
    return KDF(secret, "caravan invite id")


def session_key(secret):
    return KDF(secret, "caravan session")


def selector_key(secret):
    return KDF(secret, "caravan selector")


def discovery_key(secret):
    return KDF(secret, "caravan discovery")


@dataclass(frozen=True)
class Device:
    """What others know of a device: its keys and whose it is."""

    signing: bytes
    session: bytes
    participant: bytes

    @classmethod
    def read(cls, reader):
        return cls(reader.take(32), reader.take(32), reader.take(32))

    def written(self):
        return self.signing + self.session + self.participant

    @cached_property
    def replica(self):
        return H(b"caravan device" + self.written())[:16]


class DeviceKeys:
    """A device's own private keys: of a participant's first device, who came as `origin` says, or of a further one of `participant`."""

    def __init__(self, signing_seed, session_private, origin=FOUNDER, participant=None):
        self.signing_seed = signing_seed
        self.signing = Ed25519PrivateKey.from_private_bytes(signing_seed)
        self.session_private = session_private
        signing = self.signing.public_key().public_bytes_raw()
        session = X25519PrivateKey.from_private_bytes(session_private).public_key().public_bytes_raw()
        self.device = Device(signing, session, participant or participant_name(signing, origin))

    def sign(self, message):
        return self.signing.sign(message)

    def open(self, box):
        return unseal(box, self.session_private, self.device.session)

    def pair_secret(self, other):
        """The secret that this device and another share by their session keys; None where that key is no good."""
        return agree(self.session_private, other.session)
