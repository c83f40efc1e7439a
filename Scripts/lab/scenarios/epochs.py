"""An eavesdropper cannot link two spans of one node's life by anything that the node sends."""

import os
import time

from lab.caravan import converge, everyone_meets, party
from lab.common import Voice, common
from lab.network import Failure, Lan, until
from lab.pcap import Capture

ABOUT = "captures of one node before and after a removal, and before and after a restart, have no string in common"
QUICK = True
NEEDS_CARAVAN = True

NAMES = {"jie": "Jie", "michelle": "Michelle", "noah": "Noah"}
BYTES_MIN = 3_000
# Avahi keeps a record for one second after its goodbye (RFC 6762, section 10.1), and lists it as a known answer until then.
GOODBYE_SECONDS = 1


def run(folder, program):
    files = [folder / f"span{number}.pcap" for number in range(3)]
    with Lan(folder, [*NAMES, "ada", "ben"], services=False) as lan:
        lan.begin_capture(files[0])
        for host in lan:
            host.start_bus()
            host.start_avahi()
        people = jie, michelle, noah = party(lan, program, NAMES, "Lisbon in June", hosts=list(NAMES))
        # Of another trip: what they say too is the protocol's.
        others = party(lan, program, {"ada": "Ada", "ben": "Ben"}, "Elsewhere", hosts=["ada", "ben"])
        work(people, others, "Casa do Rio")

        # The same epoch, another name: after a restart.
        for person in [*people, *others]:
            person.down()
        next_span(lan, files[1])
        for person in [*people, *others]:
            person.up()
        everyone_meets(people)
        everyone_meets(others)
        work(people, others, "Casa do Mar")

        # Another epoch.
        jie.do("members", "remove", "Noah", "--yes")
        until(lambda: "Noah" not in jie.people_here(), 5, "Noah is cut off")
        converge([jie, michelle], 10)
        for person in [*people, *others]:
            person.down()
        next_span(lan, files[2])
        for person in [*people, *others]:
            person.up()
        everyone_meets([jie, michelle])
        everyone_meets(others)
        work([jie, michelle], others, "Casa do Sol")
        for person in [*people, *others]:
            person.down()
        lan.end_capture()

        captures = [Capture.read(file) for file in files]
        spans = [Voice(capture, lan["jie"].address) for capture in captures]
        constants = Voice(captures[0], lan["ada"].address)
        for capture in captures:
            for name in ("ada", "ben"):
                constants.parts += Voice(capture, lan[name].address).parts
    for number, span in enumerate(spans):
        if span.size < BYTES_MIN or len({what for what, _ in span.parts}) != 2:
            raise Failure(f"span {number} has too little to compare: {span.size} bytes")
    check_search(spans, constants)
    for what, one, other in (("restart", 0, 1), ("removal", 1, 2), ("both", 0, 2)):
        hits = common(spans[one], spans[other], constants)
        if hits:
            shown = "; ".join(f"{data[:40]!r} ({len(data)} bytes, {where})" for data, where in hits[:8])
            raise Failure(f"{what}: the node says again: {shown}")
        print(f"epochs: {what}: {spans[one].size} and {spans[other].size} bytes of one node have no string of 12 in common "
              "that nodes of another trip do not say")


def work(people, others, title):
    """Changes both ways, in each trip."""
    for first, second, *_ in (people, others):
        first.do("add", title)
        converge([first, second], 10, lambda: title in second.items())
        second.do("vote", title)
        converge([first, second], 10)


def next_span(lan, file):
    time.sleep(1.5 * GOODBYE_SECONDS)
    lan.end_capture()
    lan.begin_capture(file)


def check_search(spans, constants):
    """That what two spans share would be found, in datagrams and in connections, and wherever it stands in the other."""
    count = 0
    for kinds in (("a datagram", "a connection"), ("a connection", "a datagram")):
        plants = [os.urandom(12), os.urandom(40)]
        one = spans[0].with_plant({"a datagram": plants[0], "a connection": plants[1]})
        other = spans[1].with_plant({kinds[0]: plants[0], kinds[1]: plants[1]})
        found = [data for data, _ in common(one, other, constants)]
        for plant in plants:
            count += 1
            if not any(plant in data for data in found):
                raise Failure(f"the search misses {len(plant)} planted bytes")
    print(f"epochs: the search finds each of {count} planted strings, the shortest of 12 bytes")
