"""What can be run. Each scenario is a module here with `ABOUT`, `QUICK`, `NEEDS_CARAVAN` and `run(folder, caravan)`.

One that takes long may have a short form for `--quick`, `brief(folder, caravan)`, and a bound of its own, `SECONDS_MAX`. One
that needs the packages of Scripts/python says `NEEDS_PYTHON`.
"""

import importlib
import pkgutil
from collections import namedtuple

Scenario = namedtuple("Scenario", "name about quick needs_caravan run brief seconds_max needs_python")
SECONDS_MAX = 600


def every():
    """All scenarios, by name."""
    found = []
    for module in sorted(pkgutil.iter_modules(__path__), key=lambda module: module.name):
        scenario = importlib.import_module(f"{__name__}.{module.name}")
        brief = getattr(scenario, "brief", scenario.run)
        name = module.name.replace("_", "-")
        found.append(Scenario(name, scenario.ABOUT, scenario.QUICK, scenario.NEEDS_CARAVAN, scenario.run, brief,
                              getattr(scenario, "SECONDS_MAX", SECONDS_MAX), getattr(scenario, "NEEDS_PYTHON", False)))
    return found
