"""Section 4: what a change may say of membership, as bytes and back."""

from dataclasses import dataclass, replace

from . import bounds
from .encoding import Malformed, i, optional, sequence, text, u
from .keys import Device, invite_name, invite_secret

BOX = 80


@dataclass(frozen=True)
class Grant:
    """An epoch's secret, sealed to devices: pairs of a replica and its box, ascending."""

    epoch: bytes
    boxes: tuple

    @classmethod
    def read(cls, reader):
        """The boxes stand in the change's body."""
        return cls(reader.take(16), ())

    def written(self):
        return self.epoch


def read_boxes(reader):
    return tuple(reader.ascending(lambda: (reader.take(16), reader.take(BOX)), bounds.BOXES, 16 + BOX, key=lambda pair: pair[0]))


def written_boxes(boxes):
    return sequence(boxes, lambda pair: pair[0] + pair[1])


@dataclass(frozen=True)
class Found:
    device: Device
    name: str
    epoch: bytes

    @classmethod
    def read(cls, reader):
        return cls(Device.read(reader), reader.text(bounds.NAME_BYTES), reader.take(16))

    def written(self):
        return self.device.written() + text(self.name) + self.epoch


@dataclass(frozen=True)
class Invite:
    seed: bytes
    uses: int
    expires: int | None = None
    participant: bytes | None = None

    @classmethod
    def read(cls, reader):
        return cls(reader.take(32), reader.u(bounds.USES, least=1), reader.optional(reader.i),
                   reader.optional(lambda: reader.take(32)))

    def written(self):
        return self.seed + u(self.uses) + optional(self.expires, i) + optional(self.participant)

    def secret(self, opener):
        """The secret of the invite that a device opens with this."""
        return invite_secret(opener, self.written())

    def name(self, opener):
        return invite_name(self.secret(opener))


@dataclass(frozen=True)
class Close:
    invite: bytes

    @classmethod
    def read(cls, reader):
        return cls(reader.take(32))

    def written(self):
        return self.invite


@dataclass(frozen=True)
class Admit:
    device: Device
    name: str
    invite: bytes | None
    consent: bytes
    grant: tuple | None  # an epoch's id and the box of its secret

    @classmethod
    def read(cls, reader):
        return cls(Device.read(reader), reader.text(bounds.NAME_BYTES), reader.optional(lambda: reader.take(32)), reader.take(64),
                   reader.optional(lambda: (reader.take(16), reader.take(BOX))))

    def written(self):
        return (self.device.written() + text(self.name) + optional(self.invite) + self.consent
                + optional(self.grant, lambda pair: pair[0] + pair[1]))


@dataclass(frozen=True)
class Remove:
    participant: bytes
    grant: Grant | None = None
    kept: tuple | None = None

    @classmethod
    def read(cls, reader):
        participant = reader.take(32)
        kept = reader.optional(lambda: tuple(reader.ascending(lambda: reader.take(32), bounds.KEPT, 32)))
        return cls(participant, reader.optional(lambda: Grant.read(reader)), kept)

    def written(self):
        return self.participant + optional(self.kept, sequence) + optional(self.grant, Grant.written)


@dataclass(frozen=True)
class End:
    """Ends a further device of its author's person, as of its change `last`."""

    replica: bytes
    last: bytes | None
    grant: Grant | None = None

    @classmethod
    def read(cls, reader):
        return cls(reader.take(16), reader.optional(lambda: reader.take(32)), reader.optional(lambda: Grant.read(reader)))

    def written(self):
        return self.replica + optional(self.last) + optional(self.grant, Grant.written)


@dataclass(frozen=True)
class BeginEpoch:
    grant: Grant

    @classmethod
    def read(cls, reader):
        return cls(Grant.read(reader))

    def written(self):
        return self.grant.written()


@dataclass(frozen=True)
class GiveEpoch(BeginEpoch):
    """The document's `grant` as a statement of its own."""


KINDS = {1: Found, 2: Invite, 3: Close, 4: Admit, 5: Remove, 6: BeginEpoch, 7: GiveEpoch, 8: End}
BYTES = {statement: byte for byte, statement in KINDS.items()}


def grant_of(statement):
    """The grant of a statement that begins an epoch or gives one; None where there is none."""
    return statement.grant if isinstance(statement, (Remove, BeginEpoch, End)) else None


def boxes(statement):
    grant = grant_of(statement)
    return grant.boxes if grant else ()


def with_boxes(statement, boxes):
    return replace(statement, grant=Grant(statement.grant.epoch, boxes))


def read(reader):
    """The statement that comes next, or None."""
    byte = reader.byte()
    if byte == 0:
        return None
    if byte not in KINDS:
        raise Malformed("a statement that this form does not have")
    return KINDS[byte].read(reader)


def written(statement):
    return b"\0" if statement is None else bytes([BYTES[type(statement)]]) + statement.written()


def consent_text(trip, device, name):
    """What an admitted device signs; whose they are is in the participant's name."""
    return b"caravan join" + trip + device.written() + text(name)


__all__ = ["Admit", "BeginEpoch", "Close", "End", "Found", "GiveEpoch", "Grant", "Invite", "Remove", "boxes", "consent_text",
           "grant_of", "read", "read_boxes", "with_boxes", "written", "written_boxes"]
