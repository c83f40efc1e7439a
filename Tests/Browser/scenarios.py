"""What a scenario is, and how those of this folder are found."""

import importlib
import tempfile
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Callable

EVERY = []
SCENARIO_SECONDS = 15  # for one that says nothing else


@dataclass
class Scenario:
    name: str
    claim: str
    run: Callable
    engines: tuple = ("chromium", "webkit")
    needs_caravan: bool = False
    seconds: int = SCENARIO_SECONDS


@dataclass
class Stage:
    """What a scenario has: an engine, a folder of its own, the program, and what is closed at its end."""

    engine: object
    folder: Path
    caravan: Path | None = None
    screenshots: Path | None = None
    closing: list = field(default_factory=list)
    run: "Stage | None" = None
    shared: dict = field(default_factory=dict)

    def share(self, name, make):
        """What is made once a run, and closed at its end."""
        if name not in self.run.shared:
            folder = Path(tempfile.mkdtemp(prefix=f"{name}.", dir=self.run.folder))
            self.run.shared[name] = make(replace(self.run, folder=folder))
        return self.run.shared[name]

    def tab(self, **options):
        tab = self.engine.tab(**options)
        self.closing.append(tab.close)
        return tab

    def close(self, bound=nullcontext):
        """Closes all of it, each within `bound`, a context; what went wrong."""
        faults = []
        while self.closing:
            try:
                with bound():
                    self.closing.pop()()
            except Exception as error:  # whatever it is, the others are closed too
                faults.append(f"while closing: {error}")
        return faults


def scenario(claim, engines=("chromium", "webkit"), needs_caravan=False, seconds=SCENARIO_SECONDS):
    """Marks a function of a stage as a scenario; `claim` says what it shows, `seconds` bounds it."""
    def mark(run):
        EVERY.append(Scenario(run.__name__.replace("_", "-"), claim, run, engines, needs_caravan, seconds))
        return run
    return mark


def every():
    """All scenarios, those of page.js by itself first."""
    for path in sorted(Path(__file__).parent.glob("*_*.py"), key=lambda one: (not one.name.startswith("script_"), one.name)):
        importlib.import_module(path.stem)
    return EVERY
