"""What a mailbox's server, its wire and strangers with other trips' credentials learn of a trip: nothing that is in it."""

import json
import secrets as random
import time

from lab import secrets
from lab.caravan import Caravan, party
from lab.mailboxes import Apache, Nats, is_apache_here, is_nats_here
from lab.nats_client import NatsClient, Refused
from lab.network import Failure, Lan, command, until
from lab.pcap import Capture
from lab.scenarios.apart import HOSTS, NAMES, exchange
from lab.scenarios.secrecy import all_markers

ABOUT = "a mailbox's wire searched for all that a trip has; two trips' blocks compared; strangers with other credentials"
QUICK = True
NEEDS_CARAVAN = True

WINDOW = 8
OWN_ADDRESS = "10.77.0.250"
# How long a stranger listens for what may come.
LISTEN_SECONDS = 3


def brief(folder, program):
    if is_nats_here():
        with Lan(folder, [*NAMES, "box"]) as lan:
            strangers(lan, program)


def run(folder, program):
    with Lan(folder / "webdav", [*HOSTS, "box"]) as lan:
        if is_apache_here(lan):
            apache = Apache(lan["box"])
            on_the_wire(folder, lan, program, "WebDAV", apache.address, apache.store)
        else:
            print("sealed: no WebDAV, because Apache isn't installed or this isn't root", flush=True)
    if not is_nats_here():
        return print("sealed: no NATS, because nats-server or libnats isn't installed", flush=True)
    with Lan(folder / "nats", [*HOSTS, "box"]) as lan:
        nats = Nats(lan["box"])
        on_the_wire(folder, lan, program, "NATS", nats.address, nats.store)
    with Lan(folder / "strangers", [*NAMES, "box"]) as lan:
        strangers(lan, program)


def on_the_wire(folder, lan, program, what, address, store):
    """The mailbox's own link is captured without TLS, so that only the blocks' seal hides what is in them."""
    file = folder / f"{what}.pcap"
    lan.begin_capture(file, interface=lan["box"].link)
    exchange(lan, program, what, address, store)
    lan.end_capture()
    capture = Capture.read(file)
    jie, noah = (Caravan(lan[name], program, NAMES[name]) for name in NAMES)
    # The invite was used before the mailbox was; its secret is in no block.
    markers = all_markers((jie, noah), [])
    box = lan["box"].address
    streams = {flow: data for flow, data in capture.streams().items() if _address(box) in (flow[0], flow[2])}
    if sum(map(len, streams.values())) < 5_000:
        raise Failure(f"{what}: the capture has too little to search")
    haystack = secrets.Haystack.of([*capture.frames, *streams.values()])
    hits = [f"{marker.what} (as {', '.join(forms)})" for marker in markers if (forms := marker.found_in(haystack))]
    if hits:
        raise Failure(f"{what}: in the clear on the mailbox's link: " + "; ".join(hits))
    planted = secrets.Haystack.of([*streams.values(), markers[0].forms["bytes"]])
    if not markers[0].found_in(planted):
        raise Failure("the search misses what was planted")
    print(f"sealed: {what}: {len(capture.frames)} frames on the mailbox's link, {sum(map(len, streams.values()))} bytes in streams: "
          f"none of {len(markers)} markers is there, in any form", flush=True)
    if what == "WebDAV":
        two_trips(lan, program, address, store)


def two_trips(lan, program, address, store):
    """A second trip of the same two people on the same box shares no string with the first."""
    first = set(store.glob("cv.*"))
    people = [Caravan(lan[name], program, NAMES[name], seat="second") for name in NAMES]
    jie, noah = people
    jie.new("A journey that nobody shall know of")
    jie.up()
    link = jie.invite()
    noah.join(link)
    noah.up()
    jie.do("mailbox", "add", address)
    noah.do("mailbox", "add", address, "--code", json.loads(jie.do("mailbox", "--json"))[0]["code"])
    noah.down()
    jie.do("add", "Casa do Rio Escondido")
    second = lambda: [path for path in store.glob("cv.*") if path not in first and any(path.glob("*/*"))]  # noqa: E731
    until(second, 60, "the second trip has blocks in the mailbox")
    jie.down()
    mine, others = windows(first), windows(second())
    shared = mine & others
    if shared:
        raise Failure(f"two trips share {len(shared)} strings of {WINDOW} bytes, such as {next(iter(shared)).hex()}")
    # Seen failing: a string that both have.
    planted = b"a constant in two blocks"
    if not (mine | _windows(planted)) & (others | _windows(planted)):
        raise Failure("the comparison misses what was planted")
    print(f"sealed: two trips of the same people: {len(mine)} and {len(others)} strings of {WINDOW} bytes in names and blocks, "
          "none in both", flush=True)


def windows(folders):
    """Every string in the names (decoded) and contents of all that is below folders."""
    found = set()
    for folder in folders:
        parts = [folder.name.removeprefix("cv.")]
        for path in folder.rglob("*"):
            parts.append(path.name)
            if path.is_file():
                found |= _windows(path.read_bytes())
        for name in parts:
            found |= _windows(bytes.fromhex(name))
    return found


def _windows(data):
    return {data[start:start + WINDOW] for start in range(len(data) - WINDOW + 1)}


def _address(text):
    return bytes(map(int, text.split(".")))


# Strangers

def user(name, password, prefix):
    """A user who is permitted one trip, as Documentation/Mailbox.md has it."""
    return (f'{{ user: {name}, password: {password}, permissions: {{ publish: ["cv.{prefix}.*", '
            f'"$JS.API.CONSUMER.CREATE.CV.*.cv.{prefix}.*", "$JS.API.CONSUMER.MSG.NEXT.CV.*", "$JS.API.CONSUMER.DELETE.CV.*"], '
            f'subscribe: ["cv.{prefix}.*", "_INBOX.{prefix}.>"] }} }}')


