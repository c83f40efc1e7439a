"""A member's node of another version than the program under test: the Python implementation of the protocol, on one host.

Usage: other_version.py older|newer NAME LINK ADDRESS PORT. It joins there, stays in session with that node, and keeps what it
shows in view.json where it runs. A newer one writes, once it is in, what others do not know, beside what they do. On SIGUSR1 it
is updated: it becomes a newer one that holds the same changes.
"""

import asyncio
import json
import signal
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from conformance import content  # noqa: E402
from conformance.invite import Link  # noqa: E402
from conformance.network import Station  # noqa: E402
from conformance.node import Node  # noqa: E402
from conformance.versions import NEWER, OLDER  # noqa: E402
from conformance.world import reference  # noqa: E402

VERSIONS = {"older": OLDER, "newer": NEWER}
NEW_OPERATION, NEW_FIELD, HOST = max(NEWER.operations), max(NEWER.fields), 6
VIEW = Path("view.json")


def write_what_is_new(node):
    """A field, an operation and a title that others do not know, and in the same changes what they show at once."""
    known = next(item["id"] for item in node.view["items"])
    node.write(None, [content.Operation(content.NAME, text=node.name)])
    node.add("Lofoten", **{f"field{HOST}": "Ana", f"field{NEW_FIELD}": "of the next version"})
    vote = content.Operation(content.VOTE, item=reference(known), number=1)
    node.write(None, [vote], unknown=[(NEW_OPERATION, b"an operation of the next version")])
    node.add("A title of the next version" + ", which is longer" * 16)


async def stay(station, port):
    """Keeps a session with the other node, and opens another one whenever it ends."""
    while True:
        try:
            await station.dial(port)
        except OSError:
            pass
        await asyncio.sleep(0.2)


async def run(version, name, link, address, port):
    link = Link.read(link)
    node = Node.joiner(link, name, version=VERSIONS[version])
    station = Station(node, address)
    if reason := await station.join(port, link.secret):
        sys.exit(f"not let in: {reason}")
    asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, lambda: setattr(node, "version", NEWER))
    staying = asyncio.get_running_loop().create_task(stay(station, port))
    has_written, shown = version == "older", None
    while not staying.done():
        if node.is_in and node.view["items"] and not has_written:
            has_written = True
            write_what_is_new(node)
        state = (len(node.held), node.version.name)
        if state != shown:
            shown = state
            waiting = VIEW.with_suffix(".new")
            waiting.write_text(json.dumps({"version": node.version.name, "changes": len(node.held), **node.view}))
            waiting.rename(VIEW)
        await asyncio.sleep(0.05)


if __name__ == "__main__":
    _, version, name, link, address, port = sys.argv
    asyncio.run(run(version, name, link, address, int(port)))
