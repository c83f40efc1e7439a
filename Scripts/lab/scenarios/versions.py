"""Friends do not update on the same day: a node of the next version and one of an earlier one share a trip with this one's."""

import json
import signal
import time
from pathlib import Path

from lab.caravan import converge, party, votes
from lab.network import Failure, Lan, until

ABOUT = "a newer node's field, operation and message: the others go on, show the rest, pass it on, and know it after an update"
QUICK = True
NEEDS_CARAVAN = True

NAMES = {"jie": "Jie", "michelle": "Michelle"}
SCRIPTS = Path(__file__).resolve().parent.parent.parent
PYTHON = SCRIPTS.parent / ".build/python/bin/python"
UNKNOWN = 2  # changes of the newer one that say something which nobody else knows
QUIET_SECONDS = 3


def run(folder, program):
    if not PYTHON.exists():
        raise Failure("the second implementation's packages are not here: run Scripts/conform first")
    with Lan(folder, [*NAMES, "ada", "bo"]) as lan:
        jie, michelle = party(lan, program, NAMES, "Lisbon in June", hosts=NAMES)
        jie.do("add", "Casa do Rio")
        start(lan["ada"], "newer", "Ada", jie)
        _, seconds = converge(
            [jie, michelle], 20, lambda: "Lofoten" in jie.items() and "Ada" in votes(jie.items()["Casa do Rio"]))
        print(f"versions: what both know of a newer node's changes is shown by both {seconds:.2f} s after that was started")
        for person in (jie, michelle):
            check_shown(person)

        # It is no reason to part: the sessions last, and the newer node goes on to hear of what others do.
        end = time.monotonic() + QUIET_SECONDS
        while time.monotonic() < end:
            if jie.people_here() != {"Ada", "Michelle"} or "Jie" not in michelle.people_here():
                raise Failure(f"a session has ended: Jie's node speaks with {sorted(jie.people_here())}")
            time.sleep(0.2)
        jie.do("vote", "Lofoten")
        newest, _ = until(lambda: heard(lan["ada"], "Lofoten"), 10, "the newer node hears of a vote on what it added")
        converge([jie, michelle], 10, lambda: "Jie" in votes(michelle.items()["Lofoten"]))

        # The author is offline, and so is the node that had it from the author: it arrives from a node that only passes it on.
        lan["ada"].cut()
        jie.down()
        start(lan["bo"], "older", "Bo", michelle)
        older, _ = until(lambda: heard(lan["bo"], "Lofoten"), 20, "an older node has it all from Michelle's")
        if len(older["items"]) != 2 or any("91" in item["fields"] for item in older["items"]):
            raise Failure(f"the older node shows what it cannot know: {older['items']}")
        lan["bo"].cut()
        lan["bo"].processes["node"].send_signal(signal.SIGUSR1)
        updated, _ = until(lambda: view(lan["bo"], "newer"), 5, "the older node is updated")
        if len(updated["items"]) != len(older["items"]) + 1:
            raise Failure(f"after its update it does not show a title that was too long: {updated['items']}")
        for part in ("title", "items", "names"):
            if updated[part] != newest[part]:
                raise Failure(f"after its update it shows {updated[part]}, and one that was new all along {newest[part]}")
        print(f"versions: updated with its cable pulled, an older node shows {len(updated['items'])} items of "
              f"{len(older['items'])} before, and what one shows that was new all along")
        michelle.down()


def start(host, version, name, member):
    """Starts a node of another version on a host; it joins by a member's node, and stays in session with that."""
    script = SCRIPTS / "lab" / "other_version.py"
    host.start("node", PYTHON, "-B", script, version, name, member.invite(), member.host.address, member.port())


def view(host, version=None):
    """What such a node shows, once it is of that version; None before."""
    try:
        shown = json.loads((host.home / "view.json").read_text())
    except FileNotFoundError:
        return None
    return shown if version in (None, shown["version"]) else None


def heard(host, title):
    """What such a node shows, once it shows a vote of somebody's on an item."""
    shown = view(host)
    items = shown["items"] if shown else []
    return shown if any(title in item["fields"].get("1", ()) and item["votes"] for item in items) else None


def check_shown(person):
    """All that is known is shown, nothing else, and people are told of the rest."""
    items = person.items()
    if set(items) != {"Casa do Rio", "Lofoten"} or items["Lofoten"].get("host") != "Ana":
        raise Failure(f"{person.name} shows {json.dumps(items)}")
    told = [line for line in person.do("status").splitlines() if "a newer version of caravan" in line]
    if told != [f"{UNKNOWN} changes by Ada need a newer version of caravan"]:
        raise Failure(f"{person.name} is told: {told}")
