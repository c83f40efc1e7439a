"""Golden vectors of every structure, as JSON that implementations write and read alike: the same bytes each time."""

import json

from . import bundle, frontier
from .change import read_record
from .content import Operation, Reference
from .discovery import instance, txt
from .epochs import Epochs
from .fold import Fold
from .handshake import selector
from .hostile import hostile_trip, noted_trip
from .invite import Link
from .keys import DeviceKeys, H, discovery_key, epoch_name, invite_name, seal, selector_key, session_key
from .membership import IN
from .world import World, hashes, judged

TRIPS, PLANS, NOTED = 12, 8, 6
HOSTILE_TRIPS = (*range(12), 80)  # in the last one a device is admitted again after its person's farewell


def material(label):
    """32 bytes that any language can make again."""
    return H(label.encode())


def key_entry(signing_seed, session_secret):
    keys = DeviceKeys(signing_seed, session_secret)
    return {"signingSeed": signing_seed.hex(), "sessionSecret": session_secret.hex(), "signingKey": keys.device.signing.hex(),
            "sessionKey": keys.device.session.hex(), "participant": keys.device.participant.hex(), "replica": keys.device.replica.hex(),
            "trip": H(keys.device.signing).hex()}


def epoch_entry(secret):
    return {"secret": secret.hex(), "id": epoch_name(secret).hex(), "session": session_key(secret).hex(),
            "selector": selector_key(secret).hex(), "discovery": discovery_key(secret).hex()}


def box_entry(content, receiver, ephemeral):
    return {"content": content.hex(), "receiver": receiver.hex(), "ephemeralSecret": ephemeral.hex(),
            "box": seal(content, receiver, ephemeral).hex()}


def record_entry(change):
    return {"record": change.record.hex(), "hash": change.hash.hex(), "says": type(change.statement).__name__}


def person_entry(membership, name):
    """Of somebody who was ever admitted; their devices are those that belong to them and were not ended."""
    standing, parent = membership.standings[name], membership.graph.parent[name]
    entry = {"id": name.hex(), "isIn": standing == IN, "standing": standing, "name": membership.name(name),
             "devices": sorted(replica.hex() for replica in membership.devices(name))}
    return entry | ({"parent": parent.hex()} if parent else {})


def heads(membership):
    """What is retained and nothing retained stands on."""
    covered = 0
    for index in membership.held.members(membership.retained):
        covered |= membership.held.past(index)
    return hashes(membership, membership.retained & ~covered)


def trip_entry(changes):
    membership = judged(changes[0].trip, changes)
    newest, tips = Epochs(membership).newest, frontier.tips(membership)
    return {"trip": changes[0].trip.hex(), "records": [change.record.hex() for change in changes],
            "effective": hashes(membership, membership.effective), "retained": hashes(membership, membership.retained),
            "frontier": [tip.hash.hex() for tip in tips], "digest": frontier.digest(tips).hex(), "heads": heads(membership),
            "persons": [person_entry(membership, name) for name in sorted(membership.graph.parent)],
            "newestEpoch": newest.name.hex() if newest else None, "view": Fold(membership).view()}


def invite_entry(link):
    return {"link": str(link), "trip": link.trip.hex(), "secret": link.secret.hex(), "hints": list(link.hints),
            "participant": link.participant.hex() if link.participant else None}


def instance_entry(secret, nonce, addresses, port):
    return {"secret": secret.hex(), "nonce": nonce.hex(), "addresses": addresses, "port": port, "name": instance(secret, nonce),
            "txt": {key: value.hex() for key, value in txt(secret, nonce, addresses, port).items()}}


def selector_entry(secret, greeting, ephemeral):
    return {"secret": secret.hex(), "greeting": greeting.hex(), "ephemeral": ephemeral.hex(),
            "selector": selector(secret, greeting, ephemeral).hex()}


def bundle_entry(file, secret, reader):
    """A bundle that an epoch's secret opens, and a box for the reader."""
    found = bundle.opened(file, [secret])
    assert bundle.opened(file, [], DeviceKeys(*reader)) == found and found.written == file
    return {"file": file.hex(), "secret": secret.hex(), "signingSeed": reader[0].hex(), "sessionSecret": reader[1].hex(),
            "trip": found.trip.hex(), "author": found.author.hex(), "records": [record.hex() for record in found.records]}


def made_bundle(changes, secret, author, reader, chunks=1):
    """What somebody of that name seals; the records are repeated until they fill so many chunks."""
    records = [change.record for change in changes]
    records *= chunks * bundle.CHUNK // sum(map(len, records)) + 1 if chunks > 1 else 1
    key = material("bundle key")
    box = seal(key, DeviceKeys(*reader).device.session, material("bundle ephemeral"))
    return bundle.made(changes[0].trip, DeviceKeys(*author), records, secret, key, material("bundle nonce")[:24], [box]).written


def random_trip(seed, acts=120):
    """A trip and all changes that anybody wrote for it, of every kind of membership."""
    world = World(seed)
    for _ in range(acts):
        world.act()
    return world.founder.trip, world.everything()


def content_trip():
    """A trip of two people that says everything that content can say."""
    world = World("content")
    jie, ana = world.founder, world.join(world.founder, "Ana")
    item = jie.add("Lofoten", field2="by boat", field3="https://example.org", field4="80", field5="68.1,13.5", field6="Ana", field7="a\nb",
                   field8="true", field9="2")
    world.tell_all()
    title = Operation(1, text="North")
    jie.write(None, [title, Operation(2, text="Jie N."), Operation(7, item=item, number=1), Operation(8, item=item, number=2)])
    ana.write(None, [title, Operation(7, item=item, number=2), Operation(8, item=item, number=-3), Operation(5, item=item)])
    jie.edit(item, 1, "Lofoten in May")
    ana.edit(item, 1, "Lofoten in June", beside=[item])
    ana.edit(item, 8, None)
    world.tell_all()
    jie.write(None, [Operation(3, number=4, writes=((1, "Reine"), (3, "ftp://refused"))), Operation(5, item=Reference(None, 0)),
                     Operation(6, item=Reference(None, 0))], unknown=[(90, b"newer")])
    ana.write(None, [Operation(5, item=item), Operation(4, item=item), Operation(7, item=item, number=0)])
    return world.founder.trip, world.everything()


