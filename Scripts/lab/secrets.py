"""What must not be on the wire, in every form in which it could be, and the search for it."""

import base64
import struct
import uuid

from lab.key_file import DeviceKeys, UnknownKeyFile
from lab.network import Failure
from lab.pcap import Capture

BASE32_TEXT = "abcdefghijklmnopqrstuvwxyz234567"


class Marker:
    """A thing to look for: a text, or bytes."""

    def __init__(self, what, value):
        self.what, self.value = what, value
        raw = value.encode() if isinstance(value, str) else bytes(value)
        # Of long secrets a half is enough to know them by.
        forms = {"bytes": raw, "bytes, reversed": raw[::-1]}
        if isinstance(value, str):
            forms |= {"UTF-16": value.encode("utf-16-le"), "UTF-16, big": value.encode("utf-16-be")}
        for name, form in (("", raw), (", reversed", raw[::-1])):
            forms[f"hex{name}"] = form.hex().encode()
        for skip in range(5):
            forms[f"base32 at {skip}"] = _middle(raw, skip, 5, 8, lambda data: base64.b32encode(data).lower())
        for skip in range(3):
            forms[f"base64 at {skip}"] = _middle(raw, skip, 3, 4, base64.b64encode)
            forms[f"base64url at {skip}"] = _middle(raw, skip, 3, 4, base64.urlsafe_b64encode)
        if len(raw) == 16 and not isinstance(value, str):
            for name, form in (("", raw), (", reversed", raw[::-1])):
                forms[f"UUID{name}"] = str(uuid.UUID(bytes=form)).encode()
                forms[f"UUID, little-endian{name}"] = str(uuid.UUID(bytes_le=form)).encode()
                forms[f"UUID bytes, little-endian{name}"] = uuid.UUID(bytes=form).bytes_le
        self.forms = forms

    def found_in(self, haystack):
        """The forms in which it is there."""
        return [name for name, form in self.forms.items() if haystack.has(name, form)]


def _middle(raw, skip, group, width, encode):
    """The part of an encoding that is the same whatever stands around `raw`, if it begins `skip` bytes into a group."""
    first = -skip % group
    usable = raw[first:first + (len(raw) - first) // group * group]
    return encode(usable)


class Haystack:
    """All that was captured: frames, datagrams, streams and DNS names."""

    SEPARATOR = b"\x00\xff|\xff\x00"

    def __init__(self, capture):
        parts = capture.frames + [one.payload for one in capture.datagrams] + list(capture.streams().values())
        self._take(parts + [name.encode() for name in sorted(capture.names())])

    @classmethod
    def of(cls, parts):
        """Of byte strings that come from elsewhere."""
        haystack = cls.__new__(cls)
        haystack._take(parts)
        return haystack

    def _take(self, parts):
        self.bytes = self.SEPARATOR.join(parts)
        self.lower = self.bytes.lower()

    def has(self, form_name, form):
        if len(form) < 8:
            raise Failure(f"too short to look for: {form_name}")
        # Case says nothing, but in base64 and in raw bytes that are no text.
        return form in self.bytes or ("base64" not in form_name and form.lower() in self.lower)


def of_device(name, keys_file):
    """The markers of a device: its trip, participant, keys and secrets, read and derived from its key file."""
    try:
        keys = DeviceKeys.read(keys_file)
    except UnknownKeyFile:
        raise Failure(f"{keys_file} is no key file that this lab knows") from None
    markers = {"trip id": keys.trip, "signing seed": keys.signing_seed, "agreement secret": keys.agreement_secret,
               "signing key": keys.signing_key, "agreement key": keys.agreement_key,
               "participant": keys.participant, "replica": keys.replica}
    markers |= {f"epoch secret {index}": secret for index, secret in enumerate(keys.epoch_secrets)}
    found = [Marker(f"{name}'s {what}", value) for what, value in markers.items()]
    # A half is enough to know somebody by.
    return found + [Marker(f"{name}'s {what}, its first half", value[:len(value) // 2])
                    for what, value in markers.items() if len(value) == 32]


def base32_bytes(text):
    """The bytes of our lowercase base 32 without padding."""
    return base64.b32decode(text.upper() + "=" * (-len(text) % 8))


def base32_text(data):
    return base64.b32encode(data).decode().rstrip("=").lower()


# Planted packets: the proof that the search finds what it looks for.

def planted(form):
    """Captures that hold a form in each of the ways in which something can travel."""
    address = bytes([10, 77, 0, 1]), bytes([10, 77, 0, 2])
    cut = len(form) // 2
    pieces = [(1, b"x" * 7 + form[:cut]), (1 + 7 + cut, form[cut:] + b"y" * 5)]
    yield "a TCP stream, cut in two and out of order", Capture(
        [_tcp(address, 0, 2, b"")] + [_tcp(address, sequence, 16, piece) for sequence, piece in reversed(pieces)])
    yield "a UDP payload", Capture([_udp(address, 9, b"z" * 3 + form)])
    labels = [form[start:start + 63] for start in range(0, len(form), 63)]
    name = b"".join(bytes([len(label)]) + label for label in labels) + b"\x05local\x00"
    question = struct.pack(">HHHHHH", 0, 0, 1, 0, 0, 0) + name + struct.pack(">HH", 12, 1)
    if len(labels) == 1:
        yield "a multicast DNS question", Capture([_udp(address, 5353, question)])


def _udp(address, port, payload):
    return _ip(address, 17, struct.pack(">HHHH", port, port, 8 + len(payload), 0) + payload)


def _tcp(address, sequence, flags, payload):
    return _ip(address, 6, struct.pack(">HHIIBBHHH", 4000, 4001, sequence, 0, 5 << 4, flags, 1000, 0, 0) + payload)


def _ip(address, protocol, body):
    header = struct.pack(">BBHHHBBH4s4s", 0x45, 0, 20 + len(body), 0, 0, 64, protocol, 0, *address)
    return bytes(12) + b"\x08\x00" + header + body
