"""What can be run. Each scenario is a module here with `ABOUT`, `QUICK`, `NEEDS_CARAVAN` and `run(folder, caravan)`."""

import importlib
import pkgutil
from collections import namedtuple

Scenario = namedtuple("Scenario", "name about quick needs_caravan run")


def every():
    """All scenarios, by name."""
    found = []
    for module in sorted(pkgutil.iter_modules(__path__), key=lambda module: module.name):
        scenario = importlib.import_module(f"{__name__}.{module.name}")
        found.append(Scenario(module.name, scenario.ABOUT, scenario.QUICK, scenario.NEEDS_CARAVAN, scenario.run))
    return found
