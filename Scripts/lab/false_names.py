#!/usr/bin/env python3
"""False names of nodes by multicast DNS, at a steady rate: PTR records to instances that nobody has.

    false_names.py ADDRESS RATE SECONDS
"""

import base64
import os
import socket
import struct
import sys
import time

GROUP, PORT = "224.0.0.251", 5353
TTL = 4500


def labels(*parts):
    return b"".join(bytes([len(part)]) + part.encode() for part in parts) + b"\0"


def pointer():
    """A response with one record, the type's pointer to a new instance (RFC 6762, section 6; RFC 6763, section 4.1); the instance."""
    instance = base64.b32encode(os.urandom(16)).decode().rstrip("=").lower()
    name = labels("_caravan", "_tcp", "local")
    target = bytes([len(instance)]) + instance.encode() + b"\xc0\x0c"
    record = name + struct.pack(">HHIH", 12, 1, TTL, len(target)) + target
    return struct.pack(">HHHHHH", 0, 0x8400, 0, 1, 0, 0) + record, instance


def main():
    address, rate, seconds = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
        udp.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        udp.bind((address, PORT))
        udp.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 255)
        udp.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(address))
        started, sent = time.monotonic(), 0
        while (elapsed := time.monotonic() - started) < seconds:
            while sent < elapsed * rate:
                udp.sendto(pointer()[0], (GROUP, PORT))
                sent += 1
            time.sleep(0.002)
    print(f'{{"sent": {sent}, "seconds": {time.monotonic() - started:.1f}}}', flush=True)


if __name__ == "__main__":
    main()
