"""An eavesdropper cannot tell that two trips are on one machine by anything that is sent, except by the machine's address."""

from lab.caravan import Caravan, converge, everyone_meets, party
from lab.common import Voice, common
from lab.network import Failure, Lan
from lab.pcap import Capture
from lab.scenarios.epochs import check_search, next_span

ABOUT = "one home with two trips says nothing in one that it says in the other, whether one after the other or at once"
QUICK = True
NEEDS_CARAVAN = True

BYTES_MIN = 1_500


def run(folder, program):
    files = [folder / f"span{number}.pcap" for number in range(3)]
    with Lan(folder, ["jie", "michelle", "noah", "ada", "ben"], services=False) as lan:
        lan.begin_capture(files[0])
        for host in lan:
            host.start_bus()
            host.start_avahi()
        # Of a third trip: what they say too is the protocol's.
        others = party(lan, program, {"ada": "Ada", "ben": "Ben"}, "Elsewhere", hosts=["ada", "ben"])
        # The same person with the same name and home, in each trip with somebody else.
        first = begin(lan, program, "Lisbon in June", "michelle")
        work(first, others, "Casa do Rio")
        down(first, others)
        next_span(lan, files[1])
        up(others)
        second = begin(lan, program, "Porto in July", "noah")
        if len(set(path.name for path in lan["jie"].caravan_home.glob("trips/*"))) != 2:
            raise Failure("there are not two trips in one home")
        work(second, others, "Casa do Rio")
        down(second, others)
        next_span(lan, files[2])
        up(others)
        # One process runs both trips of the home.
        home = Caravan(lan["jie"], program, "Jie")
        for person in (home, first[1], second[1]):
            person.up()
        for people in (first, second):
            everyone_meets(people)
        for people in (first, second, first, second):
            work(people, others, "Casa do Mar")
        ports = [person.port() for person in (first[0], second[0])]
        down([home, first[1], second[1]], others)
        lan.end_capture()

        captures = [Capture.read(file) for file in files]
        constants = Voice(captures[0], lan["ada"].address)
        for capture in captures:
            for name in ("ada", "ben"):
                constants.parts += Voice(capture, lan[name].address).parts
        jie = lan["jie"].address
        alone = [Voice(capture, jie) for capture in captures[:2]]
        at_once = [Voice(captures[2], jie, peer=lan[name].address) for name in ("michelle", "noah")]
    if ports[0] == ports[1]:
        raise Failure("both trips listen at one port")
    check_search(alone, constants)
    for what, (one, other) in (("one after the other", alone), ("at once", at_once)):
        if min(one.size, other.size) < BYTES_MIN:
            raise Failure(f"{what}: there is too little to compare: {one.size} and {other.size} bytes")
        hits = common(one, other, constants)
        if hits:
            shown = "; ".join(f"{data[:40]!r} ({len(data)} bytes, {where})" for data, where in hits[:8])
            raise Failure(f"{what}: both trips say: {shown}")
        print(f"trips: {what}: {one.size} and {other.size} bytes of two trips in one home have no string of 12 in common "
              "that nodes of a third do not say")


def begin(lan, program, title, guest):
    """A trip of Jie's with one other; both are up and have met."""
    jie, other = Caravan(lan["jie"], program, "Jie"), Caravan(lan[guest], program, guest)
    known = trips(jie)
    jie.new(title)
    jie.trip = (trips(jie) - known).pop()
    jie.up()
    other.join(jie.invite())
    other.up()
    everyone_meets([jie, other])
    return [jie, other]


def trips(person):
    return {path.name for path in person.host.caravan_home.glob("trips/*")}


def work(people, others, title):
    """Changes both ways, in each trip."""
    for first, second in (people, others):
        first.do("add", title)
        converge([first, second], 10, lambda: first.listing() == second.listing())
        second.do("vote", "1")
        converge([first, second], 10)


def up(people):
    for person in people:
        person.up()
    everyone_meets(people)


def down(*groups):
    for people in groups:
        for person in people:
            person.down()
