"""`caravan doctor` names each cause, made for real, and none where nothing is wrong."""

import json
import os
import signal

from lab.caravan import Caravan, party
from lab.filters import Filter, has_filters
from lab.network import Failure, Lan, command, until

ABOUT = "each thing that keeps a trip from being kept or shared is made, and `caravan doctor` names it"
QUICK = True
NEEDS_CARAVAN = True

NAMES = {"jie": "Jie", "michelle": "Michelle"}
KERNEL_REFUSES = "a cause was left out: this machine has no nft, or its kernel no such rules"


def causes(person):
    """What `caravan doctor` finds wrong."""
    done = person.command("doctor", "--json")
    if done.returncode not in (0, 1) or not done.stdout:
        raise Failure(f"{person.name}: doctor ended with {done.returncode}: {done.stderr.strip()}")
    found = json.loads(done.stdout)
    if found["well"] != (done.returncode == 0):
        raise Failure(f"{person.name}: doctor says well={found['well']} and ends with {done.returncode}")
    return {finding["cause"] for finding in found["findings"] if finding["problem"]}


def expect(person, cause, what, besides=()):
    """The doctor of a person finds a cause, and no other but those that come with it."""
    found = causes(person)
    if cause not in found or found - {cause} - set(besides):
        raise Failure(f"{what}: {person.name}'s doctor says {sorted(found)}, not {cause}")
    print(f"doctor: {what}: {cause}")


def expect_well(person, what):
    found = causes(person)
    if found:
        raise Failure(f"{what}: {person.name}'s doctor says {sorted(found)}")
    print(f"doctor: {what}: nothing is wrong")


def run(folder, program):
    with Lan(folder, list(NAMES)) as lan:
        jie, michelle = party(lan, program, NAMES, "Lisbon in June")
        host = lan["jie"]
        expect_well(jie, "two nodes that meet")
        at_home(host, jie)
        on_the_clock(jie)
        the_node(host, jie, program)
        the_network(lan, host, jie, michelle)
        if has_filters():
            the_filters(lan, jie, michelle)
        else:
            print(f"doctor: {KERNEL_REFUSES}")
        the_daemons(host, jie)
        # Last: what was stored is not whole again afterwards.
        the_store(host, jie)


def at_home(host, jie):
    trips = host.caravan_home / "trips"
    trips.chmod(0o777)
    expect(jie, "writable_by_others", "a home that others can write to")
    trips.chmod(0o700)
    # A disk of its own under a second home, so that it can be full.
    small = host.folder / "small"
    small.mkdir()
    home = small / "home"
    script = f"mount -t tmpfs -o size=6m tmpfs {small} && mkdir -m 700 {home}"
    if host.run("sh", "-ec", script).returncode != 0:
        return print("doctor: a full disk was left out: nothing can be mounted here")
    second = Caravan(host, "env", jie.name)
    second.command = lambda *words, **_: host.run("env", f"CARAVAN_HOME={home}", jie.program, *words)
    second.do("new", "A small disk", "--as", "Jie")
    expect_well(second, "a disk with room")
    host.run("sh", "-c", f"dd if=/dev/zero of={small}/filler bs=64k 2>/dev/null")
    expect(second, "disk_full", "a full disk")


def on_the_clock(jie):
    database = jie.keys_file().parent / "trip.sqlite"
    status = database.stat()
    os.utime(database, (status.st_atime, status.st_mtime + 86_400))
    expect(jie, "clock_behind", "files of tomorrow")
    os.utime(database, (status.st_atime, status.st_mtime))


def the_node(host, jie, program):
    owner = int((host.caravan_home / "lock").read_text())
    os.kill(owner, signal.SIGSTOP)
    expect(jie, "node_stopped", "a node that was stopped")
    os.kill(owner, signal.SIGCONT)
    # Another program than this home's node has the trip.
    jie.down()
    folder = jie.keys_file().parent
    # The one that holds it writes its number, as a caravan does.
    script = f'exec 9<>"{folder}/lock"; flock 9; echo $$ >&9; exec sleep 60'
    host.start("holder", "bash", "-c", script)
    until(lambda: (folder / "lock").read_text().strip(), 5, "the trip is held")
    expect(jie, "held_by_another", "another program has the trip")
    host.kill("holder")
    jie.up()


