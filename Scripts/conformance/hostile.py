"""Members who write whatever the form lets them: for tests and for vectors."""

from .keys import DeviceKeys
from .node import Node
from .statements import Found, Invite, Remove
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
        self.random.choice([self.admit_another_key, self.open_again, self.leave_early, self.remove_nobody, self.found_again])(node, other)

    def admit_another_key(self, node, other):
        """Admits another's first signing key once more with another session key, which then writes, and often says farewell."""
        if other.keys.device.is_first and len(self.nodes) < 12:
            again = self.newcomer("x", DeviceKeys(other.keys.signing.private_bytes_raw(), self.random.randbytes(32)))
            self.admit(node, again)
            if again.may_write and self.random.random() < 0.5:
                again.leave()

    def open_again(self, node, other):
        """Opens an invite a second time, its own or, as another one, somebody else's."""
        if seeds := [node.held.changes[place].statement.seed for place in node.held.all_of(Invite)]:
            node.write(Invite(self.random.choice(seeds), 2))

    def leave_early(self, node, other):
        """Says farewell on a branch that begins long before."""
        own = [place for place, change in enumerate(node.held.changes) if change.replica == node.keys.device.replica]
        if own and node.keys.device != self.founder.keys.device:
            twin = node.fork()
            twin.last = twin.held.places[node.held.changes[self.random.choice(own)].hash]
            twin.write(Remove(node.keys.device.participant), heads=[])
            self.tell(twin, node)

    def remove_nobody(self, node, other):
        node.write(Remove(self.random.randbytes(16)))

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
    for _ in range(60):
        world.act()
    return world.founder.trip, world.everything()
