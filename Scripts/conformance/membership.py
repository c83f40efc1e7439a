"""Sections 4 and 5: which admissions are valid, who is settled under whom, what is effective and what is retained.

One naive function of the set of changes held. Places, and sets of them, are `Held`'s.
"""

from dataclasses import dataclass, field

from . import bounds
from .statements import Admit, Close, Found, Invite, Remove


@dataclass
class Person:
    """A participant who is settled."""

    parent: bytes | None
    guest: bool
    removals: set = field(default_factory=set)
    farewells: set = field(default_factory=set)
    devices: dict = field(default_factory=dict)  # of each replica, the stamp of what admitted it

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
        self.admissions = [place for place in held.all_of(Admit) if self.is_valid(place)]
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

    # Section 4: an admission by itself, in its whole past

    def is_valid(self, place):
        admit, author = self.said(place), self.writer(place)
        device = admit.device
        if not device.is_first and (admit.guest or device.participant != author):
            return False
        before = [p for p in self.held.all_of(Admit, Found) if self.is_past(p, place)]
        others = {self.said(p).device.replica for p in before if self.said(p).device.participant == device.participant}
        if len(others - {device.replica}) >= bounds.DEVICES:
            return False
        guests = {self.said(p).device.participant for p in before
                  if isinstance(self.said(p), Admit) and self.said(p).guest and self.writer(p) == author}
        return not admit.guest or len(guests - {device.participant}) < bounds.GUESTS

    # Section 5: persons, one after the other

    def settle(self):
        foundings = self.held.all_of(Found)
        if not foundings:
            return
        admitted = {}
        for place in foundings:
            self.admit(admitted, place)
        self.settle_person(self.said(foundings[0]).device.participant, admitted, None, False)
        while candidates := [place for place in self.admissions if self.may_settle(place)]:
            place = min(candidates, key=self.stamp)
            device = self.said(place).device
            self.settle_person(device.participant, {device.replica: self.stamp(place)}, self.parent(place), self.said(place).guest)

    def may_settle(self, place):
        device = self.said(place).device
        if not device.is_first or device.participant in self.persons or not self.is_effective(place):
            return False
        author = self.held.author(place)
        return self.persons[author.participant].devices[author.replica] < self.stamp(place)

    def settle_person(self, name, admitted, parent, guest):
        person = self.persons[name] = Person(parent, guest)
        mine = [place for place in self.held.all_of(Remove) if self.said(place).participant == name]
        above = self.above(parent)
        person.removals = {place for place in mine if self.writer(place) in above and self.stands_against(place)}
        if guest:
            person.removals |= self.persons[parent].cuts
        # Of any device of theirs, one that was admitted after a farewell too: else who leaves in two places would stay in one.
        person.farewells = {place for place in mine if self.writer(place) == name and self.is_genuine(place)
                            and self.is_within(place, person.removals)}
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

    def is_genuine(self, place):
        """Whether a change is by a first device of its author, or by one that such a device had admitted in its past, and so on:
        for anybody can admit a device as somebody else's, to no effect. Judged by its past, which is retained if it is."""
        author = self.held.author(place)
        return author.is_first or any(
            self.is_past(p, place) and self.writer(p) == author.participant and self.is_genuine(p)
            for p in self.held.introductions[author.replica])

    def admit(self, admitted, place):
        """Writes down a device that is admitted, with the lowest stamp of what admits it; whether that is new."""
        replica = self.said(place).device.replica
        if replica in admitted and admitted[replica] <= self.stamp(place):
            return False
        admitted[replica] = self.stamp(place)
        return True

    def devices(self, name, admitted, cuts):
        """The devices that some admitted devices of a person admit within some cuts, and they themselves."""
        admitted = dict(admitted)
        settled = set(admitted)
        further = [place for place in self.admissions if self.said(place).device.participant == name and self.writer(place) == name
                   and self.is_within(place, cuts) and self.said(place).device.replica not in settled]
        while any([self.admit(admitted, place) for place in further if self.held.changes[place].replica in admitted]):
            pass
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
        openings = [p for p in self.openings(admit.invite) if self.is_past(p, place) and self.is_effective(p)
                    and self.was_open(p, place)]
        return self.writer(min(openings, key=self.stamp)) if openings else author

    def openings(self, invite):
        return [place for place in self.held.all_of(Invite) if self.said(place).name == invite]

    def was_open(self, opening, place):
        """Whether an invite was open where an admission names it: judged by its whole past, effective or not."""
        name, uses = self.said(opening).name, self.said(opening).uses
        for p in self.held.all_of(Close, Remove):
            ends = isinstance(self.said(p), Remove) or self.said(p).invite == name
            if ends and self.is_past(p, place) and not self.is_past(p, opening):
                return False
        others = {self.said(p).device.replica for p in self.admissions if self.said(p).invite == name and self.is_past(p, place)}
        return len(others - {self.said(place).device.replica}) < uses

    def open_invites(self, now=None):
        """The openings whose invites are open, by a clock in milliseconds where one is given."""
        cuts, found = self.all_cuts(), []
        for place in self.held.all_of(Invite):
            invite = self.said(place)
            closes = [p for p in self.held.all_of(Close) if self.said(p).invite == invite.name and self.effective >> p & 1]
            came = {self.said(p).device.replica for p in self.admissions
                    if self.said(p).invite == invite.name and self.effective >> p & 1}
            if (self.effective >> place & 1 and self.persons[self.writer(place)].is_in and not closes
                    and all(self.is_past(cut, place) for cut in cuts) and len(came) < invite.uses
                    and (now is None or invite.expires is None or now < invite.expires)):
                found.append(place)
        return found

    # Who is in

    def is_in(self, device):
        person = self.persons.get(device.participant)
        return person is not None and person.is_in and device.replica in person.devices

    def devices_in(self, guests=True):
        """The devices that are in, by name."""
        return [self.held.devices[replica] for replica in sorted(
            replica for person in self.persons.values() if person.is_in and (guests or not person.guest)
            for replica in person.devices)]

    def who_shows(self, session_key):
        """The device that stands for a session key, and whether anything here claims that key."""
        claims = [device for device in self.held.devices.values() if device.session == session_key]
        inside = [device for device in claims if self.is_in(device)]
        stands = min(inside, key=lambda device: self.persons[device.participant].devices[device.replica], default=None)
        return stands, bool(claims)
