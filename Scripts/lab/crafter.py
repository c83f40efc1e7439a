#!/usr/bin/env python3
"""A member who syncs as a node does, and crafts what the form allows when its standard input asks for it.

    crafter.py LINK ADDRESS HOST:PORT…

ADDRESS is where it listens, so that others can join through it. It prints a line of JSON when it is in, with its port, and one
for each line that it reads: {"changes": how many it sent, "bytes": their size}. What it reads:

    await NAME COUNT  wait until a person of that name wrote so many changes
    forks COUNT…      write so many forks of its log on one change, other ones for each target
    adopt NAME        admit somebody again, in a past that holds nothing of them, and remove them
    farewell NAME     leave, in a past from before it admitted somebody
    ports COUNT       tell each target so many ports
    tree COUNT        admit so many puppets, as deep as allowed, and remove each second one by the one above it
    junk MIB [COUNT]  write so much of an unknown kind, by four puppets, and tell so many targets
    flood COUNT       tell each target so many small changes, of another puppet

Runs under Scripts/python; the protocol is that of Scripts/conformance.
"""

import argparse
import asyncio
import json
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from conformance import bounds, content, frontier  # noqa: E402
from conformance.invite import Link  # noqa: E402
from conformance.messages import CHANGES, PORT  # noqa: E402
from conformance.network import Station, initiator  # noqa: E402
from conformance.node import Node  # noqa: E402
from conformance.session import EPOCH  # noqa: E402
from conformance.statements import Admit, Remove  # noqa: E402
from conformance.versions import CURRENT  # noqa: E402
from lab.puppeteer import Author, Group, until  # noqa: E402

UNKNOWN_KIND, JUNK_BYTES, JUNK_PUPPETS = 200, 250_000, 4
MESSAGE_BYTES = 500_000


