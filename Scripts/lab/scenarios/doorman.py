"""A person admits somebody, and the founder removes that person meanwhile: the founder is asked, and everything is there again."""

import json
import time

from lab import page_answer as page_answer_script
from lab.caravan import Caravan, converge, everyone_meets, party
from lab.network import Failure, Lan, until
from lab.puppets import Crafter

ABOUT = "people who joined through a person that the founder removed meanwhile wait, are told, and lose nothing if they are kept"
QUICK = True
NEEDS_CARAVAN = True
NEEDS_PYTHON = True

NAMES = {"fay": "Fay", "mal": "Mal", "zoe": "Zoe"}


def run(folder, program):
    kept_by_one_answer(folder / "benign", program)
    known_to_nobody(folder / "alone", program)
    hostile_host(folder / "malicious", program)
    known_outside(folder / "invite", program)


def hostile_host(folder, program):
    """A hostile member admits two people, and leaves as of a time before that; the founder, who is away, removes that member. Of the
    two, the founder keeps one and removes the other, on the page."""
    with Lan(folder, ["fay", "zoe", "xen", "yan", "mallory"]) as lan:
        fay, zoe = party(lan, program, {"fay": "Fay", "zoe": "Zoe"}, "Lisbon in June", hosts=("fay", "zoe"))
        link = fay.invite(uses=3)
        crafter = Crafter(lan["mallory"], link, [zoe, fay])
        converge([fay, zoe], 10, lambda: standing("Mal", fay) and standing("Mal", zoe))
        fay.down()
        zoe.down()
        xen, yan = newcomers = [Caravan(lan[name.lower()], program, name) for name in ("Xen", "Yan")]
        for person in newcomers:
            person.do("join", link, "--as", person.name, "--peer", crafter.address)
        for person in newcomers:
            person.up("--peer", crafter.address)
        zoe.up()
        everyone_meets([zoe, *newcomers])
        xen.do("add", "Tent")
        yan.do("add", "Boat")
        converge([zoe, *newcomers], 10, lambda: {"Tent", "Boat"} <= zoe.items().keys())
        zoe.do("comment", "Tent", "It sleeps four")
        converge([zoe, *newcomers], 10)
        # A session may be on its way out, since Zoe's node was started again: then the farewell is sent once more.
        for is_last in (False, False, True):
            sent = crafter.do("farewell", "Xen")
            try:
                until(lambda: not standing("Mal", zoe).get("in", True), 10, "Mal left")
                break
            except Failure:
                if is_last:
                    raise
        time.sleep(1)
        for person in (zoe, *newcomers):
            if not all(standing(one, person).get("in") for one in newcomers) or not {"Tent", "Boat"} <= person.items().keys():
                raise Failure(f"{person.name} lost people by Mal's farewell: {person.do('members', '--json')}")
        print(f"doorman: a farewell in an old past, {sent['bytes']} bytes: the people Mal admitted stay, with everything")
        fay.do("members", "remove", "Mal", "--yes")
        fay.up()
        began = time.monotonic()
        until(lambda: asked(fay) == ["Xen", "Yan"], 15, "Fay is asked about both")
        for person in newcomers:
            until(lambda: told(person).get("waits_for") == "Mal", 15, f"{person.name} is told")
        print(f"doorman: Fay was asked and both were told {time.monotonic() - began:.1f} s after Fay came back")
        if (on_page := page_answer(fay)) != ["Xen", "Yan"] or "wait for your answer" not in fay.do("status"):
            raise Failure(f"Fay is not asked everywhere: {on_page}, {fay.do('status')}")
        page_answer(fay, "keep", "Xen")
        page_answer(fay, "remove", "Yan")
        _, waited = until(lambda: told(yan).get("by") == "Fay" and "waits_for" not in told(yan), 30, "Yan is told of the removal")
        print(f"doorman: Yan was told of Fay's answer after {waited:.1f} s")
        refused = yan.command("add", "Stove")
        if refused.returncode == 0 or "Fay removed you" not in refused.stderr:
            raise Failure(f"Yan is not told who removed them: {refused.stderr}")
        everyone_meets([fay, zoe, xen])
        xen.do("add", "Stove")
        converge([fay, zoe, xen], 20, lambda: {"Tent", "Stove"} <= fay.items().keys())
        if asked(fay) or "Boat" in fay.items() or any(standing(one, xen).get("in") for one in ("Mal", "Yan")):
            raise Failure(f"what the answers said is not so: {asked(fay)}, {sorted(fay.items())}, {xen.do('members')}")
        for person in (fay, zoe, *newcomers):
            person.down()


