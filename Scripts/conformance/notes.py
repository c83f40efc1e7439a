"""Section 7, of notes: a text that everybody writes in, as a tree of single characters."""

from . import content, texts


class Note:
    """A note. A character is named by the operation that inserted it and by how many that inserted before it."""

    def __init__(self, name):
        self.name = name  # of an operation, what orders it among those that inserted at the same place
        self.children = {}  # of each place, a character (None at the beginning) and a side of it: the characters there
        self.texts = {}  # of each operation, what it inserted
        self.removed = set()

    def __contains__(self, character):
        operation, number = character
        return number < len(self.texts.get(operation, ""))

    def insert(self, operation, text, beside=None, side=content.BEHIND):
        """Inserts a text, each character of which but the first stands behind the one before it."""
        before = self.texts.get(operation, "")
        self.texts[operation] = before + text
        for number in range(len(before), len(before + text)):
            self.children.setdefault((beside, side), []).append((operation, number))
            beside, side = (operation, number), content.BEHIND

    def remove(self, operation, first=0, count=None):
        end = len(self.texts[operation])
        self.removed |= {(operation, number) for number in range(first, end if count is None else min(end, first + count))}

    def order(self):
        """All characters, removed or not: those before a character, the character, those behind it."""
        def steps_of(*place):
            sorted_ = sorted(self.children.get(place, []), key=lambda character: (self.name(character[0]), character[1]))
            return [(character, False) for character in reversed(sorted_)]

        order, steps = [], steps_of(None, content.BEHIND)
        while steps:
            character, is_alone = steps.pop()
            if is_alone:
                order.append(character)
                continue
            steps += [*steps_of(character, content.BEHIND), (character, True), *steps_of(character, content.BEFORE)]
        return order

    def standing(self):
        """The characters that nobody removed, in their order."""
        return [character for character in self.order() if character not in self.removed]

    @property
    def text(self):
        return "".join(self.texts[operation][number] for operation, number in self.standing())

    @property
    def shown(self):
        return texts.shown_note(self.text)

    # Local

    def place(self, position):
        """Where somebody inserts who writes so many characters from the beginning on: what is beside it, and its side of that."""
        standing, order = self.standing(), self.order()
        before = standing[position - 1] if position else None
        if before and not self.children.get((before, content.BEHIND)):
            return before, content.BEHIND
        following = order[order.index(before) + 1 if before else 0:][:1]
        return (following[0], content.BEFORE) if following else (None, content.BEHIND)

    def edit(self, start, end, text, reference):
        """The parts of an operation that puts a text in the place of some characters; `reference` names an operation."""
        beside, side = self.place(start)
        insertion = content.Insertion(text, beside and (reference(beside[0]), beside[1]), side)
        removals = []
        for operation, number in self.standing()[start:end]:
            if removals and (last := removals[-1]).operation == reference(operation) and last.first + last.count == number:
                removals[-1] = content.Removal(last.operation, last.first, last.count + 1)
            else:
                removals.append(content.Removal(reference(operation), number, 1))
        return {"insertions": (insertion,) if text else (), "removals": tuple(removals)}


def says_something(operation):
    """Whether an edit says something, and inserts what a note may hold."""
    says = operation.insertions or operation.removals
    return bool(says) and all(texts.may_insert(insertion.text) for insertion in operation.insertions)


def edit(fold, note, at, operation):
    """Does an edit. If its change is only upheld, what it inserts stays, and no more."""
    if fold.membership.effective >> at[0] & 1:
        for removal in operation.removals:
            writer = fold.resolved(removal.operation, at)
            if (writer, 0) in note and fold.precedes(writer, at):
                note.remove(writer, removal.first, removal.count)
    for insertion in operation.insertions:
        beside = named(fold, note, at, insertion.beside)
        note.insert(at, insertion.text, beside, insertion.side if beside else content.BEHIND)


def named(fold, note, at, beside):
    """The character that an insertion of an operation names; None where its author cannot have seen it."""
    if beside is None:
        return None
    reference, number = beside
    if reference == content.Reference(None, at[1]):
        return (at, number) if (at, number) in note else None
    writer = fold.resolved(reference, at)
    return (writer, number) if (writer, number) in note and fold.precedes(writer, at) else None


def write(fold, note, at, text, beside):
    """Applies an edit of an earlier version: its text replaces every text in its past except those that it names."""
    stays = {fold.resolved(reference, at) for reference in beside}
    for writer in [writer for writer in note.texts if fold.precedes(writer, at) and writer not in stays]:
        note.remove(writer)
    if text is not None:
        note.insert(at, text)
