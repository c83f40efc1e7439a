"""Groups of nodes with no network between them, each act from one seed: for tests and for vectors."""

import random
from dataclasses import replace

from . import content
from .content import Insertion, Operation, Position, Reference, Removal
from .held import Held, Refused
from .keys import FOUNDER, DeviceKeys, epoch_name, guest_of, invite_name, invited, participant_name, seal
from .membership import WAITS, Membership
from .node import Node
from .statements import Admit, Remove
from .versions import CURRENT


class World:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.time = 1_700_000_000_000
        self.founder = Node.founder("Jie", **self.options())
        self.nodes = [self.founder]

    def options(self):
        return {"entropy": self.random.randbytes, "clock": self.clock}

    def clock(self):
        self.time += 1
        return self.time

    def newcomer(self, name, invite=None, keys=None, version=CURRENT):
        """Somebody who came by the invite of a secret, or whose keys say how."""
        keys = keys or self.keys(invited(invite_name(invite or self.random.randbytes(32))))
        node = Node(self.founder.trip, keys, name, version, **self.options())
        if invite:
            node.came_by = invite_name(invite)
        self.nodes.append(node)
        return node

    def keys(self, origin=FOUNDER, participant=None):
        return DeviceKeys(self.random.randbytes(32), self.random.randbytes(32), origin, participant)

    def admit(self, host, node):
        """An admission by whatever hosts, whether it has any effect or not."""
        secret, guest = host.newest_secret, node.keys.device.participant == guest_name(node, host)
        grant = None if guest or secret is None else (epoch_name(secret), seal(secret, node.keys.device.session, self.random.randbytes(32)))
        hash = host.write(Admit(node.keys.device, node.name, node.came_by, node.consent(), grant))
        self.tell(host, node)
        return hash

    def join(self, host, name, invite=None):
        """A newcomer that a member has just admitted, by an invite of the member's own if none is given."""
        node = self.newcomer(name, invite or host.invite())
        self.admit(host, node)
        return node

    def guest(self, host, name):
        node = self.newcomer(name, keys=self.keys(guest_of(host.keys.device.participant)))
        self.admit(host, node)
        return node

    def second_device(self, node):
        """A further device of a person, that knows what the first one does."""
        further = self.newcomer(node.name, keys=self.keys(participant=node.keys.device.participant))
        self.admit(node, further)
        return further

    def tell(self, one, other):
        """Everything that one retains, for another."""
        for index in one.held.members(one.membership.retained):
            other.held.take(one.held.changes[index].record)
        other.changed()

    def meet(self, one, other):
        self.tell(one, other)
        self.tell(other, one)

    def tell_all(self):
        """Everything that anybody retains, for everybody."""
        for _ in range(2):
            for one in self.nodes:
                for other in self.nodes:
                    if one is not other:
                        self.tell(one, other)

    def act(self):
        """One random act of one random node, most of them harmless; what nobody would take is not written."""
        node, other = self.random.choice(self.nodes), self.random.choice(self.nodes)
        if node.may_write:
            try:
                self.do(node, other)
            except Refused:
                pass

    def do(self, node, other):
        what = self.random.choices(
            ["add", "vote", "meet", "join", "host", "guest", "device", "admit", "remove", "leave", "fork", "close", "epoch", "crossed", "keep", "end"],
            [4, 4, 14, 4, 3, 1, 3, 2, 2, 1, 1, 1, 1, 1, 3, 3])[0]
        is_room = len(self.nodes) < 9
        if what == "add":
            node.add(f"A place {len(node.held)}")
        elif what == "vote" and node.view["items"]:
            at = self.random.choice(sorted(item["id"] for item in node.view["items"]))
            node.vote(reference(at), self.random.randrange(3))
        elif what == "meet":
            self.meet(node, other)
        elif what == "join" and is_room:
            self.join(node, f"Friend {len(self.nodes)}")
        elif what == "host" and is_room and (openings := node.membership.open_invites()):
            self.join(node, f"Friend {len(self.nodes)}", self.random.choice(node.membership.secrets(openings)))
        elif what == "guest" and is_room:
            self.guest(node, f"Guest {len(self.nodes)}")
        elif what == "device" and is_room:
            self.second_device(node)
        elif what == "admit":
            self.admit(node, other)
        elif what == "keep" and (waiting := [person for person, standing in node.membership.standings.items() if standing == WAITS]):
            node.keep(self.random.choice(sorted(waiting)))
        elif what == "crossed":
            self.cross(node, other)
        elif what == "remove":
            self.remove(node)
        elif what == "end":
            self.end_device(node)
        elif what == "leave" and (node.keys.device != self.founder.keys.device or self.random.random() < 0.05):
            node.leave()
        elif what == "fork" and len(self.nodes) < 10:
            self.nodes.append(node.fork())
        elif what == "close" and (openings := node.membership.open_invites()):
            node.close_invite(self.random.choice(node.membership.secrets(openings)))
        elif what == "epoch":
            node.tend_epochs()

    def remove(self, node):
        """Removes somebody, most often of those below."""
        graph, own = node.held.graph, node.keys.device.participant
        others = sorted(person for person in graph.parent if person != own)
        below = [person for person in others if graph.is_above(own, person)]
        if others:
            node.remove(self.random.choice(below if below and self.random.random() < 0.7 else others))

    def end_device(self, node):
        """Ends a further device of its person's, as of any of its changes or of none."""
        graph, own = node.held.graph, node.keys.device.participant
        further = sorted(replica for replica, person in graph.person.items() if person == own and not graph.first[replica])
        if further:
            replica = self.random.choice(further)
            node.end(replica, self.random.choice([None, *(change.hash for change in node.held.changes if change.replica == replica)]))

    def plan(self, node, made):
        """A change of a few operations of all kinds, some of which break a rule. `made` has the names by what they name."""
        operations = [self.operation(made) for _ in range(self.random.randrange(1, 4))]
        hash = node.write(None, operations)
        for index, operation in enumerate(operations):
            made.setdefault(operation.kind, []).append(Reference(hash, index))

    def operation(self, made):
        chance, kind = self.random, self.random.choice(sorted(CURRENT.operations))

        def name(*kinds):
            # The newest most often: what people do at the same time is about the same.
            names = [name for kind in kinds for name in made.get(kind, [])][-6:]
            return chance.choice(names) if names and chance.random() < 0.95 else Reference(None, chance.randrange(3))

        item = name(content.ADD, content.ADD, content.ADD_LIST, *([content.COMMENT] if kind in (content.REMOVE, content.RESTORE) else []))
        word = f"{kind} {chance.randrange(100)}"
        fields = {2: word, 3: "https://example.org/" + chance.choice(["", "a b"]), 5: f"{chance.randrange(95)},1.5", 8: "true", 10: "stay",
                  11: chance.choice(["2026-06-12", "2026-06-12/2026-06-15", "2026-06-15/2026-06-12"]), 12: chance.choice(["4", "04"]), 14: "true"}
        some = [(field, fields[field]) for field in sorted(chance.sample(sorted(fields), chance.randrange(4)))]
        position = Position(*(name(part) if chance.random() < 0.7 else None for part in (content.ADD_LIST, content.PLACE)), chance.randrange(2))
        own = {
            content.TRIP_TITLE: {"text": word, "beside": (name(content.TRIP_TITLE),)}, content.NAME: {"text": word},
            content.ADD: {"number": chance.randrange(-1, 4), "writes": ((1, word), *some), "position": chance.choice([None, position])},
            content.ADD_LIST: {"writes": ((1, word),)[:chance.randrange(5)]},
            content.EDIT: {"item": item, "writes": (*((field, chance.choice([None, text]), ()) for field, text in some),
                                                    *[(1, chance.choice([None, word]), ())][:chance.randrange(2)])},
            content.VOTE: {"item": item, "number": chance.randrange(5)}, content.QUANTITY: {"item": item, "number": chance.randrange(-3, 4)},
            content.PLACE: {"item": item, "position": position},
            content.COMMENT: {"item": item, "text": word + chance.choice(["", "\nand more", " "])},
            content.CLAIM: {"item": item, "number": chance.choice([0, 1, 5, 1_000_001])},
            content.ATTENDANCE: {"item": item, "number": chance.randrange(5)},
            content.AMENITIES: {"item": item, "words": tuple(tuple(chance.sample(["wifi", "sauna", "Pool", "kitchen"], chance.randrange(3)))
                                                             for _ in range(2))},
            content.ANSWER: {"item": item, "answer": chance.choice([None, (), (("Lisbon", 1),), (("Faro", 2), ("Lisbon", 1))])},
            content.OPTIONS: {"item": item, "words": tuple(tuple(chance.sample(["Lisbon", "Faro", " Porto"], chance.randrange(3)))
                                                           for _ in range(2))},
            content.SEAL: {"item": item, "bytes": chance.randbytes(32), "note": chance.randbytes(3)},
            content.CLOSE: {"item": item, "counted": tuple((bytes(15) + bytes([who]), Reference(bytes(32), who)) for who in range(chance.randrange(3)))},
            content.REVEAL: {"item": item, "other": name(content.CLOSE), "bytes": chance.randbytes(32), "answer": (("Lisbon", 1),)},
            content.UNDO: {"bytes": bytes(32)}, content.OWN: {"bytes": chance.randbytes(9)},
            content.ATTACH: {"item": item, "bytes": b"".join(bytes([1, 2 + chance.randrange(2), 3, 5]) + bytes(32) for _ in range(3))},
            content.DETACH: {"item": item, "other": name(content.ATTACH)},
            content.NOTE: {"item": item, **self.note_edit(lambda: name(content.NOTE, content.ADD, content.EDIT))},
            content.TRIP_NOTE: self.note_edit(lambda: name(content.TRIP_NOTE))}
        return Operation(kind, **own.get(kind, {"item": item}))

    def note_edit(self, name):
        """An edit of a note that names whatever `name` gives: characters that are there, and others."""
        chance = self.random
        insertions = [Insertion(chance.choice(["ab", "cde", "ø", " ", "\n", "", "\r"][:5 if chance.random() < 0.9 else 7]),
                                (name(), chance.randrange(8)) if chance.random() < 0.8 else None, chance.randrange(2))
                      for _ in range(chance.randrange(4))]
        removals = [Removal(name(), chance.randrange(6), chance.randrange(1, 4)) for _ in range(chance.randrange(3))]
        return {"insertions": tuple(replace(insertion, side=content.BEHIND) if insertion.beside is None else insertion for insertion in insertions),
                "removals": tuple(removals)}

    def cross(self, one, other):
        """Two remove each other at one moment."""
        if other.may_write and one.keys.device.participant != other.keys.device.participant:
            self.meet(one, other)
            one.write(Remove(other.keys.device.participant))
            other.write(Remove(one.keys.device.participant))

    def everything(self):
        """All changes that anybody holds, each after its past."""
        changes = {change.hash: change for node in self.nodes for change in node.held.changes}
        return sorted(changes.values(), key=lambda change: change.stamp)


def guest_name(node, host):
    """The participant that a node's first device would be as a host's guest."""
    return participant_name(node.keys.device.signing, guest_of(host.keys.device.participant))


def reference(at):
    hash, _, index = at.partition(".")
    return Reference(bytes.fromhex(hash), int(index))


def shuffled(changes, chance):
    """The changes in another order in which each follows its past."""
    waiting, ready, order = {change.hash: change for change in changes}, set(), []
    while waiting:
        free = [change for change in waiting.values() if all(hash in ready for hash in change.stands_on)]
        order.append(chance.choice(free))
        ready.add(order[-1].hash)
        del waiting[order[-1].hash]
    return order


def judged(trip, changes):
    """The membership of a set of changes."""
    held = Held(trip)
    for change in changes:
        held.take(change.record)
    return Membership(held)


def hashes(membership, some):
    return sorted(membership.held.changes[index].hash.hex() for index in membership.held.members(some))
