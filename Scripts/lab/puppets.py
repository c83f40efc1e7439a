"""Hostile members on hosts of their own: start Scripts/lab/puppeteer.py or crafter.py there, and read what they did."""

import json
import subprocess
import time
from pathlib import Path

from lab.network import Failure, until

PUPPETEER = Path(__file__).resolve().with_name("puppeteer.py")
CRAFTER = PUPPETEER.with_name("crafter.py")
PYTHON = PUPPETEER.parents[2] / ".build/python/bin/python"


class Puppets:
    """What one hostile member does, from the moment it has joined."""

    def __init__(self, host, link, kind, people, **options):
        self.host, self.kind = host, kind
        self.name = f"puppets-{kind}"
        self.before = len(host.log_text(self.name))
        words = [word for name, value in options.items() for word in (f"--{name}", value)]
        self.process = host.start(self.name, PYTHON, "-B", PUPPETEER, link, kind,
                                  *(person.address() for person in people), *words)
        until(lambda: self._lines() or self.process.poll() is not None, 400, f"{kind}: the hostile member is in",
              pause=0.1)
        self.since = time.monotonic()

    def _lines(self):
        return self.host.log_text(self.name)[self.before:].splitlines()

    def has_begun(self, wait):
        """Whether so many seconds have passed since the hostile member joined."""
        return time.monotonic() > self.since + wait

    @property
    def is_over(self):
        return self.process.poll() is not None

    def counts(self, seconds=600):
        """Waits for the end; what was written and sent."""
        if self.process.wait(timeout=seconds) != 0:
            raise Failure(f"{self.kind}: the hostile member failed: {self.host.log_text(self.name)[-600:]}")
        self.host.processes.pop(self.name, None)
        return json.loads(self._lines()[-1])


class Crafter:
    """A hostile member that syncs with people, and crafts changes when it is asked to."""

    def __init__(self, host, link, people):
        self.host = host
        self.process = host.start("crafter", PYTHON, "-B", CRAFTER, link, host.address,
                                  *(person.address() for person in people), stdin=subprocess.PIPE)
        self.answers = 0
        self.address = f"{host.address}:{self._answer('the hostile member is in', 60)['port']}"

    def do(self, *words, seconds=60):
        """One of the acts that crafter.py names; its answer."""
        self.process.stdin.write((" ".join(map(str, words)) + "\n").encode())
        self.process.stdin.flush()
        return self._answer(" ".join(map(str, words)), seconds)

    def end(self):
        self.host.kill("crafter")

    def _answer(self, what, seconds):
        def is_there():
            if self.process.poll() is not None:
                raise Failure(f"{what}: the hostile member failed: {self.host.log_text('crafter')[-600:]}")
            return self.host.log_text("crafter").count("\n") > self.answers

        until(is_there, seconds, what)
        self.answers += 1
        return json.loads(self.host.log_text("crafter").splitlines()[self.answers - 1])
