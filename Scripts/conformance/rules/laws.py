"""What holds of every set of changes, whatever anybody wrote. Each law is a generator of sentences about what is wrong."""

import itertools
import random
from functools import cached_property

from .arrival import Node, by_name, orders
from .roster import IN, LEFT, REMOVED, UNKNOWN, WAITS, Act, Admit, Close, End, Remove, Roster, indices


class Case:
    """A set of changes, judged by some rules, with and without its last change."""

    def __init__(self, graph, rules=Roster, chance=None):
        self.graph, self.rules, self.chance = graph, rules, chance or random.Random(0)
        self.names = Roster.__new__(Roster)  # what names and pasts alone say, by the right rules
        self.names.graph = graph

    @cached_property
    def roster(self):
        return self.rules(self.graph)

    @cached_property
    def last(self):
        return len(self.graph.acts) - 1

    @cached_property
    def before(self):
        return self.rules(self.graph.part((1 << self.last) - 1)[0])

    def admissions(self, person):
        """Of a first device."""
        graph = self.graph
        return [index for index in graph.all_of(Admit)
                if graph.first[graph.acts[index].says.device] and graph.person[graph.acts[index].says.device] == person]

    def is_effective(self, index):
        return bool(self.roster.effective >> index & 1)

    def standing_removals(self, person):
        """The effective removals of somebody, or of a guest's host, by somebody above by name."""
        graph = self.graph
        named = [person, graph.host.get(person)]
        return [index for index in graph.all_of(Remove) if self.is_effective(index) and graph.acts[index].says.person in named
                and graph.is_above(graph.author(index), graph.acts[index].says.person)]


def summary(roster):
    return ({person: frozenset(devices) for person, devices in roster.resolved.items()},
            {person: frozenset(those) for person, those in roster.removals.items()}, roster.effective,
            {person: roster.status(person) for person in roster.graph.parent})


# One answer

def whoever_is_resolved_first(case):
    """Law 1: the order in which people are resolved does not matter."""
    first = summary(case.roster)
    for choose in (max, case.chance.choice):
        if summary(case.rules(case.graph, choose)) != first:
            yield "the order in which people are resolved matters"
            return


def least_solution(case):
    """The answer solves the rules as equations, and lies within every other solution."""
    graph, rules = case.graph, case.rules
    if len(graph.parent) > 5 or not rules.is_stratified:
        return
    derived, founders = frozenset(case.roster.resolved), {person for person in graph.parent if graph.parent[person] is None}
    others = [person for person in graph.parent if person not in founders]
    for count in range(len(others) + 1):
        for some in itertools.combinations(others, count):
            guess = founders | set(some)
            if any(graph.parent[person] not in guess for person in some):
                continue
            roster = rules(graph, guess=guess)
            holds = {roster.admitted(index) for person in graph.parent for index in case.admissions(person) if roster.has_effect(index)}
            if holds | founders != guess:
                if guess == derived:
                    yield "the answer does not solve the rules"
            elif not derived <= guess:
                yield f"{sorted(guess)} solves the rules too, without all of {sorted(derived)}"


def what_nobody_keeps_is_not_missed(case):
    """effective(held) = effective(retained(held)), and nothing is retained but that and its past."""
    whole = case.roster
    if whole.retained != case.graph.closed(whole.effective):
        yield "something is retained on which nothing that counts stands"
    part, new = case.graph.part(whole.retained)
    again = case.rules(part)
    if again.effective != sum(1 << new[index] for index in indices(whole.effective)) or set(again.resolved) != set(whole.resolved):
        yield "who is in depends on changes that nobody keeps"


def arrival_does_not_matter(case):
    """Law 1 and I4: in whatever order and batches changes come, a node says the same, and has the bodies of what has an effect."""
    said = None
    for _ in range(2):
        node = getattr(case.rules, "node", Node)(case.graph, case.rules)
        for batch in orders(case.graph, case.chance):
            node.receive(batch)
            if summary(case.rules(node.graph)) != summary(node.roster):
                yield "what was extended is not what is derived"
                return
            if node.missing:
                yield "the body of a change that has an effect was dropped"
                return
        if said is not None and by_name(node) != said:
            yield "the order of arrival matters"
        said = by_name(node)


# Who is in

