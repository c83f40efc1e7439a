"""What a stranger recorded is worth nothing: said or shown again, it tells nobody who is of which trip."""

import json
import socket
import statistics
import time
from collections import Counter

from lab import replayer
from lab.caravan import Caravan, everyone_meets, party
from lab.network import Failure, Lan
from lab.pcap import Capture

ABOUT = "a stranger replays first messages and names at members and at nodes of three other trips: nothing tells them apart"
QUICK = False
NEEDS_CARAVAN = True
RESTARTS, TRIES = 6, 200
# Where a machine does other things too, this much between two medians says nothing.
NOISE_SECONDS = 0.02
FIRST_SIZE = 83
SRV, TXT = 33, 16

NAMES = {"jie": "Jie", "michelle": "Michelle"}
OTHERS = ["ada", "ben", "cleo"]


def run(folder, program):
    file, shown = folder / "recorded.pcap", folder / "shown.pcap"
    with Lan(folder, [*NAMES, *OTHERS, "eve"]) as lan:
        lan.begin_capture(file)
        members = party(lan, program, NAMES, "Lisbon in June", hosts=tuple(NAMES))
        others = [Caravan(lan[name], program, name.capitalize()) for name in OTHERS]
        for other in others:
            other.new("Another trip")
            other.up()
        restart(members, RESTARTS)
        lan.end_capture()
        messages, names = recorded(Capture.read(file), {socket.inet_aton(lan[name].address) for name in NAMES})
        print(f"replay: {len(messages)} first messages and {len(names)} names of members were recorded", flush=True)
        if len(messages) < RESTARTS or len(names) < RESTARTS:
            raise Failure("there is too little to replay")
        say(lan["eve"], members, others, messages, "as they run")
        restart(members + others, 1)
        say(lan["eve"], members, others, messages, "after a restart")
        lan.begin_capture(shown)
        callers = show(lan["eve"], names)
        lan.end_capture()
        apart(Capture.read(shown), lan, names, callers)


def restart(people, times):
    for _ in range(times):
        for person in people:
            person.down()
            person.up()
        time.sleep(1)
    everyone_meets(people[:2])


def recorded(capture, hosts):
    """First messages as they stood on the wire, and of each instance of a member's host its TXT record."""
    messages = {bytes(stream[:2 + FIRST_SIZE]) for stream in capture.streams().values()
                if len(stream) >= 2 + FIRST_SIZE and stream[:2] == FIRST_SIZE.to_bytes(2, "big")}
    names = {}
    for record in capture.records():
        if record.source in hosts and record.type == TXT and record.name.endswith("._caravan._tcp.local"):
            names[record.name.split(".")[0]] = record.data
    return sorted(messages), names


def ask(eve, request):
    done = eve.run("python3", replayer.__file__, input=json.dumps(request), timeout=300)
    if done.returncode != 0:
        raise Failure(f"the stranger failed: {done.stderr[-400:]}")
    return json.loads(done.stdout)


def say(eve, members, others, messages, when):
    """Says each recorded first message to everybody; fails where members' answers differ from others'."""
    people = members + others
    targets = [[person.host.address, person.port()] for person in people]
    tries = TRIES // 2
    outcomes = ask(eve, {"messages": [message.hex() for message in messages], "targets": targets, "tries": tries})
    kinds = [Counter((size, how) for size, how, _ in of_one) for of_one in outcomes]
    medians = [statistics.median(seconds for _, _, seconds in of_one) for of_one in outcomes]
    print(f"replay: {when}: {tries} tries at each of {len(people)}: " + "; ".join(
        f"{person.name} {dict(kind)} after {median * 1000:.1f} ms"
        for person, kind, median in zip(people, kinds, medians)), flush=True)
    if any(size for kind in kinds for size, _ in kind) or len({frozenset(kind) for kind in kinds}) > 1:
        raise Failure(f"{when}: the answers tell who is who")
    of_members, of_others = medians[:len(members)], medians[len(members):]
    apart = max(min(of_members) - max(of_others), min(of_others) - max(of_members))
    if apart > NOISE_SECONDS:
        raise Failure(f"{when}: members take {apart * 1000:.0f} ms more or less than others")


def show(eve, names):
    """Publishes the recorded names again, half of them with the data that leads here; returns who connected."""
    eve.kill_avahi()
    listed = [[name, data.hex() if number % 2 else None] for number, (name, data) in enumerate(sorted(names.items()))]
    return ask(eve, {"names": listed, "address": eve.address, "seconds": 16})


def apart(capture, lan, names, callers):
    """Fails where somebody came, or where members asked about names and others did not, or the other way round."""
    asked = Counter()
    for question in capture.questions():
        if question.type in (SRV, TXT) and question.name.split(".")[0] in names:
            asked[question.source] += 1
    counts = {name: asked[socket.inet_aton(lan[name].address)] for name in [*NAMES, *OTHERS]}
    print(f"replay: {len(names)} names are shown again: {len(callers)} connections; questions about them: {counts}", flush=True)
    if callers:
        raise Failure(f"somebody came by a name that was shown again: {Counter(callers)}")
    if any(counts[name] for name in NAMES) != any(counts[name] for name in OTHERS):
        raise Failure("questions about names tell members from others")
