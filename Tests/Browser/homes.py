"""Real homes on this machine: a program, a folder and a node each, which know each other by their ports."""

import json
import os
import re
import signal
import socket
import subprocess
from pathlib import Path

from browsers import Failure, until

READY_SECONDS, COMMAND_SECONDS, MEET_SECONDS = 30, 60, 20


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Home:
    """One person's home, and the node that runs it."""

    def __init__(self, program, folder, name):
        self.program, self.name, self.folder = program, name, Path(folder, name.lower())
        self.environment = dict(os.environ, CARAVAN_HOME=str(self.folder / "home"))
        self.port, self.process, self.log = free_port(), None, self.folder / "log"
        self.has_met = False
        self.folder.mkdir(parents=True)

    def do(self, *words):
        """Runs a command that must succeed; what it prints."""
        done = subprocess.run([self.program, *map(str, words)], env=self.environment, capture_output=True, text=True,
                              timeout=COMMAND_SECONDS)
        if done.returncode != 0:
            raise Failure(f"{self.name}: caravan {' '.join(map(str, words))}: {done.stderr.strip()}")
        return done.stdout

    def up(self, *options, peers=()):
        """Starts the node, and waits until it serves its page."""
        words = ["up", "--port", str(self.port), *options]
        for peer in peers:
            words += ["--peer", f"127.0.0.1:{peer.port}"]
        start = self.log.stat().st_size if self.log.exists() else 0

        def run():
            with open(self.log, "ab") as log:
                self.process = subprocess.Popen([self.program, *words], env=self.environment, stdout=log, stderr=log)

        def said():
            text = self.log.read_bytes()[start:].decode(errors="replace")
            if self.process.poll() is not None and text.count("cannot be opened: choose another") == 1 and not self.has_met:
                # Somebody else took the port between its choice and now; nobody knows it yet.
                self.port = free_port()
                words[2] = str(self.port)
                run()
                return False
            if self.process.poll() is not None or "no page:" in text:
                raise Failure(f"{self.name}: caravan up: {text.strip()[-400:]}")
            self.has_met = "caravan open" in text
            return self.has_met

        run()
        until(said, READY_SECONDS, f"{self.name}'s node serves its page")

    def down(self):
        """Ends the node as people do."""
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(READY_SECONDS)

    def crash(self):
        """Ends the node with -9."""
        self.process.kill()
        self.process.wait(READY_SECONDS)

    def link(self):
        """A link that lets one browser in."""
        return re.search(r"http://\S+", self.do("open", "--print"))[0]

    def items(self):
        """The items by their titles, as programs are told."""
        return {item["title"]: item for item in json.loads(self.do("list", "--json"))["items"]}

    def others_here(self):
        return {one["name"] for one in json.loads(self.do("status", "--json"))["devices"] if one["here"]}


def world(stage):
    """Three homes of one trip that all scenarios of a run share; each goes by titles of its own."""
    return stage.share("world", friends)


def friends(stage, names=("Jie", "Noah", "Mia"), items=()):
    """Homes of one trip, whose nodes run and have met."""
    founder, *others = people = [Home(stage.caravan, stage.folder, name) for name in names]
    founder.do("new", "Lisbon in June", "--as", founder.name)
    stage.closing.append(founder.down)
    founder.up()
    for item in items:
        founder.do("add", *item)
    for index, person in enumerate(others, 1):
        link = founder.do("invite").splitlines()[0]
        person.do("join", link, "--as", person.name, "--peer", f"127.0.0.1:{founder.port}")
        stage.closing.append(person.down)
        person.up(peers=people[:index])
    for person in people:
        rest = {other.name for other in people if other is not person}
        until(lambda: person.others_here() >= rest, MEET_SECONDS, f"{person.name} meets {', '.join(sorted(rest))}")
    return people


def page(stage, home, **options):
    """A home's page in a browser of its own, live."""
    tab = stage.tab(**options)
    tab.open(home.link())
    live(tab, f"{home.name}'s page")
    return tab


def live(tab, what="the page"):
    tab.until("typeof streamID === 'string'", f"{what} is live", 15)


def card(title):
    """An expression that finds the card of an item by its title."""
    wanted = json.dumps(title)
    return f"[...document.querySelectorAll('#cards > [data-card]')].find(it => it.querySelector('h3').textContent.includes({wanted}))"
