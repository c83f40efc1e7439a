"""Members who write whatever the form lets them: for tests and for vectors."""

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
        own = [place for place, change in enumerate(node.held.changes) if change.replica == node.keys.device.replica]
        if not own:
            return
        twin = node.fork()
        twin.last = twin.held.places[node.held.changes[self.random.choice(own)].hash]
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


def hostile_trip(seed):
    world = HostileWorld(f"hostile {seed}")
    for _ in range(150):
        world.act()
    return world.founder.trip, world.everything()
