"""Two homes that are never up at the same time, through a folder that some tool syncs, a WebDAV server and a NATS server; and a third
person, who joins through it alone."""

import json
import os
import time

from lab import secrets
from lab.caravan import Caravan, party
from lab.mailboxes import Apache, Nats, is_apache_here, is_nats_here
from lab.network import Failure, Lan, until
from lab.scenarios.photos import photograph
from lab.scenarios.secrecy import all_markers

ABOUT = "two homes that are never up at once, through a folder, WebDAV and NATS: all is there both ways, photos too, a third joins, and the store tells nothing"
QUICK = True
NEEDS_CARAVAN = True

# Each of 16 bytes and more, so that a hit is no chance.
NAMES = {"jie": "Jie of the northern hills", "noah": "Noah of the quiet harbour"}
NEWCOMER = "Mia of the long river"
HOSTS = (*NAMES, "mia")
TITLE, ANSWER = "Casa do Rio Escondido", "Hostel of the old lighthouse"
POSTED_SECONDS, READ_SECONDS = 60, 60
ASKED_SECONDS, JOINED_SECONDS = 8, 90
PIXELS = (1_000, 800)  # of noise: a preview is some 20 KiB, a sharp picture some 100
PREVIEW_BYTES, PICTURE_BYTES = 8 << 10, 64 << 10  # less than each, and more than letters


def run(folder, program):
    through_folder(folder / "folder", program)
    with Lan(folder / "webdav", [*HOSTS, "box"]) as lan:
        if is_apache_here(lan):
            apache = Apache(lan["box"])
            exchange(lan, program, "WebDAV", apache.address, apache.store)
        else:
            print("apart: no WebDAV, because Apache isn't installed or this isn't root", flush=True)
    with Lan(folder / "nats", [*HOSTS, "box"]) as lan:
        if is_nats_here():
            nats = Nats(lan["box"])
            exchange(lan, program, "NATS", nats.address, nats.store)
        else:
            print("apart: no NATS, because nats-server or libnats isn't installed", flush=True)


def brief(folder, program):
    through_folder(folder / "folder", program)


def through_folder(folder, program):
    with Lan(folder, HOSTS) as lan:
        box = folder / "box"
        box.mkdir()
        clutter(box)
        exchange(lan, program, "a folder", box, box, lambda: damage(box))


def exchange(lan, program, what, address, store, meanwhile=lambda: None):
    """What each writes while the other one is down is read by the other one.

    `store` is the folder with all that the mailbox keeps; `meanwhile` happens to it between two runs.
    """
    links = []
    jie, noah = party(lan, program, NAMES, "A journey that nobody shall know of", links, hosts=tuple(NAMES))
    jie.do("mailbox", "add", address)
    code = json.loads(jie.do("mailbox", "--json"))[0]["code"]
    noah.do("mailbox", "add", address, "--code", code)
    photos = photograph(lan.folder, 2, PIXELS)
    for person in (jie, noah):
        person.down()

    jie.up()
    jie.do("add", TITLE)
    grows = growth(store, PREVIEW_BYTES)
    jie.do("photo", TITLE, photos[0])
    posted = in_mailbox(jie, 1)
    until(grows, POSTED_SECONDS, "the preview of Jie's photo is in the mailbox")
    jie.down()
    meanwhile()

    noah.up()
    _, read = until(lambda: TITLE in noah.items(), READ_SECONDS, "Noah reads what Jie wrote")
    until(lambda: "thumbnail" not in absent(noah, TITLE), READ_SECONDS, "Noah has the preview of Jie's photo")
    if "sharp" not in absent(noah, TITLE):
        raise Failure("a full picture came that nobody opened")
    if saves(noah):
        raise Failure("Noah saved a picture that isn't there")
    noah.do("vote", TITLE)
    noah.do("add", ANSWER)
    grows = growth(store, PREVIEW_BYTES)
    noah.do("photo", ANSWER, photos[1])
    answered = in_mailbox(noah, 1)
    until(grows, POSTED_SECONDS, "the preview of Noah's photo is in the mailbox")
    noah.down()

    grows = growth(store, PICTURE_BYTES)
    jie.up()
    _, heard = until(lambda: ANSWER in jie.items(), READ_SECONDS, "Jie reads what Noah wrote")
    until(lambda: jie.items()[TITLE].get("votes"), READ_SECONDS, "Jie has Noah's vote")
    # His letter says that he has hers.
    until(lambda: json.loads(jie.do("status", "--json"))["everyone_has_this"], READ_SECONDS, "Jie knows that Noah has everything")
    until(lambda: "thumbnail" not in absent(jie, ANSWER), READ_SECONDS, "Jie has the preview of Noah's photo")
    _, asked = until(grows, POSTED_SECONDS, "the picture that Noah opened is in the mailbox")
    # A last act, and the end at once: it leaves before the node stops.
    jie.do("edit", TITLE, "--note", "the key is under the third stone")
    jie.down()
    noah.up()
    until(lambda: noah.items()[TITLE].get("note"), READ_SECONDS, "Noah reads what Jie wrote last")
    until(lambda: saves(noah), READ_SECONDS, "Noah has the picture that he opened")
    if not saves(jie) or saves(jie) != saves(noah):
        raise Failure("the pictures differ")
    if seen(jie) != seen(noah):
        raise Failure("the lists differ")
    noah.down()
    join(lan, program, what, address, jie, links)
    print(f"apart, through {what}: written after {posted:.1f} and {answered:.1f} s, read {read:.1f} and {heard:.1f} s after the start; "
          f"a picture that was opened is put {asked:.1f} s later", flush=True)
    check_secrecy(store, all_markers((jie, noah), links))