def who_is_not_in_has_a_reason(case):
    """I2: an effective removal by somebody above by name; a farewell of a device that counts; or they wait."""
    graph, roster = case.graph, case.roster
    for person in graph.parent:
        status, removals = roster.status(person), case.standing_removals(person)
        if (status == REMOVED) != bool(removals):
            yield f"{person} is {status}, and the removals by whoever is above are {removals}"
        elif status == LEFT:
            named = [person, graph.host.get(person)]
            if not any(graph.author(index) in named and graph.acts[index].says.person == graph.author(index)
                       and roster.is_within_ends(index) for index in graph.all_of(Remove)):
                yield f"{person} left, and no device that counts said so"
        elif status == UNKNOWN and is_admitted_honestly(case, person):
            yield f"{person} was let in by an open invite, and is neither in, nor removed, nor waits"


def is_admitted_honestly(case, person):
    """Whether some admission of the person was in order by its own past, and so were those of all persons that it depends on."""
    graph = case.graph
    if graph.parent[person] is None:
        return True
    for index in case.admissions(person):
        roster = Roster(graph.part(graph.acts[index].past)[0])
        host, parent = graph.author(index), graph.parent[person]
        if (person in graph.host or case.names.was_open(index)) and roster.status(host) == IN == roster.status(parent) \
                and graph.acts[index].device in roster.resolved[host]:
            return True
    return False


def who_is_in_came_by_something_that_counts(case):
    """I3: an open invite whose opening counts; or somebody above, of them or of who let them in before by an open invite."""
    graph, roster = case.graph, case.roster
    for person in roster.resolved:
        if graph.parent[person] is None or any(counts(case, index) for index in case.admissions(person)):
            continue
        yield f"{person} came in by nothing that counts"


def counts(case, index):
    graph, names = case.graph, case.names
    act, host, person = graph.acts[index], graph.author(index), names.admitted(index)
    if not case.is_effective(index) or graph.parent[person] not in case.roster.resolved:
        return False
    if person in graph.host or graph.is_above(host, person):
        return True
    if any(case.is_effective(opening) and names.is_open(opening, act.past, person) for opening in graph.openings(person, act.past)):
        return True
    return any(act.past >> earlier & 1 and graph.is_above(host, graph.author(earlier)) and names.was_open(earlier)
               for earlier in case.admissions(person))


def who_was_let_in_by_something_that_counts_is_resolved(case):
    """The other way round."""
    for person in case.graph.parent:
        if person not in case.roster.resolved and any(counts(case, index) for index in case.admissions(person)):
            yield f"{person} has an admission that counts, and is not resolved"


def nobody_reaches_further(case):
    """I7: the last change affects people below its author, people that these admitted, and everybody below those; nobody else."""
    graph = case.graph
    author = graph.author(case.last)

    def seen(roster, person):
        own = (index for index in range(case.last) if graph.author(index) == person and not isinstance(graph.acts[index].says, Admit))
        return roster.status(person), frozenset(index for index in own if roster.effective >> index & 1)

    changed = {person for person in graph.parent if seen(case.roster, person) != seen(case.before, person)}
    reached = {author} | {person for person in graph.parent if graph.is_above(author, person)}
    while more := {person for person in graph.parent if person not in reached and (
            graph.parent[person] in reached or any(graph.author(index) in reached for index in case.admissions(person)))}:
        reached |= more
    for person in changed - reached:
        yield f"a change of {author} reaches {person}"


# What counts

def a_removal_cuts_just_what_its_author_had_not_seen(case):
    """What every remover had seen goes on to count, and nothing else does."""
    graph, roster = case.graph, case.roster
    for person in roster.resolved:
        removals = case.standing_removals(person)
        for index in range(len(graph.acts)):
            if removals and graph.author(index) == person:
                seen = all(case.names.keeps(removal, index) for removal in removals)
                if not seen and case.is_effective(index):
                    yield f"change {index} of {person} counts, and a remover had not seen it"
                if seen and not case.is_effective(index) and graph.acts[index].device in roster.resolved[person] \
                        and not has_ended(case, index) and not follows_a_farewell(case, index):
                    yield f"change {index} of {person} does not count, and all removers had seen it"


def has_ended(case, index):
    """Whether an effective end of its device leaves a change out."""
    graph = case.graph
    return any(case.is_effective(end) and graph.acts[end].says.device == graph.acts[index].device
               and not ((last := graph.acts[end].says.last) is not None and (graph.acts[last].past | 1 << last) >> index & 1)
               for end in graph.all_of(End))


