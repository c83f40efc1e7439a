"""Section 7, its form: operations of a change, as bytes and back. What cannot be read has no effect and is no error."""

from dataclasses import dataclass

from . import bounds
from .encoding import Malformed, Reader, data, i, optional, sequence, text, u
from .keys import H
from .versions import CURRENT

TRIP_TITLE, NAME, ADD, EDIT, REMOVE, RESTORE, VOTE, QUANTITY, ADD_LIST, PLACE, COMMENT, CLAIM, AMENITIES, UNDO, OWN = range(1, 16)
ATTACH, DETACH, ATTENDANCE, ANSWER, OPTIONS, SEAL, CLOSE, REVEAL, NOTE, TRIP_NOTE = range(20, 30)
BEFORE, BEHIND = 0, 1


@dataclass(frozen=True)
class Reference:
    """An operation: of the change with that hash, or an earlier one of the same change."""

    change: bytes | None
    index: int

    @classmethod
    def read(cls, reader):
        return cls(reader.take(32) if reader.flag() else None, reader.u(bounds.INDEX))

    def written(self):
        return b"\0" + u(self.index) if self.change is None else b"\1" + self.change + u(self.index)


@dataclass(frozen=True)
class Position:
    """Where an item stands: in a list or in none, beside an anchor or at the top."""

    list: Reference | None = None
    anchor: Reference | None = None
    side: int = BEHIND

    @classmethod
    def read(cls, reader):
        position = cls(*(reader.optional(lambda: Reference.read(reader)) for _ in range(2)), reader.byte())
        if position.side not in (BEFORE, BEHIND):
            raise Malformed("a position is neither before nor behind")
        return position

    def written(self):
        return b"".join(optional(part, Reference.written) for part in (self.list, self.anchor)) + bytes([self.side])


@dataclass(frozen=True)
class Insertion:
    """A text inserted into a note: beside a character, which is named by its operation and its number there, or at the beginning."""

    text: str
    beside: tuple | None = None
    side: int = BEHIND

    @classmethod
    def read(cls, reader):
        form = reader.byte()
        if form > 2:
            raise Malformed("an insertion is neither at the beginning nor beside a character")
        beside = (Reference.read(reader), reader.u(bounds.INSERTED - 1)) if form else None
        return cls(reader.text(), beside, BEFORE if form == 2 else BEHIND)

    def written(self):
        if self.beside is None:
            return b"\0" + text(self.text)
        return (b"\1" if self.side == BEHIND else b"\2") + self.beside[0].written() + u(self.beside[1]) + text(self.text)


@dataclass(frozen=True)
class Removal:
    """Characters of one operation that go from a note: so many from a number on."""

    operation: Reference
    first: int
    count: int

    @classmethod
    def read(cls, reader):
        removal = cls(Reference.read(reader), reader.u(bounds.INSERTED), reader.u(bounds.INSERTED, 1))
        if removal.first + removal.count > bounds.INSERTED:
            raise Malformed("a removal goes beyond what an operation may insert")
        return removal

    def written(self):
        return self.operation.written() + u(self.first) + u(self.count)


@dataclass(frozen=True)
class Operation:
    """One operation. Which of its parts are there depends on its kind."""

    kind: int
    item: Reference | None = None
    text: str | None = None
    beside: tuple = ()
    writes: tuple = ()  # of an add: (field, text); of an edit: (field, text or None, beside)
    number: int = 0  # a vote's way, a quantity, a claim, an answer
    position: Position | None = None
    words: tuple = ((), ())  # amenities, or options of a question, that are added, and taken away
    answer: tuple | None = None  # (option, number) of each; None where it is taken back
    other: Reference | None = None  # the attach of a photo that is detached, the closing that an answer is revealed after
    bytes: bytes = b""  # a manifest, a note to oneself, the hash of a change that is taken back, a commitment, a nonce
    note: bytes = b""  # what an author's own devices read of a sealed answer
    counted: tuple = ()  # of a closing, (participant, the operation of their answer) of each
    insertions: tuple = ()  # of an edit of a note
    removals: tuple = ()

    @property
    def subjects(self):
        """What names a change that made what it acts on, closed what it reveals an answer to, or wrote what it inserts text beside."""
        named = (self.item, self.position and self.position.list, self.other if self.kind == REVEAL else None,
                 *(insertion.beside[0] for insertion in self.insertions if insertion.beside))
        return [reference for reference in named if reference]


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
    if kind not in version.operations or kind not in CURRENT.operations:
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
            return Operation(kind, number=number, writes=tuple(write for write in writes if write), position=last_position(reader))
        if kind == ADD_LIST:
            writes = [read_write(field, value, False) for field, value in values(reader) if field in version.fields]
            return Operation(kind, writes=tuple(write for write in writes if write))
        if kind in (UNDO, OWN):
            return Operation(kind, bytes=reader.take(32 if kind == UNDO else reader.left))
        if kind == TRIP_NOTE:
            return Operation(kind, **read_note_edit(reader))
        item = Reference.read(reader)
        if kind == EDIT:
            return Operation(kind, item=item, writes=edits(reader, version))
        return Operation(kind, item=item, **read_deed(kind, reader))
    except Malformed:
        return None