def seen(person):
    """The list, but for which pictures are here."""
    items = person.items()
    for item in items.values():
        for photo in item.get("photos", []):
            photo.pop("absent", None)
    return items


def absent(person, title):
    """The sizes of an item's photo that are not here."""
    photos = person.items()[title].get("photos", [])
    return photos[0].get("absent", []) if photos else ["thumbnail", "card", "sharp"]


def saves(person):
    """The bytes of the sharp picture, saved as people do; none where it isn't here. That opens it."""
    folder = person.host.home / "saved"
    if person.command("photo", TITLE, "--save", folder).returncode != 0:
        return None
    return [file.read_bytes() for file in sorted(folder.iterdir())]


def growth(store, size):
    """Whether a mailbox's files have grown by so many bytes since now."""
    def total():
        return sum(path.stat().st_size for path in store.rglob("*") if path.is_file() and not path.is_symlink())

    before = total()
    return lambda: total() >= before + size


def join(lan, program, what, address, jie, links):
    """A third person, who is never up at the same time as anybody, joins through the mailbox alone."""
    link = jie.invite()
    links.append(link)
    mia = Caravan(lan["mia"], program, NEWCOMER)
    words = ["join", link, "--as", NEWCOMER]
    if not str(address).startswith(("http", "nats")):
        words += ["--mailbox", address]
    first = mia.command(*words, "--patience", str(ASKED_SECONDS))
    if first.returncode == 0 or "no member's node has answered yet" not in first.stderr:
        raise Failure(f"Mia asks while nobody is up, and hears: {first.stderr.strip()}")
    jie.up()
    _, let_in = until(lambda: any(device["name"] == NEWCOMER for device in json.loads(jie.do("status", "--json"))["devices"]),
                      READ_SECONDS, "Jie's node admits Mia")
    in_mailbox(jie, 1, NEWCOMER)
    jie.down()
    started = time.monotonic()
    mia.do(*words, "--patience", str(JOINED_SECONDS), timeout=2 * JOINED_SECONDS)
    joined = time.monotonic() - started
    mia.up()
    until(lambda: {TITLE, ANSWER} <= set(mia.items()), READ_SECONDS, "Mia has what the others wrote")
    mia.do("vote", ANSWER)
    in_mailbox(mia, 1)
    mia.down()
    jie.up()
    until(lambda: jie.items()[ANSWER].get("votes"), READ_SECONDS, "Jie has Mia's vote")
    jie.down()
    print(f"apart, through {what}: a third is admitted {let_in:.1f} s after the start of a member's node, and is in {joined:.1f} s after its own",
          flush=True)


def in_mailbox(person, count, reader=None):
    """The seconds until so many changes are in the mailbox for another one, or for the one that is named."""
    def is_there():
        return any(device.get("in_mailbox", 0) >= count and device["in_mailbox"] >= device["lacks"]
                   and reader in (None, device["name"]) for device in json.loads(person.do("status", "--json"))["devices"])

    started = time.monotonic()
    until(is_there, POSTED_SECONDS, f"what {person.name} wrote is in the mailbox")
    return time.monotonic() - started


def clutter(box):
    """What else people keep in a synced folder."""
    for number in range(200):
        (box / f"IMG_{number}.jpg").write_bytes(b"\xff\xd8" + os.urandom(200))
    (box / "loop").symlink_to(box)


def damage(box):
    """What sync tools leave: conflicted copies, half files, drafts, and things with names of blocks that are none."""
    blocks = [path for path in box.glob("cv.*/*/*") if path.is_file()]
    if not blocks:
        raise Failure("there is no block in the folder")
    for block in blocks:
        content = block.read_bytes()
        (block.parent / f"{block.name} (Noah's conflicted copy 2027-05-01)").write_bytes(content)
        (block.parent / f".syncthing.{block.name}.tmp").write_bytes(content[:100])
        (block.parent / ("0" * 63 + "1")).write_bytes(content[:500])
        if not (block.parent / ("0" * 64)).exists():
            os.mkfifo(block.parent / ("0" * 64))
            (block.parent / ("f" * 64)).symlink_to("/dev/zero")


def check_secrecy(store, markers):
    """That neither a name nor a content of what the mailbox keeps has anything of the trip."""
    parts = []
    for path in store.rglob("*"):
        parts.append(path.name.encode())
        if path.is_file() and not path.is_symlink():
            parts.append(path.read_bytes())
    haystack = secrets.Haystack.of(parts)
    hits = [f"{marker.what} (as {', '.join(forms)})" for marker in markers if (forms := marker.found_in(haystack))]
    if hits:
        raise Failure("in the clear in the mailbox: " + "; ".join(hits))
    if not any(marker.found_in(secrets.Haystack.of([*parts, TITLE.encode()])) for marker in markers):
        raise Failure("the search misses a planted title")
    print(f"apart: {len(parts)} names and contents in the mailbox: none of {len(markers)} markers is there, in any form", flush=True)