def follows_a_farewell(case, index):
    """Whether a change stands on an effective farewell of its person, or of the host."""
    graph = case.graph
    named = [graph.author(index), graph.host.get(graph.author(index))]
    return any(case.is_effective(farewell) and graph.acts[index].past >> farewell & 1 and graph.author(farewell) in named
               and graph.acts[farewell].says.person == graph.author(farewell) for farewell in graph.all_of(Remove))


def what_does_not_count_has_a_reason(case):
    """I3 and I6: its author is not resolved or is removed, its device ended, or it stands on a farewell."""
    graph, roster = case.graph, case.roster
    for index, act in enumerate(graph.acts):
        person = graph.author(index)
        if case.is_effective(index):
            if has_ended(case, index):
                yield f"change {index} counts, and its device was ended before it"
            if follows_a_farewell(case, index) and not case.names.is_about_devices(act.says):
                yield f"change {index} counts, and stands on a farewell"
            if any(not roster.shown >> on & 1 for on in act.on):
                yield f"change {index} counts, and what it acts on is not shown"
        elif person in roster.resolved and not case.standing_removals(person) and act.device in roster.resolved[person] \
                and not has_ended(case, index) and not (follows_a_farewell(case, index) and not case.names.is_about_devices(act.says)):
            yield f"change {index} of {person} does not count, for no reason"


def an_act_is_lost_by_what_concerns_its_author_alone(case):
    """I6: what counted goes on to, unless its author is removed, waits or left, or its device ended."""
    graph, after = case.graph, case.roster
    for index in indices(case.before.effective):
        device, person = graph.acts[index].device, graph.author(index)
        if case.is_effective(index) or after.status(person) in (REMOVED, WAITS):
            continue
        if not has_ended(case, index) and device in after.resolved.get(person, ()):
            yield f"change {index} of {person} lost its effect, and {person} is {after.status(person)}"


def a_body_that_goes_is_not_needed_again(case):
    """Not even once the founder removes somebody, whose own removals are void then, and keeps all who wait."""
    graph, everything = case.graph, (1 << len(case.graph.acts)) - 1
    gone = [index for index in indices(everything & ~case.roster.shown) if case.roster.may_drop_bodies(index)]
    firsts = {graph.person[device]: device for device in sorted(graph.person) if graph.first[device]}
    founder = next(person for person in firsts if graph.parent[person] is None)
    for removed in [None, *(person for person in firsts if person != founder)] if gone else ():
        later = graph.part(everything)[0]
        if removed is not None:
            later.acts.append(Act(firsts[founder], everything, Remove(removed, ())))
        said, roster = (1 << len(later.acts)) - 1, Roster(later)
        later.acts += [Act(firsts[founder], said, Admit(device)) for person, device in firsts.items()
                       if roster.status(person) == WAITS and person not in graph.host]
        needed = case.rules(later).shown
        for index in gone:
            if needed >> index & 1:
                yield f"the body of change {index} may go, and is needed once the founder removes {removed} and keeps who waits"


def invites_end_by_their_opener(case):
    """F7: nobody but the opener, or somebody above, ends an invite."""
    graph, roster = case.graph, case.roster
    for person, invite in graph.invite.items():
        opener = graph.opener[invite]
        for opening in graph.openings(person, (1 << len(graph.acts)) - 1):
            for end in [*graph.all_of(Close), *graph.all_of(Remove)]:
                writer = graph.author(end)
                if roster.does_end(end, opening) and writer != opener and not graph.is_above(writer, opener):
                    yield f"{writer} ended an invite of {opener}"


LAWS = (whoever_is_resolved_first, least_solution, what_nobody_keeps_is_not_missed, arrival_does_not_matter,
        who_is_not_in_has_a_reason, who_is_in_came_by_something_that_counts, who_was_let_in_by_something_that_counts_is_resolved,
        nobody_reaches_further, a_removal_cuts_just_what_its_author_had_not_seen, what_does_not_count_has_a_reason,
        an_act_is_lost_by_what_concerns_its_author_alone, a_body_that_goes_is_not_needed_again, invites_end_by_their_opener)


def broken(graph, rules=Roster, chance=None, laws=LAWS):
    """The laws that a set breaks, each with what is wrong."""
    case = Case(graph, rules, chance)
    for law in laws:
        for what in law(case):
            yield law.__name__, what
