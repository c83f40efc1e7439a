"""Those without the trip's secret get no answer and learn no name."""

import hashlib
import os
import socket
from collections import defaultdict

from lab.caravan import Caravan, party
from lab.false_names import pointer
from lab.network import Failure, Lan, until
from lab.pcap import Capture
from lab.secrets import base32_bytes, base32_text

ABOUT = "a node of another trip, a forged invite and plain noise: no byte of answer, all names asked about alike, nothing joined"
QUICK = True
NEEDS_CARAVAN = True

GREETING_SIZE = 16
NAMES = {"jie": "Jie", "michelle": "Michelle"}
NOISE = "import os,socket,sys; s=socket.create_connection((sys.argv[1],int(sys.argv[2]))); s.settimeout(6)\n" \
    "s.sendall(os.urandom(int(sys.argv[3])))\n" \
    "try: s.recv(16, socket.MSG_WAITALL); print(len(s.recv(1)))\n" \
    "except TimeoutError: print('silence')\n" \
    "except ConnectionResetError: print(0)\n"
# Tells one host alone of an instance: a daemon that has heard of it from nobody else must ask where it is.
POINTER = "import socket,sys; s=socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\n" \
    "s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1); s.bind((sys.argv[1], 5353))\n" \
    "s.setsockopt(socket.IPPROTO_IP, socket.IP_TTL, 255); s.sendto(bytes.fromhex(sys.argv[3]), (sys.argv[2], 5353))\n"


def run(folder, program):
    file = folder / "bridge.pcap"
    with Lan(folder, ["jie", "michelle", "mallory", "eve"]) as lan:
        lan.begin_capture(file)
        members = party(lan, program, NAMES, "Lisbon in June", hosts=("jie", "michelle"))
        jie = members[0]
        jie.do("add", "Casa do Rio")
        address = f"{lan['jie'].address}:{jie.port()}"

        mallory = Caravan(lan["mallory"], program, "Mallory")
        mallory.new("Another trip altogether")
        mallory.up("--peer", address)

        eve = Caravan(lan["eve"], program, "Eve")
        forged = forge(jie.invite())
        done = eve.command("join", forged, "--as", "Eve", "--peer", address, "--patience", "8")
        if done.returncode != 1:
            raise Failure(f"a forged invite: exit {done.returncode}, {done.stdout}{done.stderr}")
        for size in ("1", "50", "5000"):
            answer = lan["eve"].run("python3", "-c", NOISE, lan["jie"].address, str(jie.port()), size).stdout.strip()
            if answer not in ("0", "silence"):
                raise Failure(f"noise of {size} bytes is answered: {answer}")

        dialled = lambda: any(flow[0] == raw(lan["mallory"]) for flow in Capture.read(file).streams())
        until(dialled, 10, "Mallory's node dials Jie's")
        for person, expected in ((jie, {"Michelle"}), (members[1], {"Jie"}), (mallory, set())):
            if person.people_here() != expected:
                raise Failure(f"{person.name} has met {person.people_here()}")
        if mallory.items() or "Mallory" in jie.do("members", "--json") or "Eve" in jie.do("members", "--json"):
            raise Failure("a stranger is in, or sees what is inside")
        names = tell(lan["eve"], [person.host for person in (*members, mallory)])
        until(lambda: not unasked(Capture.read(file), names), 20, "members and strangers ask about names that nobody has")
        for person in [*members, mallory]:
            person.down()
        lan.end_capture()
        strangers = {raw(lan["mallory"]): "Mallory", raw(lan["eve"]): "Eve"}
        check(Capture.read(file), strangers, {raw(host): host.name for host in (lan["jie"], lan["michelle"])})


def tell(teller, hosts):
    """Tells each host of an instance that nobody has; {host: the instance}.

    Of true names a daemon often knows everything already, and asks nothing. And it keeps silent where another has just asked
    the same: so each host is told of its own.
    """
    teller.kill_avahi()
    names = {}
    for host in hosts:
        message, names[host] = pointer()
        done = teller.run("python3", "-c", POINTER, teller.address, host.address, message.hex())
        if done.returncode != 0:
            raise Failure(f"{host.name} cannot be told of a name: {done.stderr}")
    return names


def unasked(capture, names):
    """The hosts that have not asked about the instance of which they were told."""
    asked = {(one.source, one.name.split(".")[0]) for one in capture.questions() if one.type in (33, 16)}
    return [host.name for host, name in names.items() if (raw(host), name) not in asked]


def raw(host):
    return socket.inet_aton(host.address)


def forge(link):
    """The same trip with another secret, and a sum that is right."""
    data = base32_bytes(link.removeprefix("caravan:"))
    body = data[:33] + os.urandom(32) + data[65:-4]
    return "caravan:" + base32_text(body + hashlib.blake2b(body, digest_size=32).digest()[:4])


def check(capture, strangers, members):
    """No member's host has answered a stranger's over TCP.

    Everybody is greeted who connects, with 16 random bytes.
    """
    asked, answered, greetings = defaultdict(int), defaultdict(int), []
    for (source, _, target, _), stream in capture.streams().items():
        if source in strangers and target in members:
            asked[strangers[source]] += len(stream)
        if source in members and target in strangers:
            answered[strangers[target]] += len(stream) - GREETING_SIZE if len(stream) > GREETING_SIZE else 0
            greetings += [bytes(stream)] if stream else []
    if set(asked) != set(strangers.values()) or 0 in asked.values():
        raise Failure(f"not every stranger has spoken: {dict(asked)}")
    if any(answered.values()):
        raise Failure(f"strangers were answered: {dict(answered)}")
    if len(set(greetings)) != len(greetings):
        raise Failure("a greeting came twice")
    instances = {name.split(".")[0] for name in capture.names() if name.endswith("._caravan._tcp.local")}
    print(f"stranger: {sum(asked.values())} bytes sent by strangers, none answered; "
          f"{len(instances)} instance names on the wire")
