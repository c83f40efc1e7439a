"""A folder that Debian's Syncthing carries is the mailbox, and folders of Apache and nginx, with all that lies about in such folders."""

import os
import time

from lab import syncthing
from lab.caravan import Caravan
from lab.mailboxes import Apache, Nginx, is_apache_here, is_nginx_here
from lab.network import Failure, Lan, until
from lab.scenarios.apart import NAMES, exchange, in_mailbox

ABOUT = "two homes that are never up at once, through Syncthing, Apache and nginx, among conflicted copies and 10,000 files"
QUICK = False
NEEDS_CARAVAN = True
SECONDS_MAX = 1_800

FOREIGN, BRIEF_FOREIGN = 10_000, 500
SYNCED_SECONDS, READ_SECONDS = 120, 20
# Somebody who lost a block puts it again after 10 to 120 s.
AGAIN_SECONDS = 180


def run(folder, program):
    through_syncthing(folder / "syncthing", program, FOREIGN, is_whole=True)
    through_servers(folder, program, FOREIGN)


def brief(folder, program):
    through_syncthing(folder, program, BRIEF_FOREIGN, is_whole=False)


def through_servers(folder, program, foreign):
    for what, server, is_here in (("Apache", Apache, is_apache_here), ("nginx", Nginx, is_nginx_here)):
        with Lan(folder / what, [*NAMES, "mia", "box"]) as lan:
            if not is_here(lan):
                print(f"synced: no {what}, because it isn't installed or this isn't root", flush=True)
                continue
            box = server(lan["box"])
            exchange(lan, program, what, box.address, box.store, lambda: clutter(box.store, foreign))


def through_syncthing(folder, program, foreign, is_whole):
    if not syncthing.is_here():
        return print("synced: Syncthing was left out: Scripts/setup --syncthing installs it", flush=True)
    with Lan(folder, [*NAMES, "mia"]) as lan:
        hosts = [lan[name] for name in NAMES]
        with syncthing.Pair(hosts, syncthing.SHORTEST_DELAY, is_durable=False) as pair:
            # One path for all: each host sees its own folder there, and Mia's the one at Jie's, as if she were at Jie's place.
            box = folder / "box"
            box.mkdir()
            for host, shared in zip([*hosts, lan["mia"]], [*pair.shared, pair.shared[0]]):
                if (done := host.run("mount", "--bind", shared, box)).returncode:
                    raise Failure(f"mount: {done.stderr}")

            def meanwhile():
                settled(pair)
                conflict(pair)
                clutter(pair.shared[0], foreign)
                print(f"synced: Syncthing carried some {foreign} files of others in {settled(pair):.0f} s", flush=True)

            exchange(lan, program, "Syncthing", box, pair.shared[1], meanwhile)
            jie, noah = (Caravan(lan[name], program, NAMES[name]) for name in NAMES)
            half_written(pair, jie, noah)
            if is_whole:
                truncated(pair, jie, noah)
            for person in (jie, noah):
                said_little(person)


def settled(pair):
    """Waits until both folders have the same visible files, of the same sizes, as long as that goes on."""
    def contents(shared):
        return {path.relative_to(shared): path.stat().st_size for path in shared.rglob("*")
                if path.is_file() and not path.name.startswith(".") and ".stfolder" not in path.parts}

    def are_equal():
        try:
            first, second = map(contents, pair.shared)
        except FileNotFoundError:  # renamed meanwhile
            return None
        return first if first == second else None

    def count():
        return sum(1 for shared in pair.shared for _ in shared.rglob("*"))

    started, known, grown = time.monotonic(), count(), time.monotonic()
    while not are_equal():
        if (now := count()) != known:
            known, grown = now, time.monotonic()
        if time.monotonic() - grown > SYNCED_SECONDS:
            raise Failure(f"Syncthing has both folders equal: {SYNCED_SECONDS} s without progress, with {known} files and folders")
        time.sleep(0.3)
    return time.monotonic() - started


def blocks(shared):
    return [path for path in shared.glob("cv.*/*/*") if len(path.name) == 64 and path.is_file()]


