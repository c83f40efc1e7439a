"""Golden vectors of every structure, as JSON that another implementation reads: the same bytes each time."""

import json

from . import frontier, statements
from .change import read_record
from .discovery import instance, txt
from .epochs import Epochs
from .fold import Fold
from .handshake import selector
from .invite import Link
from .keys import H, DeviceKeys, discovery_key, epoch_name, invite_name, selector_key, session_key
from .world import World, hashes, judged


def material(label):
    """32 bytes that any language can make again."""
    return H(label.encode())


def fields(change):
    return {"trip": change.trip.hex(), "replica": change.replica.hex(), "number": change.number,
            "previous": change.previous.hex() if change.previous else None, "heads": [hash.hex() for hash in change.heads],
            "lamport": change.lamport, "wall time": change.wall, "statement": statements.written(change.statement).hex(),
            "content": change.content.hex()}


def change_entry(change):
    return {"record": change.record.hex(), "hash": change.hash.hex(), "fields": fields(change)}


def key_entry(label):
    keys = DeviceKeys(material(f"{label} signing"), material(f"{label} session"))
    secret = material(f"{label} secret")
    return {"signing seed": material(f"{label} signing").hex(), "session private": material(f"{label} session").hex(),
            "device": keys.device.written().hex(), "replica": keys.device.replica.hex(), "secret": secret.hex(),
            "epoch id": epoch_name(secret).hex(), "invite id": invite_name(secret).hex(), "session": session_key(secret).hex(),
            "selector": selector_key(secret).hex(), "discovery": discovery_key(secret).hex()}


def trip_entry(trip, changes, seed):
    membership = judged(trip, changes)
    newest = Epochs(membership).newest
    persons = [{"id": name.hex(), "parent": person.parent.hex() if person.parent else None, "guest": person.guest, "in": person.is_in}
               for name, person in sorted(membership.persons.items())]
    tips = frontier.tips(membership)
    return {"seed": seed, "records": [change.record.hex() for change in changes], "effective": hashes(membership, membership.effective),
            "retained": hashes(membership, membership.retained), "frontier": frontier.write_frontier(tips).hex(),
            "digest": frontier.digest(tips).hex(), "persons": persons, "newest epoch": newest.name.hex() if newest else None,
            "view": Fold(membership).view()}


def random_trip(seed, acts=60):
    world = World(seed)
    for _ in range(acts):
        world.act()
    return world.founder.trip, world.everything()


def made(trips=20):
    """All vectors."""
    every = [random_trip(seed) for seed in range(trips)]
    kinds = {}
    for _, changes in every:
        for change in changes:
            kinds.setdefault((type(change.statement).__name__, bool(change.content), bool(change.heads)), change)
    secret, nonce, greeting = material("a secret"), material("a nonce")[:8], material("a greeting")[:16]
    ephemeral = material("an ephemeral key")
    link = Link(material("a trip"), secret, ("192.0.2.1:7070", "[2001:db8::1]:7070"), material("a participant")[:16])
    addresses = [f"192.0.2.{last}" for last in range(1, 9)]
    return {
        "changes": [change_entry(change) for _, change in sorted(kinds.items(), key=lambda pair: pair[0])],
        "keys": [key_entry(label) for label in ("one", "two", "three")],
        "trips": [trip_entry(trip, changes, seed) for seed, (trip, changes) in enumerate(every)],
        "invites": [{"link": str(link), "trip": link.trip.hex(), "secret": link.secret.hex(), "hints": list(link.hints),
                     "participant": link.participant.hex()}],
        "instances": [{"secret": secret.hex(), "nonce": nonce.hex(), "name": instance(secret, nonce), "port": 7070, "addresses": addresses,
                       "txt": {key: value.hex() for key, value in txt(secret, nonce, addresses, 7070).items()}}],
        "first messages": [{"secret": secret.hex(), "greeting": greeting.hex(), "ephemeral": ephemeral.hex(),
                            "selector": selector(secret, greeting, ephemeral).hex()}],
    }


def write(path):
    path.write_text(json.dumps(made(), indent=1, sort_keys=True) + "\n")


def differences(entries):
    """What of another implementation's vectors this one says otherwise, a line each."""
    for entry in entries.get("changes", []):
        change = read_record(bytes.fromhex(entry["record"]))
        if change.record.hex() != entry["record"] or change.hash.hex() != entry["hash"]:
            yield f"the change {entry['hash']}: its record or hash"
        own = fields(change)
        yield from (f"the change {entry['hash']}: {name}" for name, value in entry.get("fields", {}).items()
                    if name in own and own[name] != value)
    for number, entry in enumerate(entries.get("trips", [])):
        changes = [read_record(bytes.fromhex(record)) for record in entry["records"]]
        own = trip_entry(changes[0].trip, changes, entry.get("seed"))
        yield from (f"the trip {number}: {name}" for name, value in entry.items()
                    if name in own and canonical(own[name]) != canonical(value))
    for entry in entries.get("invites", []):
        if str(Link.read(entry["link"])) != entry["link"]:
            yield f"the invite {entry['link']}"
    for entry in entries.get("instances", []):
        if instance(bytes.fromhex(entry["secret"]), bytes.fromhex(entry["nonce"])) != entry["name"]:
            yield f"the instance {entry['name']}"
    for entry in entries.get("first messages", []):
        if selector(*(bytes.fromhex(entry[part]) for part in ("secret", "greeting", "ephemeral"))).hex() != entry["selector"]:
            yield f"the first message {entry['selector']}"


def canonical(value):
    """A value whose lists of hashes and persons are in one order."""
    return json.dumps(sorted(value, key=json.dumps) if isinstance(value, list) else value, sort_keys=True)
