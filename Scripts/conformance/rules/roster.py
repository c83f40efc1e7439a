"""Sections 3 to 5: which statements are refused, who is in, and what counts, as one naive function.

Nothing here is fast, and nothing is kept from one set of changes to the next: a `Roster` is derived whole from a `Graph`, which
is all that the rules may look at. Names are what the graph says that they are, so keys and hashes stay outside. Sets of changes
are integers whose bits are indices.
"""

from dataclasses import dataclass, field

from ..bounds import DEPTH, DEVICES, GUESTS
from .acts import Act, Admit, Close, End, Found, Key, Open, Remove

IN, REMOVED, LEFT, WAITS, UNKNOWN = "in", "removed", "left", "waits", "never in"


def indices(some):
    """The indices in a set, ascending."""
    while some:
        low = some & -some
        yield low.bit_length() - 1
        some ^= low


@dataclass
class Graph:
    """Changes, each after its past, and what names say by themselves."""

    acts: list = field(default_factory=list)
    person: dict = field(default_factory=dict)  # of a device
    first: dict = field(default_factory=dict)  # of a device: whether its person is named by it
    parent: dict = field(default_factory=dict)  # of a person; the founder's is None
    host: dict = field(default_factory=dict)  # of a guest
    invite: dict = field(default_factory=dict)  # of a person who is neither the founder nor a guest
    opener: dict = field(default_factory=dict)  # of an invite: a person

    def author(self, index):
        return self.person[self.acts[index].device]

    def all_of(self, kind):
        return [index for index, act in enumerate(self.acts) if isinstance(act.says, kind)]

    def is_above(self, elder, person):
        """Whether somebody is above another, by their names alone."""
        while (person := self.parent.get(person)) is not None:
            if person == elder:
                return True
        return False

    def depth(self, person):
        return 0 if self.parent[person] is None else 1 + self.depth(self.parent[person])

    def closed(self, some):
        """A set with all pasts."""
        whole = some
        for index in indices(some):
            whole |= self.acts[index].past
        return whole

    def part(self, some):
        """The graph of a set of changes that holds their pasts, and the new index of each."""
        new = {old: index for index, old in enumerate(indices(some))}

        def moved(act):
            says, on = act.says, frozenset(new[index] for index in act.on)
            if isinstance(says, Remove) and says.kept is not None:
                says = Remove(says.person, tuple(new[index] for index in says.kept))
            if isinstance(says, End) and says.last is not None:
                says = End(says.device, new[says.last])
            return Act(act.device, sum(1 << new[index] for index in indices(act.past)), says, on)

        return Graph([moved(self.acts[old]) for old in new], self.person, self.first, self.parent, self.host, self.invite,
                     self.opener), new

    # Acceptance: what a change and its past decide. What is refused here was never in any graph.

    def accepts(self, act):
        return self.refusal(act) is None

    def refusal(self, act):
        """Why nobody takes a change, whose names the graph has; None where everybody does."""
        says, device, writer, known = act.says, act.device, self.person[act.device], self.introduced(act.past)
        if isinstance(says, Found):
            is_first = not act.past and says.device == device and self.first[device] and self.parent[writer] is None
            return None if is_first else "a founding that is not the founder's first change"
        if device not in known:
            return "nothing in its past introduced its author"
        if not all(act.past >> index & 1 for index in act.on):
            return "it acts on what is not in its past"
        if says is not None and writer in self.host:
            return "a guest says nothing about membership"
        if isinstance(says, Admit):
            return self.refusal_of_admission(says.device, writer, act.past, known)
        if isinstance(says, Open):
            return None if self.opener[says.invite] == writer and says.only_for in (None, writer) else "an invite for somebody else's devices"
        if isinstance(says, Close):
            is_sound = any(isinstance(said, Open) and said.invite == says.invite for said in self.said(act.past))
            return None if is_sound else "nothing in its past opened what it closes"
        if isinstance(says, Remove):
            if not any(self.person[other] == says.person for other in known):
                return "nothing in its past introduced whom it removes"
            return None if all(act.past >> index & 1 for index in says.kept or ()) else "a removal that keeps what is not in its past"
        return self.refusal_of_end(says, act, known) if isinstance(says, End) else None

    def refusal_of_admission(self, device, writer, past, known):
        person = self.person[device]
        if not self.first[device]:
            if person != writer:
                return "a further device of somebody else"
            is_full = sum(self.person[other] == person for other in known - {device}) >= DEVICES
            return "its person has too many devices" if is_full else None
        if self.parent[person] is None:
            return "the founder is not admitted"
        if self.depth(person) > DEPTH:
            return "too many people are above whom it admits"
        if person not in self.host:
            return None if self.openings(person, past) else "nothing in its past opened the invite"
        if self.host[person] != writer:
            return "a guest of somebody else"
        removed = {said.person for index, said in self.statements(past) if isinstance(said, Remove)
                   and self.is_above(self.author(index), said.person)}
        guests = {other for other in known - {device} if self.host.get(self.person[other]) == writer and self.person[other] not in removed}
        return "its host has too many guests" if len(guests) >= GUESTS else None

    def refusal_of_end(self, says, act, known):
        person = self.person[act.device]
        if (not self.first[act.device] or says.device not in known or self.person[says.device] != person or self.first[says.device]):
            return "an end of a device that is no further one of its author's"
        is_sound = says.last is None or act.past >> says.last & 1 and self.acts[says.last].device == says.device
        return None if is_sound else "an end as of a change that is not that device's"

    def statements(self, past):
        return ((index, self.acts[index].says) for index in indices(past) if self.acts[index].says is not None)

    def said(self, past):
        return (said for _, said in self.statements(past))

    def introduced(self, past):
        """The devices that a set of changes introduces."""
        return {said.device for said in self.said(past) if isinstance(said, (Found, Admit))}

    def openings(self, person, past):
        """The openings, in a set, of the invite that somebody's name names."""
        return [index for index, said in self.statements(past)
                if isinstance(said, Open) and said.invite == self.invite.get(person) and said.only_for is None]


