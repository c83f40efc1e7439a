"""Section 13: the sealed file, in which changes go where no network does."""

from dataclasses import dataclass

from Crypto.Cipher import ChaCha20_Poly1305

from . import bounds
from .encoding import Malformed, NewerVersion, Reader, data, sequence
from .handshake import selector
from .keys import KDF, H, verifies

MAGIC, VERSION = b"caravan bundle", 1
CHUNK, TAG, BOX = 65_536, 16, 80


class NotForThisDevice(ValueError):
    """No secret and no box opens it here."""


@dataclass(frozen=True)
class Bundle:
    trip: bytes
    author: bytes
    records: tuple
    signature: bytes
    key: bytes = b""
    header: bytes = b""

    @property
    def body(self):
        return self.trip + self.author + sequence(self.records, data)

    @property
    def signed(self):
        return MAGIC + H(self.body)

    def is_signed_by(self, signing_key):
        return verifies(signing_key, self.signed, self.signature)

    @property
    def written(self):
        content = self.body + self.signature
        chunks = [content[at:at + CHUNK] for at in range(0, len(content), CHUNK)]
        return self.header + b"".join(
            encrypt(self.key, chunk_nonce(number, number == len(chunks) - 1), self.header, chunk) for number, chunk in enumerate(chunks))


def encrypt(key, nonce, header, content):
    cipher = ChaCha20_Poly1305.new(key=key, nonce=nonce)
    cipher.update(header)
    sealed, tag = cipher.encrypt_and_digest(content)
    return sealed + tag


def decrypt(key, nonce, header, sealed):
    cipher = ChaCha20_Poly1305.new(key=key, nonce=nonce)
    cipher.update(header)
    try:
        return cipher.decrypt_and_verify(sealed[:-TAG], sealed[-TAG:])
    except ValueError:
        raise Malformed("a chunk does not open") from None


def chunk_nonce(number, is_last):
    return bytes(15) + number.to_bytes(8, "big") + bytes([is_last])


def header(secret, key, nonce, boxes=()):
    locked = encrypt(KDF(secret, "caravan bundle"), nonce, b"", key)
    return MAGIC + bytes([VERSION]) + nonce + selector(secret, MAGIC, nonce) + locked + sequence(boxes)


def made(trip, author, records, secret, key, nonce, boxes=()):
    """A bundle of a device, under an epoch's secret; key and nonce are fresh random bytes."""
    bundle = Bundle(trip, author.device.replica, tuple(records), b"", key, header(secret, key, nonce, boxes))
    return Bundle(bundle.trip, bundle.author, bundle.records, author.sign(bundle.signed), key, bundle.header)


def opened(file, secrets, device=None):
    """The bundle that a file is: by one of the epochs' secrets, or else by a box for a device."""
    if len(file) > bounds.BUNDLE or not file.startswith(MAGIC):
        raise Malformed("no sealed file")
    reader = Reader(file)
    reader.take(len(MAGIC))
    version = reader.byte()
    if version > VERSION:
        raise NewerVersion("a sealed file of a newer version")
    if version < VERSION:
        raise Malformed("a sealed file of no version")
    nonce, chosen, locked = reader.take(24), reader.take(16), reader.take(32 + TAG)
    boxes = reader.sequence(lambda: reader.take(BOX), bounds.BOXES, BOX)
    head = file[:reader.at]
    secret = next((secret for secret in secrets if selector(secret, MAGIC, nonce) == chosen), None)
    if secret is not None:
        key = decrypt(KDF(secret, "caravan bundle"), nonce, b"", locked)
    else:
        key = next(filter(None, (device.open(box) for box in boxes)), None) if device else None
    if key is None:
        raise NotForThisDevice("no secret and no box opens it here")
    content, at, number = b"", reader.at, 0
    while at < len(file) or not number:
        end = min(at + CHUNK + TAG, len(file))
        content += decrypt(key, chunk_nonce(number, end == len(file)), head, file[at:end])
        at, number = end, number + 1
    reader = Reader(content)
    trip, author = reader.take(32), reader.take(16)
    records = tuple(reader.sequence(reader.bytes, each=64))
    signature = reader.take(64)
    reader.end()
    if any(len(record) > bounds.RECORD for record in records):
        raise Malformed("a record is too long")
    return Bundle(trip, author, records, signature, key, head)
