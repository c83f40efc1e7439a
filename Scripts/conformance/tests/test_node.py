"""Nodes over TCP on loopback."""

import asyncio
import unittest

from conformance.invite import Link
from conformance.network import Station
from conformance.node import Node
from conformance.versions import NEWER, OLDER

SECONDS = 20


async def until(condition, what):
    async with asyncio.timeout(SECONDS):
        while not condition():
            await asyncio.sleep(0.02)
    assert condition(), what


class Loopback(unittest.IsolatedAsyncioTestCase):
    async def joined(self, host, station, other, other_station, link):
        self.assertIsNone(await other_station.join(station.port, link.secret))
        other_station.dial_on(station.port)
        await until(lambda: other.is_in and other.view == host.view, "the newcomer catches up")

    async def test_nodes_join_sync_write_fork_and_remove(self):
        jie = Node.founder("Jie")
        lofoten = jie.add("Lofoten", field5="68.1,13.5")
        links = [Link(jie.trip, jie.invite()) for _ in range(2)]
        ana, bo = Node.joiner(links[0], "Ana"), Node.joiner(links[1], "Bo")
        async with Station(jie) as one, Station(ana) as two, Station(bo) as three:
            await self.joined(jie, one, ana, two, links[0])
            await self.joined(jie, one, bo, three, links[1])
            ana.vote(lofoten)
            bo.vote(lofoten, 2)
            await until(lambda: jie.view == ana.view == bo.view and len(jie.view["items"][0]["votes"]) == 2, "both votes are everywhere")
            ports = {ana.keys.device.replica: two.port, bo.keys.device.replica: three.port}
            await until(lambda: jie.ports == ports, "who was dialled hears where to dial")
            ana.leave()
            await until(lambda: not jie.membership.is_in(ana.keys.device) and jie.epochs.must_begin, "the founder hears the farewell")
            jie.tend_epochs()
            await until(lambda: bo.newest_secret == jie.newest_secret, "who stays has the new epoch")
            self.assertNotIn(jie.newest_secret, ana.secrets.values())
            await until(lambda: len(jie.sessions) == 1 or not any(s.standing() == "out" and not s.is_over for s in jie.sessions),
                        "who left is in no session")
            twin = bo.fork()
            twin.add("Reine")
            bo.add("Bodø")
            async with Station(twin) as four:
                four.dial_on(one.port)
                await until(lambda: jie.view == bo.view == twin.view and len(jie.view["items"]) == 3, "both branches are everywhere")
            jie.remove(bo.keys.device.participant)
            await until(lambda: not bo.is_in and all(session.is_over for session in bo.sessions), "who is removed hears it, and the session ends")
            jie.add("after the removal")
            await asyncio.sleep(0.2)
            self.assertEqual((len(bo.view["items"]), len(jie.view["items"])), (3, 4))

    async def test_older_and_newer_nodes_share_a_trip(self):
        older = Node.founder("Older", version=OLDER)
        links = [Link(older.trip, older.invite()) for _ in range(2)]
        newer, other = (Node.joiner(link, name, version=NEWER) for link, name in zip(links, ("Newer", "Other")))
        async with Station(older) as one, Station(newer) as two, Station(other) as three:
            self.assertIsNone(await two.join(one.port, links[0].secret))
            two.dial_on(one.port)
            await until(lambda: newer.is_in, "the newer node is in")
            self.assertIsNone(await three.join(one.port, links[1].secret))
            three.dial_on(one.port)
            item = newer.add("Lofoten", field6="Ana", field91="of the next version")
            newer.write(None, unknown=[(90, b"an operation of the next version")])
            newer.vote(item, 3)
            newer.add("T" * 300)
            older.add("Reine")
            await until(lambda: len(older.held) == len(newer.held) == len(other.held) and len(other.view["items"]) == 3,
                        "all pass on what some do not know")
            self.assertEqual(newer.view, other.view)
            self.assertNotEqual(newer.view, older.view)
            self.assertEqual([item["fields"]["1"] for item in older.view["items"]], [["Lofoten"], ["Reine"]])
            older.version = NEWER
            self.assertEqual(older.view, newer.view)

    async def test_a_stranger_is_sent_a_greeting_and_no_more(self):
        jie = Node.founder("Jie")
        async with Station(jie) as one:
            for said in (b"", b"\0\x53" + bytes(83), b"\0\0", b"GET / HTTP/1.1\r\n\r\n", b"\xff\xff" + bytes(65_535)):
                reader, writer = await asyncio.open_connection("127.0.0.1", one.port)
                writer.write(said)
                if not said:
                    writer.write_eof()
                self.assertEqual(len(await asyncio.wait_for(reader.read(1_000), SECONDS)), 16)
                self.assertEqual(await asyncio.wait_for(reader.read(1_000), SECONDS), b"")
                writer.close()
            self.assertEqual(jie.sessions, [])
