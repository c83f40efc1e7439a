"""Section 6: which epochs there are, which is the newest, who lacks its secret and whether another must begin."""

from dataclasses import dataclass

from .keys import epoch_name
from .statements import Admit, BeginEpoch, End, Found, GiveEpoch, Remove, grant_of


@dataclass(frozen=True)
class Epoch:
    name: bytes
    index: int  # of the change that begins it
    answers: int  # how many removals, farewells and ends


class Epochs:
    def __init__(self, membership):
        self.membership, self.held = membership, membership.held
        self.cuts = membership.cuts
        self.usable = [Epoch(self.name(index), index, sum(self.held.pasts[index] >> cut & 1 for cut in self.cuts))
                       for index in self.beginnings() if membership.effective >> index & 1]

    def beginnings(self):
        for index in self.held.all_of(Found, Remove, End, BeginEpoch):
            said = self.held.changes[index].statement
            is_void = isinstance(said, Remove) and not self.membership.roster.may_remove(index)
            if isinstance(said, Found) or not is_void and type(said) is not GiveEpoch and grant_of(said) is not None:
                yield index

    def name(self, index):
        said = self.held.changes[index].statement
        return said.epoch if isinstance(said, Found) else said.grant.epoch

    def by_age(self):
        """The usable epochs, the newest first."""
        return sorted(self.usable, key=lambda epoch: (epoch.answers, self.held.changes[epoch.index].stamp), reverse=True)

    @property
    def newest(self):
        return next(iter(self.by_age()), None)

    @property
    def must_begin(self):
        """Whether no epoch answers all removals, farewells and ends."""
        return self.newest is None or self.newest.answers < len(self.cuts)

    def given(self, name):
        """The replicas that were given an epoch's secret, as anybody can tell."""
        given = set()
        for index in self.held.members(self.membership.effective):
            said = self.held.changes[index].statement
            if isinstance(said, Admit) and said.grant and said.grant[0] == name:
                given.add(said.device.replica)
            elif isinstance(said, Found) and said.epoch == name:
                given.add(said.device.replica)
            elif (grant := grant_of(said)) and grant.epoch == name:
                given |= {replica for replica, _ in grant.boxes} | {self.held.changes[index].replica}
        return given

    def boxes(self, keys):
        """The boxes of everything held that are sealed to a device: pairs of an epoch's id and a box."""
        for change in self.held.changes:
            said = change.statement
            if isinstance(said, Admit) and said.grant and said.device == keys.device:
                yield said.grant
            elif grant := grant_of(said):
                yield from ((grant.epoch, box) for replica, box in grant.boxes if replica == keys.device.replica)

    def secrets(self, keys):
        """What a device can open, by the epoch's id: a box that does not hold the secret of its id is passed over."""
        opened = ((name, keys.open(box)) for name, box in self.boxes(keys))
        return {name: secret for name, secret in opened if secret is not None and len(secret) == 32 and epoch_name(secret) == name}