class Crafter:
    def __init__(self, node, targets):
        self.node, self.targets = node, targets
        self.sessions = {}  # by target

    async def hold(self, target):
        """Stays in session with a target."""
        while True:
            try:
                reader, writer = await asyncio.open_connection(*target)
                connection = initiator(self.node, self.node.newest_secret, *target, EPOCH, named=True)
                running = asyncio.ensure_future(Station(self.node, target[0]).run(connection, reader, writer))
                while not running.done():
                    if connection.session and connection.session.hello_heard:
                        self.sessions[target] = connection.session
                    await asyncio.sleep(0.01)
                self.sessions.pop(target, None)
            except OSError:
                pass
            await asyncio.sleep(0.2)

    async def session(self, target):
        await until(lambda: target in self.sessions, 30, "a session")
        return self.sessions[target]

    async def send(self, changes, targets=None):
        """Sends changes as they are, with no regard for what a node would take."""
        messages, size = [[]], 0
        for change in changes:
            if size > MESSAGE_BYTES or len(messages[-1]) == bounds.RECORDS:
                messages.append([])
                size = 0
            messages[-1].append(change)
            size += len(change.record)
        for target in targets or self.targets:
            for message in messages:
                session = await self.session(target)
                session.say(CHANGES, frontier.write_records(message))
                await until(lambda: session.is_over or not session.said, 60, "a message is sent")
        return {"changes": len(changes), "bytes": sum(len(change.record) for change in changes)}

    # What it knows

    def participant(self, name):
        """The person whose admission has a name."""
        return self.admission(name)[1].statement.device.participant

    def admission(self, name):
        """The place of the first admission under a name, and the change."""
        return next((place, change) for place, change in enumerate(self.node.held.changes)
                    if isinstance(change.statement, Admit) and change.statement.name == name)

    def own_admission(self):
        held = self.node.held
        return held.changes[min(held.introductions[self.node.keys.device.replica])]

    def author(self, before=None):
        """Writes on from this device's log, or from what stood in it before a place."""
        author = Author(self.node.trip, self.node.keys)
        own = [change for place, change in enumerate(self.node.held.changes)
               if change.replica == self.node.keys.device.replica and (before is None or place < before)]
        author.last = own[-1] if own else None
        return author

    def group(self):
        group = Group(self.node)
        group.leader = self.author()
        return group

    # What it does

    async def await_(self, name, count):
        def written():
            replicas = [device.replica for device in self.node.held.devices.values()
                        if device.participant == self.participant(name)]
            return sum(change.replica in replicas for change in self.node.held.changes)

        def is_here():
            try:
                return written() >= int(count)
            except StopIteration:
                return False

        await until(is_here, 30, f"{count} changes by {name}")
        return {"changes": 0, "bytes": 0}

    async def forks(self, *counts):
        self.node.changed = lambda: None  # what it hears back it passes on to nobody
        author, on, told = self.author(), self.own_admission(), []
        for target, count in zip(self.targets, counts):
            forks = [author.write(on, None, [content.Operation(content.ADD, writes=((1, f"Fork {target[0]} {number}"),))], is_fork=True)
                     for number in range(int(count))]
            told.append(await self.send(forks, [target]))
        return {key: sum(one[key] for one in told) for key in told[0]}

    async def adopt(self, name):
        place, admission = self.admission(name)
        author = self.author(before=0)
        again = author.write(self.own_admission(), admission.statement)
        removal = author.write(again, Remove(admission.statement.device.participant))
        return await self.send([again, removal])

    async def farewell(self, name):
        author = self.author(before=self.admission(name)[0])
        # To one node, because a node that receives it hangs up.
        return await self.send([author.write(self.own_admission(), Remove(self.node.keys.device.participant))], self.targets[:1])

    async def ports(self, count):
        for target in self.targets:
            session = await self.session(target)
            for number in range(int(count)):
                session.say(PORT, (1_024 + number % 60_000).to_bytes(2, "big"))
            await until(lambda: session.is_over or not session.said, 60, "the ports are sent")
        return {"changes": 0, "bytes": 3 * int(count)}

    async def tree(self, count):
        group, puppets = self.group(), []
        depth = bounds.DEPTH - 1  # the founder is above this member
        for number in range(int(count)):
            puppets.append(group.puppet(puppets[-1] if number % depth else group.leader))
        for number in range(0, int(count) - 1, 2):
            if number % depth != depth - 1:
                group.say(puppets[number], Remove(puppets[number + 1].keys.device.participant))
        return await self.send(group.take_written())

    async def junk(self, mebibytes, count=None):
        group, targets = self.group(), self.targets[:int(count)] if count else self.targets
        puppets = [group.puppet() for _ in range(JUNK_PUPPETS)]
        sent = [await self.send(group.take_written(), targets)]
        for number in range(int(mebibytes) * 2**20 // JUNK_BYTES):
            author = puppets[number % JUNK_PUPPETS]
            group.head = author.write(group.head, None, unknown=[(UNKNOWN_KIND, os.urandom(JUNK_BYTES))])
            sent.append(await self.send([group.head], targets))
        return {key: sum(one[key] for one in sent) for key in sent[0]}

    async def flood(self, count):
        group, lines = self.group(), []
        puppets = [group.puppet() for _ in self.targets]
        sent = [await self.send(group.take_written())]
        for author in puppets:
            lines.append([author.write(author.last or group.head, None, unknown=[(UNKNOWN_KIND, b"")]) for _ in range(int(count))])
        sent += await asyncio.gather(*(self.send(line, [target]) for line, target in zip(lines, self.targets)))
        return {key: sum(one[key] for one in sent) for key in sent[0]}


async def perform(arguments):
    link = Link.read(arguments.link)
    targets = [(host, int(port)) for host, port in (target.rsplit(":", 1) for target in arguments.targets)]
    node = Node.joiner(link, "Mal")
    if (refused := await Station(node, targets[0][0]).join(targets[0][1], link.secret)) is not None:
        sys.exit(f"not let in: {refused}")
    async with Station(node, arguments.address) as station:
        crafter = Crafter(node, targets)
        holding = [asyncio.ensure_future(crafter.hold(target)) for target in targets]
        await until(lambda: node.is_in and node.may_write, 30, "the log")
        print(json.dumps({"port": station.port}), flush=True)
        while line := await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline):
            act, *words = line.split()
            print(json.dumps(await getattr(crafter, {"await": "await_"}.get(act, act))(*words)), flush=True)
        for task in holding:
            task.cancel()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("link")
    parser.add_argument("address")
    parser.add_argument("targets", nargs="+")
    asyncio.run(perform(parser.parse_args()))


if __name__ == "__main__":
    main()
