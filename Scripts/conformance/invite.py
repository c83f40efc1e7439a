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
    # Of each its prefix, and a server's address or None.
    mailboxes: tuple = ()

    def __str__(self):
        data = self.trip + self.secret + sequence(self.hints, text) + optional(self.participant)
        if self.mailboxes:
            data = b"\2" + data + sequence(
                self.mailboxes, lambda one: one[0] + optional(None if one[1] is None else text(one[1])))
        else:
            data = b"\1" + data
        return SCHEME + base32(data + H(data)[:4])

    @classmethod
    def read(cls, link):
        """A link; `Malformed`, or `NewerVersion` where a later version wrote it."""
        data = from_base32(link[len(SCHEME):]) if link.startswith(SCHEME) and len(link) <= bounds.LINK else None
        if data is None or len(data) < 5 or H(data[:-4])[:4] != data[-4:]:
            raise Malformed("not an invite, or not all of it")
        reader = Reader(data[:-4])
        version = reader.byte()
        if version > 2:
            raise NewerVersion("an invite of a newer version")
        if version < 1:
            raise Malformed("an invite of no version")
        parts = [reader.take(32), reader.take(32), tuple(reader.sequence(reader.text, bounds.HINTS)),
                 reader.optional(lambda: reader.take(32))]
        if version == 2:
            parts.append(tuple(reader.sequence(
                lambda: (reader.take(16), reader.optional(reader.text)), bounds.LINK_MAILBOXES)))
            if not parts[-1] or any(address == "" or len((address or "").encode()) > bounds.LINK_ADDRESS
                                    for _, address in parts[-1]):
                raise Malformed("a link without what its version has, or with an address of a wrong length")
        reader.end()
        return cls(*parts)
