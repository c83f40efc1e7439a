"""The `caravan` command on a host, and what it prints. Its command line and its JSON are known here alone."""

import json
import signal

from lab.network import Failure, until


class Caravan:
    """One person's caravan: in one trip of several, where `trip` names it by its id."""

    def __init__(self, host, program, name):
        self.host, self.program, self.name = host, program, name
        self.trip = None

    # What the node is called among the host's programs: one runs all trips of a home.
    job = "up"

    def command(self, *words, timeout=90):
        """Runs a command, whatever comes of it."""
        if self.trip:
            words = [*words, "--trip", self.trip]
        return self.host.run(self.program, *words, timeout=timeout)

    def do(self, *words, timeout=90):
        """Runs a command that must succeed; what it prints."""
        done = self.command(*words, timeout=timeout)
        if done.returncode != 0:
            raise Failure(f"{self.host.name}: caravan {' '.join(map(str, words))}: {done.stderr.strip()}")
        return done.stdout

    def new(self, title):
        self.do("new", title, "--as", self.name)

    def invite(self, uses=1):
        return self.do("invite", "--uses", str(uses)).splitlines()[0]

    def join(self, link):
        self.do("join", link, "--as", self.name)

    def up(self, *options):
        """Starts the node and waits for it to be ready."""
        before = len(self.host.log_text(self.job))
        choice = ["--trip", self.trip] if self.trip else []
        process = self.host.start(self.job, self.program, "up", *choice, *options)

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

    def port(self):
        """The TCP port at which the trip's node listens."""
        port = json.loads(self.do("status", "--json")).get("port")
        if port is None:
            raise Failure(f"{self.host.name}: the node listens at no port")
        return port

    def keys_file(self):
        """The file with the device's secrets for its trip."""
        return next(self.host.caravan_home.glob("trips/*/keys"))


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
