#!/usr/bin/env python3
"""A hostile member with any number of puppets. It joins by a link, and then writes whatever the form allows.

    puppeteer.py LINK KIND [--rate N] [--seconds N] [--count N] [--fill N] [--wait N] HOST:PORT…

With `--fill` the log is first made longer by so many votes: joining a long log takes long here.

Kinds: `votes` (as many as said, by ten authors, as fast as they are taken), `forks` (of one log, each with a vote and made
to stand by a puppet's change on it), `claims` (admissions that claim the founder's session key), `removals` (puppets are admitted, open an
invite and are removed by a member who has not seen it), `cuts` (the same with a vote),
`swarm` (as many puppets as said hold sessions with everybody).
Prints the results as JSON.
Runs under Scripts/python; the protocol is that of Scripts/conformance.
"""

import argparse
import asyncio
import json
import os
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from conformance import content, frontier  # noqa: E402
from conformance.change import Change  # noqa: E402
from conformance.encoding import u  # noqa: E402
from conformance.handshake import Initiator  # noqa: E402
from conformance.invite import Link  # noqa: E402
from conformance.keys import Device, DeviceKeys, epoch_name, invited, seal  # noqa: E402
from conformance.messages import CHANGES, END, FRONTIER, HELLO  # noqa: E402
from conformance.network import Connection, Station  # noqa: E402
from conformance.node import Node  # noqa: E402
from conformance.session import EPOCH, Session  # noqa: E402
from conformance.statements import Admit, Found, Invite, Remove, consent_text  # noqa: E402
from conformance.versions import CURRENT  # noqa: E402

AUTHORS = 10
BATCH = 200


class Author:
    """Writes changes with no regard for what a node would hold: each stands on the one that is told."""

    def __init__(self, trip, keys):
        self.trip, self.keys, self.last = trip, keys, None

    def write(self, on, statement=None, operations=(), is_fork=False, unknown=()):
        """The next change of this log, on another; with `is_fork` it goes on with the log as if it were not there."""
        previous = self.last
        before = [change for change in (on, previous) if change]
        heads = (on.hash,) if on and on is not previous else ()
        unsigned = Change(
            self.trip, self.keys.device.replica, previous.number + 1 if previous else 1, previous.hash if previous else None,
            heads, 1 + max(change.lamport for change in before), int(time.time() * 1000), statement,
            content.write_content(operations, CURRENT, unknown))
        fields = {name: getattr(unsigned, name) for name in unsigned.__dataclass_fields__}
        change = Change(**fields | {"signature": self.keys.sign(unsigned.signed)})
        if not is_fork:
            self.last = change
        return change


class Group:
    """The hostile member and its puppets, and the last change that any of them wrote."""

    def __init__(self, node):
        self.trip, self.secret = node.trip, node.newest_secret
        self.founder = next(change.statement.device for change in node.held.changes if isinstance(change.statement, Found))
        self.head = max(node.held.changes, key=lambda change: change.stamp)
        self.item = next((content.Reference(change.hash, 0) for change in node.held.changes if change.statement is None), None)
        self.leader = Author(node.trip, node.keys)
        self.frontier = frontier.write_frontier(frontier.tips(node.membership))
        self.invites, self.written = {}, []

    def say(self, author, statement=None, operations=(), is_fork=False):
        change = author.write(self.head, statement, operations, is_fork)
        self.head = change
        self.written.append(change)
        return change

    def vote(self, number):
        return [content.Operation(content.VOTE, item=self.item, number=1 + number % 2)]

    def invite(self, author):
        invite = Invite(os.urandom(32), 1_000)
        self.say(author, invite)
        self.invites[author] = invite.name(author.keys.device)

    def newcomer(self, host):
        """The keys of a puppet that comes by an invite of its host's."""
        if host not in self.invites:
            self.invite(host)
        return DeviceKeys(os.urandom(32), os.urandom(32), invited(self.invites[host]))

    def admit(self, host, keys, device=None):
        """Lets a puppet in, as `device` where that is not just its keys'."""
        device, name = device or keys.device, f"Puppet {len(self.written)}"
        grant = epoch_name(self.secret), seal(self.secret, device.session, os.urandom(32))
        self.say(host, Admit(device, name, self.invites[host], keys.sign(consent_text(self.trip, device, name)), grant))
        return Author(self.trip, keys)

    def puppet(self, host=None):
        host = host or self.leader
        return self.admit(host, self.newcomer(host))

    def take_written(self):
        written, self.written = self.written, []
        return written


# What is written: generators of lists of changes, one list a message.


