"""Section 12: versions that know less and more than the document, to show that both get on with it."""

from dataclasses import dataclass

from . import messages, texts


@dataclass(frozen=True)
class Version:
    name: str
    operations: frozenset
    fields: frozenset
    messages: frozenset
    ways_to_vote: frozenset = frozenset(range(4))
    title: int = 200  # characters
    appendix: bytes = b""  # what this version writes at the end of every body that may grow


CURRENT = Version("current", frozenset({*range(1, 16), *range(20, 30)}), frozenset(texts.LONGEST), messages.KNOWN)
OLDER = Version("older", frozenset(range(1, 8)), frozenset(range(1, 6)), frozenset(range(1, 15)), frozenset(range(3)))
NEWER = Version("newer", CURRENT.operations | {90}, CURRENT.fields | {91}, CURRENT.messages | {92},
                CURRENT.ways_to_vote | {4}, title=400, appendix=b"and what is newer")
