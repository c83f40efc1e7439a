"""Section 8, up to the third message: the greeting, the selector and Noise. Bytes in, bytes out; no sockets."""

import ipaddress
import os

from cryptography.exceptions import InvalidTag
from noise.connection import Keypair, NoiseConnection
from noise.exceptions import NoiseInvalidMessage

from .keys import DeviceKeys, mac, selector_key, session_key

NAME = b"Noise_XXpsk0_25519_ChaChaPoly_SHA256"
PROLOGUE = b"caravan 1"
GREETING, FIRST, SECOND, THIRD = 16, 83, 112, 80


class Closed(Exception):
    """The connection is closed without a byte more."""


def selector(secret, greeting, ephemeral):
    return mac(selector_key(secret), greeting + ephemeral)[:16]


def address_bytes(address):
    """An address as 16 bytes, IPv4 as mapped."""
    parsed = ipaddress.ip_address(address)
    return bytes(10) + b"\xff\xff" + parsed.packed if parsed.version == 4 else parsed.packed


def endpoint(address, port):
    return address_bytes(address) + port.to_bytes(2, "big")


class Handshake:
    """What both roles share. `peer` is the replica that the other named and the session key that it showed, once they are known."""

    def __init__(self, keys, is_initiator):
        self.keys, self.is_initiator = keys, is_initiator
        self.noise, self.peer, self.secret, self.is_over = None, None, None, False

    def begin(self, greeting, secret):
        self.secret = secret
        self.noise = NoiseConnection.from_name(NAME)
        self.noise.set_as_initiator() if self.is_initiator else self.noise.set_as_responder()
        self.noise.set_prologue(PROLOGUE + greeting)
        self.noise.set_psks(session_key(secret))
        self.noise.set_keypair_from_private_bytes(Keypair.STATIC, self.keys.session_private)
        self.noise.start_handshake()

    def write(self, payload=b""):
        return bytes(self.noise.write_message(payload))

    def read(self, message, length):
        if len(message) != length:
            raise Closed("a message of another length")
        try:
            return bytes(self.noise.read_message(message))
        except (InvalidTag, NoiseInvalidMessage, ValueError) as error:
            raise Closed("a message that does not open") from error

    def read_peer(self, message, length):
        """The replica that a message names and the session key that it shows."""
        state = self.noise.noise_protocol.handshake_state  # gone once the handshake is over
        return self.read(message, length), state.rs.public_bytes


class Initiator(Handshake):
    """Dials under a secret. `accepts` is asked of the replica and the session key that the second message shows."""

    def __init__(self, keys, secret, address, port, named=False, accepts=lambda replica, session_key: True):
        super().__init__(keys, True)
        self.dialled, self.secret, self.accepts = endpoint(address, port) + bytes([named]), secret, accepts

    def greeted(self, greeting):
        """The first message, for a greeting."""
        self.begin(greeting, self.secret)
        message = self.write(self.dialled)
        return selector(self.secret, greeting, message[:32]) + message

    def take(self, second):
        """The third message, for the second."""
        peer = self.read_peer(second, SECOND)
        if not self.accepts(*peer):
            raise Closed("somebody else answers")
        third, self.is_over = self.write(self.keys.device.replica), True
        self.peer = peer
        return third


class Responder(Handshake):
    """Answers a caller that knows one of `secrets`, and dialed this node's own address or was told it by a person. Under a secret of `over` it shows keys of this handshake alone."""

    def __init__(self, keys, secrets, endpoints, greeting=None, over=()):
        super().__init__(keys, False)
        self.secrets, self.endpoints, self.greeting = secrets, endpoints, greeting or os.urandom(GREETING)
        self.over = over
        self.has_first = False

    def take(self, message):
        """The second message, for the first; nothing, for the third."""
        if self.has_first:
            self.peer, self.is_over = self.read_peer(message, THIRD), True
            return b""
        if len(message) != FIRST:
            raise Closed("a message of another length")
        secret = next((s for s in self.secrets if selector(s, self.greeting, message[16:48]) == message[:16]), None)
        if secret is None:
            raise Closed("nobody is called so here")
        if secret in self.over:
            self.keys = DeviceKeys(os.urandom(32), os.urandom(32))
        self.begin(self.greeting, secret)
        payload = self.read(message[16:], FIRST - 16)
        if len(payload) != 19 or payload[18] > 1 or payload[18] == 0 and payload[:18] not in self.endpoints:
            raise Closed("another address was dialled")
        self.has_first = True
        return self.write(self.keys.device.replica)
