"""Section 8, after the handshake: who may say what when. A session is told messages and says messages; no sockets."""

import re

from . import bounds, frontier
from .encoding import Malformed, Reader, sequence, text, u
from .handshake import Closed
from .held import PastMissing
from .keys import Device
from .membership import MEMBER, OTHER, OUT
from .messages import (ADMITTED, BODIES_ABSENT, BODIES_WANTED, CHANGES, END, EPOCH_WANTED, FRONTIER, HAVE, HELLO, JOIN, KNOWN, LAZY, LOCATOR, NOT_ADMITTED, PING, PORT, VERSION, WANT, WRITERS)

EPOCH, PAIR, INVITE = "epoch", "pair", "invite"
OVER, UNPROVEN = 1, 2


class Session:
    """One session of a node with a peer: the replica that it names and the session key that it showed. `said` are the messages to be sent; `is_over` tells that there will be no more."""

    def __init__(self, node, psk, is_initiator, peer, secret):
        self.node, self.psk, self.is_initiator, self.peer, self.secret = node, psk, is_initiator, peer, secret
        self.said, self.is_over = [], False
        self.known = frontier.Known(node.held)
        self.hello_heard = self.is_compared = self.is_lazy = False
        self.admission, self.reason = None, None  # what a joiner was answered
        self.is_told = False  # the peer was out before: it hears why, and nothing of it is taken
        self.has_asked = False  # for a missing past, and nothing new has come since
        self.told_absent, self.peer_absent = [], frozenset()
        self.told_port, self.has_told_port = 0, False  # where the peer says that it accepts connections
        self.peer_version, self.has_told_version = None, False  # which version it says it runs

    def say(self, kind, body=b""):
        self.said.append((kind, body + self.node.version.appendix))

    def close(self):
        if not self.is_over:
            self.said.append((END, b""))
        self.is_over = True

    def start(self):
        if self.psk == INVITE:
            if self.is_initiator:
                self.say(JOIN, self.node.join_request())
            return
        self.is_told = self.psk == PAIR and self.node.membership.who_is_met(*self.peer) == OUT
        if self.standing() == OUT and not self.is_told:
            raise Closed("who is met is out")
        digest = self.digest()
        self.say(HELLO, digest + self.node.incarnation + u(0))
        self.tell_absent()
        if self.node.version.messages - KNOWN:
            self.said.append((max(self.node.version.messages), b"what older ones pass over"))
        self.let_in()

    def standing(self):
        """Which row of the table of who is met this is."""
        met = self.node.membership.who_is_met(*self.peer)
        is_itself = self.peer[0] == self.node.keys.device.replica
        return met if met == OTHER and self.psk == EPOCH or met == MEMBER and not is_itself else OUT

    def let_in(self):
        """Sends an unproven peer this device's own admission, a member everything, and a removed peer the reason, then ends."""
        standing = self.standing()
        if standing == MEMBER:
            self.exchange_ports()
            self.tell_version()
        if standing == OUT and (self.is_compared or not self.is_told):
            self.push(self.node.why_out(*self.peer, self.known.all))
            self.close()
        elif standing == OTHER:
            self.push(self.node.own_admission())
        elif self.is_compared:
            self.send_missing()

    # What is heard

    def hear(self, kind, body):
        """Takes a message. `Malformed` or `Refused` where that ends the session."""
        if self.is_over or kind not in self.node.version.messages or kind not in HANDLERS:
            return
        joins = kind in (JOIN, ADMITTED, NOT_ADMITTED)
        if kind not in (PING, END) and joins != (self.psk == INVITE):
            raise Malformed("a message where it may not come")
        if kind not in (PING, END) and not joins and self.hello_heard == (kind == HELLO):
            raise Malformed("hello comes first, and once")
        HANDLERS[kind](self, body)

    def hear_hello(self, body):
        reader = Reader(body)
        digest, _, _ = reader.take(32), reader.take(16), reader.u()
        self.hello_heard = True
        if digest == self.digest():
            self.known.proven |= self.node.membership.retained
            self.is_compared = True
            self.let_in()
        else:
            self.send_frontier()

    def send_frontier(self):
        self.say(FRONTIER, frontier.write_frontier(self.tips()))

    def absent(self):
        return [self.node.held.changes[index].hash for index in self.node.membership.absent]

    def tell_absent(self):
        """Tells a member which bodies are absent here, where it was told otherwise."""
        absent = self.absent()
        if absent != self.told_absent and self.standing() == MEMBER and BODIES_ABSENT in self.node.version.messages:
            self.told_absent = absent
            self.say(BODIES_ABSENT, u(len(absent)) + sequence(absent[:bounds.BODIES_ABSENT]))

    def hear_bodies_absent(self, body):
        reader = Reader(body)
        count, named = reader.u(), reader.sequence(lambda: reader.take(32), each=32)
        if len(named) != min(count, bounds.BODIES_ABSENT):
            raise Malformed("of absent bodies as many are named as may be")
        self.peer_absent = frozenset(named)
        self.ask_for_bodies()

    def hear_writers(self, body):
        """Reads who writes in notes where the peer is. This node has no page, and shows nobody."""
        reader = Reader(body)
        reader.sequence(lambda: (reader.take(32) if reader.flag() else None, reader.bytes(bounds.WRITER_PLACE)), bounds.WRITERS, each=2)

    def digest(self):
        return frontier.digest(self.tips(), [] if self.is_told else sorted(self.absent()))

    def tips(self):
        """What the peer is told that is held: a device that is out hears of nothing."""
        return [] if self.is_told else frontier.tips(self.node.membership)

    def hear_frontier(self, body):
        for replica in self.known.learn(frontier.read_frontier(body), is_first=not self.is_compared):
            if self.is_told:
                continue
            self.say(LOCATOR, frontier.write_locator(replica, frontier.locator(self.node.held, replica)))
        self.is_compared = True
        self.let_in()

    def hear_locator(self, body):
        self.known.found(*frontier.read_locator(body))
        self.let_in()

    def hear_changes(self, body):
        if self.is_told:
            return
        records, taken, is_missing, count = frontier.read_records(body), [], False, len(self.node.held)
        for record in records:
            try:
                index = self.node.held.take(record)
            except PastMissing:
                is_missing = True
                break
            taken.append(index)
            self.known.proven |= self.node.held.pasts[index]
        if len(self.node.held) > count:
            self.has_asked = False
        if is_missing and not self.has_asked:
            self.has_asked = True
            self.send_frontier()
        self.ask_for_bodies()
        self.tell_absent()
        if taken:
            self.say(HAVE, sequence(self.node.held.changes[index].hash for index in taken))
        self.node.changed()

    def hear_have(self, body):
        reader = Reader(body)
        hashes = reader.sequence(lambda: reader.take(32), bounds.HAVE, 32)
        for hash in hashes:
            self.known.has(hash)
        lacking = [hash for hash in hashes if hash not in self.node.held]
        if lacking:
            self.say(WANT, lacking[-1])

    def hear_want(self, body):
        Reader(body).take(32)
        self.is_lazy = False
        self.let_in()

    def hear_lazy(self, body):
        self.is_lazy = True

    def exchange_ports(self):
        """The dialling side says once where it is reached; the peer is known by now to be a member."""
        if self.is_initiator and self.node.port and not self.has_told_port and PORT in self.node.version.messages:
            self.has_told_port = True
            self.say(PORT, self.node.port.to_bytes(2, "big"))
        if self.told_port:
            self.node.ports[self.peer[0]] = self.told_port

    def hear_port(self, body):
        self.told_port = int.from_bytes(Reader(body).take(2), "big")
        self.let_in()

    def tell_version(self):
        """Each side says once, to a member, which version it runs."""
        if not self.has_told_version and VERSION in self.node.version.messages:
            self.has_told_version = True
            self.say(VERSION, text("python"))

    def hear_version(self, body):
        version = Reader(body).text(32)
        if not re.fullmatch("[0-9A-Za-z.+-]+", version):
            raise Malformed("no name of a version")
        self.peer_version = version

    def hear_join(self, body):
        if self.is_initiator:
            raise Malformed("who accepts does not ask")
        reader = Reader(body)
        device, name, consent = Device.read(reader), reader.text(bounds.NAME_BYTES), reader.take(64)
        kind, answer = self.node.let_join(self.secret, self.peer, device, name, consent)
        self.say(kind, answer)
        self.close()

    def hear_admitted(self, body):
        if not self.is_initiator:
            raise Malformed("who asks does not answer")
        reader = Reader(body)
        self.admission = reader.take(16), reader.take(80)
        self.close()

    def hear_not_admitted(self, body):
        if not self.is_initiator:
            raise Malformed("who asks does not answer")
        self.reason = Reader(body).byte()
        self.close()

    def hear_epoch_wanted(self, body):
        wanted = Reader(body).take(16)
        if self.standing() == MEMBER:
            self.node.give_epoch(wanted, self.peer[0])

    def hear_bodies_wanted(self, body):
        """Sends the whole of what is asked for, as far as one message holds it."""
        if self.standing() != MEMBER:
            return
        reader, changes, size = Reader(body), [], 0
        for hash in reader.sequence(lambda: reader.take(32), each=32)[:bounds.BODIES_WANTED]:
            change = self.node.held.changes[self.node.held.indices[hash]] if hash in self.node.held else None
            if change and change.is_whole and (not changes or size + len(change.record) <= bounds.MESSAGE // 2):
                changes.append(change)
                size += len(change.record) + 3
        if changes:
            self.say(CHANGES, frontier.write_records(changes))

    def ask_for_bodies(self):
        """Asks for what this node needs the body of, and the peer holds."""
        wanted = [hash for hash in self.absent() if hash not in self.peer_absent and self.known.proven >> self.node.held.indices[hash] & 1]
        if wanted and self.standing() == MEMBER:
            self.say(BODIES_WANTED, sequence(wanted[:bounds.BODIES_WANTED]))

    def hear_end(self, body):
        self.close()

    # What is sent

    def push(self, indices):
        """Changes that the peer is not known to have, each after its past."""
        changes, size = [], 0
        for index in sorted(indices, key=self.node.membership.stamp):
            if self.known.proven >> index & 1:
                continue
            change = self.node.held.changes[index]
            if changes and (len(changes) == bounds.RECORDS or size + len(change.record) + 3 > bounds.MESSAGE // 2):
                self.say(CHANGES, frontier.write_records(changes))
                changes, size = [], 0
            changes.append(change)
            size += len(change.record) + 3
            self.known.proven |= self.node.held.pasts[index]
        if changes:
            self.say(CHANGES, frontier.write_records(changes))

    def send_missing(self):
        missing = self.node.membership.retained & ~self.known.all
        if self.is_lazy and missing:
            self.say(HAVE, sequence([self.node.held.changes[index].hash for index in self.node.held.members(missing)][-bounds.HAVE:]))
        else:
            self.push(list(self.node.held.members(missing)))


HANDLERS = {HELLO: Session.hear_hello, FRONTIER: Session.hear_frontier, CHANGES: Session.hear_changes, HAVE: Session.hear_have,
            LOCATOR: Session.hear_locator, JOIN: Session.hear_join, ADMITTED: Session.hear_admitted,
            NOT_ADMITTED: Session.hear_not_admitted, PING: lambda session, body: None, END: Session.hear_end, LAZY: Session.hear_lazy,
            WANT: Session.hear_want, EPOCH_WANTED: Session.hear_epoch_wanted, PORT: Session.hear_port,
            BODIES_WANTED: Session.hear_bodies_wanted, BODIES_ABSENT: Session.hear_bodies_absent,
            WRITERS: Session.hear_writers, VERSION: Session.hear_version}
