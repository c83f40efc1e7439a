"""Three NATS servers hold the mailbox of two homes. One after the other is killed, cut off, emptied and damaged."""

import json
import shutil
import time

from lab.caravan import party
from lab.figures import spread
from lab.mailboxes import Cluster, is_nats_here
from lab.network import Failure, Lan, command, until
from lab.scenarios.apart import check_secrecy
from lab.scenarios.sealed import OWN_ADDRESS
from lab.scenarios.secrecy import all_markers
from lab.watching import Watching

ABOUT = "600 puts through three NATS servers: one killed, cut off, emptied, damaged; nothing is lost, and the gap of each"
QUICK = False
NEEDS_CARAVAN = True
SECONDS_MAX = 1_800

NAMES = {"jie": "Jie of the northern hills", "noah": "Noah of the quiet harbour"}
BOXES = ("box1", "box2", "box3")
# Of each phase: changes before its fault, and in all.
BEFORE, CHANGES = 40, 140
PAUSE_SECONDS = 0.2
# Changes leave at once only while somebody else was heard within a minute.
ANSWER_EVERY = 20
# A change that takes longer has not arrived. What a damaged replica hides is put again after 10 to 120 s.
ARRIVAL_SECONDS, GAP_SECONDS_MAX = 240, 180


def run(folder, program):
    if not is_nats_here():
        return print("cluster: left out, because nats-server or libnats isn't installed")
    with Lan(folder, [*NAMES, *BOXES]) as lan:
        cluster = Cluster([lan[name] for name in BOXES])
        links = []
        jie, noah = party(lan, program, NAMES, "A journey that nobody shall know of", links, hosts=tuple(NAMES))
        keep_apart(jie, noah)
        for person in (jie, noah):
            until(lambda: not person.people_here(), 30, f"{person.name} meets nobody")
        jie.do("mailbox", "add", cluster.address)
        noah.do("mailbox", "add", cluster.address, "--code", json.loads(jie.do("mailbox", "--json"))[0]["code"])
        # From where the lab itself looks at the servers.
        command("ip", "addr", "add", f"{OWN_ADDRESS}/24", "dev", "bridge0")
        until(lambda: cluster.replicas() == len(BOXES), 20, f"the stream has {len(BOXES)} replicas", pause=0.5)
        course = Course(jie, noah, cluster)
        course.phase("no fault", lambda: None, lambda: None)
        for what, fault, mend in faults(cluster):
            course.phase(what, fault, mend)
        course.check()
        for person in (jie, noah):
            person.down()
        for server in cluster.servers:
            server.kill()
        for server in cluster.servers:
            check_secrecy(server.store, all_markers((jie, noah), links))


def keep_apart(*people):
    """From here on the two can't reach each other, though each reaches the boxes."""
    for person in people:
        host = person.host
        host.kill_avahi()
        for other in people:
            if other is not person:
                host.run("ip", "route", "add", "blackhole", f"{other.host.address}/32")
        host.run("sysctl", "-qw", "net.ipv6.conf.eth0.disable_ipv6=1")


def faults(cluster):
    """(what, what makes it, what mends it): each of another server, and the worst of them: the leader."""
    struck = []

    def leader():
        server = until(cluster.leader, 60, "the stream has a leader")[0]
        struck[:] = [server]
        return server

    def kill():
        leader().kill()

    def start():
        struck[0].start()

    def cut():
        leader().host.cut()

    def join():
        struck[0].host.join()

    def empty():
        kill()
        shutil.rmtree(struck[0].store)
        start()

    def damage():
        kill()
        flip(struck[0].store)
        start()

    def replace():
        """Some versions of the server end when they read such bytes: then who runs them empties the disk."""
        if struck[0].has_ended:
            print("cluster: the server ended over the flipped bytes; it starts again with an empty disk", flush=True)
            shutil.rmtree(struck[0].store)
            start()

    return [("the leader is killed with -9", kill, start), ("the leader is cut off", cut, join),
            ("the leader comes back with an empty disk", empty, lambda: None),
            ("the leader comes back with flipped bytes in its block files", damage, replace)]


