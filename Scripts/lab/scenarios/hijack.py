"""A member tries to become the parent of somebody who joined through it, and to remove them with all they did (F2)."""

import json

from lab.caravan import Caravan, converge, everyone_meets, party
from lab.network import Failure, Lan, until
from lab.puppets import Crafter
from lab.scenarios.hostile_cost import write

ABOUT = "a member admits somebody a second time in an old past, and removes them: they stay in, under their parent, with all they did"
QUICK = True
NEEDS_CARAVAN = True
NEEDS_PYTHON = True

NAMES = {"fay": "Fay", "zoe": "Zoe"}


def run(folder, program):
    with Lan(folder, [*NAMES, "xen", "mallory"]) as lan:
        fay, zoe = party(lan, program, NAMES, "Lisbon in June", hosts=tuple(NAMES))
        link = fay.invite(uses=3)
        crafter = Crafter(lan["mallory"], link, [fay, zoe])
        fay.down()
        zoe.down()
        # Xen joins through Mal, who is the only member there.
        xen = Caravan(lan["xen"], program, "Xen")
        xen.do("join", link, "--as", "Xen", "--peer", crafter.address)
        xen.up("--peer", crafter.address)
        people = [fay, zoe, xen]
        fay.up()
        zoe.up()
        everyone_meets(people)
        xen.do("add", "Tent")
        xen.do("add", "Stove")
        converge(people, 10, lambda: "Stove" in fay.items())
        fay.do("vote", "Tent")
        zoe.do("comment", "Stove", "It burns wood")
        converge(people, 10)
        crafter.do("await", "Xen", 2)
        before = fay.listing()
        sent = crafter.do("adopt", "Xen")
        # What is written after it comes after it.
        write([fay, zoe], 1, "Written after the attack")
        write([zoe, xen], 1, "Written after that")
        converge(people, 10)
        for person in people:
            items = person.items()
            if any(items.get(item["title"]) != item for item in json.loads(before)["items"]):
                raise Failure(f"{person.name} lost something: {items}")
            standing = next(one for one in json.loads(person.do("members", "--json")) if one["name"] == "Xen")
            if not standing["in"] or standing["let_in_by"] != "Fay":
                raise Failure(f"{person.name} has Xen as {standing}")
        print(f"hijack: {sent['changes']} changes, {sent['bytes']} bytes: Xen stays in, invited by Fay, and nothing is lost", flush=True)
        until(lambda: "Mal" in zoe.do("members"), 5, "Mal is still a member")
        for person in people:
            person.down()
