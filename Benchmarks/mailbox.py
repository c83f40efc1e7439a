"""What a mailbox costs: puts and reads on one NATS server and on three, a live vote, 1,000 trips of five homes, and padding.

usage: mailbox.py CARAVAN [--trips 1000]
Runs in a lab of its own. Prints lines of text, the build first. Times are those of this machine, with all servers on it.
"""

import argparse
import ctypes
import ctypes.util
import hashlib
import hmac
import json
import os
import resource
import secrets
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parent.parent / "Scripts"
sys.dont_write_bytecode = True
sys.path.insert(0, str(SCRIPTS))

from lab.caravan import Process, party  # noqa: E402
from lab.figures import spread  # noqa: E402
from lab.key_file import DeviceKeys  # noqa: E402
from lab.mailboxes import Cluster, Nats, is_nats_here  # noqa: E402
from lab.nats_client import NatsClient  # noqa: E402
from lab.network import Lan, command, until  # noqa: E402
from lab.scenarios.cluster import keep_apart  # noqa: E402
from lab.scenarios.sealed import OWN_ADDRESS  # noqa: E402
from lab.watching import Watching  # noqa: E402

ROUNDS, HOMES, VOTES, ACTS = 300, 5, 60, 120
SIZES = (1_024, 4_096, 65_536)
# Of a trip in the crowd: a few small blocks from each home, as votes and items are.
BLOCKS_OF_HOME = (1_024, 1_024, 2_048)
NAMES = {"jie": "Jie", "noah": "Noah"}