class Roster:
    """Who is in, what is cut, and what waits.

    `choose` takes one of several who may be resolved next, which must not matter; `guess` resolves just these people, to see whether
    they solve the rules; `lifted` derives who would be in if nothing were cut.
    """

    is_stratified = True  # what cuts somebody follows from who is above them

    def __init__(self, graph, choose=min, lifted=False, guess=None):
        self.graph = graph
        self.lifted = lifted  # nothing is cut
        self.resolved = {}  # of each person who is resolved, the devices that count
        self.removals = {}  # of each person who is resolved, the removals that count
        self.ends = {}  # of each further device, the ends that count
        self.farewells = {}  # of each person who is resolved, the farewells that count
        if guess is None:
            self.resolve_everybody(choose)
        for person in sorted(guess or (), key=graph.depth):
            self.resolve(person)
        self.effective = sum(1 << index for index in range(len(graph.acts)) if self.is_effective(index))
        self.retained = graph.closed(self.effective)

    # From the founder down

    def resolve_everybody(self, choose):
        graph = self.graph
        for index in graph.all_of(Found):
            self.resolve(graph.person[graph.acts[index].says.device])
        admissions = [index for index in graph.all_of(Admit) if graph.first[graph.acts[index].says.device]]
        while ready := [index for index in admissions if self.admitted(index) not in self.resolved and self.has_effect(index)]:
            self.resolve(self.admitted(choose(ready)))

    def admitted(self, index):
        """The person that an admission admits."""
        return self.graph.person[self.graph.acts[index].says.device]

    def resolve(self, person):
        """Everybody above is resolved, so all that could cut what they wrote is known."""
        graph = self.graph
        if person in self.resolved:
            return
        firsts = {device for device, whose in graph.person.items() if whose == person and graph.first[device]}
        self.resolved[person] = firsts
        self.removals[person] = self.removals_of(person)
        if (host := graph.host.get(person)) is not None:
            self.removals[person] = self.removals[person] | self.removals[host]
        self.farewells[person] = []
        for index in graph.all_of(End):
            if graph.author(index) == person and self.is_within_removals(index):
                self.ends.setdefault(graph.acts[index].says.device, []).append(index)
        self.resolved[person] = self.devices(person, firsts)
        self.farewells[person] = [index for index in graph.all_of(Remove) if graph.author(index) == person
                                  and graph.acts[index].says.person == person and self.is_effective(index)]

    def removals_of(self, person):
        """The removals of somebody that count, by who is resolved so far."""
        return {index for index in self.graph.all_of(Remove) if self.graph.acts[index].says.person == person
                and self.may_remove(index) and self.is_effective(index)}

    def may_remove(self, index):
        """Whether a removal is of somebody below its author, by names."""
        return self.graph.is_above(self.graph.author(index), self.graph.acts[index].says.person)

    def devices(self, person, firsts):
        """The first devices, and those that a change of one that counts admits."""
        graph, counted = self.graph, set(firsts)
        further = [index for index in graph.all_of(Admit) if self.admitted(index) == person and graph.author(index) == person]
        while more := {graph.acts[index].says.device for index in further
                       if graph.acts[index].device in counted and self.is_within_removals(index) and self.is_within_ends(index)} - counted:
            counted |= more
        return counted

    # What is cut

    def is_effective(self, index):
        act, person = self.graph.acts[index], self.graph.author(index)
        return (person in self.resolved and act.device in self.resolved[person] and self.is_within_removals(index)
                and self.is_within_ends(index) and self.is_within_farewells(index))

    def is_within_removals(self, index):
        if self.lifted:
            return True
        return all(self.keeps(removal, index) for removal in self.removals[self.graph.author(index)])

    def keeps(self, removal, index):
        """Whether a removal leaves a change of the removed person alone."""
        act = self.graph.acts[removal]
        return bool((act.past if act.says.kept is None else self.graph.closed(sum(1 << one for one in act.says.kept))) >> index & 1)

    def is_within_ends(self, index):
        return self.lifted or not self.ends_that_cut(index)

    def ends_that_cut(self, index):
        acts = self.graph.acts
        lasts = {end: acts[end].says.last for end in self.ends.get(acts[index].device, ())}
        return [end for end, last in lasts.items() if last is None or not (acts[last].past | 1 << last) >> index & 1]

    def is_within_farewells(self, index):
        return self.lifted or not self.farewells_that_cut(index)

    def farewells_that_cut(self, index):
        """Its person's, or the host's, that are in its past, unless it says which devices belong to the person."""
        act, person = self.graph.acts[index], self.graph.author(index)
        people = () if self.is_about_devices(act.says) else (person, self.graph.host.get(person))
        return [farewell for one in people for farewell in self.farewells.get(one, ()) if act.past >> farewell & 1]

    def is_about_devices(self, says):
        """Whether a statement ends a device or admits a further one: which devices belong to somebody can't depend on farewells, for
        which farewells count depends on the devices."""
        return isinstance(says, End) or isinstance(says, Admit) and not self.graph.first[says.device]

    # Admissions and invites

    def has_effect(self, index):
        """Whether an admission of a first device resolves its person, once their parent is resolved."""
        graph, person, host = self.graph, self.admitted(index), self.graph.author(index)
        if not self.is_parent_resolved(person) or not self.is_effective(index):
            return False
        if person in graph.host or graph.is_above(host, person):
            return True
        past = graph.acts[index].past
        if any(self.is_opening_uncut(opening) and self.is_open(opening, past, person) for opening in graph.openings(person, past)):
            return True
        return any(graph.is_above(host, graph.author(earlier)) and self.was_open(earlier)
                   for earlier in graph.all_of(Admit) if past >> earlier & 1 and self.admitted(earlier) == person)

    def is_parent_resolved(self, person):
        return self.graph.parent[person] in self.resolved

    def is_opening_uncut(self, opening):
        return self.is_effective(opening)

    def was_open(self, index):
        """Whether an admission's past holds its invite open, by names alone."""
        past, person = self.graph.acts[index].past, self.admitted(index)
        return any(self.is_open(opening, past, person) for opening in self.graph.openings(person, past))

    def is_open(self, opening, past, person):
        """Whether an invite is open by an opening in a set of changes, for one person: by names alone."""
        graph, says = self.graph, self.graph.acts[opening].says
        if self.is_ended(opening, past):
            return False
        came = {self.admitted(index) for index in graph.all_of(Admit) if past >> index & 1
                and graph.first[graph.acts[index].says.device] and graph.invite.get(self.admitted(index)) == says.invite}
        return len(came - {person}) < says.uses

    def is_ended(self, opening, past):
        """Whether a set of changes holds what ends an invite, by an opening."""
        return any(self.does_end(index, opening) for index, _ in self.graph.statements(past))

    def does_end(self, index, opening):
        """Whether a change ends an invite: of its opener, or of somebody above the opener."""
        graph, says, invite = self.graph, self.graph.acts[index].says, self.graph.acts[opening].says.invite
        writer, opener = graph.author(index), graph.opener[invite]
        if isinstance(says, Close):
            return says.invite == invite and (writer == opener or graph.is_above(writer, opener))
        if isinstance(says, Remove) and not graph.acts[opening].past >> index & 1:
            if says.person == writer:
                return writer == opener
            return self.may_remove(index) and (writer == opener or graph.is_above(writer, opener))
        return False

    # Who is in

    def status(self, person):
        host = self.graph.host.get(person)
        if self.removals.get(person) or self.removals_of(person):
            return REMOVED
        if host is not None and (outer := self.status(host)) != IN:
            return outer
        if person in self.resolved:
            return LEFT if self.farewells[person] else IN
        return WAITS if person in self.as_if_nothing_were_cut.resolved else UNKNOWN

    def is_unresolved(self, person):
        """Whether somebody is out, and no admission lets them in."""
        return person not in self.resolved and self.status(person) in (REMOVED, LEFT, WAITS)

    def waits_for(self, person):
        """The removals, farewells and ends that cut what would resolve somebody, or people who must be resolved first."""
        graph, found, people = self.graph, set(), [person]
        for one in people:  # which grows
            admissions = [index for index in graph.all_of(Admit)
                          if self.admitted(index) == one and graph.first[graph.acts[index].says.device]]
            needed = admissions + [opening for index in admissions for opening in graph.openings(one, graph.acts[index].past)
                                   if self.is_open(opening, graph.acts[index].past, one)]
            needed = [index for index in needed if not self.is_effective(index)]
            for index in needed:  # which grows too
                found |= self.cuts_of(index)
                needed += [other for other in graph.all_of(Admit) if graph.acts[other].says.device == graph.acts[index].device
                           and not self.is_effective(other) and other not in needed]
            others = {graph.parent[one], *(graph.author(index) for index in needed)} - {None, *people}
            people += [other for other in others if self.is_unresolved(other)]
        return found

    def cuts_of(self, index):
        """The removals, ends and farewells that cut a change."""
        person = self.graph.author(index)
        removals = self.removals_of(person) | self.removals_of(self.graph.host.get(person))
        farewells = {farewell for farewell in self.farewells_that_cut(index) if self.is_effective(farewell)}
        return {removal for removal in removals if not self.keeps(removal, index)} | {*self.ends_that_cut(index)} | farewells

    @property
    def as_if_nothing_were_cut(self):
        if not hasattr(self, "_lifted"):
            self._lifted = type(self)(self.graph, lifted=True)
        return self._lifted

    @property
    def cuts(self):
        """The removals, farewells and ends that count: what an epoch answers. A removal that has seen another of the same person, or
        of a guest's host, is none."""
        graph, found = self.graph, set()
        for person in graph.parent:
            removals = self.removals_of(person) | self.removals_of(graph.host.get(person))
            found |= {index for index in removals if not any(graph.acts[index].past >> other & 1 for other in removals)}
        for person, farewells in self.farewells.items():
            found |= {index for index in farewells if self.effective >> index & 1}
        return found.union(*self.ends.values())

    # Content

    @property
    def shown(self):
        """What has an effect as content: what is effective, and what an effective change acts on."""
        shown = self.effective
        for index in indices(self.effective):
            for on in self.graph.acts[index].on:
                if self.upholds(index, on):
                    shown |= 1 << on
        return shown

    def upholds(self, index, on):
        return True

    def may_drop_bodies(self, index):
        """Whether no later statement can make the body of a cut change needed: neither it nor what acts on it can ever count."""
        return all(self.is_cut_for_good(other) for other, act in enumerate(self.graph.acts) if other == index or index in act.on)

    def is_cut_for_good(self, index):
        """Whether a removal cuts a change that nobody can void: by a first device of the founder."""
        person = self.graph.author(index)
        removals = self.removals_of(person) | self.removals_of(self.graph.host.get(person))
        return any(self.is_by_founder(removal) and not self.keeps(removal, index) for removal in removals)

    def is_by_founder(self, index):
        """Whether a first device of the founder wrote a change."""
        return self.graph.parent[self.graph.author(index)] is None and self.graph.first[self.graph.acts[index].device]
