"""A member writes forks of its log, and shows each honest node other ones: they stay together (F1, F5b)."""

import time

from lab.caravan import converge, everyone_meets, party
from lab.network import Failure, Lan, until
from lab.puppets import Crafter
from lab.scenarios.hostile_cost import write

ABOUT = "144 forks by a member, half of them told to each of two nodes that are in session or apart: same lists, and acts within 1 s"
QUICK = True
NEEDS_CARAVAN = True
NEEDS_PYTHON = True
FORKS = 72
SEEN_SECONDS = 1.0

NAMES = {"fay": "Fay", "ron": "Ron"}


def run(folder, program):
    in_session(folder / "in-session", program)
    apart(folder / "apart", program)


def in_session(folder, program):
    """Both hear other forks while they are in session."""
    with Lan(folder, [*NAMES, "mallory"]) as lan:
        people = party(lan, program, NAMES, "Lisbon in June", hosts=tuple(NAMES))
        fay, ron = people
        crafter = Crafter(lan["mallory"], fay.invite(), people)
        sent = crafter.do("forks", FORKS, FORKS)
        waits = [write(people, number, f"Written after the forks {number}") for number in range(4)]
        together = agree(people, 2 * FORKS)
        fay.do("members", "remove", "Mal", "--yes")
        _, told = until(lambda: "removed by Fay" in ron.do("members"), 10, "Ron hears of the removal")
        crafter.end()
        for person in people:
            person.down()
            person.up()
        everyone_meets(people)
        converge(people, 10)
        print(f"split: {sent['changes']} forks, {sent['bytes']} bytes: same lists after {together:.1f} s, honest acts seen after "
              f"{max(waits):.2f} s at most, the removal after {told:.2f} s", flush=True)
        if max(waits) > SEEN_SECONDS:
            raise Failure(f"an honest act was seen after {max(waits):.2f} s")


def apart(folder, program):
    """Each hears other forks while the other one is off, and then nobody writes."""
    with Lan(folder, [*NAMES, "mallory"]) as lan:
        people = fay, ron = party(lan, program, NAMES, "Lisbon in June", hosts=tuple(NAMES))
        link = fay.invite(uses=2)
        ron.down()
        crafter = Crafter(lan["mallory"], link, [fay])
        crafter.do("forks", FORKS)
        until(lambda: forks(fay) == FORKS, 20, "Fay has her forks")
        crafter.end()
        fay.down()
        ron.up()
        crafter = Crafter(lan["mallory"], link, [ron])
        crafter.do("forks", FORKS)
        until(lambda: forks(ron) == FORKS, 20, "Ron has his forks")
        crafter.end()
        fay.up()
        everyone_meets(people)
        together = agree(people, 2 * FORKS)
        print(f"split: {2 * FORKS} forks told apart: same lists {together:.1f} s after both met, with nobody writing", flush=True)
        for person in people:
            person.down()


def forks(person):
    return sum(title.startswith("Fork ") for title in person.items())


def agree(people, count):
    """The seconds until both show the same list with so many forks."""
    started = time.monotonic()
    converge(people, 20, lambda: forks(people[0]) == count)
    return time.monotonic() - started
