"""What a node keeps while changes come, one by one or many at once: it must not matter how they came."""

from .roster import Admit, Close, Found, Graph, Open, Remove, Roster, indices


class Node:
    """Holds changes, derives who is in where a change may alter more than it says, and keeps bodies while they may count."""

    def __init__(self, whole, rules=Roster):
        self.rules = rules
        self.whole = whole  # where what comes is taken from
        self.new = {}  # of each index there, the index here
        self.graph = Graph([], whole.person, whole.first, whole.parent, whole.host, whole.invite, whole.opener)
        self.roster = rules(self.graph)
        self.bodies = 0
        self.derived = 0  # how often the whole was derived

    def receive(self, batch):
        """Takes changes, each after its past."""
        is_stale = False
        for came in batch:
            index = self.append(came)
            is_stale = is_stale or not self.is_said_alone(index)
            if not is_stale:
                self.extend(index)  # before the next is here: else it would be judged by what is not yet known
                if self.roster.is_effective(index):
                    self.roster.effective |= 1 << index
        if is_stale:
            self.roster = self.rules(self.graph)
            self.derived += 1
        self.roster.retained = self.graph.closed(self.roster.effective)
        self.drop_bodies()

    def append(self, index):
        act = self.whole.acts[index]
        past = sum(1 << self.new[before] for before in indices(act.past))
        says = act.says if getattr(act.says, "last", None) is None else type(act.says)(act.says.device, self.new[act.says.last])
        if getattr(says, "kept", None) is not None:
            says = type(says)(says.person, tuple(self.new[index] for index in says.kept))
        self.graph.acts.append(type(act)(act.device, past, says, frozenset(self.new[index] for index in act.on)))
        self.new[index] = len(self.graph.acts) - 1
        self.bodies |= 1 << self.new[index]
        return self.new[index]

    # Where a statement changes only what it says

    def is_said_alone(self, index):
        """Whether a change alters nothing about what was held before it."""
        graph, says = self.graph, self.graph.acts[index].says
        if says is None or isinstance(says, (Open, Close)):
            return True
        if isinstance(says, Remove):
            removed = {says.person} | {guest for guest, host in graph.host.items() if host == says.person}
            if says.person == graph.author(index):
                return True  # nothing held has a farewell in its past that has just come
            return says.kept is None and self.has_seen(index, lambda other: graph.author(other) in removed)
        if isinstance(says, Admit):
            person = graph.person[says.device]
            if graph.first[says.device]:
                return not any(graph.author(other) == person for other in range(index))
            return not any(graph.acts[other].device == says.device for other in range(index))
        return False

    def has_seen(self, index, which):
        past = self.graph.acts[index].past
        return all(past >> other & 1 for other in range(index) if which(other))

    def extend(self, index):
        graph, roster, says = self.graph, self.roster, self.graph.acts[index].says
        writer = graph.author(index)
        if isinstance(says, Remove):
            if says.person == writer:
                if roster.is_effective(index):
                    roster.farewells[writer].append(index)
            elif says.person in roster.resolved and roster.may_remove(index) and roster.is_effective(index):
                for person in (says.person, *(guest for guest, host in graph.host.items() if host == says.person)):
                    if person in roster.resolved:
                        roster.removals[person] = roster.removals[person] | {index}
        elif isinstance(says, Admit):
            person = graph.person[says.device]
            if not graph.first[says.device]:
                if writer in roster.resolved and graph.acts[index].device in roster.resolved[writer] and roster.is_within_removals(index) \
                        and roster.is_within_ends(index):
                    roster.resolved[writer] = roster.resolved[writer] | {says.device}
            elif person not in roster.resolved and roster.has_effect(index):
                roster.resolve(person)
        if hasattr(roster, "_lifted"):
            del roster._lifted

    # Bodies

    def drop_bodies(self):
        """Drops the bodies of what is cut by what nothing can void; what counts again is asked for."""
        for index in indices(self.bodies & ~self.roster.shown):
            if self.roster.may_drop_bodies(index):
                self.bodies &= ~(1 << index)

    @property
    def missing(self):
        """What has an effect here, and was dropped."""
        return self.roster.effective & ~self.bodies


def orders(graph, chance):
    """A random order of arrival, cut into random batches."""
    waiting, held, batch = list(range(len(graph.acts))), 0, []
    while waiting:
        index = chance.choice([index for index in waiting if not graph.acts[index].past & ~held])
        waiting.remove(index)
        held |= 1 << index
        batch.append(index)
        if not waiting or chance.random() < 0.6:
            yield batch
            batch = []


def by_name(node):
    """What a node says, by the indices of the whole."""
    old = {here: there for there, here in node.new.items()}
    roster = node.roster

    def there(some):
        return frozenset(old[index] for index in some)

    return ({person: roster.status(person) for person in node.graph.parent}, there(indices(roster.effective)),
            there(indices(roster.retained)), there(indices(roster.shown)))