def read_deed(kind, reader):
    """The parts of what is done to an item, a list or a comment, beside its name."""
    if kind == PLACE:
        return {"position": Position.read(reader)}
    if kind == COMMENT:
        return {"text": reader.text()}
    if kind == ANSWER:
        return {"answer": read_answer(reader)}
    if kind == SEAL:
        return {"bytes": reader.take(32), "note": reader.bytes(bounds.NOTE)}
    if kind == REVEAL:
        return {"other": Reference.read(reader), "bytes": reader.take(32), "answer": read_choices(reader)}
    if kind == CLOSE:
        return {"counted": read_counted(reader)}
    if kind in (AMENITIES, OPTIONS):
        return {"words": tuple(tuple(reader.sequence(reader.text, bounds.AMENITIES, 2)) for _ in range(2))}
    if kind == ATTACH:
        return {"bytes": read_manifest(Reader(reader.bytes()))}
    if kind == DETACH:
        return {"other": Reference.read(reader)}
    if kind == NOTE:
        return read_note_edit(reader)
    return {"number": {VOTE: reader.byte, ATTENDANCE: reader.byte, QUANTITY: reader.i, CLAIM: reader.u}.get(kind, int)()}


def read_note_edit(reader):
    insertions = tuple(reader.sequence(lambda: Insertion.read(reader), bounds.INSERTIONS, 2))
    if sum(len(insertion.text) for insertion in insertions) > bounds.INSERTED:
        raise Malformed("an edit inserts more than it may")
    return {"insertions": insertions, "removals": tuple(reader.sequence(lambda: Removal.read(reader), each=4))}


def read_answer(reader):
    form = reader.byte()
    if form > 1:
        raise Malformed("an answer has a form that is not known")
    return read_choices(reader) if form else None


def read_counted(reader):
    counted = tuple(reader.sequence(lambda: (reader.take(16), Reference(reader.take(32), reader.u(bounds.INDEX))), bounds.COUNTED, 49))
    if any(one[0] >= other[0] for one, other in zip(counted, counted[1:])):
        raise Malformed("participants don't stand in their order, each once")
    return counted


def read_choices(reader):
    answer = tuple(reader.sequence(lambda: (reader.text(), reader.u(bounds.POINTS, 1)), bounds.AMENITIES, 2))
    if any(one[0].encode() >= other[0].encode() for one, other in zip(answer, answer[1:])):
        raise Malformed("options don't stand in their order, each once")
    return answer


def read_manifest(reader):
    """A manifest's bytes, without what a later version put behind them."""
    for chunks in bounds.CHUNKS:
        if reader.byte() not in (1, 2):
            raise Malformed("a picture is of a type that is not known")
        for _ in range(2):
            reader.u(bounds.PIXELS, 1)
        reader.take(32 * -(-reader.u(chunks * bounds.CHUNK, 1) // bounds.CHUNK))
    return reader.data[:reader.at]


def last_position(reader):
    """An add's position; None where there is none that can be read."""
    try:
        return Position.read(reader) if reader.left else None
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
    return u(operation.kind) + data(body(operation, version) + version.appendix)


def body(operation, version):
    item = operation.item.written() if operation.item else b""
    made = sequence(operation.writes, lambda write: u(write[0]) + text(write[1])) if operation.kind in (ADD, ADD_LIST) else b""
    return {
        TRIP_TITLE: lambda: text(operation.text) + sequence(operation.beside, Reference.written),
        NAME: lambda: text(operation.text),
        ADD: lambda: i(operation.number) + made + (operation.position.written() if operation.position else b""),
        ADD_LIST: lambda: made,
        EDIT: lambda: item + sequence(operation.writes, lambda write: u(write[0]) + data(
            optional(write[1], text) + sequence(write[2], Reference.written) + version.appendix)),
        VOTE: lambda: item + bytes([operation.number]),
        ATTENDANCE: lambda: item + bytes([operation.number]),
        QUANTITY: lambda: item + i(operation.number),
        PLACE: lambda: item + operation.position.written(),
        COMMENT: lambda: item + text(operation.text),
        CLAIM: lambda: item + u(operation.number),
        AMENITIES: lambda: item + b"".join(sequence(words, text) for words in operation.words),
        OPTIONS: lambda: item + b"".join(sequence(words, text) for words in operation.words),
        ANSWER: lambda: item + optional(operation.answer, written_choices),
        SEAL: lambda: item + operation.bytes + data(operation.note),
        CLOSE: lambda: item + sequence(operation.counted, lambda pair: pair[0] + pair[1].change + u(pair[1].index)),
        REVEAL: lambda: item + operation.other.written() + operation.bytes + written_choices(operation.answer),
        UNDO: lambda: operation.bytes,
        OWN: lambda: operation.bytes,
        ATTACH: lambda: item + data(operation.bytes + version.appendix),
        DETACH: lambda: item + operation.other.written(),
        NOTE: lambda: item + written_note_edit(operation),
        TRIP_NOTE: lambda: written_note_edit(operation),
    }.get(operation.kind, lambda: item)()


def written_note_edit(operation):
    return sequence(operation.insertions, Insertion.written) + sequence(operation.removals, Removal.written)


def written_choices(answer):
    return sequence(answer, lambda choice: text(choice[0]) + u(choice[1]))


def commitment(question, participant, nonce, answer):
    """What seals an answer of a participant, of 16 bytes, to a question, which is named by its operation."""
    return H(b"caravan answer" + question.change + u(question.index) + participant + nonce + written_choices(answer))


def write_content(operations, version=CURRENT, unknown=()):
    """The content of a change; `unknown` are kinds and bodies that the document does not know."""
    all_written = [written(operation, version) for operation in operations] + [u(kind) + data(body) for kind, body in unknown]
    return sequence(all_written) if all_written else b""
