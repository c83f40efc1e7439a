"""Law 8, for real: nothing on the wire names anybody or anything, to somebody without the trip's key."""

from lab import secrets
from lab.caravan import converge, party
from lab.network import Failure, Lan
from lab.pcap import Capture
from lab.secrets import Haystack, Marker

ABOUT = "everything on the bridge is captured: no name, title, note, id, key, secret or host name is in it"
QUICK = True
NEEDS_CARAVAN = True

# Each of 16 bytes and more, so that a hit is no chance.
NAMES = {"jie": "Jie of the northern hills", "michelle": "Michelle of the long river", "noah": "Noah of the quiet harbour"}
TRIP = "A journey that nobody shall know of"
TITLE, NOTE, PLACE_NAME = "Casa do Rio Escondido", "the key is under the third stone", "Dona Aurora do Carmo"
RENAMED = "Casa do Rio Esquecido"


def run(folder, program):
    file = folder / "bridge.pcap"
    with Lan(folder, list(NAMES), services=False) as lan:
        lan.begin_capture(file)
        for host in lan:
            host.start_bus()
            host.start_avahi()
        links, people = [], []
        people = jie, michelle, noah = party(lan, program, NAMES, TRIP, links)
        jie.do("add", TITLE, "--note", NOTE, "--host", PLACE_NAME)
        converge(people, 10, lambda: TITLE in noah.items())
        michelle.do("vote", TITLE)
        michelle.down()
        noah.do("edit", TITLE, "--title", RENAMED)
        michelle.up()
        converge(people, 20, lambda: RENAMED in michelle.items())
        markers = all_markers(people, links)
        for person in people:
            person.down()
        for host in lan:
            host.kill_avahi()
        lan.end_capture()

    capture = Capture.read(file)
    check_capture(capture)
    check_search(markers)
    haystack = Haystack(capture)
    hits = [f"{marker.what} (as {', '.join(forms)})" for marker in markers if (forms := marker.found_in(haystack))]
    if hits:
        raise Failure("in the clear on the wire: " + "; ".join(hits))
    payload = sum(map(len, capture.streams().values()))
    print(f"secrecy: {len(capture.frames)} frames, {payload} bytes of sessions, {len(capture.names())} names in DNS: "
          f"none of {len(markers)} markers is there, in any form")


def all_markers(people, links):
    markers = [Marker("the trip's title", TRIP), Marker("a title", TITLE), Marker("a note", NOTE),
               Marker("a host", PLACE_NAME), Marker("a new title", RENAMED)]
    for person in people:
        markers.append(Marker(f"{person.name}'s name", person.name))
        markers.append(Marker(f"{person.name}'s OS host name", person.host.host_name))
        markers += secrets.of_device(person.name, person.keys_file())
    for link in links:
        markers.append(Marker("an invite's secret", secrets.base32_bytes(link.removeprefix("caravan:"))[33:65]))
    return markers


def check_capture(capture):
    """That there is something to search: sessions, and what discovery says."""
    if not any("_caravan._tcp" in name for name in capture.names()):
        raise Failure("the capture has no announcement of a service")
    if sum(map(len, capture.streams().values())) < 5_000:
        raise Failure("the capture has no sessions")


def check_search(markers):
    """That each form of each marker would have been found, in each place."""
    count = 0
    for marker in markers:
        for form_name, form in marker.forms.items():
            for place, capture in secrets.planted(form):
                count += 1
                if form_name not in marker.found_in(Haystack(capture)):
                    raise Failure(f"the search misses {marker.what} as {form_name} in {place}")
    print(f"secrecy: the search finds each of {len(markers)} markers in each form and place: {count} planted packets")