def clutter(store, count):
    """What people, sync tools and web servers leave, in the folder itself and beside the blocks."""
    slots = {path.parent for path in store.glob("cv.*/*/*") if path.is_file()}
    if not slots:
        raise Failure("there is no block in the folder")
    for slot in slots:
        for path in blocks(store):
            if path.parent == slot:
                (slot / f"{path.name} (Noah's conflicted copy 2027-05-01)").write_bytes(path.read_bytes())
                (slot / f".{path.name}.part").write_bytes(path.read_bytes()[:100])
        (slot / ("0" * 63 + "1")).write_bytes(os.urandom(500))
        (slot / "notes & <more> %41 ü.txt").write_bytes(b"x")
        (slot / "folder").mkdir(exist_ok=True)
        for number in range(count // len(slots)):
            (slot / f"IMG_{number:05}.jpg").write_bytes(b"\xff\xd8" + os.urandom(20))
    for number in range(count // 10):
        (store / f"IMG_{number:05}.jpg").write_bytes(b"\xff\xd8" + os.urandom(20))


def conflict(pair):
    """A real conflict: one name that both sides wrote, and differently, while neither heard of the other."""
    for host in pair.hosts:
        host.cut()
    for number, shared in enumerate(pair.shared):
        for slot in {path.parent for path in blocks(shared)}:
            (slot / ("c" * 64)).write_bytes(b"%d" % number * 500)
    time.sleep(2 * syncthing.SHORTEST_DELAY)
    for host in pair.hosts:
        host.join()
    until(lambda: any("sync-conflict" in path.name for shared in pair.shared for path in shared.rglob("*")),
          SYNCED_SECONDS, "Syncthing keeps a conflicting copy", pause=0.3)


def half_written(pair, jie, noah):
    """A tool that writes in place: Noah's node sees a half, then the whole."""
    # Its past has to be there.
    settled(pair)
    pair.stop(1)
    before = {path.name for path in blocks(pair.shared[0])}
    jie.up()
    jie.do("add", "written in two halves")
    in_mailbox(jie, 1)
    jie.down()
    fresh = [path for path in blocks(pair.shared[0]) if path.name not in before]
    copies = [pair.shared[1] / path.relative_to(pair.shared[0]) for path in fresh]
    for path, copy in zip(fresh, copies):
        copy.write_bytes(path.read_bytes()[:path.stat().st_size // 2])
    noah.up()
    time.sleep(2)
    if "written in two halves" in noah.items():
        raise Failure("half a block was read")
    for path, copy in zip(fresh, copies):
        with open(copy, "ab") as file:
            file.write(path.read_bytes()[copy.stat().st_size:])
    _, seconds = until(lambda: "written in two halves" in noah.items(), READ_SECONDS, "the whole block is read")
    noah.down()
    pair.start(1)
    print(f"synced: a block that is written in two halves is read {seconds:.1f} s after the second", flush=True)


def truncated(pair, jie, noah):
    """A block that nobody has read yet is cut short on both sides: its author puts it again."""
    settled(pair)
    before = {path.name for path in blocks(pair.shared[0])}
    jie.up()
    jie.do("add", "cut short later")
    in_mailbox(jie, 1)
    jie.down()
    settled(pair)
    for path in blocks(pair.shared[0]):
        if path.name not in before:
            os.truncate(path, 100)
    settled(pair)
    noah.up()
    time.sleep(3)
    if "cut short later" in noah.items():
        raise Failure("a truncated block was read")
    noah.down()
    jie.up()
    _, again = until(lambda: {path.name for path in blocks(pair.shared[0]) if path.stat().st_size >= 1_024} - before,
                     AGAIN_SECONDS, "the change is put again", pause=0.3)
    jie.down()
    noah.up()
    _, read = until(lambda: "cut short later" in noah.items(), SYNCED_SECONDS, "Noah reads what was put again")
    noah.down()
    print(f"synced: what was cut short is put again {again:.1f} s after the author's start, and read {read:.1f} s after the "
          "reader's", flush=True)


def said_little(person):
    """At most one line of a node's log is about the clutter."""
    log = person.host.log_text(person.job)
    lines = [line for line in log.splitlines() if "mailbox" in line.lower()]
    if len(set(lines)) > 1:
        raise Failure(f"{person.name}'s node says more than one thing of the mailbox: {lines[:5]}")
    print(f"synced: {person.name}'s node says of the mailbox: {lines[:1] or 'nothing'}", flush=True)
