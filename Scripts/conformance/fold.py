"""Section 7, its meaning: the trip's state as a fold of what is effective, each change after its past."""

from dataclasses import dataclass, field

from . import bounds, content, texts
from .versions import CURRENT


@dataclass
class Item:
    tokens: set = field(default_factory=set)  # operations, as (place, index)
    fields: dict = field(default_factory=dict)  # of each, its writes: {operation: text}
    votes: dict = field(default_factory=dict)  # of each participant, the way
    quantity: int = 0


class Fold:
    def __init__(self, membership, version=CURRENT):
        self.membership, self.held, self.version = membership, membership.held, version
        self.title, self.items, self.names = {}, {}, {}
        effective = sorted(self.held.members(membership.effective), key=membership.stamp)
        for place in effective:
            for index, operation in enumerate(content.read_content(self.held.changes[place].content, version)):
                if operation is not None:
                    self.apply((place, index), operation)

    def precedes(self, one, other):
        """Whether an operation lies in another's past, or earlier in its change."""
        if one[0] == other[0]:
            return one[1] < other[1]
        return bool(self.held.pasts[other[0]] >> one[0] & 1)

    def resolved(self, reference, at):
        """The operation that a reference of another names; None where it is not here."""
        if reference.change is None:
            return (at[0], reference.index) if reference.index < at[1] else None
        place = self.held.places.get(reference.change)
        return None if place is None else (place, reference.index)

    def order(self, operation):
        return *self.membership.stamp(operation[0]), operation[1]

    def apply(self, at, operation):
        author = self.membership.writer(at[0])
        if operation.kind == content.TRIP_TITLE:
            if texts.is_sound(operation.text, self.version.title):
                self.write(self.title, at, operation.text, operation.beside)
        elif operation.kind == content.NAME:
            if texts.is_sound(operation.text, 64):
                self.names[author] = operation.text  # in the order of stamps: the last stays
        elif operation.kind == content.ADD:
            self.add(at, operation)
        else:
            name = self.resolved(operation.item, at)
            if name in self.items and self.precedes(name, at):
                self.change_item(at, operation, self.items[name], author)

    def add(self, at, operation):
        writes = [write for write in operation.writes if self.may_stand(*write)]
        if not any(where == texts.TITLE for where, _ in writes):
            return
        item = self.items[at] = Item({at})
        for where, text in writes:
            self.write(item.fields.setdefault(where, {}), at, text, ())
        if abs(operation.number) <= bounds.STEP:
            item.quantity = operation.number

    def change_item(self, at, operation, item, author):
        if operation.kind == content.VOTE and operation.number not in self.version.ways_to_vote:
            return
        if operation.kind == content.QUANTITY and abs(operation.number) > bounds.STEP:
            return
        item.tokens = {token for token in item.tokens if not self.precedes(token, at)}
        if operation.kind != content.REMOVE:
            item.tokens.add(at)
        if operation.kind == content.VOTE:
            item.votes[author] = operation.number  # in the order of stamps: the last stays
        elif operation.kind == content.QUANTITY:
            item.quantity += operation.number
        elif operation.kind == content.EDIT:
            for where, text, beside in operation.writes:
                if text is None or self.may_stand(where, text):
                    self.write(item.fields.setdefault(where, {}), at, text, beside)

    def may_stand(self, where, text):
        return where not in texts.LONGEST or texts.may_stand(where, text, self.version.title)

    def write(self, writes, at, text, beside):
        """One write at a place: it replaces those in its past, but for those that it names beside itself."""
        stays = {self.resolved(reference, at) for reference in beside}
        for other in [other for other in writes if (other == at or self.precedes(other, at)) and other not in stays]:
            del writes[other]
        if text is not None:
            writes[at] = text

    def shown(self, writes):
        """What stands at a place, the highest first and equal texts once."""
        return list(dict.fromkeys(writes[operation] for operation in sorted(writes, key=self.order, reverse=True)))

    def view(self):
        """The state as plain values, alike on all nodes that hold the same changes and know the same."""
        inside = {name for name, person in self.membership.persons.items() if person.is_in}
        items = []
        for at, item in sorted(self.items.items(), key=lambda pair: self.order(pair[0])):
            fields = {str(where): self.shown(writes) for where, writes in sorted(item.fields.items()) if writes}
            votes = {name.hex(): way for name, way in sorted(item.votes.items()) if way and name in inside}
            items.append({"id": f"{self.held.changes[at[0]].hash.hex()}.{at[1]}", "exists": bool(item.tokens), "fields": fields,
                          "votes": votes, "quantity": item.quantity})
        return {"title": self.shown(self.title), "items": items,
                "names": {name.hex(): text for name, text in sorted(self.names.items())}}
