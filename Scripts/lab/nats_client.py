"""The client's side of NATS's protocol, as far as a stranger and a generator of load need it."""

import json
import secrets
import socket
import ssl
import time
from collections import deque

from lab.network import Failure


class Refused(Exception):
    """What the server says before it hangs up."""


class Message:
    def __init__(self, subject, reply, header, payload):
        self.subject, self.reply, self.header, self.payload = subject, reply, header, payload


class NatsClient:
    """One connection. What comes is read where somebody waits for it."""

    def __init__(self, address, port=4222, user=None, password=None, certificates=None, inbox="_INBOX", seconds=10):
        self.socket = socket.create_connection((address, port), seconds)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.buffer, self.messages, self.errors = b"", deque(), []
        self.inbox = f"{inbox}.{secrets.token_hex(16)}"
        self.subscriptions = 0
        self.asked = 0
        info = json.loads((self._line(seconds) or b"INFO {}").split(b" ", 1)[1])
        if info.get("tls_required"):
            context = ssl.create_default_context(cafile=certificates)
            if not certificates:
                context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
            self.socket = context.wrap_socket(self.socket, server_hostname=address)
        options = {"verbose": False, "pedantic": False, "headers": True, "no_responders": True, "lang": "python", "version": "1"}
        if user:
            options |= {"user": user, "pass": password}
        self._send(b"CONNECT " + json.dumps(options).encode() + b"\r\nPING\r\n")
        self._until(lambda: self.pongs, seconds)

    pongs = 0

    def close(self):
        self.socket.close()

    def subscribe(self, subject):
        self.subscriptions += 1
        self._send(f"SUB {subject} {self.subscriptions}\r\n".encode())

    def publish(self, subject, payload=b"", reply="", header=None):
        if header:
            head = b"NATS/1.0\r\n" + b"".join(f"{key}: {value}\r\n".encode() for key, value in header.items()) + b"\r\n"
            self._send(f"HPUB {subject} {reply} {len(head)} {len(head) + len(payload)}\r\n".encode() + head + payload + b"\r\n")
        else:
            self._send(f"PUB {subject} {reply} {len(payload)}\r\n".encode() + payload + b"\r\n")

    def request(self, subject, payload=b"", seconds=5, header=None):
        """The first answer; None if the time is over, or nobody listens."""
        self.ask(subject, payload, header)
        answer = self.next(seconds)
        return None if answer is None or answer.header.startswith(b"NATS/1.0 503") else answer

    def ask(self, subject, payload=b"", header=None):
        """Asks, without waiting: `next` gives the answers as they come."""
        if not self.asked:
            self.subscribe(f"{self.inbox}.*")
        self.asked += 1
        self.publish(subject, payload, f"{self.inbox}.{self.asked}", header)

    def next(self, seconds):
        """The next message; None if the time is over."""
        self._until(lambda: self.messages, seconds)
        return self.messages.popleft() if self.messages else None

    def settle(self, seconds=5):
        """Waits until the server has taken all that was sent."""
        wanted = self.pongs + 1
        self._send(b"PING\r\n")
        self._until(lambda: self.pongs >= wanted, seconds)

    def _until(self, condition, seconds):
        deadline = time.monotonic() + seconds
        while not condition():
            line = self._line(deadline - time.monotonic())
            if line is None:
                return
            self._take(line)

    def _take(self, line):
        words = line.split()
        if words[0] in (b"MSG", b"HMSG"):
            has_header = words[0] == b"HMSG"
            size = int(words[-1])
            data = self._bytes(size + 2)[:size]
            head = int(words[-2]) if has_header else 0
            reply = words[3].decode() if len(words) > (5 if has_header else 4) else ""
            self.messages.append(Message(words[1].decode(), reply, data[:head], data[head:]))
        elif words[0] == b"PING":
            self._send(b"PONG\r\n")
        elif words[0] == b"PONG":
            self.pongs += 1
        elif words[0] == b"-ERR":
            self.errors.append(line.decode())
            if b"Authorization" in line or b"Authentication" in line:
                raise Refused(line.decode())

    def _send(self, data):
        self.socket.settimeout(20)
        self.socket.sendall(data)

    def _line(self, seconds):
        while b"\r\n" not in self.buffer:
            if not self._fill(seconds):
                return None
        line, self.buffer = self.buffer.split(b"\r\n", 1)
        return line

    def _bytes(self, size):
        while len(self.buffer) < size:
            if not self._fill(20):
                raise Failure("the server stopped in the middle of a message")
        data, self.buffer = self.buffer[:size], self.buffer[size:]
        return data

    def _fill(self, seconds):
        if seconds <= 0:
            return False
        self.socket.settimeout(seconds)
        try:
            data = self.socket.recv(1 << 16)
        except TimeoutError:
            return False
        if not data:
            raise Refused("the server hung up")
        self.buffer += data
        return True