def the_network(lan, host, jie, michelle):
    until(lambda: michelle.people_here(), 20, "Michelle sees Jie again")
    host.run("sh", "-ec", "ip link add tunnel type veth peer name other; ip addr add 10.9.0.2/32 dev tunnel; "
             "ip link set tunnel up; ip link set other up; ip route add 10.77.0.0/25 dev tunnel src 10.9.0.2; "
             "ip route add 10.77.0.128/25 dev tunnel src 10.9.0.2")
    # What the tunnel swallows is not heard of from anybody either.
    expect(jie, "routed_elsewhere", "a VPN takes the route", besides={"isolated", "multicast_not_received"})
    host.run("ip", "link", "del", "tunnel")
    host.run("sh", "-c", "ip addr flush dev eth0")
    expect(jie, "no_address", "no address", besides={"isolated"})
    host.run("ip", "addr", "add", f"{host.address}/24", "dev", "eth0")
    until(lambda: michelle.people_here() and jie.people_here(), 30, "both meet again")
    expect_well(jie, "the address is back")


def the_filters(lan, jie, michelle):
    mdns = "udp dport 5353 drop"
    with Filter("inet", "output", mdns, host=lan["jie"]):
        expect(jie, "multicast_not_sent", "multicast is not let out")
    with Filter("inet", "input", mdns, host=lan["jie"]):
        expect(jie, "multicast_not_received", "multicast is not let in")
    unicast = "ether daddr & 01:00:00:00:00:00 == 00:00:00:00:00:00 drop"
    with Filter("bridge", "forward", unicast):
        lan["jie"].run("ip", "neigh", "flush", "all")
        expect(jie, "isolated", "clients are kept apart")
    until(lambda: michelle.people_here() and jie.people_here(), 40, "both meet again")
    port = michelle.port()
    with Filter("inet", "input", f"tcp dport {port} drop", host=lan["michelle"]):
        expect(jie, "peer_port_filtered", "a firewall at the other's port")
    kept_out(lan, jie, michelle)
    unheard(lan, jie, michelle)


def kept_out(lan, jie, michelle):
    """A firewall lets nobody in at Jie's new port, so that she alone gets through to others."""
    jie.down()
    with Filter("inet", "input", "iif eth0 tcp flags & (syn | ack) == syn drop", host=lan["jie"]):
        jie.up()
        until(lambda: jie.people_here(), 30, "Jie reaches Michelle")
        expect(jie, "never_reached", "a firewall at one's own port")
    jie.down()


def unheard(lan, jie, michelle):
    """A network that carries no multicast: by an address they meet."""
    michelle.down()
    with Filter("bridge", "forward", "ip daddr 224.0.0.251 drop", "ip6 daddr ff02::fb drop"):
        for host in (lan["jie"], lan["michelle"]):
            host.kill_avahi()
            host.start_avahi()
        michelle.up()
        jie.up("--peer", f"{lan['michelle'].address}:{michelle.port()}")
        until(lambda: jie.people_here(), 30, "Jie reaches Michelle by her address")
        expect(jie, "multicast_not_forwarded", "a network without multicast")


def the_daemons(host, jie):
    host.kill_avahi()
    expect(jie, "no_daemon", "no avahi-daemon", besides={"multicast_not_forwarded"})
    host.kill_bus()
    expect(jie, "no_bus", "no D-Bus", besides={"multicast_not_forwarded"})
    host.start_bus()
    host.start_avahi()


def the_store(host, jie):
    jie.down()
    database = jie.keys_file().parent / "trip.sqlite"
    data = bytearray(database.read_bytes())
    for place in range(len(data) // 2, len(data) // 2 + 512):
        data[place] ^= 0x55
    database.write_bytes(data)
    command("chmod", "600", database)
    expect(jie, "store_damaged", "a store with altered bytes")
