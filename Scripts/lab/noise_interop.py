"""The sessions of a real node against `noiseprotocol` from PyPI, over loopback, in both roles."""

import argparse
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from cryptography.exceptions import InvalidTag

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from lab import member  # noqa: E402
from lab.key_file import DeviceKeys  # noqa: E402

SECONDS = 20
REKEY_MESSAGES = 1_000


class Failure(Exception):
    """What had to be shown and was not."""


def expect(condition, what):
    if not condition:
        raise Failure(what)


class Node:
    """A `caravan up` of its own trip, in a home of its own."""

    def __init__(self, program, home):
        self.program = program
        self.environment = os.environ | {"CARAVAN_HOME": str(home)}
        self.command("new", "A trip of two implementations", "--as", "Jie")
        self.keys = DeviceKeys.read(next(home.glob("trips/*/keys")))
        self.process = None

    def command(self, *words):
        subprocess.run([self.program, *words], env=self.environment, check=True, capture_output=True, timeout=60)

    def up(self, *options):
        self.process = subprocess.Popen(
            [self.program, "up", *options], env=self.environment, stdout=subprocess.PIPE, text=True)
        for line in self.process.stdout:
            if line.strip() == "ready":
                return
        raise Failure("the node does not start")

    def down(self):
        if self.process:
            self.process.send_signal(signal.SIGTERM)
            status = self.process.wait(timeout=SECONDS)
            self.process = None
            expect(status == 0, f"the node ended with status {status}")


LAZY, WANT = 12, 13


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def talk(session, node):
    """What two members say first, fragments and keys renewed on both sides, and an end."""
    replica, key = session.handshake()
    expect(key == node.keys.agreement_key and replica == node.keys.replica, "the node shows other names than its own")
    kind, hello = session.hear()
    expect(kind == member.HELLO and len(hello) == 32 + 16 + 1, f"the node begins with {kind}")
    # Another digest than the node's is answered by its frontier, and an empty frontier by all that it holds.
    session.say(member.HELLO, os.urandom(32) + os.urandom(16) + b"\0")
    frontier = hear_one(session, member.FRONTIER)
    expect(digest_parts(frontier) == 1, "a founder's frontier has one tip")
    session.say(member.FRONTIER, b"\0")
    record = first_record(hear_one(session, member.CHANGES))
    # What the node holds already it acknowledges again, each time. Both sides rekey on the way.
    asked = answered = 0
    while answered <= REKEY_MESSAGES + 50:
        if asked <= answered + 20:
            session.say(member.CHANGES, b"\1" + encoded(len(record)) + record)
            asked += 1
            if asked % 300 == 0:
                session.say(member.REKEY)
            continue
        kind, _ = session.hear()
        if kind == member.HAVE:
            answered += 1
        else:
            expect(kind in (member.CHANGES, LAZY, member.PING), f"a message of kind {kind}")
    expect(session.rekeys["theirs"] >= 1 and session.rekeys["ours"] >= 3, f"keys were not renewed: {session.rekeys}")
    # A message of several fragments: hashes that the node does not know, more than one fragment takes.
    count = 4_000
    session.say(member.HAVE, bytes([0x80 | count & 0x7F, count >> 7]) + os.urandom(32 * count))
    hear_one(session, WANT)
    session.say(member.END)
    expect_end(session)


def hear_one(session, wanted):
    """The body of the next message of a kind, whatever else is said before."""
    while True:
        kind, body = session.hear()
        if kind == wanted:
            return body


def encoded(number):
    """LEB128."""
    parts = []
    while number > 0x7F:
        parts.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes(parts + [number])


def first_record(changes):
    """The first of a message of changes: how many, then each with its length."""
    position = lengths = length = 0
    while lengths < 2:
        shift = length = 0
        while True:
            byte = changes[position]
            position += 1
            length |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                break
        lengths += 1
    return changes[position:position + length]


def digest_parts(frontier):
    return frontier[0]


def expect_end(session):
    try:
        while True:
            session.hear()
    except (member.Ended, ConnectionResetError):
        session.close()


def expect_silence(session, message):
    """That a first message gets no byte of answer, and the connection ends."""
    session.socket.settimeout(SECONDS)
    session.write_frame(message)
    try:
        expect(session.socket.recv(1) == b"", "an answer to a stranger")
    except ConnectionResetError:
        pass
    session.close()


def altered(secret):
    return bytes([secret[0] ^ 1]) + secret[1:]


def as_initiator(node, port, secret):
    options = {"secret": secret, "static_secret": os.urandom(32)}
    talk(member.Session.dial(("127.0.0.1", port), **options), node)
    for wrong in ({"secret": altered(secret)}, {"psk": altered(secret)}, {"prologue": b"caravan 2"}):
        session = member.Session.dial(("127.0.0.1", port), **options | wrong)
        expect_silence(session, session.first_message())
    # One that was meant for another connection.
    first = member.Session.dial(("127.0.0.1", port), **options)
    expect_silence(member.Session.dial(("127.0.0.1", port), **options), first.first_message())
    first.close()
    # The node still answers who is right.
    talk(member.Session.dial(("127.0.0.1", port), **options), node)


def as_responder(node, listener, secret):
    """The node dials: under another secret or prologue its message 1 cannot be read, under the right ones all is well."""
    for options in ({"secret": altered(secret)}, {"psk": altered(secret)}, {"prologue": b"caravan 2"}, {}):
        connection, _ = listener.accept()
        connection.settimeout(SECONDS)
        session = member.Session(connection, False, **{"secret": secret, "static_secret": os.urandom(32)} | options)
        if not options:
            return talk(session, node)
        message = session.read_frame()
        try:
            session.read_first(message)
            raise Failure(f"message 1 is read under a {sorted(options)[0]} that differs")
        except (InvalidTag, member.WrongSelector):
            pass
        session.close()


def main():
    parser = argparse.ArgumentParser(prog="Scripts/noise-interop", description=__doc__)
    built = Path(__file__).resolve().parents[2] / ".build/debug/caravan"
    parser.add_argument("--caravan", type=Path, default=built)
    arguments = parser.parse_args()
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="noise-interop.") as folder, socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(SECONDS)
        node = Node(arguments.caravan.resolve(), Path(folder))
        secret = node.keys.epoch_secrets[-1]
        port = free_port()
        # Whatever hangs, the script does not.
        guard = threading.Timer(90, lambda: os._exit(1))
        guard.daemon = True
        guard.start()
        try:
            node.up("--port", str(port), "--peer", f"127.0.0.1:{listener.getsockname()[1]}")
            as_responder(node, listener, secret)
            as_initiator(node, port, secret)
            node.down()
        except (Failure, InvalidTag, member.Ended, OSError) as failure:
            print(f"noise-interop: FAILED: {failure!r}")
            return 1
        finally:
            if node.process:
                node.process.kill()
    print(f"noise-interop: both roles agree with noiseprotocol, keys renewed, another secret, psk, prologue or greeting refused: "
          f"{time.monotonic() - started:.1f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
