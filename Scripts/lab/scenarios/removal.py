"""Law 10, for real: every member who has received a removal disconnects the removed member, with no server to ask."""

import json
import time

from lab.caravan import Caravan, converge, everyone_meets, party
from lab.network import Failure, Lan, until

ABOUT = "a removed member is disconnected at once and refused for good; a member who was away learns of it from another"
QUICK = True
NEEDS_CARAVAN = True
SECONDS = 10

NAMES = {"jie": "Jie", "michelle": "Michelle", "noah": "Noah", "ada": "Ada"}


def run(folder, program):
    with Lan(folder, list(NAMES)) as lan:
        jie, michelle, noah, ada = people = party(lan, program, NAMES, "Lisbon in June")
        jie.do("add", "Casa do Rio")
        converge(people, 10, lambda: "Casa do Rio" in noah.items())
        ada.host.cut()
        until(lambda: "Ada" not in jie.people_here(), 15, "Ada is gone")

        jie.do("members", "remove", "Noah", "--yes")
        start = time.monotonic()
        until(lambda: not noah.people_here(), 3, "Noah is cut off by both")
        print(f"removal: the live sessions are cut {time.monotonic() - start:.2f} s after the command's return")
        michelle.do("add", "A secret stay")
        converge([jie, michelle], 10, lambda: "A secret stay" in jie.items())

        # The member who removed Noah is away when Ada comes back.
        jie.down()
        ada.do("vote", "Casa do Rio")
        ada.host.join()
        _, seconds = converge([michelle, ada], SECONDS + 20, lambda: "A secret stay" in ada.items())
        print(f"removal: who was away has heard of it from another {seconds:.2f} s after coming back")
        if is_in("Noah", ada):
            raise Failure("Ada does not know that Noah is out")

        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            if noah.people_here():
                raise Failure(f"somebody speaks with Noah: {noah.people_here()}")
            time.sleep(0.2)
        # A new name and a new port for the node, and still nobody answers.
        noah.down()
        noah.up()
        time.sleep(3)
        if noah.people_here() or "A secret stay" in noah.items():
            raise Failure("Noah learned something new")
        if "Casa do Rio" not in noah.items():
            raise Failure("Noah lost what he had")
        print(f"removal: Noah met nobody in {SECONDS + 3} s, and keeps what he had")

        jie.up()
        everyone_meets([jie, michelle, ada])
        converge([jie, michelle, ada], 10)
        for person in people:
            person.down()


def is_in(name, person: Caravan):
    members = json.loads(person.do("members", "--json"))
    return any(member["name"] == name and member["in"] for member in members)
