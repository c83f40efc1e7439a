"""Reads a pcap file: frames, UDP payloads, TCP streams put together, and the names in DNS messages."""

import struct
from collections import defaultdict, namedtuple

Datagram = namedtuple("Datagram", "source source_port target target_port payload")
Segment = namedtuple("Segment", "flow sequence is_start payload")
Question = namedtuple("Question", "source name type")
Record = namedtuple("Record", "source name type data")


class Capture:
    """What crossed the wire."""

    def __init__(self, frames):
        self.frames = list(frames)
        self.datagrams, self.segments = [], []
        # The Ethernet address that frames from an IP address came from.
        self.hardware = {}
        for frame in self.frames:
            self._take(frame)

    @classmethod
    def read(cls, file):
        data = file.read_bytes()
        order = {b"\xd4\xc3\xb2\xa1": "<", b"\xa1\xb2\xc3\xd4": ">"}[data[:4]]
        frames, position = [], 24
        while position + 16 <= len(data):
            size = struct.unpack_from(order + "I", data, position + 8)[0]
            frames.append(data[position + 16:position + 16 + size])
            position += 16 + size
        return cls(frames)

    def _take(self, frame):
        kind = frame[12:14]
        packet = frame[14:]
        if kind == b"\x08\x00" and len(packet) >= 20:
            start, size = (packet[0] & 15) * 4, struct.unpack_from(">H", packet, 2)[0]
            ends = (packet[12:16], packet[16:20])
            self.hardware[ends[0]] = frame[6:12]
            self._transport(packet[9], ends, packet[start:size])
        elif kind == b"\x86\xdd" and len(packet) >= 40:
            self.hardware[packet[8:24]] = frame[6:12]
            self._transport(packet[6], (packet[8:24], packet[24:40]), packet[40:40 + struct.unpack_from(">H", packet, 4)[0]])

    def _transport(self, protocol, ends, body):
        if protocol == 17 and len(body) >= 8:
            ports = struct.unpack_from(">HH", body)
            self.datagrams.append(Datagram(ends[0], ports[0], ends[1], ports[1], body[8:]))
        elif protocol == 6 and len(body) >= 20:
            source, target, sequence = struct.unpack_from(">HHI", body)
            is_start = bool(body[13] & 2)
            flow = (ends[0], source, ends[1], target)
            self.segments.append(Segment(flow, sequence + is_start, is_start, body[(body[12] >> 4) * 4:]))

    def streams(self):
        """{(source, port, target, port): bytes}: each direction of each connection, put in order.

        A pair of ports that is used again begins a stream of its own under the same name: they are joined.
        """
        connections = defaultdict(list)
        for segment in self.segments:
            if segment.is_start or not connections[segment.flow]:
                begun = connections[segment.flow]
                if not begun or begun[-1][0] != segment.sequence:
                    begun.append((segment.sequence, {}))
            first, pieces = connections[segment.flow][-1]
            if segment.payload:
                offset = (segment.sequence - first) % (1 << 32)
                if len(segment.payload) > len(pieces.get(offset, b"")):
                    pieces[offset] = segment.payload
        return {flow: b"".join(_in_order(pieces) for _, pieces in begun) for flow, begun in connections.items()}

    def names(self):
        """Every name in every DNS message, as text with dots."""
        found = set()
        for datagram in self._dns():
            found.update(_names(datagram.payload))
        return found

    def questions(self):
        """Every question in a multicast query."""
        for datagram in self._dns():
            payload = datagram.payload
            if len(payload) < 12 or payload[2] & 0x80:
                continue
            position = 12
            for _ in range(struct.unpack_from(">H", payload, 4)[0]):
                name, position = _name(payload, position)
                if name is None or position + 4 > len(payload):
                    break
                yield Question(datagram.source, name, struct.unpack_from(">H", payload, position)[0])
                position += 4

    def records(self):
        """Every resource record in a DNS message; of names within one, its data may hold pointers."""
        for datagram in self._dns():
            payload = datagram.payload
            if len(payload) < 12:
                continue
            questions, *sections = struct.unpack_from(">HHHH", payload, 4)
            position = 12
            for index in range(questions + sum(sections)):
                name, position = _name(payload, position)
                fixed = 4 if index < questions else 10
                if name is None or position + fixed > len(payload):
                    break
                kind = struct.unpack_from(">H", payload, position)[0]
                size = struct.unpack_from(">H", payload, position + 8)[0] if fixed == 10 else 0
                position += fixed + size
                if fixed == 10:
                    yield Record(datagram.source, name, kind, payload[position - size:position])

    def _dns(self):
        return [one for one in self.datagrams if 5353 in (one.source_port, one.target_port)]


def _in_order(pieces):
    out, end = [], 0
    for offset, piece in sorted(pieces.items()):
        fresh = piece[max(0, end - offset):]
        out.append(fresh)
        end = max(end, offset + len(piece))
    return b"".join(out)


def _name(message, position):
    """(text, the position after it); (None, …) where it is no name."""
    labels, after, jumps = [], None, 0
    while position < len(message):
        size = message[position]
        if size >= 0xC0 and position + 1 < len(message):
            after = after or position + 2
            position = (size & 0x3F) << 8 | message[position + 1]
            jumps += 1
            if jumps > 32:
                break
        elif size == 0:
            return ".".join(labels), after or position + 1
        elif size < 64:
            labels.append(message[position + 1:position + 1 + size].decode("utf-8", "replace"))
            position += 1 + size
        else:
            break
    return None, position


def _names(message):
    if len(message) < 12:
        return
    questions, *records = struct.unpack_from(">HHHH", message, 4)
    position = 12
    for index in range(questions + sum(records)):
        name, position = _name(message, position)
        if name is None or position > len(message):
            return
        yield name
        if index < questions:
            position += 4
            continue
        if position + 10 > len(message):
            return
        kind, _, _, size = struct.unpack_from(">HHIH", message, position)
        position += 10
        if kind in (2, 5, 12):
            yield _name(message, position)[0] or ""
        elif kind == 33:
            yield _name(message, position + 6)[0] or ""
        elif kind == 16:
            yield message[position:position + size].decode("utf-8", "replace")
        position += size
