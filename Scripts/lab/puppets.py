"""A hostile member on a host of its own: starts Scripts/lab/puppeteer.py there, and reads what came of it."""

import json
import time
from pathlib import Path

from lab.network import Failure, until

PUPPETEER = Path(__file__).resolve().with_name("puppeteer.py")
PYTHON = PUPPETEER.parents[2] / ".build/python/bin/python"


class Puppets:
    """What one hostile member does, from its coming in on."""

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
        """Whether so many seconds have passed since the hostile member came in."""
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
