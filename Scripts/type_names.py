"""No two types of the package have one name, so that a search finds one: Scripts/tidy checks it."""

import re

TYPE = re.compile(r"(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|private|fileprivate|final|indirect)\s+)*"
                  r"(?:struct|class|enum|actor|protocol)\s+(\w+)")
# Names that are there twice so far. Most are in a public library, whose users never see the other one.
SHARED = {"Claim", "DotSet", "EventQueue", "Feed", "HistoryEvent", "Markup", "Operation", "Text", "Turn"}


class TypeNames:
    """The types that are not inside another one, by name, as the files are read."""

    def __init__(self):
        self.places = {}

    def check(self, name, text):
        """Yields (line, reason) for each type of a file of Sources whose name an earlier type has."""
        for number, line in enumerate(text.split("\n"), 1):
            found = TYPE.match(line)
            if not found or found[1] in SHARED:
                continue
            place = self.places.setdefault(found[1], f"{name}:{number}")
            if place != f"{name}:{number}":
                yield number, f"{found[1]} is a type at {place} too: give one of them another name"
