"""Section 5 for a node: who is in, by which devices and names, and which invites are open, as `rules.roster` derives it."""

from functools import cached_property

from .rules.roster import IN, LEFT, REMOVED, UNKNOWN, WAITS, Roster
from .statements import Admit, Found, Invite, Remove

MEMBER, OUT, OTHER = "member", "out", "other"


class Membership:
    """What follows from the changes held, as long as no more come. Places, and sets of them, are `Held`'s."""

    def __init__(self, held):
        self.held, self.graph, self.roster = held, held.graph, Roster(held.graph)
        self.effective = self.roster.effective
        self.retained = self.roster.retained
        self.absent = [index for index in held.members(self.roster.shown) if not held.changes[index].is_whole]

    def said(self, index):
        return self.held.changes[index].statement

    def stamp(self, index):
        return self.held.changes[index].stamp

    def writer(self, index):
        """The participant who wrote a change."""
        return self.held.author(index).participant

    # Who is in

    @cached_property
    def standings(self):
        """Of everybody who was ever admitted."""
        return {person: self.roster.status(person) for person in self.graph.parent}

    @cached_property
    def cuts(self):
        return self.roster.cuts

    def devices(self, person):
        """The devices that belong to a person, but for those that were ended."""
        return {replica for replica in self.roster.resolved.get(person, ()) if not self.roster.ends.get(replica)}

    def is_in(self, device):
        return self.standings.get(device.participant) == IN and device.replica in self.devices(device.participant)

    def devices_in(self, guests=True):
        """The devices that are in, by name."""
        people = [person for person, standing in self.standings.items() if standing == IN and (guests or person not in self.graph.host)]
        return [self.held.devices[replica] for replica in sorted(replica for person in people for replica in self.devices(person))]

    def who_is_met(self, replica, session_key):
        """The row of section 8's table: MEMBER, OUT or OTHER; None for a peer that names a device with another session key."""
        device = self.held.devices.get(replica)
        if device is None:
            return OTHER
        if device.session != session_key:
            return None
        if self.is_in(device):
            return MEMBER
        is_out = self.standings[device.participant] in (REMOVED, LEFT, WAITS) or self.roster.ends.get(replica)
        return OUT if is_out else OTHER

    def pending(self, person):
        """What somebody wrote who is not resolved: all of it is pending, and a person who waits builds on it."""
        if not self.roster.is_unresolved(person):
            return 0
        return sum(1 << index for index in range(len(self.held)) if self.writer(index) == person)

    def admissions(self, person):
        """What introduced a person's first devices."""
        return [index for index in self.held.all_of(Found, Admit) if self.said(index).device.participant == person
                and self.graph.first[self.said(index).device.replica]]

    def name(self, person):
        """The name under which somebody came."""
        known = self.admissions(person)
        counting = [index for index in known if self.effective >> index & 1]
        return self.said(min(counting or known, key=self.stamp)).name

    def reasons(self, device):
        """The statements that tell a device why it is out, by stamp: one, but of somebody who waits all for which they wait."""
        graph, roster, person = self.graph, self.roster, device.participant

        def first(some):
            return sorted(some, key=self.stamp)[:1]

        if ends := roster.ends.get(device.replica):
            return first(ends)
        if self.standings[person] == WAITS:
            farewells = roster.as_if_nothing_were_cut.farewells.get(person)
            return first(farewells) if farewells else sorted(roster.waits_for(person), key=self.stamp)
        people = person, graph.host.get(person)
        return first(index for one in people for index in {*roster.removals_of(one), *roster.farewells.get(one, ())})

    def why_out(self, device, held):
        """The first of these that the device is not known to hold; None where it holds all, or would be shown what was written after
        it had come to be out."""
        said, person = self.reasons(device), device.participant
        lacking = next((index for index in said if not held >> index & 1), None)
        if lacking is None or self.standings[person] != WAITS:
            return lacking
        removals = [index for index in self.held.all_of(Remove) if self.said(index).participant == person and self.roster.may_remove(index)]
        knew = lacking != said[0] or any(held >> index & 1 for index in removals)
        return None if knew and Roster(self.graph.part(self.held.past(lacking))[0]).status(person) in (REMOVED, LEFT, WAITS) else lacking

    # Invites

    def invite(self, opening):
        """The id of the invite that a change opens."""
        return self.graph.acts[opening].says.invite

    def secrets(self, openings):
        """The secrets of the invites that some changes open."""
        return [self.said(index).secret(self.held.author(index)) for index in openings]

    def is_known_outside(self, opening):
        """Whether a removal or a farewell ended an invite: somebody who is out may know it."""
        return any(self.retained >> index & 1 and self.roster.does_end(index, opening) for index in self.held.all_of(Remove))

    def open_invites(self, now=None, device=None):
        """The openings by which somebody, or that device, may be let in, by a clock in milliseconds where one is given."""
        return [index for index in self.held.all_of(Invite) if self.effective >> index & 1 and self.is_open(index, device)
                and (now is None or self.said(index).expires is None or now < self.said(index).expires)]

    def is_open(self, opening, device=None):
        if self.said(opening).participant is None:
            return self.roster.is_open(opening, self.retained, device and device.participant)
        came = {self.said(index).device for index in self.held.all_of(Admit)
                if self.retained >> index & 1 and self.said(index).invite == self.invite(opening)}
        return not self.roster.is_ended(opening, self.retained) and len(came - {device}) < self.said(opening).uses


__all__ = ["IN", "LEFT", "MEMBER", "OTHER", "OUT", "REMOVED", "UNKNOWN", "WAITS", "Membership"]