def strangers(lan, program):
    box = lan["box"]
    mine, others = random.token_hex(16), random.token_hex(16)
    certificate(box)
    users = ", ".join(["{ user: operator, password: secret }", user("mine", "secret", mine), user("other", "secret", others)])
    nats = Nats(box, f'tls {{ cert_file: "{box.home}/certificate.pem", key_file: "{box.home}/key.pem" }}\n'
                     f"authorization {{ users: [ {users} ] }}\n")
    place = f"{box.address}:{nats.port}"
    trusting = ("--certificates", box.home / "certificate.pem")
    jie, noah = party(lan, program, NAMES, "A journey that nobody shall know of", hosts=tuple(NAMES))
    jie.do("mailbox", "add", f"tls://operator:secret@{place}", *trusting)
    jie.do("mailbox", "remove", "1")
    for person in (jie, noah):
        person.do("mailbox", "add", f"tls://mine:secret@{place}", "--code", mine, *trusting)
    noah.down()

    command("ip", "addr", "add", f"{OWN_ADDRESS}/24", "dev", "bridge0")
    operator = Stranger(box, nats, "operator", mine)
    clients = [Stranger(box, nats, "other", mine, others)]
    for password in (None, "wrong"):
        try:
            NatsClient(box.address, nats.port, "mine" if password else None, password)
            raise Failure("a stranger without a credential is connected")
        except Refused as refused:
            print(f"sealed: a stranger {'with a wrong password' if password else 'without a credential'}: {refused}", flush=True)
    for one in [operator, *clients]:
        one.listen()
    jie.do("add", "Casa do Rio Escondido")
    time.sleep(LISTEN_SECONDS + 10)
    operator.count()
    if not operator.heard:
        raise Failure("nothing was there to hear")
    for one in clients:
        one.count()
        one.ask()
        if one.heard or one.learned:
            raise Failure(f"a stranger with another trip's credential learned {one.learned or one.heard}")
        print(f"sealed: a stranger with another trip's credential: {one.attempts} attempts, {len(one.client.errors)} refused aloud, "
              f"none heard or listed anything, while the operator heard {operator.heard} messages", flush=True)
    operator.ask()
    if not operator.learned:
        raise Failure("the attempts teach nobody anything, not even the operator")
    jie.down()


class Stranger:
    """Somebody with a credential who wants to learn of a trip that isn't theirs."""

    def __init__(self, box, nats, name, wanted, own=None):
        self.wanted, self.own = wanted, own or wanted
        inbox = f"_INBOX.{own}" if own else "_INBOX"
        self.client = NatsClient(box.address, nats.port, name, "secret", box.home / "certificate.pem", inbox)
        self.heard, self.learned, self.attempts = 0, [], 0

    def listen(self):
        for subject in ("cv.>", "cv.*.*", ">", f"cv.{self.wanted}.*", f"cv.{self.wanted}.>", "_INBOX.>", f"_INBOX.{self.wanted}.>",
                        "$JS.EVENT.>", "$JS.API.>", "$JS.ACK.>", "$SYS.>"):
            self.attempts += 1
            self.client.subscribe(subject)
        self.client.settle()

    def count(self):
        """What came of the wanted trip."""
        while message := self.client.next(0.5):
            self.heard += self.wanted in message.subject or self.wanted.encode() in message.payload

    def ask(self):
        """Each service of JetStream that lists or reads, and consumers whose filter is not what their subject says."""
        for service, body in self._services():
            self.attempts += 1
            answer = self.client.request(service, json.dumps(body).encode() if body else b"", seconds=0.5)
            if answer and b'"error"' not in answer.payload:
                self.learned.append(service)

    def _services(self):
        for service in ("INFO", "STREAM.NAMES", "STREAM.LIST", "STREAM.INFO.CV", "CONSUMER.NAMES.CV", "CONSUMER.LIST.CV"):
            yield f"$JS.API.{service}", None
        yield "$JS.API.STREAM.MSG.GET.CV", {"seq": 1}
        yield "$JS.API.DIRECT.GET.CV", {"seq": 1}
        yield f"$JS.API.DIRECT.GET.CV.cv.{self.wanted}.*", None
        yield "$JS.API.STREAM.PURGE.CV", {"filter": "cv.nobody.nothing"}
        for filter in ("cv.>", "cv.*.*", ">", f"cv.{self.wanted}.*", None):
            for place in (f"cv.{self.own}.*", f"cv.{self.wanted}.*", "cv.>", "cv.*.*", None):
                if place == filter == f"cv.{self.own}.*":
                    continue
                name = random.token_hex(8)
                config = {"name": name, "deliver_policy": "all", "ack_policy": "none", "mem_storage": True}
                config |= {"filter_subject": filter} if filter else {}
                yield f"$JS.API.CONSUMER.CREATE.CV.{name}" + (f".{place}" if place else ""), {"stream_name": "CV", "config": config}
            durable = config | {"durable_name": name}
            yield f"$JS.API.CONSUMER.DURABLE.CREATE.CV.{name}", {"stream_name": "CV", "config": durable}
            yield "$JS.API.CONSUMER.CREATE.CV", {"stream_name": "CV", "config": {**config, "name": ""}}


def certificate(box):
    done = box.run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "30",
                   "-subj", "/CN=box", "-addext", f"subjectAltName=IP:{box.address}", "-keyout", box.home / "key.pem",
                   "-out", box.home / "certificate.pem")
    if done.returncode:
        raise Failure(f"openssl: {done.stderr}")
