"""The owner of a page who is asked whether people who wait are kept, or invites stay open; run on a host of the lab by its path.

    page_answer.py LINK [keep|remove NAME | keep-invite|close-invite ID]

Prints the names and the invites that the page asks about, as JSON, as they are before the answer.
"""

import json
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from lab.page_visitor import Visitor  # noqa: E402

QUESTION = re.compile(r"Keep (?:([^<?]+)\? They came through |your invite ([0-9a-f]+) open\?)")
DOING = {"keep": "keep-member", "remove": "take-out", "keep-invite": "keep-invite", "close-invite": "close-invite"}


def main():
    owner = Visitor(sys.argv[1])
    page = owner.ask("GET", owner.trip + "?view=members").text.decode()
    print(json.dumps(sorted(name or invite for name, invite in QUESTION.findall(page))))
    if len(sys.argv) > 2:
        answer, name = sys.argv[2:]
        end = f'name="invite" value="{name}' if answer.endswith("invite") else f">{answer.capitalize()} {name}</button>"
        button = page[:page.index("</form>", page.index(end, page.index(f'value="{DOING[answer]}"')))]
        fields = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', button[button.rindex("<form"):]))
        if fields.get("do") != DOING[answer] or owner.post("act", **fields) not in (200, 204, 303):
            sys.exit(f"the page does not take the answer: {fields}")


if __name__ == "__main__":
    main()