def main():
    parser = argparse.ArgumentParser(prog="mailbox.py")
    parser.add_argument("caravan", type=Path)
    parser.add_argument("--trips", type=int, default=1_000)
    parser.add_argument("--inside", action="store_true")
    arguments = parser.parse_args()
    if not is_nats_here():
        sys.exit("nats-server or libnats is missing; Scripts/setup --test installs them")
    if not arguments.inside:
        # As Scripts/lan-lab: everything ends with the first process in there.
        words = ["unshare", "--net", "--mount", "--pid", "--uts", "--fork", "--kill-child", "--mount-proc"]
        words += [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
        return subprocess.run([*words, sys.executable, __file__, str(arguments.caravan.resolve()), "--trips", str(arguments.trips),
                               "--inside"]).returncode
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    say(f"{'release' if 'release' in str(arguments.caravan) else 'debug'} build; {os.cpu_count()} processors, load "
        f"{os.getloadavg()[0]:.1f} at the start")
    with tempfile.TemporaryDirectory(prefix="mailbox-bench.") as folder:
        folder = Path(folder)
        with Lan(folder / "one", [*NAMES, "box"]) as lan:
            see()
            nats = Nats(lan["box"], f'http: "{lan["box"].address}:8222"\n')
            live(lan, arguments.caravan, nats)
            round_trips("one server", NatsClient(lan["box"].address), NatsClient(lan["box"].address))
            crowd("one server", [nats], arguments.trips)
        with Lan(folder / "three", ["box1", "box2", "box3"], services=False) as lan:
            see()
            cluster = Cluster(list(lan))
            address = cluster.servers[0].host.address
            create(NatsClient(address), replicas=3)
            # First: what the servers keep of earlier puts for each other shrinks meanwhile.
            crowd("three servers", cluster.servers, arguments.trips)
            round_trips("three servers", NatsClient(address), NatsClient(cluster.servers[1].host.address))
    return 0


def say(text):
    print(f"mailbox: {text}", flush=True)


def see():
    command("ip", "addr", "add", f"{OWN_ADDRESS}/24", "dev", "bridge0")


def create(client, replicas):
    """The stream, as the adapter makes it."""
    config = {"name": "CV", "subjects": ["cv.*.*"], "retention": "limits", "storage": "file", "discard": "new",
              "num_replicas": replicas, "max_age": 90 * 86_400 * 10**9, "duplicate_window": 3_600 * 10**9,
              "max_msgs_per_subject": 8_192, "discard_new_per_subject": True}
    answer = client.request("$JS.API.STREAM.CREATE.CV", json.dumps(config).encode(), seconds=10)
    if answer is None or b'"error"' in answer.payload:
        sys.exit(f"no stream: {answer and answer.payload}")


def put(client, subject, block):
    name = hashlib.blake2b(block, digest_size=32).hexdigest()
    return client.request(subject, block, seconds=10, header={"Nats-Msg-Id": name})


def read(client, subject, place):
    """A consumer from a place, its message, and its end: the adapter's three requests."""
    name = secrets.token_hex(16)
    config = {"name": name, "filter_subject": subject, "deliver_policy": "by_start_sequence", "opt_start_seq": place,
              "ack_policy": "none", "replay_policy": "instant", "headers_only": False, "mem_storage": True, "num_replicas": 1,
              "inactive_threshold": 30 * 10**9}
    client.request(f"$JS.API.CONSUMER.CREATE.CV.{name}.{subject}", json.dumps({"stream_name": "CV", "config": config}).encode())
    message = client.request(f"$JS.API.CONSUMER.MSG.NEXT.CV.{name}", b'{"batch":1,"no_wait":true}')
    client.publish(f"$JS.API.CONSUMER.DELETE.CV.{name}")
    return message


def round_trips(what, writer, reader):
    """Puts by one client and reads by another: the adapter's requests, one at a time."""
    for size in SIZES:
        subject = f"cv.{secrets.token_hex(16)}.{secrets.token_hex(16)}"
        puts, reads, places = [], [], []
        for _ in range(ROUNDS):
            block = secrets.token_bytes(size)
            began = time.monotonic()
            answer = put(writer, subject, block)
            puts.append((time.monotonic() - began) * 1000)
            places.append(json.loads(answer.payload)["seq"])
        for place in places:
            began = time.monotonic()
            message = read(reader, subject, place)
            reads.append((time.monotonic() - began) * 1000)
            if message is None or len(message.payload) != size:
                sys.exit(f"{what}: block {place} was not read")
        say(f"{what}, {ROUNDS} blocks of {size >> 10} KiB: put {spread(puts)}; read {spread(reads)}")


def live(lan, program, nats):
    """A vote from one home to the other: over the LAN, then through the mailbox alone."""
    jie, noah = people = party(lan, program, NAMES, "Lisbon in June", hosts=tuple(NAMES))
    jie.do("add", "Casa do Rio")
    until(lambda: "Casa do Rio" in noah.items(), 20, "Noah has the item")
    watching = Watching(noah, '"vote"')
    time.sleep(2)
    say(f"a vote over the LAN, from the command's start to the other home's watch: {spread(votes(jie, watching))}")
    for person in people:
        person.do("mailbox", "add", nats.address, *([] if person is jie else ["--code", code(jie)]))
    keep_apart(*people)
    until(lambda: not jie.people_here() and not noah.people_here(), 40, "the two are apart")
    # A person who is heard makes the other one live.
    for writer, reader in ((jie, noah), (noah, jie)):
        writer.do("add", f"heard {writer.name}")
        until(lambda: f"heard {writer.name}" in reader.items(), 60, "the other home is heard")
    say(f"a vote through JetStream: {spread(votes(jie, watching))}")
    for number in range(ACTS):
        (jie if number % 3 else noah).do("add", f"An item such as people write, number {number}", "--note", "n" * (number % 80 + 1))
    time.sleep(5)
    for person in people:
        person.down()
    padding(nats, jie)


def code(person):
    return json.loads(person.do("mailbox", "--json"))[0]["code"]


def votes(person, watching):
    times = []
    for number in range(VOTES):
        before = len(watching.times())
        began = time.monotonic()
        person.do("vote", "1", *(["--against"] if number % 2 else []))
        seen = watching.is_seen(before + 1, 60)
        if seen is None:
            sys.exit("a vote isn't seen")
        times.append((seen - began) * 1000)
    return times


def padding(nats, person):
    """What is in the blocks that lie there: the letters are opened with the trip's own key."""
    client = NatsClient(nats.host.address)
    prefix = code(person)
    sizes, letters = [], []
    name = secrets.token_hex(16)
    config = {"name": name, "filter_subject": f"cv.{prefix}.*", "deliver_policy": "all", "ack_policy": "none", "mem_storage": True,
              "inactive_threshold": 30 * 10**9}
    client.request(f"$JS.API.CONSUMER.CREATE.CV.{name}.cv.{prefix}.*", json.dumps({"stream_name": "CV", "config": config}).encode())
    epochs = DeviceKeys.read(person.keys_file()).epoch_secrets
    while (message := client.request(f"$JS.API.CONSUMER.MSG.NEXT.CV.{name}", b'{"batch":1,"no_wait":true}')) and message.payload:
        tag = message.subject.split(".")[2]
        opened = next((found for secret in epochs if (found := open_block(message.payload, secret, prefix, tag))), None)
        if opened is not None:
            sizes.append(len(message.payload))
            # Beside zeros: the nonce and the seal's tag.
            letters.append(len(opened.rstrip(b"\0")) + 40)
    if not sizes:
        sys.exit("no block could be opened")
    say(f"padding: {len(sizes)} blocks of {sum(sizes)} bytes, of which {sum(letters)} are letters: {sum(sizes) / sum(letters):.2f} times; "
        f"a letter has {spread(letters, 'bytes')}; blocks of " +
        ", ".join(f"{size >> 10} KiB: {sizes.count(size)}" for size in sorted(set(sizes))))


def open_block(block, secret, prefix, tag):
    """The content of a block with its zeros; None if another key sealed it (Documentation/Protocol.md, section 14)."""
    sodium = ctypes.CDLL(ctypes.util.find_library("sodium") or "libsodium.so.23")
    extracted = hmac.digest(bytes(32), secret, "sha256")
    key = hmac.digest(extracted, b"caravan mailbox" + b"\x01", "sha256")
    beside = b"caravan mailbox" + bytes.fromhex(prefix) + bytes.fromhex(tag)
    out = ctypes.create_string_buffer(len(block))
    size = ctypes.c_ulonglong()
    done = sodium.crypto_aead_xchacha20poly1305_ietf_decrypt(
        out, ctypes.byref(size), None, block[24:], ctypes.c_ulonglong(len(block) - 24), beside, ctypes.c_ulonglong(len(beside)),
        block[:24], key)
    return out.raw[:size.value] if done == 0 else None


def disk(store):
    return sum(path.stat().st_blocks * 512 for path in store.rglob("*") if path.is_file())


def crowd(what, servers, trips):
    """Homes of many trips: each watches its prefix at one server, lists it, and puts a few blocks."""
    processes = [Process(number) for number in server_numbers()]
    memory, bytes_before, began = resident(processes), stored(servers), time.monotonic()
    homes, puts, payload = [], [], 0
    for trip in range(trips):
        prefix = secrets.token_hex(16)
        tag = secrets.token_hex(16)
        own = [NatsClient(servers[(trip + home) % len(servers)].host.address) for home in range(HOMES)]
        for home in own:
            home.subscribe(f"cv.{prefix}.*")
        homes += own
        for size in BLOCKS_OF_HOME:
            started = time.monotonic()
            put(own[0], f"cv.{prefix}.{tag}", secrets.token_bytes(size))
            puts.append((time.monotonic() - started) * 1000)
            payload += size
    settled = time.monotonic() - began
    after, more = resident(processes), stored(servers) - bytes_before
    say(f"{trips} trips of {HOMES} homes on {what}: {len(homes)} connections that watch, {len(puts)} blocks in {settled:.0f} s; put "
        f"{spread(puts)}; memory {memory / 1024:.0f} MiB, then {after / 1024:.0f} MiB: {(after - memory) / trips:.0f} KiB a trip; on disk "
        f"{more / trips:.0f} bytes a trip, for blocks of {payload / trips:.0f}")
    for home in homes:
        home.close()


def resident(processes):
    return sum(process.resident_kb() for process in processes)


def stored(servers):
    # What waits to be written takes no blocks yet.
    os.sync()
    return sum(disk(server.store) for server in servers)


def server_numbers():
    """The servers run below commands that enter their namespaces."""
    return [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit() and _is_server(path)]


def _is_server(path):
    try:
        return (path / "comm").read_text().strip() == "nats-server"
    except OSError:
        return False


if __name__ == "__main__":
    sys.exit(main())
