"""Section 7, its form: operations of a change, as bytes and back. What cannot be read has no effect and is no error."""

from dataclasses import dataclass

from . import bounds
from .encoding import Malformed, Reader, data, i, optional, sequence, text, u
from .versions import CURRENT

TRIP_TITLE, NAME, ADD, EDIT, REMOVE, RESTORE, VOTE, QUANTITY = range(1, 9)


@dataclass(frozen=True)
class Reference:
    """An operation: of the change with that hash, or an earlier one of the same change."""

    change: bytes | None
    index: int

    @classmethod
    def read(cls, reader):
        return cls(reader.take(32) if reader.flag() else None, reader.u())

    def written(self):
        return b"\0" + u(self.index) if self.change is None else b"\1" + self.change + u(self.index)


@dataclass(frozen=True)
class Operation:
    """One operation. Which of its parts are there depends on its kind."""

    kind: int
    item: Reference | None = None
    text: str | None = None
    beside: tuple = ()
    writes: tuple = ()  # of an add: (field, text); of an edit: (field, text or None, beside)
    number: int = 0  # a vote's way, a quantity


def beside(reader):
    return tuple(reader.sequence(lambda: Reference.read(reader), bounds.BESIDE, 2))


def values(reader):
    """The bodies of an add's or an edit's writes."""
    return reader.sequence(lambda: (reader.u(), reader.bytes()), each=2)


def read_write(field, body, is_edit):
    """A write, or None where it cannot be read. An add's is its text, and nothing more."""
    reader = Reader(body if is_edit else data(body))
    try:
        return (field, reader.optional(reader.text), beside(reader)) if is_edit else (field, reader.text())
    except Malformed:
        return None


def read_operation(kind, body, version=CURRENT):
    """An operation, or None where it is not known or cannot be read. What follows what is known is passed over."""
    if kind not in version.operations or kind > QUANTITY:
        return None
    reader = Reader(body)
    try:
        if kind == TRIP_TITLE:
            return Operation(kind, text=reader.text(), beside=beside(reader))
        if kind == NAME:
            return Operation(kind, text=reader.text())
        if kind == ADD:
            number = reader.i()
            writes = [read_write(field, value, False) for field, value in values(reader) if field in version.fields]
            return Operation(kind, number=number, writes=tuple(write for write in writes if write))
        item = Reference.read(reader)
        if kind == EDIT:
            return Operation(kind, item=item, writes=edits(reader, version))
        number = {VOTE: reader.byte, QUANTITY: reader.i}.get(kind, int)()
        return Operation(kind, item=item, number=number)
    except Malformed:
        return None


def edits(reader, version):
    """An edit's writes that can be read: it upholds its item even where none can."""
    try:
        writes = [read_write(field, body, True) for field, body in values(reader) if field in version.fields]
    except Malformed:
        return ()
    return tuple(write for write in writes if write)


def read_content(content, version=CURRENT):
    """The operations of a change, with None for each that has no effect: those before what cannot be read stand."""
    operations, reader = [], Reader(content)
    try:
        for _ in range(reader.u() if content else 0):
            kind = reader.u()
            body = reader.bytes()
            operations.append(read_operation(kind, body, version))
            if len(operations) == bounds.OPERATIONS:
                break
    except Malformed:
        pass
    return operations


def written(operation, version=CURRENT):
    """The kind and the body of an operation, with what this version adds at its end."""
    item = operation.item.written() if operation.item else b""
    if operation.kind == TRIP_TITLE:
        body = text(operation.text) + sequence(operation.beside, Reference.written)
    elif operation.kind == NAME:
        body = text(operation.text)
    elif operation.kind == ADD:
        body = i(operation.number) + sequence(
            operation.writes, lambda write: u(write[0]) + text(write[1]))
    elif operation.kind == EDIT:
        body = item + sequence(operation.writes, lambda write: u(write[0]) + data(
            optional(write[1], text) + sequence(write[2], Reference.written) + version.appendix))
    else:
        body = item + {VOTE: lambda: bytes([operation.number]), QUANTITY: lambda: i(operation.number)}.get(operation.kind, bytes)()
    return u(operation.kind) + data(body + version.appendix)


def write_content(operations, version=CURRENT, unknown=()):
    """The content of a change; `unknown` are kinds and bodies that the document does not know."""
    all_written = [written(operation, version) for operation in operations] + [u(kind) + data(body) for kind, body in unknown]
    return sequence(all_written) if all_written else b""
