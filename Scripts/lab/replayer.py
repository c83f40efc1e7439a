#!/usr/bin/env python3
"""Replays recorded messages to nodes, or publishes recorded names as its own. Reads the orders as JSON and prints the answers.

{"messages": [hex…], "targets": [[host, port]…], "tries": N} gives of each target [[bytes of answer, how it ended, seconds]…];
{"names": [[name, TXT hex or null]…], "address": own, "seconds": N} gives who connected to the port that they name.
"""

import json
import socket
import struct
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

GREETING_SIZE, PATIENCE = 16, 4
AT_ONCE = 4
GROUP, PORT = "224.0.0.251", 5353
PTR, TXT, SRV, A = 12, 16, 33, 1


def attempt(target, message):
    """One connection: what is answered beyond the greeting, how it ends, and after how long."""
    with socket.create_connection(target, timeout=PATIENCE) as connection:
        greeting = connection.recv(GREETING_SIZE, socket.MSG_WAITALL)
        started, answer = time.monotonic(), b""
        how = "silence"
        try:
            connection.sendall(message)
            while part := connection.recv(4096):
                answer += part
            how = "closed" if len(greeting) == GREETING_SIZE else "no greeting"
        except ConnectionResetError:
            how = "reset"
        except TimeoutError:
            pass
        return [len(answer), how, time.monotonic() - started]


def say(request):
    messages = [bytes.fromhex(message) for message in request["messages"]]
    work = [(place, target, messages[number % len(messages)])
            for number in range(request["tries"]) for place, target in enumerate(request["targets"])]
    outcomes = [[] for _ in request["targets"]]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for (place, _, _), outcome in zip(work, pool.map(lambda one: attempt(tuple(one[1]), one[2]), work)):
            outcomes[place].append(outcome)
    return outcomes


def labels(*parts):
    return b"".join(bytes([len(part)]) + part.encode() for part in parts) + b"\0"


def record(name, kind, data):
    return name + struct.pack(">HHIH", kind, 1, 120, len(data)) + data


def announcement(instance, txt, address, port):
    """A name's pointer; where its TXT record is known, all that leads to this host besides."""
    service, host = labels("_caravan", "_tcp", "local"), labels(f"h{instance[:8]}", "local")
    name = bytes([len(instance)]) + instance.encode() + service
    records = [record(service, PTR, name)]
    if txt is not None:
        records += [record(name, SRV, struct.pack(">HHH", 0, 0, port) + host), record(name, TXT, txt),
                    record(host, A, socket.inet_aton(address))]
    return struct.pack(">HHHHHH", 0, 0x8400, 0, len(records), 0, 0) + b"".join(records)


def show(request):
    callers, listener = [], socket.create_server((request["address"], 0))

    def accept():
        while True:
            connection, (host, _) = listener.accept()
            callers.append(host)
            connection.close()

    threading.Thread(target=accept, daemon=True).start()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
        udp.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        udp.bind((request["address"], PORT))
        udp.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 255)
        udp.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(request["address"]))
        pause = request["seconds"] / 2 / len(request["names"])
        for name, txt in request["names"]:
            port = listener.getsockname()[1]
            udp.sendto(announcement(name, txt and bytes.fromhex(txt), request["address"], port), (GROUP, PORT))
            time.sleep(pause)
    time.sleep(request["seconds"] / 2)
    return callers


if __name__ == "__main__":
    said = json.load(sys.stdin)
    print(json.dumps(say(said) if "messages" in said else show(said)))
