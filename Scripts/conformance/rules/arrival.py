"""What a node keeps while changes come, one by one or many at once: it must not matter how they came."""

from .roster import Admit, Close, Found, Graph, Open, Remove, Roster, places


class Node:
    """Holds changes, derives who is in where a change may alter more than it says, and keeps bodies while they may count."""

    def __init__(self, whole, rules=Roster):
        self.rules = rules
        self.whole = whole  # where what comes is taken from
        self.new = {}  # of each place there, the place here
        self.graph = Graph([], whole.person, whole.first, whole.parent, whole.host, whole.invite, whole.opener)
        self.roster = rules(self.graph)
        self.bodies = 0
        self.derived = 0  # how often the whole was derived

    def receive(self, batch):
        """Takes changes, each after its past."""
        is_stale = False
        for came in batch:
            place = self.append(came)
            is_stale = is_stale or not self.is_said_alone(place)
            if not is_stale:
                self.extend(place)  # before the next is here: else it would be judged by what is not yet known
                if self.roster.is_effective(place):
                    self.roster.effective |= 1 << place
        if is_stale:
            self.roster = self.rules(self.graph)
            self.derived += 1
        self.roster.retained = self.graph.closed(self.roster.effective)
        self.drop_bodies()

    def append(self, place):
        act = self.whole.acts[place]
        past = sum(1 << self.new[before] for before in places(act.past))
        says = act.says if getattr(act.says, "last", None) is None else type(act.says)(act.says.device, self.new[act.says.last])
        if getattr(says, "kept", None) is not None:
            says = type(says)(says.person, tuple(self.new[place] for place in says.kept))
        self.graph.acts.append(type(act)(act.device, past, says, frozenset(self.new[place] for place in act.on)))
        self.new[place] = len(self.graph.acts) - 1
        self.bodies |= 1 << self.new[place]
        return self.new[place]

    # Where a statement changes only what it says

    def is_said_alone(self, place):
        """Whether a change alters nothing about what was held before it."""
        graph, says = self.graph, self.graph.acts[place].says
        if says is None or isinstance(says, (Open, Close)):
            return True
        if isinstance(says, Remove):
            removed = {says.person} | {guest for guest, host in graph.host.items() if host == says.person}
            if says.person == graph.author(place):
                return True  # nothing held has a farewell in its past that has just come
            return says.kept is None and self.has_seen(place, lambda other: graph.author(other) in removed)
        if isinstance(says, Admit):
            person = graph.person[says.device]
            if graph.first[says.device]:
                return not any(graph.author(other) == person for other in range(place))
            return not any(graph.acts[other].device == says.device for other in range(place))
        return False

    def has_seen(self, place, which):
        past = self.graph.acts[place].past
        return all(past >> other & 1 for other in range(place) if which(other))

    def extend(self, place):
        graph, roster, says = self.graph, self.roster, self.graph.acts[place].says
        writer = graph.author(place)
        if isinstance(says, Remove):
            if says.person == writer:
                if roster.is_effective(place):
                    roster.farewells[writer].append(place)
            elif says.person in roster.resolved and roster.may_remove(place) and roster.is_effective(place):
                for person in (says.person, *(guest for guest, host in graph.host.items() if host == says.person)):
                    if person in roster.resolved:
                        roster.removals[person] = roster.removals[person] | {place}
        elif isinstance(says, Admit):
            person = graph.person[says.device]
            if not graph.first[says.device]:
                if writer in roster.resolved and graph.acts[place].device in roster.resolved[writer] and roster.is_within_removals(place) \
                        and roster.is_within_ends(place):
                    roster.resolved[writer] = roster.resolved[writer] | {says.device}
            elif person not in roster.resolved and roster.has_effect(place):
                roster.resolve(person)
        if hasattr(roster, "_lifted"):
            del roster._lifted

    # Bodies

    def drop_bodies(self):
        """Drops the bodies of what is cut by what nothing can void; what counts again is asked for."""
        for place in places(self.bodies & ~self.roster.shown):
            if self.roster.may_drop_bodies(place):
                self.bodies &= ~(1 << place)

    @property
    def missing(self):
        """What has an effect here, and was dropped."""
        return self.roster.effective & ~self.bodies


def orders(graph, chance):
    """A random order of arrival, cut into random batches."""
    waiting, held, batch = list(range(len(graph.acts))), 0, []
    while waiting:
        place = chance.choice([place for place in waiting if not graph.acts[place].past & ~held])
        waiting.remove(place)
        held |= 1 << place
        batch.append(place)
        if not waiting or chance.random() < 0.6:
            yield batch
            batch = []


def by_name(node):
    """What a node says, by the places of the whole."""
    old = {here: there for there, here in node.new.items()}
    roster = node.roster

    def there(some):
        return frozenset(old[place] for place in some)

    return ({person: roster.status(person) for person in node.graph.parent}, there(places(roster.effective)),
            there(places(roster.retained)), there(places(roster.shown)))
