"""Section 3, acceptance: a set of changes that is closed under pasts, and the rules by which another is taken."""

from . import bounds
from .change import read_record
from .encoding import Malformed, NewerVersion
from .keys import H, guest_of, invited, participant_name, verifies
from .rules import roster
from .statements import Admit, BeginEpoch, Close, End, Found, Invite, Remove, consent_text


class Refused(Exception):
    """A change is refused for good."""


class PastMissing(Exception):
    """A change stands on others that are not here; `hashes` are they."""

    def __init__(self, hashes):
        super().__init__("its past is not here")
        self.hashes = hashes


class Held:
    """The changes held, in an order in which each follows its past. A set of them is an integer whose bits are their indices.

    The graph has the same changes at the same indices, as the rules of membership see them: people by their participants, devices
    by their replicas, invites by their ids.
    """

    def __init__(self, trip):
        self.trip = trip
        self.changes, self.indices = [], {}
        self.version = 0  # grows whenever a change or a body comes
        self.pasts = []  # of each change, its past and itself
        self.graph = roster.Graph()
        self.devices = {}  # of each replica that anything introduced, its device
        self.introductions = {}  # of each replica, what introduced it
        self.said = {}  # of each type of statement, where it stands
        self.chains = []  # of each change, what its chain holds: bytes, admissions, epochs, invites

    def __contains__(self, hash):
        return hash in self.indices

    def __len__(self):
        return len(self.changes)

    def past(self, index):
        return self.pasts[index] & ~(1 << index)

    def author(self, index):
        """The device that wrote a change."""
        return self.devices[self.changes[index].replica]

    def all_of(self, *kinds):
        """The indices of all changes whose statement is of one of these kinds."""
        return sorted(index for kind, indices in self.said.items() if issubclass(kind, kinds) for index in indices)

    def members(self, some):
        """The indices in a set, ascending."""
        return roster.indices(some)

    def take(self, record):
        """Takes a change. Its index, new or old; else `Refused` or `PastMissing`."""
        try:
            change = read_record(record)
        except (Malformed, NewerVersion) as error:
            raise Refused(str(error)) from error
        if change.hash in self:
            index = self.indices[change.hash]
            if change.is_whole and not self.changes[index].is_whole:
                self.changes[index] = change
                self.version += 1
            return index
        if change.trip != self.trip:
            raise Refused("a change of another trip")
        missing = [hash for hash in change.stands_on if hash not in self]
        if missing:
            raise PastMissing(missing)
        past = 0
        for hash in change.stands_on:
            past |= self.pasts[self.indices[hash]]
        if any(hash not in self or not past >> self.indices[hash] & 1 for hash in change.subjects):
            raise Refused("it acts on what is not in its past")
        self.check_place(change, past)
        author = self.author_of(change)
        if not verifies(author.signing, change.signed, change.signature):
            raise Refused("its signature does not hold")
        self.check_consent(change)
        chain = self.check_chain(change, change.size)
        self.accept(change, author, past)
        return self.append(change, past, chain)

    def check_place(self, change, past):
        previous = self.changes[self.indices[change.previous]] if change.previous else None
        if previous and (previous.replica, previous.number) != (change.replica, change.number - 1):
            raise Refused("its previous change is not the one before it in its replica's log")
        if change.lamport != 1 + max((self.changes[index].lamport for index in self.members(past)), default=0):
            raise Refused("its lamport time is not the one after its past")

    def author_of(self, change):
        if not isinstance(change.statement, Found):
            if change.replica not in self.devices:
                raise Refused("nothing in its past introduced its author")
            return self.devices[change.replica]
        device = change.statement.device
        if change.number != 1 or change.heads:
            raise Refused("a founding that is not the first of everything")
        if H(device.signing) != self.trip or device.participant != participant_name(device.signing) or device.replica != change.replica:
            raise Refused("a founding by somebody who is not the founder")
        return device

    def check_consent(self, change):
        admit = change.statement
        if isinstance(admit, Admit) and not verifies(
                admit.device.signing, consent_text(self.trip, admit.device, admit.name), admit.consent):
            raise Refused("who is admitted did not consent")

    def check_chain(self, change, size):
        said = change.statement
        begins = type(said) is BeginEpoch or isinstance(said, (Remove, End))
        own = (size, isinstance(said, Admit), begins, isinstance(said, Invite))
        before = self.chains[self.indices[change.previous]] if change.previous else (0, 0, 0, 0)
        chain = tuple(a + b for a, b in zip(before, own))
        most = (bounds.CHAIN_BYTES, bounds.CHAIN_ADMISSIONS, bounds.CHAIN_EPOCHS, bounds.CHAIN_INVITES)
        if any(has > may for has, may in zip(chain, most)):
            raise Refused("its chain is beyond its bounds")
        return chain

    # Membership

    def accept(self, change, author, past):
        """Puts a change into the graph, or refuses it as the rules of membership do."""
        graph, said = self.graph, change.statement
        learned = []  # names that are new, for as long as it is not taken

        def learn(names, name, value):
            if name not in names:
                names[name] = value
                learned.append((names, name))

        try:
            if isinstance(said, (Found, Admit)):
                for names, name, value in self.names(said, author):
                    learn(names, name, value)
            elif isinstance(said, Invite):
                learn(graph.opener, said.name(author), author.participant)
            subjects = frozenset(self.indices[hash] for hash in change.subjects)
            act = roster.Act(change.replica, past, self.meaning(said, author), subjects)
            if why := graph.refusal(act):
                raise Refused(why)
        except Refused:
            for names, name in learned:
                del names[name]
            raise
        graph.acts.append(act)

    def names(self, said, author):
        """Notes what the names say of an introduced device and of its person."""
        device, graph = said.device, self.graph
        person = device.participant
        parent = invite = host = None
        if isinstance(said, Found):
            is_first = True
        elif said.invite and person == participant_name(device.signing, invited(said.invite)):
            is_first, invite, parent = True, said.invite, graph.opener.get(said.invite)
            if parent is None:
                raise Refused("nothing in its past opened the invite")
        elif person == participant_name(device.signing, guest_of(author.participant)):
            is_first, parent, host = True, author.participant, author.participant
            if said.invite:
                raise Refused("a guest who comes by an invite")
        else:
            is_first = False
            if any(self.devices[other].signing == device.signing for other in self.devices if graph.person[other] == person
                   and graph.first[other]):
                raise Refused("a first device that does not come as its name says")
        yield graph.person, device.replica, person
        yield graph.first, device.replica, is_first
        if is_first:
            yield graph.parent, person, parent
        if invite:
            yield graph.invite, person, invite
        if host:
            yield graph.host, person, host

    def meaning(self, said, author):
        """A statement as the rules see it."""
        if isinstance(said, Found):
            return roster.Found(said.device.replica)
        if isinstance(said, Admit):
            return roster.Admit(said.device.replica)
        if isinstance(said, Invite):
            return roster.Open(said.name(author), said.uses, said.participant)
        if isinstance(said, Close):
            return roster.Close(said.invite)
        if isinstance(said, Remove):
            if any(hash not in self for hash in said.kept or ()):
                raise Refused("a removal that keeps what is not in its past")
            return roster.Remove(said.participant, None if said.kept is None else tuple(self.indices[hash] for hash in said.kept))
        if isinstance(said, End):
            if said.last and said.last not in self:
                raise Refused("an end as of a change that is not that device's")
            return roster.End(said.replica, self.indices[said.last] if said.last else None)
        return roster.Key() if said else None

    def append(self, change, past, chain):
        index = len(self.changes)
        self.version += 1
        self.changes.append(change)
        self.indices[change.hash] = index
        self.pasts.append(past | 1 << index)
        self.chains.append(chain)
        self.said.setdefault(type(change.statement), []).append(index)
        if isinstance(change.statement, (Found, Admit)):
            device = change.statement.device
            self.devices[device.replica] = device
            self.introductions.setdefault(device.replica, []).append(index)
        return index
