"""Sets of changes that anybody could craft: by hand, at random, and all of them up to a size."""

from .roster import Act, Admit, Close, End, Found, Graph, Open, Remove, indices


class Story:
    """A graph that grows, with names made as keys make them: a newcomer's name names an invite, a guest's names the host."""

    def __init__(self):
        self.graph = Graph()
        self.device("F", first=True, parent=None)

    def device(self, person, first, parent=None, invite=None, host=None):
        graph = self.graph
        count = sum(whose == person for whose in graph.person.values())
        device = person if first and not count else f"{person}{count + 1}"
        graph.person[device], graph.first[device] = person, first
        if first:
            graph.parent[person] = parent
            if invite is not None:
                graph.invite[person] = invite
            if host is not None:
                graph.host[person] = host
        return device

    def newcomer(self, name, invite):
        """The first device of somebody whose name names an invite."""
        return self.device(name, True, self.graph.opener[invite], invite)

    def guest(self, name, host):
        return self.device(name, True, host, host=host)

    def further(self, person):
        return self.device(person, False)

    def write(self, device, says=None, on=None, after=()):
        """A change of a device whose past is some changes and their pasts; None where it would be refused."""
        past = self.graph.closed(sum(1 << index for index in set(after)))
        act = Act(device, past, says, frozenset() if on is None else frozenset([on]))
        if not self.graph.accepts(act):
            return None
        self.graph.acts.append(act)
        return len(self.graph.acts) - 1

    def invite(self, device, uses, after, name=None):
        """Opens an invite, whose name is its opener's and what is unique in it."""
        name = name or (device, len(self.graph.acts))
        self.graph.opener[name] = self.graph.person[device]
        index = self.write(device, Open(name, uses), after=after)
        return name, index


def crafted(chance, size):
    """A random set: a device that was introduced in a change's past may write anything there that is not refused."""
    story = Story()
    graph = story.graph
    story.write("F", Found("F"))
    if chance.random() < 0.7:
        begin(story, chance)
        size += len(graph.acts) // 2
    while len(graph.acts) < size:
        # What an honest node names, the last of all that it had heard of; or anything.
        heard = range(len(graph.acts)) if chance.random() < 0.5 else range(chance.randint(1, len(graph.acts)))
        heads = heard if chance.random() < 0.4 else chance.sample(heard, min(len(heard), chance.choice((1, 1, 2, 3))))
        past = graph.closed(sum(1 << index for index in heads))
        known = [graph.acts[index].says.device for index in indices(past) if isinstance(graph.acts[index].says, (Found, Admit))]
        author = chance.choice(known)
        whose = graph.person[author]
        people = sorted(graph.parent, key=str)
        kind = chance.choice(("open", "admit", "admit", "admit", "again", "remove", "remove", "leave", "close", "content", "content",
                              "guest", "device", "end"))
        if kind == "open":
            story.invite(author, chance.choice((1, 1, 2)), heads)
        elif kind == "admit":
            opened = [graph.acts[index].says.invite for index in indices(past) if isinstance(graph.acts[index].says, Open)]
            if opened and len(people) < 7:
                story.write(author, Admit(story.newcomer(f"P{len(people)}", chance.choice(opened))), after=heads)
        elif kind == "again":
            story.write(author, Admit(chance.choice(known)), after=heads)
        elif kind == "remove":
            below = [person for person in people if graph.is_above(whose, person)]
            others = below if below and chance.random() < 0.7 else [person for person in people if person != whose]
            if others:
                kept = tuple(chance.sample([*indices(past)], min(chance.randrange(3), past.bit_count()))) if chance.random() < 0.3 else None
                story.write(author, Remove(chance.choice(others), kept), after=heads)
        elif kind == "leave":
            if chance.random() < (0.01 if whose == "F" else 0.6):
                story.write(author, Remove(whose), after=heads)
        elif kind == "close":
            if graph.opener:
                story.write(author, Close(chance.choice(sorted(graph.opener, key=str))), after=heads)
        elif kind == "content":
            told = [index for index in indices(past) if graph.acts[index].says is None]
            story.write(author, None, chance.choice([None, *told]), heads)
        elif kind == "guest":
            if len(people) < 7 and whose not in graph.host:
                story.write(author, Admit(story.guest(f"G{len(people)}", whose)), after=heads)
        elif kind == "device":
            if whose not in graph.host and sum(name == whose for name in graph.person.values()) < 3:
                story.write(author, Admit(story.further(whose)), after=heads)
        elif kind == "end":
            own = [device for device, name in graph.person.items() if name == whose and not graph.first[device]]
            if own and graph.first[author]:
                device = chance.choice(own)
                lasts = [index for index in indices(past) if graph.acts[index].device == device]
                story.write(author, End(device, chance.choice([None, *lasts])), after=heads)
    return graph


