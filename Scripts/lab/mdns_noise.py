#!/usr/bin/env python3
"""Hostile multicast DNS from one host, over IPv4 and IPv6, at a steady rate.

    mdns_noise.py ADDRESS KIND RATE SECONDS

Kinds: `names` (6,000 pointers to instances that nobody has, at once, and then silence), `fakes` (whole services that nobody has),
`conflicts` (other records for the names that it hears), `replays` (what it heard, again), `probes` (claims of the names that it
hears), `goodbyes` (the names that it hears are gone), `loop` (a host whose name leads to itself). Prints what it sent as JSON.
"""

import json
import os
import random
import socket
import struct
import sys
import time

PORT, GROUPS = 5353, ("224.0.0.251", "ff02::fb")
TYPE = b"\x08_caravan\x04_tcp\x05local\0"
PTR, TXT, SRV, A, CNAME, ANY = 12, 16, 33, 1, 5, 255
UNIQUE = 0x8001
NAMES, NAMES_A_PACKET = 6_000, 30


def label(text):
    return bytes([len(text)]) + text


def record(name, kind, data, ttl=4_500, of_class=1):
    return name + struct.pack(">HHIH", kind, of_class, ttl, len(data)) + data


def answer(*records):
    return struct.pack(">HHHHHH", 0, 0x8400, 0, len(records), 0, 0) + b"".join(records)


def random_label():
    return label("".join(random.choices("abcdefghijklmnopqrstuvwxyz234567", k=26)).encode())


def service(instance, host, port=7_000, flags=UNIQUE):
    return record(instance, SRV, struct.pack(">HHH", 0, 0, port) + host, of_class=flags)


class Noise:
    def __init__(self, address):
        self.address, self.heard, self.packets = address, [], []
        self.sockets = [self.socket4(), self.socket6()]

    def socket4(self):
        udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        udp.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        udp.bind(("", PORT))
        udp.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 255)
        udp.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(self.address))
        membership = socket.inet_aton(GROUPS[0]) + socket.inet_aton(self.address)
        udp.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, membership)
        udp.setblocking(False)
        return udp

    def socket6(self):
        index = socket.if_nametoindex("eth0")
        udp = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
        udp.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        udp.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        udp.bind(("", PORT))
        udp.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_HOPS, 255)
        udp.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_IF, index)
        membership = socket.inet_pton(socket.AF_INET6, GROUPS[1]) + struct.pack("@I", index)
        udp.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_JOIN_GROUP, membership)
        udp.setblocking(False)
        return udp

    def send(self, packet):
        for udp, group in zip(self.sockets, GROUPS):
            try:
                udp.sendto(packet, (group, PORT))
            except OSError:
                pass

    def listen(self):
        """Notes the instances in what others say, and what they say."""
        for udp in self.sockets:
            while True:
                try:
                    packet, source = udp.recvfrom(9_000)
                except OSError:
                    break
                if source[0] == self.address or len(packet) < 12 or not packet[2] & 0x80:
                    continue
                self.packets = (self.packets + [packet])[-64:]
                for at in range(12, len(packet) - 27):
                    text = packet[at + 1:at + 27]
                    if packet[at] == 26 and text.isalnum() and text not in self.heard:
                        self.heard = (self.heard + [text])[-64:]

    def next(self, kind):
        if kind == "fakes":
            instance, host = random_label() + TYPE, random_label() + b"\x05local\0"
            return answer(record(TYPE, PTR, instance), service(instance, host), record(instance, TXT, label(b"v=1")),
                          record(host, A, socket.inet_aton(self.address)))
        if kind == "loop":
            instance, host = random_label() + TYPE, random_label() + b"\x05local\0"
            return answer(record(TYPE, PTR, instance), service(instance, host), record(instance, TXT, label(b"v=1")),
                          record(host, CNAME, host), record(instance, CNAME, instance))
        if kind == "replays":
            return random.choice(self.packets) if self.packets else None
        if not self.heard:
            return None
        instance = label(random.choice(self.heard)) + TYPE
        own = random_label() + b"\x05local\0"
        if kind == "conflicts":
            return answer(service(instance, own), record(instance, TXT, label(b"v=2"), of_class=UNIQUE))
        if kind == "goodbyes":
            return answer(record(TYPE, PTR, instance, ttl=0), record(instance, SRV, struct.pack(">HHH", 0, 0, 0) + own, ttl=0))
        claim = service(instance, own, flags=1)
        return struct.pack(">HHHHHH", 0, 0, 1, 0, 1, 0) + instance + struct.pack(">HH", ANY, 1) + claim

    def run(self, kind, rate, seconds):
        started, sent = time.monotonic(), 0
        if kind == "names":
            for _ in range(NAMES // NAMES_A_PACKET):
                self.send(answer(*(record(TYPE, PTR, random_label() + TYPE) for _ in range(NAMES_A_PACKET))))
                time.sleep(0.005)
            sent, seconds = NAMES // NAMES_A_PACKET, 0
        while (elapsed := time.monotonic() - started) < seconds:
            self.listen()
            while sent < elapsed * rate:
                sent += 1
                if packet := self.next(kind):
                    self.send(packet)
            time.sleep(0.002)
        print(json.dumps({"sent": sent, "heard": len(self.heard), "seconds": round(time.monotonic() - started, 1)}), flush=True)


def main():
    random.seed(os.urandom(8))
    Noise(sys.argv[1]).run(sys.argv[2], int(sys.argv[3]), float(sys.argv[4]))


if __name__ == "__main__":
    main()
