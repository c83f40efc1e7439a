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


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def talk(session, node):
    """What two members say first, fragments and keys renewed on both sides, and an end."""
    expect(session.handshake() == node.keys.agreement_key, "the node shows another key than its own")
    kind, hello = session.hear()
    expect(kind == member.HELLO and len(hello) == 32 + 16, f"the node begins with {kind}")
    incarnation = os.urandom(16)
    # The same digest ends the talk; another is answered by a frontier, each time. Both sides rekey on the way.
    asked = answered = 0
    while answered <= REKEY_MESSAGES + 50:
        if asked <= answered + 20:
            session.say(member.HELLO, os.urandom(32) + incarnation)
            asked += 1
            if asked % 300 == 0:
                session.say(member.REKEY)
            continue
        kind, body = session.hear()
        if kind == member.FRONTIER:
            answered += 1
            expect(digest_parts(body) == 1, "a founder's frontier has one tip")
        else:
            expect(kind in (member.CHANGES, member.HAVE), f"a message of kind {kind}")
    expect(session.rekeys["theirs"] >= 1 and session.rekeys["ours"] >= 3, f"keys were not renewed: {session.rekeys}")
    # A message of several fragments: hashes that the node does not know, more than one fragment takes.
    count = 4_000
    session.say(member.HAVE, bytes([0x80 | count & 0x7F, count >> 7]) + os.urandom(32 * count))
    session.say(member.HELLO, os.urandom(32) + incarnation)
    while session.hear()[0] != member.FRONTIER:
        pass
    session.say(member.END)
    expect_end(session)


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


def as_initiator(node, port, psk):
    options = {"psk": psk, "static_secret": os.urandom(32)}
    talk(member.Session.dial(("127.0.0.1", port), **options), node)
    altered = bytes([psk[0] ^ 1]) + psk[1:]
    for wrong in ({"psk": altered}, {"prologue": b"caravan 2"}):
        session = member.Session.dial(("127.0.0.1", port), **options | wrong)
        expect_silence(session, bytes(session.noise.write_message()))
    # The node still answers who is right.
    talk(member.Session.dial(("127.0.0.1", port), **options), node)


def as_responder(node, listener, psk):
    """The node dials: under another psk or prologue its message 1 cannot be read, under the right ones all is well."""
    altered = bytes([psk[0] ^ 1]) + psk[1:]
    for options in ({"psk": altered}, {"prologue": b"caravan 2"}, {}):
        connection, _ = listener.accept()
        connection.settimeout(SECONDS)
        session = member.Session(connection, False, **{"psk": psk, "static_secret": os.urandom(32)} | options)
        if not options:
            return talk(session, node)
        message = session.read_frame()
        try:
            session.noise.read_message(message)
            raise Failure(f"message 1 is read under a {sorted(options)[0]} that differs")
        except InvalidTag:
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
        psk = member.session_key(node.keys.epoch_secrets[-1])
        port = free_port()
        # Whatever hangs, the script does not.
        guard = threading.Timer(90, lambda: os._exit(1))
        guard.daemon = True
        guard.start()
        try:
            node.up("--port", str(port), "--peer", f"127.0.0.1:{listener.getsockname()[1]}")
            as_responder(node, listener, psk)
            as_initiator(node, port, psk)
            node.down()
        except (Failure, InvalidTag, member.Ended, OSError) as failure:
            print(f"noise-interop: FAILED: {failure!r}")
            return 1
        finally:
            if node.process:
                node.process.kill()
    print(f"noise-interop: both roles agree with noiseprotocol, keys renewed, another psk or prologue refused: "
          f"{time.monotonic() - started:.1f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
