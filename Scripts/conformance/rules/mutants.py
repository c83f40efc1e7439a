"""The rules, each with one fault: the laws must find all of them."""

from .arrival import Node
from .roster import Admit, Close, End, Remove, Roster, indices


class LowestAdmissionResolves(Roster):
    """As it was: the first admission resolves its person, under the invite's opener if it is open in its past, else under its author."""

    is_stratified = False

    def resolve_everybody(self, choose):
        self.under = {}
        super().resolve_everybody(min)

    def has_effect(self, index):
        return self.is_effective(index)

    def resolve(self, person):
        graph = self.graph
        if graph.parent[person] is not None and person not in self.resolved:
            index = min(p for p in graph.all_of(Admit) if graph.first[graph.acts[p].says.device] and self.admitted(p) == person and self.is_effective(p))
            is_open = person not in graph.host and any(self.is_effective(opening) and self.is_open(opening, graph.acts[index].past, person)
                                                       for opening in graph.openings(person, graph.acts[index].past))
            self.under[person] = graph.parent[person] if is_open else graph.author(index)
        super().resolve(person)

    def may_remove(self, index):
        person, writer, seen = self.graph.acts[index].says.person, self.graph.author(index), set()
        while (person := self.under.get(person)) is not None and person not in seen:
            seen.add(person)
            if person == writer:
                return True
        return False


class TwoParents(Roster):
    """The author of a person's admission is above them too."""

    is_stratified = False

    def may_remove(self, index):
        person, writer = self.graph.acts[index].says.person, self.graph.author(index)
        return super().may_remove(index) or any(self.admitted(admission) == person and self.graph.author(admission) == writer != person
                                                for admission in self.graph.all_of(Admit))


class SiblingsRemove(Roster):
    """Anybody removes anybody but those above."""

    def may_remove(self, index):
        graph, person, writer = self.graph, self.graph.acts[index].says.person, self.graph.author(index)
        return writer != person and not graph.is_above(person, writer)

    is_stratified = False


class CutAuthorsRemove(Roster):
    """A removal counts although its author was removed before."""

    def removals_of(self, person):
        return {index for index in self.graph.all_of(Remove) if self.graph.acts[index].says.person == person
                and self.may_remove(index) and self.graph.author(index) in self.resolved}


class AnAdmissionUndoesARemoval(Roster):
    """A person who is confirmed after a removal is in again."""

    def removals_of(self, person):
        again = [index for index in self.graph.all_of(Admit) if self.admitted(index) == person and self.graph.author(index) != person]
        return {removal for removal in super().removals_of(person)
                if not any(self.graph.acts[index].past >> removal & 1 for index in again)}


class TheParentNeedNotBeResolved(Roster):
    """Nor need the opening count: it is enough that it is there."""

    is_stratified = False

    def is_parent_resolved(self, person):
        return True

    def is_opening_uncut(self, opening):
        return True


class TheOpeningMayBeCut(Roster):
    """A removed person can still open links that admit people."""

    def is_opening_uncut(self, opening):
        return True


class UsesDoNotCount(Roster):
    """A link for one lets in as many as like to come."""

    def is_open(self, opening, past, person):
        return not any(past >> index & 1 and self.does_end(index, opening) for index in range(len(self.graph.acts)))


class WhoeverClosesEnds(Roster):
    """As it was: any closing ends an invite."""

    def does_end(self, index, opening):
        says, invite = self.graph.acts[index].says, self.graph.acts[opening].says.invite
        return isinstance(says, Close) and says.invite == invite or super().does_end(index, opening)


class AnyRemovalEndsAllInvites(Roster):
    """As it was: any removal that an opening had not seen ends it."""

    def does_end(self, index, opening):
        return isinstance(self.graph.acts[index].says, Remove) and not self.graph.acts[opening].past >> index & 1 \
            or super().does_end(index, opening)


class NothingEndsAnInvite(Roster):
    """A closed link lets people in."""

    def does_end(self, index, opening):
        return False


class WhoIsAboveCannotLetIn(Roster):
    """Nobody above confirms anybody: an invite must be open."""

    def has_effect(self, index):
        graph, person = self.graph, self.admitted(index)
        past = graph.acts[index].past
        return super().has_effect(index) and (person in graph.host or any(
            self.is_opening_uncut(opening) and self.is_open(opening, past, person) for opening in graph.openings(person, past)))


class AnyHostMayBeConfirmed(Roster):
    """Somebody above any host of a person may confirm the person, though that host had no open invite."""

    def was_open(self, index):
        return True


class CutsOneTooMuch(Roster):
    """The last change that a remover had seen does not count."""

    def is_within_removals(self, index):
        return self.lifted or all(self.follows(index, removal) for removal in self.removals[self.graph.author(index)])

    def follows(self, index, removal):
        past = self.graph.acts[removal].past
        return any(past >> other & 1 and self.graph.acts[other].past >> index & 1 for other in range(len(self.graph.acts)))


class OneRemovalIsEnoughToCount(Roster):
    """Of several removals, what one of their authors had seen counts."""

    def is_within_removals(self, index):
        removals = self.removals[self.graph.author(index)]
        return self.lifted or not removals or any(self.keeps(removal, index) for removal in removals)


