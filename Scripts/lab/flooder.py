#!/usr/bin/env python3
"""Bad handshakes against one node, at a steady rate, from some addresses. Prints what came of them as JSON.

    flooder.py HOST PORT KIND RATE SECONDS [--secret HEX] [--from ADDRESS,…]

Kinds: `noise` (random bytes), `point` (a first message that no key made), `psk` (a true first message under the secret,
then garbage for the third), `silent` (nothing is said at all). Greetings are no answers.
"""

import argparse
import ctypes
import ctypes.util
import errno
import hashlib
import hmac
import json
import os
import random
import select
import socket
import struct
import time

NAME = b"Noise_XXpsk0_25519_ChaChaPoly_SHA256"
PROLOGUE = b"caravan 1"
CONCURRENT_MAX = 400
GREETING_SIZE, FIRST_SIZE = 16, 83


class FirstMessages:
    """True first messages under a secret, an ephemeral key of its own each (Noise revision 34, section 9.2)."""

    def __init__(self, secret, target):
        self.sodium = ctypes.CDLL(ctypes.util.find_library("sodium") or "libsodium.so.23")
        self.name = hashlib.sha256(NAME).digest()
        self.chain, self.mixed, _ = hkdf(self.name, derive(secret, b"caravan session"), 3)
        self.selector_key = derive(secret, b"caravan selector")
        host, port = target
        self.dialled = bytes(10) + b"\xff\xff" + socket.inet_aton(host) + struct.pack(">H", port) + b"\0"
        # Made beforehand, so that the rate does not hang on how fast they are made.
        self.keys = []

    def prepare(self, count):
        self.keys = [self.key() for _ in range(count)]

    def key(self):
        key = ctypes.create_string_buffer(32)
        self.sodium.crypto_scalarmult_base(key, os.urandom(32))
        return key.raw

    def next(self, greeting):
        ephemeral = self.keys.pop() if self.keys else self.key()
        digest = hashlib.sha256(self.name + PROLOGUE + greeting).digest()
        digest = hashlib.sha256(digest + self.mixed).digest()
        digest = hashlib.sha256(digest + ephemeral).digest()
        _, seal = hkdf(self.chain, ephemeral, 2)
        sealed = ctypes.create_string_buffer(len(self.dialled) + 16)
        self.sodium.crypto_aead_chacha20poly1305_ietf_encrypt(
            sealed, None, self.dialled, ctypes.c_ulonglong(len(self.dialled)), digest, ctypes.c_ulonglong(32), None,
            bytes(12), seal)
        selector = hmac.digest(self.selector_key, greeting + ephemeral, "sha256")[:16]
        return selector + ephemeral + sealed.raw


def derive(secret, label):
    """HKDF (RFC 5869) with no salt: 32 bytes."""
    return hmac.digest(hmac.digest(bytes(32), secret, "sha256"), label + b"\x01", "sha256")


def hkdf(chain, data, count):
    temporary = hmac.digest(chain, data, "sha256")
    outputs, last = [], b""
    for number in range(1, count + 1):
        last = hmac.digest(temporary, last + bytes([number]), "sha256")
        outputs.append(last)
    return outputs


def framed(data):
    return struct.pack(">H", len(data)) + data


class Flood:
    def __init__(self, target, kind, sources, messages):
        self.target, self.kind, self.sources, self.messages = target, kind, sources, messages
        self.poll = select.epoll()
        self.open = {}
        self.counts = {"begun": 0, "said": 0, "answered": 0, "answer_bytes": 0, "reset": 0, "failed": 0}

    def first_words(self, greeting):
        if self.kind == "silent":
            return b""
        if self.kind == "psk":
            return framed(self.messages.next(greeting))
        if self.kind == "point":
            return framed(os.urandom(FIRST_SIZE))
        return os.urandom(random.randrange(2, 300))

    def begin(self):
        connection = socket.socket()
        connection.setblocking(False)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if self.sources:
            connection.setsockopt(socket.IPPROTO_IP, 24, 1)  # IP_BIND_ADDRESS_NO_PORT
            connection.bind((self.sources[self.counts["begun"] % len(self.sources)], 0))
        self.counts["begun"] += 1
        if connection.connect_ex(self.target) not in (0, errno.EINPROGRESS):
            self.counts["failed"] += 1
            return connection.close()
        # The second is what is here of the greeting; nothing once it was answered.
        self.open[connection.fileno()] = [connection, b""]
        self.poll.register(connection.fileno(), select.EPOLLIN)

    def serve(self, wait):
        for number, event in self.poll.poll(wait):
            entry = self.open[number]
            connection = entry[0]
            try:
                data = connection.recv(4096)
                if not data:
                    self.end(number)
                    continue
                if entry[1] is not None:
                    entry[1] += data
                    if len(entry[1]) >= GREETING_SIZE:
                        connection.send(self.first_words(entry[1]))
                        self.counts["said"] += 1
                        entry[1] = None
                    continue
                self.counts["answered"] += 1
                self.counts["answer_bytes"] += len(data)
                connection.send(framed(os.urandom(64)))
            except OSError as error:
                self.counts["reset" if error.errno in (errno.ECONNRESET, errno.EPIPE) else "failed"] += 1
                self.end(number)

    def end(self, number):
        self.poll.unregister(number)
        self.open.pop(number)[0].close()

    def run(self, rate, seconds):
        if self.kind == "psk":
            self.messages.prepare(int(rate * seconds) + 100)
        started = time.monotonic()
        while (now := time.monotonic()) < started + seconds:
            due = int((now - started) * rate)
            for _ in range(min(due - self.counts["begun"], 100)):
                if len(self.open) < CONCURRENT_MAX:
                    self.begin()
                elif self.kind == "silent":
                    self.end(next(iter(self.open)))
                    self.begin()
            self.serve(0.0005)
        self.counts["seconds"] = time.monotonic() - started
        # What is still open may come to its end.
        deadline = time.monotonic() + 3
        while self.open and self.kind != "silent" and time.monotonic() < deadline:
            self.serve(0.05)
        self.counts["left"] = len(self.open)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("host")
    parser.add_argument("port", type=int)
    parser.add_argument("kind", choices=["noise", "point", "psk", "silent"])
    parser.add_argument("rate", type=float)
    parser.add_argument("seconds", type=float)
    parser.add_argument("--secret", type=bytes.fromhex, default=bytes(32))
    parser.add_argument("--from", dest="sources", default="")
    arguments = parser.parse_args()
    sources = [one for one in arguments.sources.split(",") if one]
    target = (arguments.host, arguments.port)
    flood = Flood(target, arguments.kind, sources, FirstMessages(arguments.secret, target))
    flood.run(arguments.rate, arguments.seconds)
    print(json.dumps(flood.counts))


if __name__ == "__main__":
    main()
