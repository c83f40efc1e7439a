"""What two captures of one host have in common, by which somebody could know it again."""

import ipaddress
import re

WINDOW = 12
# A string is a constant's where fewer bytes of it lie outside strings of `CONSTANT` bytes that constants hold: by chance
# two random names end, or begin, with the same letter beside `_caravan`.
CONSTANT, OUTSIDE_MIN = 8, 4
# A record of a service whose host was named before in the datagram (RFC 2782): its type, class, lifetime, length, priority and
# weight. Not every host has to say one in a capture.
SERVICE_RECORD = b"\0!\0\1\0\0\0x\0\x08\0\0\0\0"
# In place of what is the machine's and not ours: its addresses.
ADDRESS = b"\xff<address>\xff"


class Voice:
    """All that a host has said over UDP and TCP: each datagram, and each direction of a connection as one stream.

    With `peer`, the connections with that host alone: a datagram of discovery is for everybody.
    """

    def __init__(self, capture, address, peer=None):
        own = ipaddress.ip_address(address).packed
        datagrams = [one for one in capture.datagrams if one.source == own or self._is_own_ipv6(capture, one.source, own)]
        self.parts = [("a datagram", _without_header(one)) for one in datagrams]
        streams = [(flow, data) for flow, data in capture.streams().items()
                   if flow[0] == own or self._is_own_ipv6(capture, flow[0], own)]
        if peer:
            self.parts, other = [], ipaddress.ip_address(peer).packed
            streams = [(flow, data) for flow, data in streams
                       if flow[2] == other or self._is_own_ipv6(capture, flow[2], other)]
        self.parts += [("a connection", data) for _, data in streams]
        addresses = {own} | {one.source for one in datagrams}
        self.parts = [(what, _without_pointers(what, _masked(data, addresses))) for what, data in self.parts]

    @staticmethod
    def _is_own_ipv6(capture, source, own):
        """Whether an IPv6 address belongs to the machine of an IPv4 one: by the Ethernet address that they share."""
        return len(source) == 16 and capture.hardware.get(source) == capture.hardware.get(own) is not None

    @property
    def size(self):
        return sum(len(data) for _, data in self.parts)

    def windows(self, size=WINDOW):
        """Every string of `size` bytes, and where it was said."""
        found = {}
        for what, data in self.parts:
            for window in _windows(data, size):
                found.setdefault(window, what)
        return found

    def with_plant(self, plant):
        """The same voice that has said something more, in the middle of one part of each kind."""
        voice = object.__new__(Voice)
        voice.parts = list(self.parts)
        for kind in ("a datagram", "a connection"):
            index = max((i for i, part in enumerate(voice.parts) if part[0] == kind), key=lambda i: len(voice.parts[i][1]))
            what, data = voice.parts[index]
            middle = len(data) // 2
            voice.parts[index] = (what, data[:middle] + plant[kind] + data[middle:])
        return voice


def _without_header(datagram):
    """A DNS message's identity, flags and counts say nothing of who sent it."""
    is_dns = 5353 in (datagram.source_port, datagram.target_port)
    return datagram.payload[12:] if is_dns else datagram.payload


def _without_pointers(what, data):
    """Where in a datagram a name stands that is pointed to depends on what else it holds (RFC 1035, section 4.1.4)."""
    return re.sub(rb"[\xc0-\xc5].", b"\xc0\0", data, flags=re.DOTALL) if what == "a datagram" else data


def _masked(data, addresses):
    for address in sorted(addresses, key=len, reverse=True):
        data = data.replace(address, ADDRESS)
    return data


def common(one, other, constants):
    """The longest strings that both voices have said and no constant has, with where each was said: [(bytes, where)].

    Strings of `WINDOW` bytes that overlap are put together.
    """
    theirs, known = other.windows(), constants.windows(CONSTANT).keys() | set(_windows(SERVICE_RECORD, CONSTANT))
    found = set()
    for what, data in one.parts:
        start = 0
        while start + WINDOW <= len(data):
            where, end = theirs.get(data[start:start + WINDOW]), start + WINDOW
            if where is None:
                start += 1
                continue
            while data[end - WINDOW + 1:end + 1] in theirs and end < len(data):
                end += 1
            if _outside(data[start:end], known) >= OUTSIDE_MIN:
                found.add((data[start:end], f"{what}, {where}"))
            start = end - WINDOW + 1
    return sorted(found, key=lambda hit: -len(hit[0]))


def _windows(data, size):
    return (data[start:start + size] for start in range(len(data) - size + 1))


def _outside(data, known):
    """How many bytes of a string lie in no constant."""
    covered = set()
    for start, window in enumerate(_windows(data, CONSTANT)):
        if window in known:
            covered.update(range(start, start + CONSTANT))
    return len(data) - len(covered)
