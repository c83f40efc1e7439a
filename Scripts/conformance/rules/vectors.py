"""Who is in, in examples and crafted sets, as JSON for other implementations: the same bytes each time."""

import json
import random

from .cases import CASES
from .crafted import crafted, every_set
from .roster import Admit, Close, End, Found, Open, Remove, Roster, indices

CRAFTED = 250


def entry(graph, name=None):
    people, devices, invites = list(graph.parent), list(graph.person), list(graph.opener)
    roster = Roster(graph)

    def says(said):
        if said is None:
            return {}
        kind = type(said).__name__.lower()
        if isinstance(said, Open):
            return {"says": kind, "of": invites.index(said.invite), "uses": said.uses}
        if isinstance(said, Close):
            return {"says": kind, "of": invites.index(said.invite)}
        if isinstance(said, (Found, Admit)):
            return {"says": kind, "of": devices.index(said.device)}
        if isinstance(said, Remove):
            return {"says": kind, "of": people.index(said.person)} | ({} if said.kept is None else {"kept": list(said.kept)})
        assert isinstance(said, End)
        return {"says": kind, "of": devices.index(said.device)} | ({} if said.last is None else {"last": said.last})

    def index(some, one):
        return {} if one is None else {some: people.index(one)}

    return ({"name": name} if name else {}) | {
        "people": [index("parent", graph.parent[person]) | ({"isGuest": True} if person in graph.host else {})
                   | ({"invite": invites.index(graph.invite[person])} if person in graph.invite else {})
                   | {"standing": roster.status(person)} for person in people],
        "devices": [{"person": people.index(graph.person[device]), "isFirst": graph.first[device]} for device in devices],
        "openers": [people.index(graph.opener[invite]) for invite in invites],
        "changes": [{"device": devices.index(act.device), "past": act.past} | says(act.says) for act in graph.acts],
        "counting": list(indices(roster.effective)), "retained": list(indices(roster.retained))}


def vectors():
    chance = random.Random(29)
    graphs = [entry(make()[0].graph, make.__name__) for make in CASES]
    graphs += sorted((entry(graph) for size in (1, 2) for graph in every_set(size)), key=json.dumps)
    return graphs + [entry(crafted(chance, chance.randint(6, 20))) for _ in range(CRAFTED)]


def written():
    """One graph a line."""
    return "[\n" + ",\n".join(json.dumps(graph, separators=(",", ":")) for graph in vectors()) + "\n]\n"