def flip(store):
    """One byte in each 16 KiB of the stream's block files, as a failing disk leaves them."""
    blocks = [file for file in store.rglob("*.blk") if "CV" in file.parts and file.stat().st_size]
    if not blocks:
        raise Failure("the server has no block file to damage")
    for file in blocks:
        data = bytearray(file.read_bytes())
        for place in range(min(4_096, len(data) // 2), len(data), 16_384):
            data[place] ^= 0x55
        file.write_bytes(data)


class Course:
    """What Jie writes and when Noah sees it."""

    def __init__(self, jie, noah, cluster):
        self.jie, self.noah, self.cluster = jie, noah, cluster
        self.watching = Watching(noah, "note number")
        self.titles = []
        jie.do("add", "note number zero")
        if self.watching.when("note number zero", ARRIVAL_SECONDS) is None:
            raise Failure("the first change isn't at the other home")
        noah.do("add", "heard")
        until(lambda: "heard" in jie.items(), ARRIVAL_SECONDS, "Noah is heard")

    def phase(self, what, fault, mend):
        """Writes changes, with a fault among them that is mended once what was written has arrived."""
        first = len(self.titles)
        written = [self._write(first + number) for number in range(BEFORE)]
        began = time.monotonic()
        fault()
        self.noah.do("add", f"answer to {what}")
        written += [self._write(first + number) for number in range(BEFORE, CHANGES)]
        arrived = []
        for number, when in enumerate(written):
            seen = self.watching.when(f"note number {first + number:05}", ARRIVAL_SECONDS)
            if seen is None:
                raise Failure(f"{what}: change {number} isn't at the other home {ARRIVAL_SECONDS} s after the last was written")
            arrived.append(seen - when)
        gap = self._gap(began, [when + late for when, late in zip(written, arrived)])
        until(lambda: f"answer to {what}" in self.jie.items(), ARRIVAL_SECONDS, f"{what}: the answer is at Jie's home")
        print(f"cluster: {what}: {CHANGES} changes, all there; without news for {gap:.1f} s; from writing to sight: before "
              f"{spread(arrived[:BEFORE], 's')}, after {spread(arrived[BEFORE:], 's')}, at most {max(arrived):.1f} s; "
              f"{self.cluster.messages()} blocks", flush=True)
        if gap > GAP_SECONDS_MAX:
            raise Failure(f"{what}: a gap of {gap:.1f} s, more than {GAP_SECONDS_MAX}")
        mend()
        self._heal(what)

    def _write(self, number):
        title = f"note number {number:05}"
        self.titles.append(title)
        # On a busy machine a node may take too long to answer. Then nothing was changed.
        until(lambda: self._is_written(title), 60, f"“{title}” is written")
        written = time.monotonic()
        if number % ANSWER_EVERY == 0:
            self.noah.do("add", f"heard {number}")
        time.sleep(PAUSE_SECONDS)
        return written

    def _is_written(self, title):
        done = self.jie.command("add", title)
        if done.returncode and "nothing was changed" not in done.stderr:
            raise Failure(f"“{title}”: {done.stderr.strip()}")
        return done.returncode == 0

    @staticmethod
    def _gap(began, sights):
        """The longest time without news from the fault on."""
        times = [began, *sorted(when for when in sights if when > began)]
        return max((after - before for before, after in zip(times, times[1:])), default=0)

    def _heal(self, what):
        _, waited = until(lambda: self.cluster.replicas() == len(BOXES), 180, f"{what}: the replicas are equal again", pause=0.5)
        print(f"cluster: {what}: the three replicas are equal {waited:.1f} s later", flush=True)

    def check(self):
        """Both homes have everything, and the puts were as many as promised."""
        until(lambda: self.jie.listing() == self.noah.listing(), ARRIVAL_SECONDS, "the lists are equal", pause=0.5)
        missing = [title for title in self.titles if title not in self.noah.items()]
        if missing:
            raise Failure(f"{len(missing)} changes are lost")
        print(f"cluster: {len(self.titles)} changes by Jie, all at Noah's home; {self.cluster.messages()} blocks were put",
              flush=True)