def planned_trip(seed, acts=90):
    """A trip of three people, apart and together, whose changes hold operations of all kinds."""
    world = World(f"plans {seed}")
    people = [world.founder, world.join(world.founder, "Ana"), world.join(world.founder, "Noah")]
    names = {}
    for _ in range(acts):
        if world.random.random() < 0.3:
            world.meet(*world.random.sample(people, 2))
        else:
            world.plan(world.random.choice(people), names)
    return world.founder.trip, world.everything()


def made(trips=TRIPS):
    """All vectors."""
    every = [random_trip(seed) for seed in range(trips)] + [content_trip()]
    plans = [planned_trip(seed) for seed in range(min(trips, PLANS))]
    noted = [noted_trip(seed, acts=90) for seed in range(min(trips, NOTED))]
    kinds = {}
    for _, changes in every:
        for change in changes:
            kinds.setdefault((type(change.statement).__name__, bool(change.content), bool(change.heads)), change)
    pairs = [(material(f"{label} signing"), material(f"{label} session")) for label in ("one", "two", "three")]
    secrets, nonce, greeting = [material(f"{label} secret") for label in ("one", "two", "three")], material("nonce")[:8], material("greeting")[:16]
    links = [Link(material("trip"), secrets[0]),
             Link(material("trip"), secrets[1], ("192.0.2.1:7070", "[2001:db8::1]:7070"), material("participant"))]
    addresses = [f"192.0.2.{last}" for last in range(1, 5)] + [f"2001:db8::{last}" for last in range(1, 5)]
    return {
        "keys": [key_entry(*pair) for pair in pairs],
        "epochs": [epoch_entry(secret) for secret in secrets],
        "invites": {secret.hex(): invite_name(secret).hex() for secret in secrets},
        "boxes": [box_entry(secret, DeviceKeys(*pair).device.session, material("ephemeral")) for secret, pair in zip(secrets, pairs)],
        "records": [record_entry(change) for _, change in sorted(kinds.items(), key=lambda kind: kind[0])],
        "trips": [trip_entry(changes) for _, changes in every + plans + noted],
        "hostileTrips": [trip_entry(hostile_trip(seed)[1]) for seed in HOSTILE_TRIPS[-trips:]],
        "bundles": [bundle_entry(made_bundle(every[0][1][:3], secrets[0], pairs[0], pairs[1], chunks), secrets[0], pairs[1])
                    for chunks in (1, 2)],
        "links": [invite_entry(link) for link in links],
        "instances": [instance_entry(secret, nonce, addresses, 7070) for secret in secrets],
        "selectors": [selector_entry(secret, greeting, material("ephemeral")) for secret in secrets],
    }


def write(path):
    path.write_text(json.dumps(made(), indent=1, sort_keys=True) + "\n")


def differences(vectors):
    """What of somebody's vectors this implementation says otherwise, a line each; what it does not know, it passes over."""
    bytes_of = bytes.fromhex
    for name, again in {
            "keys": lambda entry: key_entry(bytes_of(entry["signingSeed"]), bytes_of(entry["sessionSecret"])),
            "epochs": lambda entry: epoch_entry(bytes_of(entry["secret"])),
            "boxes": lambda entry: box_entry(*(bytes_of(entry[part]) for part in ("content", "receiver", "ephemeralSecret"))),
            "records": lambda entry: record_entry(read_record(bytes_of(entry["record"]))) | {"says": entry["says"]},
            "trips": lambda entry: trip_entry([read_record(bytes_of(record)) for record in entry["records"]]),
            "hostileTrips": lambda entry: trip_entry([read_record(bytes_of(record)) for record in entry["records"]]),
            "bundles": lambda entry: bundle_entry(
                *(bytes_of(entry[part]) for part in ("file", "secret")),
                tuple(bytes_of(entry[part]) for part in ("signingSeed", "sessionSecret"))),
            "links": lambda entry: invite_entry(Link.read(entry["link"])),
            "instances": lambda entry: instance_entry(
                bytes_of(entry["secret"]), bytes_of(entry["nonce"]), entry["addresses"], entry["port"]),
            "selectors": lambda entry: selector_entry(*(bytes_of(entry[part]) for part in ("secret", "greeting", "ephemeral")))}.items():
        for number, entry in enumerate(vectors.get(name, [])):
            own = again(entry)
            yield from (f"{name} {number}: {part}" for part, value in entry.items()
                        if part in own and in_order(as_far_as(own[part], value)) != in_order(value))
    for secret, name in vectors.get("invites", {}).items():
        if invite_name(bytes_of(secret)).hex() != name:
            yield f"invites: {secret}"


def as_far_as(own, theirs):
    """A list of ours with those parts of each entry alone that any entry of theirs has."""
    if not isinstance(own, list) or not all(isinstance(entry, dict) for entry in own + theirs):
        return own
    parts = {part for entry in theirs for part in entry}
    return [{part: value for part, value in entry.items() if part in parts} for entry in own]


def in_order(value):
    """A value as text; the parts of a list in one order."""
    def written(part):
        return json.dumps(part, sort_keys=True)

    return written(sorted(value, key=written) if isinstance(value, list) else value)
