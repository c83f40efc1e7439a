"""What a change may say of membership, without what membership does not depend on."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Found:
    device: object


@dataclass(frozen=True)
class Open:
    """Opens an invite. The invite's name follows from the opener's device and from the body, and so do its uses and whether it
    is for further devices of one person."""
    invite: object
    uses: int
    only_for: object = None


@dataclass(frozen=True)
class Close:
    invite: object


@dataclass(frozen=True)
class Admit:
    device: object


@dataclass(frozen=True)
class Remove:
    """A removal; of the author's own person, a farewell. Of the removed person's changes, those in its past count; where it names some as
    kept, these and what is in their pasts."""
    person: object
    kept: tuple | None = None


@dataclass(frozen=True)
class End:
    """Ends a further device of the author's person: of its changes, `last` and those in the past of `last` count."""
    device: object
    last: int | None


@dataclass(frozen=True)
class Key:
    """Gives devices an epoch's secret."""


@dataclass(frozen=True)
class Act:
    """A change: who wrote it, what lies in its past, what it says, and the changes that made what its content acts on."""
    device: object
    past: int
    says: object = None
    on: frozenset = frozenset()
