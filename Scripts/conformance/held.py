"""Section 3, acceptance: a set of changes that is closed under pasts, and the rules by which another is taken."""

from . import bounds
from .change import read_record
from .encoding import Malformed, NewerVersion
from .keys import H, verifies
from .statements import Admit, BeginEpoch, Found, Invite, Remove, consent_text


class Refused(Exception):
    """A change is refused for good."""


class PastMissing(Exception):
    """A change stands on others that are not here; `hashes` are they."""

    def __init__(self, hashes):
        super().__init__("its past is not here")
        self.hashes = hashes


class Held:
    """The changes held, in an order in which each follows its past. A set of them is an integer whose bits are their places."""

    def __init__(self, trip):
        self.trip = trip
        self.changes, self.places = [], {}
        self.pasts = []  # of each change, its past and itself
        self.devices = {}  # of each replica that anything introduced, its device
        self.introductions = {}  # of each replica, what introduced it
        self.said = {}  # of each type of statement, where it stands
        self.chains = []  # of each change, what its chain holds: bytes, admissions, epochs, invites

    def __contains__(self, hash):
        return hash in self.places

    def __len__(self):
        return len(self.changes)

    def past(self, place):
        return self.pasts[place] & ~(1 << place)

    def author(self, place):
        """The device that wrote a change."""
        return self.devices[self.changes[place].replica]

    def all_of(self, *kinds):
        """The places of all changes whose statement is of one of these kinds."""
        return sorted(place for kind, places in self.said.items() if issubclass(kind, kinds) for place in places)

    def members(self, some):
        """The places in a set, ascending."""
        while some:
            low = some & -some
            yield low.bit_length() - 1
            some ^= low

    def take(self, record):
        """Takes a change. Its place, new or old; else `Refused` or `PastMissing`."""
        try:
            change = read_record(record)
        except (Malformed, NewerVersion) as error:
            raise Refused(str(error)) from error
        if change.hash in self:
            return self.places[change.hash]
        if change.trip != self.trip:
            raise Refused("a change of another trip")
        missing = [hash for hash in change.stands_on if hash not in self]
        if missing:
            raise PastMissing(missing)
        past = 0
        for hash in change.stands_on:
            past |= self.pasts[self.places[hash]]
        self.check_place(change, past)
        device = self.check_author(change, past)
        if not verifies(device.signing, change.signed, change.signature):
            raise Refused("its signature does not hold")
        self.check_consent(change, device)
        self.check_membership(change, device, past)
        chain = self.check_chain(change, len(record))
        return self.append(change, past, chain)

    def check_place(self, change, past):
        previous = self.changes[self.places[change.previous]] if change.previous else None
        if previous and (previous.replica, previous.number) != (change.replica, change.number - 1):
            raise Refused("its previous change is not the one before it in its replica's log")
        if change.lamport != 1 + max((self.changes[place].lamport for place in self.members(past)), default=0):
            raise Refused("its lamport time is not the one after its past")

    def check_author(self, change, past):
        if isinstance(change.statement, Found):
            device = change.statement.device
            if change.number != 1 or change.heads:
                raise Refused("a founding that is not the first of everything")
            if H(device.signing) != self.trip or not device.is_first or device.replica != change.replica:
                raise Refused("a founding by somebody who is not the founder")
            return device
        if not any(past >> place & 1 for place in self.introductions.get(change.replica, ())):
            raise Refused("nothing in its past introduced its author's keys")
        return self.devices[change.replica]

    def check_consent(self, change, device):
        admit = change.statement
        if isinstance(admit, Admit):
            agreed = consent_text(self.trip, admit.invite, device.replica, admit.device, admit.name)
            if not verifies(admit.device.signing, agreed, admit.consent):
                raise Refused("who is admitted did not consent")

    def check_membership(self, change, author, past):
        said = change.statement
        if isinstance(said, Invite) and said.participant not in (None, author.participant):
            raise Refused("an invite for somebody else's devices")
        if not isinstance(said, Admit):
            return
        device = said.device
        if not device.is_first and (said.guest or device.participant != author.participant):
            raise Refused("a further device of somebody else, or a guest's")
        before = [place for place in self.all_of(Admit, Found) if past >> place & 1]
        devices = {other for place in before if (other := self.changes[place].statement.device).participant == device.participant}
        if len(devices - {device}) >= bounds.DEVICES:
            raise Refused("its participant has too many devices")
        guests = {self.changes[place].statement.device for place in before if getattr(self.changes[place].statement, "guest", False)
                  and self.author(place).participant == author.participant}
        if said.guest and len(guests - {device}) >= bounds.GUESTS:
            raise Refused("its host has too many guests")

    def check_chain(self, change, size):
        said = change.statement
        begins = type(said) is BeginEpoch or isinstance(said, Remove)
        own = (size, isinstance(said, Admit), begins, isinstance(said, Invite))
        before = self.chains[self.places[change.previous]] if change.previous else (0, 0, 0, 0)
        chain = tuple(a + b for a, b in zip(before, own))
        most = (bounds.CHAIN_BYTES, bounds.CHAIN_ADMISSIONS, bounds.CHAIN_EPOCHS, bounds.CHAIN_INVITES)
        if any(has > may for has, may in zip(chain, most)):
            raise Refused("its chain is beyond its bounds")
        return chain

    def append(self, change, past, chain):
        place = len(self.changes)
        self.changes.append(change)
        self.places[change.hash] = place
        self.pasts.append(past | 1 << place)
        self.chains.append(chain)
        self.said.setdefault(type(change.statement), []).append(place)
        if isinstance(change.statement, (Found, Admit)):
            device = change.statement.device
            self.devices[device.replica] = device
            self.introductions.setdefault(device.replica, []).append(place)
        return place
