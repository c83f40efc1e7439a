"""Section 8, of what two nodes hold: frontiers, their digest, locators, and what they tell of a peer."""

from dataclasses import dataclass

from . import bounds
from .encoding import Reader, data, sequence, u
from .keys import H


@dataclass(frozen=True)
class Tip:
    replica: bytes
    number: int
    hash: bytes

    @classmethod
    def read(cls, reader):
        return cls(reader.take(16), reader.u(bounds.NUMBER, least=1), reader.take(32))

    def written(self):
        return self.replica + u(self.number) + self.hash


def tips(membership):
    """The frontier: the retained changes that no retained change of their replica's log follows, ascending by hash."""
    held = membership.held
    retained = [held.changes[index] for index in held.members(membership.retained)]
    followed = {change.previous for change in retained}
    return sorted((Tip(change.replica, change.number, change.hash) for change in retained if change.hash not in followed),
                  key=lambda tip: tip.hash)


def digest(frontier, absent=()):
    """Of a frontier, and of the changes whose bodies are absent, by hash ascending."""
    return H(b"".join([*(tip.hash for tip in frontier), *absent]))


def write_frontier(frontier):
    return sequence(shortened(frontier), Tip.written)


def shortened(frontier):
    """As many tips as a message may hold: of each replica the first, then of each the second, and so on."""
    counts, turns = {}, {}
    for tip in frontier:
        turns[tip.hash] = counts[tip.replica] = counts.get(tip.replica, 0) + 1
    if len(frontier) <= bounds.TIPS:
        return frontier
    return sorted(sorted(frontier, key=lambda tip: (turns[tip.hash], tip.hash))[:bounds.TIPS], key=lambda tip: tip.hash)


def read_frontier(body):
    reader = Reader(body)
    return reader.ascending(lambda: Tip.read(reader), bounds.TIPS, 49, key=lambda tip: tip.hash)


def locator(held, replica):
    """This node's hashes of a replica: of each branch the last, those at distances 1, 3, 7, … before it, and the first."""
    own = [change for change in held.changes if change.replica == replica]
    followed, named = {change.previous for change in own}, []
    for last in (change for change in own if change.hash not in followed):
        chain = [last]
        while chain[-1].previous:
            chain.append(held.changes[held.indices[chain[-1].previous]])
        distances = [2**n - 1 for n in range(32) if 2**n - 1 < len(chain)]
        named += [chain[distance].hash for distance in distances] + [chain[-1].hash]
    return list(dict.fromkeys(named))[:bounds.LOCATOR]


def write_locator(replica, hashes):
    return replica + sequence(hashes)


def read_locator(body):
    reader = Reader(body)
    return reader.take(16), reader.sequence(lambda: reader.take(32), bounds.LOCATOR, 32)


class Known:
    """What is known of what a peer holds. Sets are `Held`'s."""

    def __init__(self, held):
        self.held = held
        self.proven = 0
        self.assumed = {}  # of a replica, until a locator says otherwise

    @property
    def all(self):
        whole = self.proven
        for some in self.assumed.values():
            whole |= some
        return whole

    def has(self, hash):
        """The peer has a change and its past, where it is here."""
        if hash in self.held:
            self.proven |= self.held.pasts[self.held.indices[hash]]

    def learn(self, frontier, is_first=True):
        """Takes a peer's frontier; the replicas of which a locator must be sent. One that isn't the first says again all that the peer has."""
        self.assumed, ask = {}, []
        if not is_first:
            self.proven = 0
        for tip in frontier:
            if tip.hash in self.held:
                self.has(tip.hash)
                continue
            own = [index for index, change in enumerate(self.held.changes) if change.replica == tip.replica]
            last = max(own, key=lambda index: self.held.changes[index].number, default=None)
            if last is None:
                continue
            if self.held.changes[last].number < tip.number:
                if is_first:
                    self.assumed[tip.replica] = self.held.pasts[last]
            elif tip.replica not in ask:
                ask.append(tip.replica)
        return ask

    def found(self, replica, hashes):
        """Takes a peer's locator."""
        self.assumed.pop(replica, None)
        for hash in hashes:
            self.has(hash)


def write_records(changes):
    return sequence(changes, lambda change: data(change.record))


def read_records(body):
    reader = Reader(body)
    return reader.sequence(lambda: reader.bytes(bounds.RECORD), bounds.RECORDS, 2)
