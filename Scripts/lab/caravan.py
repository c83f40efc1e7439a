"""The `caravan` command on a host, and what it prints. Its command line and its JSON are known here alone."""

import json
import os
import signal
import time
from pathlib import Path

from lab.network import Failure, until


class Caravan:
    """One person's caravan: in one trip of several, where `trip` names it by its id.

    Where several share a host, each has a `seat` there: a home of its own.
    """

    def __init__(self, host, program, name, seat=None):
        self.host, self.program, self.name = host, program, name
        self.trip = None
        self.variables = {}  # of the environment, besides the home
        self.home = host.home / seat if seat else host.caravan_home
        # What the node is called among the host's programs: one runs all trips of a home.
        self.job = f"up-{seat}" if seat else "up"

    def words(self, *words):
        """The command line of a command, in this person's home."""
        variables = [f"{name}={value}" for name, value in self.variables.items()]
        return ["env", f"CARAVAN_HOME={self.home}", *variables, self.program, *words]

    def command(self, *words, timeout=90, input=None):
        """Runs a command, whatever comes of it."""
        if self.trip:
            words = [*words, "--trip", self.trip]
        return self.host.run(*self.words(*words), timeout=timeout, input=input)

    def do(self, *words, timeout=90, input=None):
        """Runs a command that must succeed; what it prints."""
        done = self.command(*words, timeout=timeout, input=input)
        if done.returncode != 0:
            raise Failure(f"{self.host.name}: caravan {' '.join(map(str, words))}: {done.stderr.strip()}")
        return done.stdout

    def new(self, title):
        self.do("new", title, "--as", self.name)

    def invite(self, uses=1):
        return self.do("invite", "--uses", str(uses)).splitlines()[0]

    def join(self, link):
        self.do("join", link, "--as", self.name)

    def begin(self, *options):
        """Starts the node; where in its log it begins to speak."""
        before = len(self.host.log_text(self.job))
        choice = ["--trip", self.trip] if self.trip else []
        self.host.start(self.job, *self.words("up", *choice, *options))
        return before

    def has_said(self, text, since=0):
        """Whether the node has printed a text, from a place in its log on."""
        return text in self.host.log_text(self.job)[since:]

    def up(self, *options):
        """Starts the node and waits for it to be ready."""
        before = self.begin(*options)
        process = self.host.processes[self.job]

        def is_ready():
            if process.poll() is not None:
                self.host.processes.pop(self.job, None)
                raise Failure(f"{self.host.name}: caravan up ended: {self.host.log_text(self.job)[before:].strip()}")
            return "ready" in self.host.log_text(self.job)[before:].splitlines()

        until(is_ready, 20, f"{self.host.name}: caravan up is ready")

    def down(self):
        """Ends the node as people do."""
        status = self.host.kill(self.job, signal.SIGTERM)
        if status != 0:
            raise Failure(
                f"{self.host.name}: caravan up ended with status {status}: {self.host.log_text(self.job)[-400:]}")

    def crash(self):
        """Ends the node with -9."""
        self.host.kill(self.job)

    def listing(self):
        """The list as JSON text, byte by byte."""
        return self.do("list", "--json")

    def items(self):
        return {item["title"]: item for item in json.loads(self.listing())["items"]}

    def people_here(self):
        """The names of the others whose nodes this node is speaking with."""
        return {person["name"] for person in json.loads(self.do("status", "--json"))["devices"] if person["here"]}

    def address(self):
        """Where the trip's node listens on the LAN, as HOST:PORT."""
        return f"{self.host.address}:{self.port()}"

    def process(self):
        """What the system says of the node's process."""
        return Process(self.host.processes[self.job].pid)

    def port(self):
        """The TCP port at which the trip's node listens."""
        port = json.loads(self.do("status", "--json")).get("port")
        if port is None:
            raise Failure(f"{self.host.name}: the node listens at no port")
        return port

    def keys_file(self):
        """The file with the device's secrets for its trip."""
        return next(self.home.glob("trips/*/keys"))


class Process:
    """What the system says of a process."""

    def __init__(self, number):
        self.folder = Path("/proc", str(number))

    def cpu_seconds(self):
        fields = (self.folder / "stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def resident_kb(self):
        return self._kb("VmRSS")

    def peak_resident_kb(self):
        """The most that was ever resident."""
        return self._kb("VmHWM")

    def descriptors(self):
        return len(list((self.folder / "fd").iterdir()))

    def cpu_share(self, seconds):
        """Seconds of CPU a second, in the seconds to come."""
        before, started = self.cpu_seconds(), time.monotonic()
        time.sleep(seconds)
        return (self.cpu_seconds() - before) / (time.monotonic() - started)

    def _kb(self, field):
        lines = (self.folder / "status").read_text().splitlines()
        return int(next(line for line in lines if line.startswith(field)).split()[1])


def votes(item):
    """{voter: "for" or "against"}"""
    return {vote["name"]: vote["vote"] for vote in item.get("votes", [])}


def party(lan, program, names, title, links=None, hosts=None):
    """A trip that the first host's person has begun and the others have joined; every node is up and has met all.

    The invite's link is added to `links`; `hosts` names those who take part, everybody by default.
    """
    people = [Caravan(lan[host], program, names[host]) for host in hosts or names]
    founder, *others = people
    founder.new(title)
    founder.up()
    if others:
        link = founder.invite(uses=len(others))
        if links is not None:
            links.append(link)
        for person in others:
            person.join(link)
            person.up()
    everyone_meets(people)
    return people


def newcomers(founder, people, *options):
    """Lets people into a trip with one invite, and starts their nodes."""
    link = founder.invite(uses=len(people))
    for person in people:
        person.join(link)
        person.up(*options)


def everyone_meets(people, seconds=20):
    for person in people:
        rest = {other.name for other in people if other is not person}
        until(lambda: person.people_here() >= rest, seconds, f"{person.name} meets {' and '.join(sorted(rest))}")


def converge(people, seconds, also=lambda: True):
    """Waits until all lists are equal, byte by byte, and `also` holds; the list, and the seconds that it took."""
    def agree():
        first, *others = [person.listing() for person in people]
        return first if all(first == other for other in others) and also() else None

    return until(agree, seconds, "all lists are equal and whole")