class GuestsStay(Roster):
    """A guest is not cut with the host."""

    def resolve(self, person):
        host = self.graph.host.pop(person, None)
        try:
            super().resolve(person)
        finally:
            if host is not None:
                self.graph.host[person] = host


class FarewellsCutWhatIsConcurrent(Roster):
    """As it was: leaving is as strong as being removed."""

    def is_within_farewells(self, index):
        person = self.graph.author(index)
        return self.lifted or all(farewell == index or self.graph.acts[farewell].past >> index & 1 for farewell in self.farewells[person])


class FarewellsVoidAdmissions(Roster):
    """As it was, for admissions."""

    def is_within_farewells(self, index):
        if not isinstance(self.graph.acts[index].says, Admit):
            return super().is_within_farewells(index)
        return all(farewell == index or self.graph.acts[farewell].past >> index & 1 for farewell in self.farewells[self.graph.author(index)])


class FarewellsCutNothing(Roster):
    """Who has left goes on removing people."""

    def is_within_farewells(self, index):
        return True


class AFarewellEndsEnds(Roster):
    """Who stole a device says farewell with it, and the owner cannot end it any more."""

    def is_within_farewells(self, index):
        person = self.graph.author(index)
        return self.lifted or not any(self.graph.acts[index].past >> farewell & 1 for farewell in self.farewells[person])


class AFarewellCutsAdmissionsOfDevices(Roster):
    """As a draft had it: a device belongs to somebody by an admission that a farewell cuts, and that nobody keeps."""

    def is_about_devices(self, says):
        return isinstance(says, End)


class AFarewellOfAnEndedDeviceCounts(Roster):
    def resolve(self, person):
        super().resolve(person)
        self.farewells[person] = [index for index in self.graph.all_of(Remove) if self.graph.author(index) == person
                                  and self.graph.acts[index].says.person == person and self.is_within_removals(index)]


class EndsCutNothing(Roster):
    """A device that was ended goes on writing."""

    def is_within_ends(self, index):
        return True


class ADeviceOfAnEndedDeviceCounts(Roster):
    """What a device let in stays, although that change was cut."""

    def devices(self, person, firsts):
        graph = self.graph
        return set(firsts) | {graph.acts[index].says.device for index in graph.all_of(Admit)
                              if self.admitted(index) == person and graph.author(index) == person}


class WhatWaitsIsRetained(Roster):
    def __init__(self, graph, *arguments, **others):
        super().__init__(graph, *arguments, **others)
        if not self.lifted:
            self.retained = graph.closed(self.effective | self.as_if_nothing_were_cut.effective)


class NothingUpholds(Roster):
    """What others did on what was cut is gone with it."""

    def upholds(self, index, on):
        return False


class _FastByStatements(Node):
    def is_said_alone(self, index):
        says = self.graph.acts[index].says
        if isinstance(says, Remove):
            return self.has_seen(index, lambda other: self.graph.acts[other].says is not None)
        return super().is_said_alone(index)


class ARemovalIsFastByStatements(Roster):
    """A removal that has seen all statements causes no new derivation, whatever else it had not seen."""

    node = _FastByStatements


class _FastAdmissions(Node):
    def is_said_alone(self, index):
        if isinstance(self.graph.acts[index].says, Admit):
            return self.has_seen(index, lambda other: self.graph.acts[other].says is not None)
        return super().is_said_alone(index)


class AnAdmissionIsFastByStatements(Roster):
    """The same of admissions: changes that the confirmed person had written are overlooked."""

    node = _FastAdmissions


class _TwoBranches(Node):
    def receive(self, batch):
        tips = {}
        for index in self.new:
            device = self.whole.acts[index].device
            own = [other for other in self.new if self.whole.acts[other].device == device]
            tips[device] = [other for other in own if not any(self.whole.acts[later].past >> other & 1 for later in own)]
        kept = []
        for index in batch:
            act, here = self.whole.acts[index], set(self.new) | set(kept)
            if any(before not in here for before in indices(act.past)):
                continue
            forks = [tip for tip in tips.get(act.device, []) if not act.past >> tip & 1]
            if len(forks) >= 2:
                continue
            tips[act.device] = [*forks, index]
            kept.append(index)
        super().receive(kept)


class BranchesWaitForAPlace(Roster):
    """As it was: so many branches of a replica are kept, whichever come first."""

    node = _TwoBranches


class WhatIsKeptMakesNoDifference(Roster):
    """A removal that names what it keeps cuts what its author had not seen."""

    def keeps(self, removal, index):
        return bool(self.graph.acts[removal].past >> index & 1)


class BodiesGoAtOnce(Roster):
    """The body of a cut change is deleted, no matter who removed its author."""

    def may_drop_bodies(self, index):
        return True


class BodiesGoWhereADeviceOfTheFounderRemoved(Roster):
    """A further device of the founder may be ended, and its removals with it."""

    def is_by_founder(self, index):
        return self.graph.parent[self.graph.author(index)] is None


class BodiesGoWhateverActsOnThem(Roster):
    """The body of what the founder cut is deleted, although somebody who waits acted on it, and may be kept."""

    def may_drop_bodies(self, index):
        return self.is_cut_for_good(index)


MUTANTS = [kind for kind in list(globals().values()) if isinstance(kind, type) and issubclass(kind, Roster) and kind is not Roster]