def begin(story, chance):
    """An honest beginning: a few people, each let in by one who was there, some with a guest or a further device."""
    graph, everything = story.graph, [0]
    for number in range(1, chance.randint(2, 4)):
        host = chance.choice([device for device in graph.person if graph.person[device] not in graph.host])
        name, index = story.invite(host, chance.choice((1, 2)), everything)
        everything.append(index)
        newcomer = story.newcomer(f"P{number}", name)
        everything.append(story.write(host, Admit(newcomer), after=everything))
        if chance.random() < 0.3:
            everything.append(story.write(newcomer, Admit(story.further(f"P{number}")), after=everything))
        if chance.random() < 0.3:
            everything.append(story.write(newcomer, Admit(story.guest(f"G{number}", f"P{number}")), after=everything))
        everything.append(story.write(newcomer, None, after=everything))
    if chance.random() < 0.3:
        everything.append(story.write("F", Admit(story.further("F")), after=everything))


def told(graph):
    """A graph for people."""
    lines = [f"  {person}: parent {parent}" for person, parent in graph.parent.items()]
    for index, act in enumerate(graph.acts):
        lines.append(f"  {index} by {act.device}: {act.says}{f' on {set(act.on)}' if act.on else ''}, past {list(indices(act.past))}")
    return "\n".join(lines)


def every_set(size):
    """All sets of so many crafted statements over four people at most, each once, on an honest beginning: the founder opens an
    invite for two and lets A in. Anybody introduced in a statement's past may write anything there that has a meaning by names."""
    story = Story()
    story.write("F", Found("F"))
    invite, _ = story.invite("F", 2, [0], "F")
    story.write("F", Admit(story.newcomer("A", invite)), after=[1])
    acts = list(story.graph.acts)  # all that there are, each once
    number = {(act.device, act.says, act.past): index for index, act in enumerate(acts)}
    level = {frozenset(range(3))}
    for _ in range(size):
        level = {held | {more} for held in level for more in statements(story, acts, number, held)}
    for held in level:
        yield small(story, acts, sorted(held))


def small(story, acts, held):
    """The graph of some of all acts, ascending."""
    new = {old: index for index, old in enumerate(held)}
    graph, people = story.graph, introduced(acts, held)  # each has one device

    def known(names):
        return {name: of for name, of in names.items() if name in people}

    return Graph([Act(acts[old].device, sum(1 << new[before] for before in indices(acts[old].past)), acts[old].says) for old in held],
                 known(graph.person), graph.first, known(graph.parent), {}, known(graph.invite),
                 {invite: opener for invite, opener in graph.opener.items() if opener in people})


def introduced(acts, held):
    return {acts[index].says.device for index in held if isinstance(acts[index].says, (Found, Admit))}


def statements(story, acts, number, held):
    """Every statement that may come next to a set, and is not in it."""
    for past in pasts(acts, sorted(held)):
        within = list(indices(past))
        known = introduced(acts, within)
        for author in sorted(known):
            for says in meanings(story, acts, within, author, introduced(acts, held)):
                act = (author, says, past)
                if act not in number:
                    number[act] = len(acts)
                    acts.append(Act(author, past, says))
                if number[act] not in held:
                    yield number[act]


def pasts(acts, held):
    """The sets, closed under pasts, that hold the founding."""
    closed = {1}
    for index in held[1:]:
        closed |= {some | 1 << index for some in closed if not acts[index].past & ~some}
    return closed


def meanings(story, acts, past, author, people):
    graph = story.graph
    if author not in graph.opener.values():
        graph.opener[author] = author  # one invite each, named by its opener
        yield Open(author, 1)
    elif author != "F":
        yield Open(author, 1)
    opened = {acts[index].says.invite for index in past if isinstance(acts[index].says, Open)}
    for person in sorted(people):
        if graph.parent[person] is not None and graph.invite[person] in opened:
            yield Admit(person)
        if person == author or graph.is_above(author, person):
            yield Remove(person)
    for invite in sorted(opened):
        opener = graph.opener[invite]
        if author == opener or graph.is_above(author, opener):
            yield Close(invite)
        if len(people) < 4:
            name = f"{invite}{sum(graph.invite.get(person) == invite for person in people)}"
            if name not in graph.parent:
                story.newcomer(name, invite)
            yield Admit(name)
