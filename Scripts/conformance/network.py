"""Nodes over TCP: frames on sockets, and the state machines of a connection. One thread, one loop."""

import asyncio

from .encoding import Malformed
from .handshake import GREETING, Closed, Initiator, Responder, endpoint
from .held import Refused
from .messages import PING, Channel, Frames
from .session import EPOCH, INVITE

HANDSHAKE_SECONDS, SILENT_SECONDS, PING_SECONDS = 2, 7, 2


class Connection:
    """A connection as bytes in and bytes out, from the greeting to the end."""

    def __init__(self, node, handshake):
        self.node, self.handshake, self.frames = node, handshake, Frames()
        self.channel = self.session = None
        self.greeting = b""
        self.out = bytearray()
        if not handshake.is_initiator:
            self.out += handshake.greeting

    @property
    def is_over(self):
        return self.session is not None and self.session.is_over

    def receive(self, data):
        """Takes bytes; `Closed`, `Malformed` or `Refused` where the connection ends without a word more."""
        if self.handshake.is_initiator and len(self.greeting) < GREETING:
            missing = GREETING - len(self.greeting)
            self.greeting, data = self.greeting + data[:missing], data[missing:]
            if len(self.greeting) < GREETING:
                return
            self.send_frame(self.handshake.greeted(self.greeting))
        for frame in self.frames.take(data):
            if self.channel is None:
                self.shake(frame)
            elif not self.is_over and (message := self.channel.read(frame)):
                self.session.hear(*message)
        self.flush()

    def shake(self, message):
        answer = self.handshake.take(message)
        if answer:
            self.send_frame(answer)
        if self.handshake.is_over:
            secret = self.handshake.secret
            self.channel = Channel(self.handshake.noise)
            self.session = self.node.session(
                self.node.psks().get(secret, self.handshake.kind), self.handshake.is_initiator, self.handshake.peer, secret)

    def send_frame(self, data):
        self.out += len(data).to_bytes(2, "big") + data

    def flush(self):
        """Puts what the session said into `out`."""
        if self.session:
            said, self.session.said = self.session.said, []
            for kind, body in said:
                self.out += self.channel.write(kind, body)

    def taken(self):
        self.flush()
        taken = bytes(self.out)
        self.out.clear()
        return taken


def initiator(node, secret, address, port, kind, named=False):
    handshake = Initiator(node.keys, secret, address, port, named, lambda replica, key: node.may_dial(secret, replica, key))
    handshake.kind = kind
    return Connection(node, handshake)


def responder(node, address, port):
    handshake = Responder(node.keys, node.psks(), {endpoint(address, port)}, over=node.invites_over())
    handshake.kind = EPOCH
    return Connection(node, handshake)


class Station:
    """A node that listens on loopback, and dials."""

    def __init__(self, node, address="127.0.0.1"):
        self.node, self.address, self.port = node, address, None
        self.tasks = set()

    async def __aenter__(self):
        self.server = await asyncio.start_server(self.accept, self.address, 0)
        self.port = self.server.sockets[0].getsockname()[1]
        if self.node:
            self.node.port = self.port
        return self

    async def __aexit__(self, *_):
        self.server.close()
        for task in list(self.tasks):
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)

    async def accept(self, reader, writer):
        await self.run(responder(self.node, self.address, self.port), reader, writer)

    async def dial(self, port, secret=None, kind=EPOCH, named=False):
        """Dials under a secret; the connection, once it is over."""
        reader, writer = await asyncio.open_connection(self.address, port)
        connection = initiator(self.node, secret or self.node.newest_secret, self.address, port, kind, named)
        await self.run(connection, reader, writer)
        return connection

    def dial_on(self, port, **options):
        """Dials and stays in session until the station is left."""
        task = asyncio.get_running_loop().create_task(self.dial(port, **options))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def join(self, port, secret):
        """Asks to be let in; None where it is, else the reason why not."""
        connection = await self.dial(port, secret, INVITE)
        session = connection.session
        if session and session.admission and self.node.joined(*session.admission):
            return None
        return session.reason if session else "closed"

    async def run(self, connection, reader, writer):
        writing = asyncio.get_running_loop().create_task(self.write(connection, writer))
        self.tasks.add(writing)
        writing.add_done_callback(self.tasks.discard)
        try:
            while not connection.is_over:
                patience = HANDSHAKE_SECONDS if connection.session is None else SILENT_SECONDS
                data = await asyncio.wait_for(reader.read(65_536), patience)
                if not data:
                    break
                connection.receive(data)
            writer.write(connection.taken())
            await writer.drain()
        except (Closed, Malformed, Refused, OSError, asyncio.TimeoutError):
            pass
        finally:
            if connection.session:
                connection.session.is_over = True
            writing.cancel()
            writer.close()

    async def write(self, connection, writer):
        """Writes whatever the node's doings put into a session, apart from reading: else two full buffers would wait for each other."""
        quiet = 0.0
        while True:
            quiet += 0.02
            if quiet > PING_SECONDS and connection.session:
                connection.session.say(PING)
            if data := connection.taken():
                writer.write(data)
                await writer.drain()
                quiet = 0.0
            await asyncio.sleep(0.02)
