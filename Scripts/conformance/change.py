"""Section 3, its form: a change, its hash and its record."""

from dataclasses import dataclass
from functools import cached_property

from . import bounds, statements
from .encoding import Malformed, NewerVersion, Reader, data, i, sequence, u
from .keys import H

FORM = 1
SIGNATURE = 64


@dataclass(frozen=True)
class Change:
    trip: bytes
    replica: bytes
    number: int
    previous: bytes | None
    heads: tuple
    lamport: int
    wall: int
    statement: object
    content: bytes
    signature: bytes = b""

    @cached_property
    def encoding(self):
        return (bytes([FORM]) + self.trip + self.replica + u(self.number) + (self.previous or b"") + sequence(self.heads)
                + u(self.lamport) + i(self.wall) + statements.written(self.statement) + data(self.content))

    @cached_property
    def hash(self):
        return H(self.encoding)

    @property
    def record(self):
        return self.encoding + self.signature

    @property
    def stamp(self):
        return self.lamport, self.hash

    @property
    def stands_on(self):
        """The hashes of its previous change and its heads."""
        return ([self.previous] if self.previous else []) + list(self.heads)

    @property
    def signed(self):
        return b"caravan change" + self.hash


def read_record(record):
    """The change of a record. `Malformed` where it is not in its one form or beyond a bound of its own."""
    if len(record) > bounds.RECORD:
        raise Malformed("a record is too long")
    reader = Reader(record)
    form = reader.byte()
    if form > FORM:
        raise NewerVersion("a change of another form")
    if form != FORM:
        raise Malformed("a change of no form")
    trip, replica = reader.take(32), reader.take(16)
    number = reader.u(bounds.NUMBER, least=1)
    previous = reader.take(32) if number > 1 else None
    heads = tuple(reader.ascending(lambda: reader.take(32), bounds.HEADS, 32))
    lamport, wall = reader.u(bounds.LAMPORT, least=1), reader.i()
    statement, content = statements.read(reader), reader.bytes(bounds.CONTENT)
    signature = reader.take(SIGNATURE)
    reader.end()
    return Change(trip, replica, number, previous, heads, lamport, wall, statement, content, signature)
