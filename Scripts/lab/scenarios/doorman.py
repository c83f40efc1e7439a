"""Somebody is let in by a person whom the founder removes meanwhile: the founder is asked, and everything is there again."""

import json
import time

from lab.caravan import Caravan, converge, everyone_meets, party
from lab.network import Failure, Lan, until
from lab.puppets import Crafter

ABOUT = "who came through a person whom the founder removed meanwhile waits, is told, is kept by one answer, and lost nothing"
QUICK = True
NEEDS_CARAVAN = True
NEEDS_PYTHON = True

NAMES = {"fay": "Fay", "mal": "Mal", "zoe": "Zoe"}


def run(folder, program):
    kept_by_one_answer(folder / "benign", program)
    farewell_in_an_old_past(folder / "malicious", program)


def farewell_in_an_old_past(folder, program):
    """The person who let Xen in leaves as of a time before that, and is removed with everything: Xen is kept by one answer."""
    with Lan(folder, ["fay", "zoe", "xen", "mallory"]) as lan:
        fay, zoe = party(lan, program, {"fay": "Fay", "zoe": "Zoe"}, "Lisbon in June", hosts=("fay", "zoe"))
        link = fay.invite(uses=3)
        crafter = Crafter(lan["mallory"], link, [fay, zoe])
        fay.down()
        zoe.down()
        xen = Caravan(lan["xen"], program, "Xen")
        xen.do("join", link, "--as", "Xen", "--peer", crafter.address)
        xen.up("--peer", crafter.address)
        people = [fay, zoe, xen]
        fay.up()
        zoe.up()
        everyone_meets(people)
        xen.do("add", "Tent")
        converge(people, 10, lambda: "Tent" in fay.items())
        zoe.do("comment", "Tent", "It sleeps four")
        converge(people, 10)
        sent = crafter.do("farewell", "Xen")
        until(lambda: not standing("Mal", fay).get("in", True), 10, "Mal left")
        time.sleep(1)
        for person in people:
            if not standing(xen, person).get("in") or "Tent" not in person.items():
                raise Failure(f"{person.name} lost Xen: {standing(xen, person)}")
        print(f"doorman: a farewell in an old past, {sent['bytes']} bytes: Xen stays, with everything")
        fay.do("members", "remove", "Mal", "--with-everything", "--yes")
        until(lambda: standing(xen, fay).get("waits_for") == "Mal", 15, "Fay is asked about Xen")
        until(lambda: json.loads(xen.do("status", "--json")).get("out", {}).get("waits_for") == "Mal", 15, "Xen is told")
        if "Tent" not in fay.items():
            raise Failure("the tent is gone, although Zoe wrote about it")
        fay.do("members", "keep", "Xen")
        everyone_meets(people)
        converge(people, 20)
        xen.do("add", "Stove")
        converge(people, 10, lambda: "Stove" in fay.items())
        for person in people:
            person.down()


def kept_by_one_answer(folder, program):
    with Lan(folder, [*NAMES, "xen"]) as lan:
        fay, mal, zoe = party(lan, program, NAMES, "Lisbon in June")
        link = fay.invite(uses=5)
        converge([fay, mal, zoe], 10)
        # Mal alone is there to let Xen in.
        fay.down()
        zoe.down()
        xen = Caravan(lan["xen"], program, "Xen")
        xen.join(link)
        xen.up()
        zoe.up()
        everyone_meets([mal, zoe, xen])
        xen.do("add", "Tent")
        converge([mal, zoe, xen], 10, lambda: "Tent" in zoe.items())
        zoe.do("comment", "Tent", "It sleeps four")
        converge([mal, zoe, xen], 10)
        mal.down()
        fay.do("members", "remove", "Mal", "--yes")
        fay.up()
        began = time.monotonic()
        until(lambda: standing(xen, fay).get("waits_for") == "Mal", 15, "Fay is asked about Xen")
        until(lambda: json.loads(xen.do("status", "--json")).get("out", {}).get("waits_for") == "Mal", 15, "Xen is told")
        print(f"doorman: Fay was asked and Xen was told {time.monotonic() - began:.1f} s after Fay came back")
        asked = json.loads(fay.do("status", "--json")).get("waiting")
        if asked != ["Xen"] or not standing(xen, fay).get("may_be_kept") or "waits for your answer" not in fay.do("status"):
            raise Failure(f"Fay's status does not ask: {asked}")
        refused = xen.command("add", "Stove")
        if refused.returncode == 0 or "Fay keeps you" not in refused.stderr:
            raise Failure(f"Xen is not told whom to ask: {refused.stderr}")
        fay.do("members", "keep", "Xen")
        began = time.monotonic()
        everyone_meets([fay, zoe, xen])
        converge([fay, zoe, xen], 20, lambda: "Tent" in fay.items())
        print(f"doorman: everything was there {time.monotonic() - began:.1f} s after Fay's answer")
        xen.do("add", "Stove")
        converge([fay, zoe, xen], 10, lambda: "Stove" in fay.items())
        if standing(mal, fay)["in"]:
            raise Failure("keeping Xen brought Mal back")
        for person in (fay, zoe, xen):
            person.down()


def standing(person, at):
    """What somebody's node says of a person."""
    name = person if isinstance(person, str) else person.name
    return next((one for one in json.loads(at.do("members", "--json")) if one["name"] == name), {})