def known_outside(folder, program):
    """Somebody is removed by another than the opener of a link, or somebody above: the opener is asked whether the link stays open, and
    admits nobody by it until the answer, which is given on the page."""
    with Lan(folder, ["fay", "mia", "noah", "zoe", "xen"]) as lan:
        fay, mia = party(lan, program, {"fay": "Fay", "mia": "Mia"}, "Lisbon in June", hosts=("fay", "mia"))
        noah = Caravan(lan["noah"], program, "Noah")
        noah.join(mia.invite())
        link, other = fay.invite(uses=3), fay.invite()
        converge([fay, mia], 10, lambda: standing("Noah", fay).get("in") and len(invites(mia)) == 2)
        mia.do("members", "remove", "Noah", "--yes")
        until(lambda: len(exposed(fay)) == 2, 10, "Fay is asked about both links")
        # Mia's node would admit people by them all the same.
        mia.down()
        if exposed(mia) or "Mia removed Noah, who may know the link" not in fay.do("invite", "list"):
            raise Failure(f"Fay is not asked, or Mia is: {fay.do('invite', 'list')}")
        zoe = Caravan(lan["zoe"], program, "Zoe")
        if zoe.command("join", link, "--as", "Zoe", "--patience", "6").returncode == 0:
            raise Failure("Fay's node admits people by a link that waits for an answer")
        ids = [one["id"] for one in invites(fay)]
        if (on_page := page_answer(fay)) != sorted(one[:6] for one in ids):
            raise Failure(f"the page does not ask about {ids}: {on_page}")
        page_answer(fay, "keep-invite", next(one["id"] for one in invites(fay) if one["link"] == link))
        until(lambda: len(exposed(fay)) == 1, 5, "the answer counts")
        fay.do("invite", "close", other)
        zoe.join(link)
        if exposed(fay) or not standing("Zoe", fay).get("in"):
            raise Failure(f"what the answers said is not so: {fay.do('invite', 'list')}, {fay.do('members')}")
        print("doorman: Fay was asked about two links that Noah may know, kept one on the page, closed the other, and Zoe joined")
        fay.down()


def invites(person):
    """The open invites, as somebody's node lists them."""
    return json.loads(person.do("invite", "list", "--json"))


def exposed(person):
    """The invites that a node asks about."""
    return json.loads(person.do("status", "--json")).get("exposed_invites") or []


def asked(person):
    """The people that a node asks about."""
    return sorted(json.loads(person.do("status", "--json")).get("waiting") or [])


def told(person):
    """What somebody's node says of why they are out."""
    return json.loads(person.do("status", "--json")).get("out") or {}


def page_answer(person, *answer):
    """The people that a page asks about, and the answer about one of them."""
    done = person.host.run("python3", page_answer_script.__file__, person.do("open", "--print").strip(), *answer)
    if done.returncode != 0:
        raise Failure(f"{person.name}'s page: {done.stderr.strip()}")
    return json.loads(done.stdout)


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
        waits_with_acts(xen, [fay, zoe])
        fay.do("members", "keep", "Xen")
        began = time.monotonic()
        everyone_meets([fay, zoe, xen])
        converge([fay, zoe, xen], 20, lambda: {"Tent", "Stove"} <= fay.items().keys())
        print(f"doorman: everything was there {time.monotonic() - began:.1f} s after Fay's answer, and what Xen added while waiting")
        xen.do("add", "Boat")
        converge([fay, zoe, xen], 10, lambda: "Boat" in fay.items())
        if standing(mal, fay)["in"]:
            raise Failure("keeping Xen brought Mal back")
        for person in (fay, zoe, xen):
            person.down()


def known_to_nobody(folder, program):
    """Of three people, the founder removes the one who let the other in, and who is gone: the newcomer's own node shows who let them in.
    The removed person comes back last, and is told."""
    with Lan(folder, ["fay", "mal", "xen"]) as lan:
        fay, mal = party(lan, program, {"fay": "Fay", "mal": "Mal"}, "Lisbon in June", hosts=("fay", "mal"))
        link = fay.invite(uses=5)
        converge([fay, mal], 10)
        fay.down()
        xen = Caravan(lan["xen"], program, "Xen")
        xen.join(link)
        xen.up()
        everyone_meets([mal, xen])
        xen.do("add", "Tent")
        converge([mal, xen], 10)
        mal.down()
        fay.do("members", "remove", "Mal", "--yes")
        fay.up()
        _, waited = until(lambda: asked(fay) == ["Xen"] and told(xen).get("waits_for") == "Mal", 30, "Fay is asked and Xen is told")
        print(f"doorman: nobody else knew Xen: Fay was asked and Xen was told {waited:.1f} s after Fay came back")
        fay.do("members", "keep", "Xen")
        converge([fay, xen], 20, lambda: "Tent" in fay.items())
        fay.down()
        fay.up()
        mal.up()
        _, waited = until(lambda: told(mal).get("by") == "Fay", 30, "Mal is told")
        print(f"doorman: Mal was told {waited:.1f} s after coming back")
        for person in (fay, xen):
            person.down()


def waits_with_acts(person, others):
    """Somebody who waits adds something: it is in their own list, marked, and in nobody else's; and they can't invite."""
    said = person.do("add", "Stove")
    if "Only you see this until Fay keeps you" not in said or "added by Xen (waiting)" not in person.do("list"):
        raise Failure(f"{person.name}'s own act is not marked: {said}{person.do('list')}")
    refused = person.command("invite")
    if refused.returncode == 0 or "until Fay keeps you" not in refused.stderr:
        raise Failure(f"{person.name} may invite, or is not told: {refused.stderr}")
    time.sleep(2)
    if seen := [one.name for one in others if "Stove" in one.items()]:
        raise Failure(f"{' and '.join(seen)} see what {person.name} does, who waits")


def standing(person, at):
    """What somebody's node says of a person."""
    name = person if isinstance(person, str) else person.name
    return next((one for one in json.loads(at.do("members", "--json")) if one["name"] == name), {})
