"""Section 5: who is settled under whom, what is effective, what is retained, and which invites are open.

One naive function of the set of changes held. Places, and sets of them, are `Held`'s.
"""

from dataclasses import dataclass, field

from . import bounds
from .statements import Admit, Close, Found, Invite, Remove

MEMBER, OUT, OTHER = "member", "out", "other"


@dataclass
class Person:
    """A participant who is settled."""

    parent: bytes | None
    guest: bool
    stamp: tuple  # of what settled them
    removals: set = field(default_factory=set)
    farewells: set = field(default_factory=set)
    devices: set = field(default_factory=set)  # replicas that are admitted

    @property
    def cuts(self):
        return self.removals | self.farewells

    @property
    def is_in(self):
        return not self.cuts


class Membership:
    def __init__(self, held):
        self.held = held
        self.persons = {}
        self.admissions = held.all_of(Admit)
        self.settle()
        self.effective = sum(1 << place for place in range(len(held)) if self.is_effective(place))
        self.retained = self.closed(
            self.effective | sum(1 << place for place in {*held.all_of(Found), *self.all_cuts()}))

    def said(self, place):
        return self.held.changes[place].statement

    def stamp(self, place):
        return self.held.changes[place].stamp

    def writer(self, place):
        """The participant who wrote a change."""
        return self.held.author(place).participant

    def is_past(self, place, of):
        return place != of and bool(self.held.pasts[of] >> place & 1)

    def closed(self, some):
        """A set with all pasts."""
        whole = 0
        for place in self.held.members(some):
            whole |= self.held.pasts[place]
        return whole

    def all_cuts(self):
        return set().union(*(person.cuts for person in self.persons.values()))

    # Persons, one after the other

    def settle(self):
        foundings = self.held.all_of(Found)
        if not foundings:
            return
        first = min(foundings, key=self.stamp)
        admitted = {self.said(place).device.replica for place in foundings}
        self.settle_person(self.said(first).device.participant, admitted, None, False, self.stamp(first))
        while candidates := [place for place in self.admissions if self.may_settle(place)]:
            place = min(candidates, key=self.stamp)
            device = self.said(place).device
            self.settle_person(device.participant, {device.replica}, self.parent(place), self.said(place).guest, self.stamp(place))

    def may_settle(self, place):
        device = self.said(place).device
        if device.participant in self.persons or not self.is_effective(place):
            return False
        return self.persons[self.writer(place)].stamp < self.stamp(place)

    def settle_person(self, name, admitted, parent, guest, stamp):
        person = self.persons[name] = Person(parent, guest, stamp)
        mine = [place for place in self.held.all_of(Remove) if self.said(place).participant == name]
        above = self.above(parent)
        person.removals = {place for place in mine if self.writer(place) in above and self.stands_against(place)}
        if guest:
            person.removals |= self.persons[parent].cuts
        # Of any device of theirs, one that was admitted after a farewell too: else who leaves in two places would stay in one.
        person.farewells = {place for place in mine if self.writer(place) == name and self.is_within(place, person.removals)}
        person.devices = self.devices(name, admitted, person.cuts)

    def above(self, parent):
        """The parent, the parent's parent, and so on."""
        names = []
        while parent is not None:
            names.append(parent)
            parent = self.persons[parent].parent
        return names

    def is_within(self, place, cuts):
        return all(place == cut or self.is_past(place, cut) for cut in cuts)

    def stands_against(self, place):
        """Whether a removal of somebody else stands: its author's own farewells do not void it."""
        author = self.held.author(place)
        person = self.persons.get(author.participant)
        return person is not None and author.replica in person.devices and self.is_within(place, person.removals)

    def devices(self, name, admitted, cuts):
        """Some admitted devices of a person, and those that they admit within some cuts."""
        further = [place for place in self.admissions if self.said(place).device.participant == name and self.writer(place) == name
                   and self.is_within(place, cuts)]
        while found := {self.said(p).device.replica for p in further if self.held.changes[p].replica in admitted} - admitted:
            admitted = admitted | found
        return admitted

    def is_effective(self, place):
        author = self.held.author(place)
        person = self.persons.get(author.participant)
        if person is None or author.replica not in person.devices:
            return False
        return self.is_within(place, person.cuts)

    # Invites

    def parent(self, place):
        """Who is the parent of the person whom an admission settles."""
        admit, author = self.said(place), self.writer(place)
        if admit.guest or admit.invite is None:
            return author
        past, device = self.held.past(place), admit.device.replica
        opening = next((p for p in self.openings(admit.invite) if self.is_effective(p) and self.is_open(p, past, device)), place)
        return self.writer(opening)

    def invite(self, opening):
        """The id of the invite that a change opens."""
        return self.said(opening).name(self.held.changes[opening].replica)

    def openings(self, invite):
        return [place for place in self.held.all_of(Invite) if self.invite(place) == invite]

    def is_known_outside(self, opening, some):
        """Whether a set holds a removal or a farewell that an opening had not seen."""
        return any(some >> p & 1 and not self.is_past(p, opening) for p in self.held.all_of(Remove))

    def is_open(self, opening, some, device=None):
        """Whether an invite is open by an opening in a set of changes, for a device or for one that has not come by it."""
        name = self.invite(opening)
        closed = any(some >> p & 1 and self.said(p).invite == name for p in self.held.all_of(Close))
        came = {self.said(p).device.replica for p in self.admissions if self.said(p).invite == name and some >> p & 1}
        return (some >> opening & 1 and not closed and not self.is_known_outside(opening, some)
                and len(came - {device}) < self.said(opening).uses)

    def open_invites(self, now=None, device=None):
        """The openings by which somebody may be let in, by a clock in milliseconds where one is given."""
        return [p for p in self.held.all_of(Invite) if self.effective >> p & 1 and self.is_open(p, self.retained, device)
                and (now is None or self.said(p).expires is None or now < self.said(p).expires)]

    def secrets(self, openings):
        """The secrets of the invites that some changes open."""
        return [self.said(p).secret(self.held.changes[p].replica) for p in openings]

    # Who is in

    def is_in(self, device):
        person = self.persons.get(device.participant)
        return person is not None and person.is_in and device.replica in person.devices

    def devices_in(self, guests=True):
        """The devices that are in, by name."""
        return [self.held.devices[replica] for replica in sorted(
            replica for person in self.persons.values() if person.is_in and (guests or not person.guest)
            for replica in person.devices)]

    def who_is_met(self, replica, session_key):
        """The row of section 8's table: MEMBER, OUT or OTHER; None for whoever names a device with another session key."""
        device = self.held.devices.get(replica)
        if device is None:
            return OTHER
        if device.session != session_key:
            return None
        person = self.persons.get(device.participant)
        if person is None or person.is_in and replica not in person.devices:
            return OTHER
        return MEMBER if person.is_in else OUT
