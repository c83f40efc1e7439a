"""Section 3, its form: a change, its hash and its record."""

from dataclasses import dataclass, field, replace
from functools import cached_property

from . import bounds, statements
from .encoding import Malformed, NewerVersion, Reader, i, sequence, u
from .keys import H

FORM = 1
SIGNATURE = 64


@dataclass(frozen=True)
class Change:
    """A change, with its body or without: then its content is empty and its grant has no boxes, but its digest says the body's."""

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
    subjects: tuple = ()
    salt: bytes = bytes(16)
    digest: tuple | None = field(default=None, compare=False)  # the size and the hash of the body, where the change was read

    @cached_property
    def body(self):
        """Empty where the change has none, or where it is not here."""
        boxes = statements.boxes(self.statement)
        if not boxes and not self.content:
            return b""
        return self.salt + (statements.written_boxes(boxes) if statements.grant_of(self.statement) else b"") + self.content

    @cached_property
    def header(self):
        size, hash = self.digest or (len(self.body), H(self.body))
        return (bytes([FORM]) + self.trip + self.replica + u(self.number) + (self.previous or b"") + sequence(self.heads)
                + sequence(self.subjects) + u(self.lamport) + i(self.wall) + statements.written(self.statement)
                + u(size) + (hash if size else b""))

    @cached_property
    def hash(self):
        return H(self.header)

    @property
    def head(self):
        return self.header + self.signature

    @property
    def record(self):
        return self.head + self.read_body

    @property
    def read_body(self):
        """The body as it came: one that says nothing that can be read is passed on all the same."""
        return self.__dict__.get("raw", self.body)

    @property
    def is_whole(self):
        return bool(self.read_body) or not self.digest or not self.digest[0]

    @property
    def size(self):
        return len(self.head) + (self.digest[0] if self.digest else len(self.body))

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

    def without_body(self):
        return read_record(self.head)


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
    subjects = tuple(reader.ascending(lambda: reader.take(32), bounds.SUBJECTS, 32))
    lamport, wall = reader.u(bounds.LAMPORT, least=1), reader.i()
    statement = statements.read(reader)
    size = reader.u(bounds.BODY)
    digest = (size, reader.take(32) if size else H(b""))
    signature = reader.take(SIGNATURE)
    change = Change(trip, replica, number, previous, heads, lamport, wall, statement, b"", signature, subjects, digest=digest)
    body = record[reader.at:]
    if not body:
        return change
    if digest != (len(body), H(body)):
        raise Malformed("a body that is not the change's")
    change = with_body(change, body)
    change.__dict__["raw"] = body
    return change


def with_body(change, body):
    """The change with what its body holds; a body that cannot be read says nothing."""
    reader = Reader(body)
    try:
        salt = reader.take(16)
        said = change.statement
        if statements.grant_of(said):
            said = statements.with_boxes(said, statements.read_boxes(reader))
    except Malformed:
        return replace(change)
    content = body[reader.at:]
    if len(content) > bounds.CONTENT:
        return replace(change)
    return replace(change, statement=said, salt=salt, content=content)