def votes(group, count):
    authors = [group.leader] + [group.puppet() for _ in range(AUTHORS - 1)]
    for number in range(count):
        group.say(authors[number % AUTHORS], None, group.vote(number // AUTHORS))
        if len(group.written) >= BATCH:
            yield group.take_written()
    yield group.take_written()


def forks(group, _):
    forker, other = group.puppet(), group.puppet()
    group.say(forker)
    number = 0
    while True:
        number += 1
        group.say(forker, None, group.vote(number), is_fork=True)
        group.say(other)
        yield group.take_written()


def claims(group, _):
    hosts = [group.puppet() for _ in range(AUTHORS)]
    for host in hosts:
        group.invite(host)
    number = 0
    while True:
        number += 1
        host = hosts[number % AUTHORS]
        keys = group.newcomer(host)
        group.admit(host, keys, Device(keys.device.signing, group.founder.session, keys.device.participant))
        yield group.take_written()


def removals(group, _):
    yield from removing(group, lambda puppet, _: group.say(puppet, Invite(os.urandom(32), 1_000)))


def cuts(group, _):
    yield from removing(group, lambda puppet, number: group.say(puppet, None, group.vote(number)))


def removing(group, say):
    """Puppets are admitted, write something and are removed by a member who has not seen it."""
    hosts = [group.puppet() for _ in range(AUTHORS)]
    for host in hosts:
        group.invite(host)
    number = 0
    while True:
        number += 1
        host = hosts[number % AUTHORS]
        # A removal ends the invites that it had not seen: each puppet comes by a new one.
        if number % AUTHORS == 0:
            for one in hosts:
                group.invite(one)
        puppet = group.puppet(host)
        yield group.take_written()
        unseen = group.head
        say(puppet, number)
        yield group.take_written()
        # It has not seen that, which is cut: what was effective is so no more.
        group.head = unseen
        group.say(host, Remove(puppet.keys.device.participant))
        yield group.take_written()


# How it is sent


class Sink(Session):
    """A session that says what it is told, and hears nothing but the end."""

    def __init__(self, puppet, psk, is_initiator, peer, secret):
        self.node, self.psk, self.is_initiator, self.peer, self.secret = puppet, psk, is_initiator, peer, secret
        self.said, self.is_over, self.is_ended = [], False, False
        self.said += [(HELLO, os.urandom(32) + os.urandom(16) + u(0)), (FRONTIER, puppet.frontier)]

    def hear(self, kind, body):
        if kind == END:
            self.is_over = self.is_ended = True

    def let_in(self):
        pass


class Puppet:
    """A device that holds sessions, as `Connection` knows it."""

    def __init__(self, keys, group):
        self.keys, self.secret, self.frontier = keys, group.secret, group.frontier
        self.current = None
        self.begun = 0

    def psks(self):
        return {}

    def session(self, psk, is_initiator, peer, secret):
        self.current = Sink(self, psk, is_initiator, peer, secret)
        self.begun += 1
        return self.current

    async def hold(self, station, address, port):
        """Dials whenever it is in no session."""
        while True:
            try:
                reader, writer = await asyncio.open_connection(address, port)
                handshake = Initiator(self.keys, self.secret, address, port, True)
                handshake.kind = EPOCH
                await station.run(Connection(self, handshake), reader, writer)
            except OSError:
                pass
            await asyncio.sleep(0.3)


async def until(condition, seconds, what):
    ends = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > ends:
            sys.exit(f"{what}: not within {seconds} s")
        await asyncio.sleep(0.01)


async def come_in(link, address, port):
    """Joins as a member and takes the log."""
    node = Node.joiner(link, "Mallory")
    station = Station(node, address)
    refused = await station.join(port, link.secret)
    if refused is not None:
        sys.exit(f"not let in: {refused}")
    station.dial_on(port)
    await until(lambda: node.is_in and node.may_write, 30, "the log")
    await asyncio.sleep(0.5)
    for task in list(station.tasks):
        task.cancel()
    return Group(node)


async def send(generator, leader, rate=0.0, seconds=0.0):
    """Sends what a generator writes, at a rate for so long, or as fast as it is taken."""
    started, sent, messages = time.monotonic(), 0, 0
    for changes in generator:
        if rate and time.monotonic() - started > seconds:
            break
        while rate and messages / rate > time.monotonic() - started:
            await asyncio.sleep(0.005)
        while leader.current is None or leader.current.is_over or len(leader.current.said) > 4:
            await asyncio.sleep(0.005)
        leader.current.said.append((CHANGES, frontier.write_records(changes)))
        messages += 1
        sent += len(changes)
        await asyncio.sleep(0)
    await until(lambda: leader.current.is_over or not leader.current.said, 60, "the last is sent")
    return {"messages": messages, "changes": sent, "seconds": round(time.monotonic() - started, 1)}


async def perform(arguments):
    link = Link.read(arguments.link)
    targets = [(host, int(port)) for host, port in (target.rsplit(":", 1) for target in arguments.targets)]
    group = await come_in(link, *targets[0])
    station = Station(None)
    leader = Puppet(group.leader.keys, group)
    holding = [asyncio.ensure_future(leader.hold(station, *targets[0]))]
    await until(lambda: leader.current, 10, "a session")
    if arguments.fill:
        await send(votes(group, arguments.fill), leader)
    print('"in"', flush=True)
    if arguments.kind == "swarm":
        puppets = [Puppet(group.puppet().keys, group) for _ in range(arguments.count)]
        leader.current.said.append((CHANGES, frontier.write_records(group.take_written())))
        await asyncio.sleep(2)
        for puppet in puppets:
            holding += [asyncio.ensure_future(puppet.hold(station, *target)) for target in targets]
        await asyncio.sleep(arguments.seconds)
        counts = {"puppets": len(puppets), "sessions": sum(puppet.begun for puppet in puppets)}
    else:
        generator = {"votes": votes, "forks": forks, "claims": claims, "removals": removals,
                     "cuts": cuts}[arguments.kind]
        await asyncio.sleep(arguments.wait)
        counts = await send(generator(group, arguments.count), leader, arguments.rate, arguments.seconds)
        await asyncio.sleep(3)
    print(json.dumps(counts | {"leader_sessions": leader.begun}), flush=True)
    os._exit(0)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("link")
    parser.add_argument("kind", choices=["votes", "forks", "claims", "removals", "cuts", "swarm"])
    parser.add_argument("targets", nargs="+")
    parser.add_argument("--rate", type=float, default=0)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--count", type=int, default=1_000)
    parser.add_argument("--fill", type=int, default=0)
    parser.add_argument("--wait", type=float, default=0, help="seconds between that and what follows")
    asyncio.run(perform(parser.parse_args()))


if __name__ == "__main__":
    main()
