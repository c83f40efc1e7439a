"""On another network a node says nothing of where its friends were on the one before."""

import re
import secrets
import socket
import time

from lab.caravan import converge, everyone_meets, party
from lab.network import Failure, Lan
from lab.pcap import Capture

ABOUT = "a node that goes to another network, while it runs and then by a restart, sends none of its friends' addresses, ports or names"
QUICK = True
NEEDS_CARAVAN = True

NAMES = {"fay": "Fay", "ron": "Ron"}
RUNS, SECONDS = 3, 6


def run(folder, program):
    files = [folder / f"network{number}.pcap" for number in range(2)]
    with Lan(folder, [*NAMES, "router"], services=False) as lan:
        lan.begin_capture(files[0])
        for host in lan:
            host.start_bus()
            host.start_avahi()
        people = fay, ron = party(lan, program, NAMES, "Lisbon in June", hosts=tuple(NAMES))
        fay.do("add", "Casa do Rio")
        converge(people, 10, lambda: "Casa do Rio" in ron.items())
        needles = addresses(lan["ron"]) | {"Ron's port": ron.port().to_bytes(2, "big")}
        lan["ron"].cut()
        lan.end_capture()
        names = set(re.findall(rb"[a-z2-7]{26}", b"".join(Capture.read(files[0]).frames)))

        lan.begin_capture(files[1])
        move(lan["fay"], lan["router"])
        time.sleep(SECONDS)
        for _ in range(RUNS - 1):
            fay.down()
            fay.up()
            time.sleep(SECONDS)
        lan.end_capture()
        own = mac(lan["fay"])
        frames = [frame for frame in Capture.read(files[1]).frames if frame[6:12] == own]
        if len(frames) < 20:
            raise Failure(f"there is too little to search: {len(frames)} frames")
        found = [f"{what} in {len(hits)} frames" for what, needle in needles.items()
                 if (hits := [frame for frame in frames if has(frame, what, needle)])]
        found += [f"the name {name.decode()}" for name in names if any(name in frame for frame in frames)]
        if found:
            raise Failure(f"Fay says on the other network: {'; '.join(found)}")
        print(f"two-networks: {len(frames)} frames of Fay's on the other network, none with one of {len(needles)} addresses and ports "
              f"of Ron's or of {len(names)} names that were heard before", flush=True)

        # Back where they met.
        lan["fay"].take_address("10.77.0.1")
        lan["ron"].join()
        everyone_meets(people)
        for person in people:
            person.down()


def mac(host):
    return bytes.fromhex(re.search(r"link/ether (\S+)", host.run("ip", "link", "show", "eth0").stdout).group(1).replace(":", ""))


def addresses(host):
    """What tells of a host in a frame: its addresses as bytes."""
    link_local = re.search(r"inet6 (fe80:\S+)/64", host.run("ip", "-6", "addr", "show", "dev", "eth0").stdout).group(1)
    return {"Ron's IPv4 address": socket.inet_aton(host.address), "Ron's MAC": mac(host),
            "Ron's link-local address": socket.inet_pton(socket.AF_INET6, link_local)}


def has(frame, what, needle):
    """Whether a frame tells of a needle; a port is one where a connection goes to it."""
    if "port" not in what:
        return needle in frame
    kind, packet = frame[12:14], frame[14:]
    if kind == b"\x08\x00" and packet[9] == 6:
        return packet[(packet[0] & 15) * 4 + 2:][:2] == needle
    return kind == b"\x86\xdd" and packet[6] == 6 and packet[42:44] == needle


def move(host, router):
    """Another network: other addresses, another hardware address, and a router."""
    address = ":".join(f"{byte:02x}" for byte in b"\x02" + secrets.token_bytes(5))
    router.take_address("10.88.5.1")
    host.take_address(None)
    host.run("ip", "link", "set", "eth0", "down")
    time.sleep(1)  # no machine is on two networks within less
    host.run("sh", "-c", f"ip link set eth0 address {address}; ip link set eth0 up")
    host.take_address("10.88.5.23")
    host.run("ip", "route", "add", "default", "via", "10.88.5.1")
