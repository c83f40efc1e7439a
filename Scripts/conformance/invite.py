"""Section 11: the link that an invite is."""

from dataclasses import dataclass

from . import bounds
from .discovery import base32, from_base32
from .encoding import Malformed, NewerVersion, Reader, optional, sequence, text
from .keys import H

SCHEME = "caravan:"


@dataclass(frozen=True)
class Link:
    trip: bytes
    secret: bytes
    hints: tuple = ()
    participant: bytes | None = None

    def __str__(self):
        data = b"\1" + self.trip + self.secret + sequence(self.hints, text) + optional(self.participant)
        return SCHEME + base32(data + H(data)[:4])

    @classmethod
    def read(cls, link):
        """A link; `Malformed`, or `NewerVersion` where a later version wrote it."""
        data = from_base32(link[len(SCHEME):]) if link.startswith(SCHEME) and len(link) <= bounds.LINK else None
        if data is None or len(data) < 5 or H(data[:-4])[:4] != data[-4:]:
            raise Malformed("not an invite, or not all of it")
        reader = Reader(data[:-4])
        version = reader.byte()
        if version > 1:
            raise NewerVersion("an invite of a newer version")
        if version < 1:
            raise Malformed("an invite of no version")
        found = cls(reader.take(32), reader.take(32), tuple(reader.sequence(reader.text, bounds.HINTS)),
                    reader.optional(lambda: reader.take(32)))
        reader.end()
        return found
