"""Section 8, of messages: their kinds, the fragments that they are cut into, and the frames on the wire."""

from cryptography.exceptions import InvalidTag
from noise.exceptions import NoiseInvalidMessage

from . import bounds
from .encoding import Malformed
from .handshake import Closed

(HELLO, FRONTIER, CHANGES, HAVE, LOCATOR, JOIN, ADMITTED, NOT_ADMITTED, PING, REKEY, END, LAZY, WANT,
 EPOCH_WANTED) = range(1, 15)
PORT, BODIES_WANTED, BODIES_ABSENT, WRITERS, VERSION = range(20, 25)
KNOWN = frozenset({*range(1, 15), PORT, BODIES_WANTED, BODIES_ABSENT, WRITERS, VERSION})  # but for those about chunks
BUCKETS = [112, 240, 496, 1_008, 2_032, 4_080, 8_176, 16_368, 32_752, 65_519]
HEAD = 3
FULL = BUCKETS[-1] - HEAD
REKEY_FRAGMENTS = 1_000


def fragments(message):
    """What a message is cut into."""
    parts = [message[at:at + FULL] for at in range(0, len(message), FULL)]
    for number, part in enumerate(parts, 1):
        size = next(size for size in BUCKETS if size >= len(part) + HEAD)
        yield (bytes([number < len(parts)]) + len(part).to_bytes(2, "big") + part).ljust(size, b"\0")


class Assembler:
    """Puts fragments together."""

    def __init__(self):
        self.partial = b""

    def take(self, fragment):
        """The message that a fragment ends, or None."""
        if len(fragment) not in BUCKETS or fragment[0] > 1:
            raise Malformed("not a fragment")
        more, length = fragment[0], int.from_bytes(fragment[1:HEAD], "big")
        least = next((size for size in BUCKETS if size >= length + HEAD), None)
        if len(fragment) != least or any(fragment[HEAD + length:]) or more and length != FULL:
            raise Malformed("a fragment is not filled as it must be")
        if len(self.partial) + length > bounds.MESSAGE:
            raise Malformed("a message is too long")
        self.partial += fragment[HEAD:HEAD + length]
        if more:
            return None
        message, self.partial = self.partial, b""
        if not message:
            raise Malformed("a message of no kind")
        return message


def frame(data):
    return len(data).to_bytes(2, "big") + data


class Frames:
    """The frames in a stream of bytes."""

    def __init__(self):
        self.buffer = bytearray()

    def take(self, data):
        self.buffer += data
        while len(self.buffer) >= 2 and len(self.buffer) >= 2 + (length := int.from_bytes(self.buffer[:2], "big")):
            whole = bytes(self.buffer[2:2 + length])
            del self.buffer[:2 + length]
            yield whole


class Channel:
    """Messages over the Noise session that a handshake made: sealed, in frames, with keys renewed."""

    def __init__(self, noise):
        self.noise, self.assembler, self.written = noise, Assembler(), 0

    def write(self, kind, body=b""):
        """The bytes of a message, and of the rekey before it where that is due."""
        before = self.write(REKEY) if kind != REKEY and self.written >= REKEY_FRAGMENTS - 40 else b""
        sealed = b"".join(frame(bytes(self.noise.encrypt(part))) for part in fragments(bytes([kind]) + body))
        self.written += len(sealed) // BUCKETS[-1] + 1
        if kind == REKEY:
            self.noise.rekey_outbound_cipher()
            self.written = 0
        return before + sealed

    def read(self, sealed):
        """The message that a frame ends, as its kind and its body; None where there is more to come or it is the channel's own."""
        try:
            fragment = bytes(self.noise.decrypt(sealed))
        except (InvalidTag, NoiseInvalidMessage, ValueError) as error:
            raise Closed("a frame that does not open") from error
        message = self.assembler.take(fragment)
        if message is None:
            return None
        if message[0] == REKEY:
            self.noise.rekey_inbound_cipher()
            return None
        return message[0], message[1:]
