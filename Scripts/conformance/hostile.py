"""Members who write whatever the form lets them: for tests and for vectors."""

from . import content
from .content import Operation, Reference
from .fold import Fold
from .held import Refused
from .keys import DeviceKeys
from .node import Node
from .statements import Admit, Close, Found, Invite, Remove
from .world import World


class HostileWorld(World):
    """A world in which some members also write whatever the form lets them."""

    def act(self):
        if self.random.random() < 0.7:
            super().act()
            return
        node, other = self.random.choice(self.nodes), self.random.choice(self.nodes)
        if not node.may_write:
            return
        try:
            self.random.choice([self.admit_another_key, self.open_again, self.speak_early, self.speak_early, self.found_again,
                                self.host_by_what_is_over])(node, other)
        except Refused:
            pass

    def admit_another_key(self, node, other):
        """Admits another's first signing key once more with another session key, which then writes, and often says farewell."""
        if len(self.nodes) < 12:
            again = self.newcomer("x", keys=DeviceKeys(
                other.keys.signing.private_bytes_raw(), self.random.randbytes(32), participant=other.keys.device.participant))
            again.came_by = other.came_by
            self.admit(node, again)
            if again.may_write and self.random.random() < 0.5:
                again.leave()

    def open_again(self, node, other):
        """Opens an invite a second time, its own or, as another one, somebody else's."""
        if openings := node.held.all_of(Invite):
            node.write(node.held.changes[self.random.choice(openings)].statement)

    def speak_early(self, node, other):
        """Says something on a branch that begins long before: a farewell, a removal, a closing, an invite or an admission."""
        own = [index for index, change in enumerate(node.held.changes) if change.replica == node.keys.device.replica]
        if not own:
            return
        twin = node.fork()
        twin.last = twin.held.indices[node.held.changes[self.random.choice(own)].hash]
        said = [Remove(person) for person in sorted(node.held.graph.parent) if person != node.keys.device.participant]
        said += [Close(invite) for invite in sorted(node.held.graph.opener)] + [Invite(self.random.randbytes(32), 2)]
        said += [Admit(other.keys.device, other.name, other.came_by, other.consent(), None)] * 4
        if node.keys.device != self.founder.keys.device:
            said += [Remove(node.keys.device.participant)] * 2
        twin.write(self.random.choice(said), heads=[])
        self.tell(twin, node)

    def host_by_what_is_over(self, node, other):
        """Admits somebody by a link that is closed, or used up, or of somebody who is out."""
        if (openings := node.held.all_of(Invite)) and len(self.nodes) < 12:
            self.join(node, "y", self.random.choice(node.membership.secrets(openings)))

    def found_again(self, node, other):
        """The founder founds the trip a second time, with another session key."""
        keys = self.founder.keys
        again = Node(self.founder.trip, DeviceKeys(keys.signing.private_bytes_raw(), self.random.randbytes(32)), "Jie", **self.options())
        again.write(Found(again.keys.device, "Jie", self.random.randbytes(16)))
        if len(self.nodes) < 12:
            self.nodes.append(again)
            self.tell(again, node)


class NoteWorld(HostileWorld):
    """A hostile world in which everybody writes in the notes of the trip and of a few items, and some craft what they write."""

    def __init__(self, seed):
        super().__init__(seed)
        self.items, self.edits = [self.founder.add("Lofoten", field2="by boat")], []

    def act(self):
        if self.random.random() < 0.4:
            super().act()
            return
        node = self.random.choice(self.nodes)
        if node.may_write:
            acts = {self.write_honestly: 8, self.write_anything: 3, self.write_early: 2, self.write_as_before: 1, self.add: 1, self.write_beside: 1}
            try:
                self.random.choices(list(acts), list(acts.values()))[0](node)
            except Refused:
                pass

    def note(self, node):
        """An item that a node knows, or None for the trip."""
        return self.random.choice([None, *(item for item in self.items[-3:] if item.change in node.held)])

    def write_honestly(self, node):
        item = self.note(node)
        fold = Fold(node.membership)
        if item and fold.resolved(item, (0, 0)) not in fold.items:
            return
        text = (fold.items[fold.resolved(item, (0, 0))].note if item else fold.note).text
        start = self.random.randrange(len(text) + 1)
        end = min(len(text), start + self.random.choice([0, 0, 1, 4] if len(text) < 40 else [20]))
        word = self.random.choice(["", "x", "yz", "word "])
        if word or end > start:
            self.noted(node.edit_note(item, start, end, word))

    def write_anything(self, node):
        """Edits that name characters that are there, or of another note, or nowhere."""
        item = self.note(node)
        operations = [Operation(content.NOTE if item else content.TRIP_NOTE, item=item, **self.note_edit(self.any_name))
                      for _ in range(self.random.randrange(1, 4))]
        hash = node.write(None, operations)
        for index in range(len(operations)):
            self.noted(Reference(hash, index))

    def write_early(self, node):
        """The same on a branch that begins long before."""
        own = [index for index, change in enumerate(node.held.changes) if change.replica == node.keys.device.replica]
        if own:
            twin = node.fork()
            twin.last = twin.held.indices[node.held.changes[self.random.choice(own)].hash]
            hash = twin.write(None, [Operation(content.TRIP_NOTE, **self.note_edit(self.any_name))], heads=[])
            self.noted(Reference(hash, 0))
            self.tell(twin, node)

    def write_beside(self, node):
        """Writes, and somebody else beside that, while somebody who knows neither removes the first."""
        own = node.keys.device.participant
        above = [one for one in self.nodes if one.may_write and one.held.graph.is_above(one.keys.device.participant, own)]
        others = [one for one in self.nodes if one.may_write and one.keys.device.participant != own]
        if above and others:
            self.write_honestly(node)
            other = self.random.choice(others)
            self.tell(node, other)
            self.write_honestly(other)
            self.random.choice(above).remove(own)

    def write_as_before(self, node):
        """A whole text, as versions write it that know no edits, perhaps with something that stays."""
        if item := self.note(node):
            beside = [self.any_name() for _ in range(self.random.randrange(3))]
            writes = [(2, self.random.choice([None, "old", "older", " "]), tuple(beside)) for _ in range(self.random.choice([1, 1, 2]))]
            self.noted(Reference(node.write(None, [Operation(content.EDIT, item=item, writes=tuple(writes))]), 0))

    def add(self, node):
        self.items.append(node.add(f"A place {len(node.held)}", field2=self.random.choice(["north", "far\naway"])))
        self.noted(self.items[-1])

    def noted(self, name):
        self.edits.append(name)

    def any_name(self):
        if self.random.random() < 0.1:
            return Reference(None, self.random.randrange(3))
        name = self.random.choice([self.items[0], *self.edits[-8:]])
        return alias(name) if self.random.random() < 0.05 else name


def alias(name):
    """What orders characters as an operation does, and is not its name."""
    return Reference(name.change[:15] + bytes([name.change[15] ^ 1]) + name.change[16:], name.index ^ 1)


def noted_trip(seed, acts=150):
    world = NoteWorld(f"notes {seed}")
    for _ in range(acts):
        world.act()
    return world.founder.trip, world.everything()


def hostile_trip(seed):
    world = HostileWorld(f"hostile {seed}")
    for _ in range(150):
        world.act()
    return world.founder.trip, world.everything()
