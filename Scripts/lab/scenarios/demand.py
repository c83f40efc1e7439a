"""A node with little room for photos: it keeps thumbnails and the newest, and loads an old one when somebody opens it."""

from lab.caravan import everyone_meets, party
from lab.network import Failure, Lan, until
from lab.scenarios.photos import photograph

ABOUT = "a node whose room holds a third of the photos: it stays within it, and loads an old photo in full when somebody wants it"
QUICK = True
NEEDS_CARAVAN = True

SPACE_MB = 16
NEW = 20  # photos of noise: about 2 MB each in full
SECONDS = 60
SECONDS_MAX = 240

NAMES = {"jie": "Jie", "noah": "Noah"}


def sizes_absent(person, title):
    """The sizes that are not here, of each photo of an item."""
    return [photo.get("absent", []) for photo in person.items()[title].get("photos", [])]


def stored(person):
    return sum(file.stat().st_size for file in person.home.glob("trips/*/chunks/*"))


def run(folder, program):
    with Lan(folder, list(NAMES)) as lan:
        files = photograph(folder, NEW + 1)
        jie, noah = people = party(lan, program, NAMES, "Lisbon in June")
        noah.down()
        noah.variables["CARAVAN_PHOTO_SPACE"] = f"{SPACE_MB}M"
        jie.do("add", "Old")
        jie.do("photo", "Old", files[0])
        jie.do("add", "New")
        for file in files[1:]:
            jie.do("photo", "New", file)
        total = stored(jie)
        if total < 2 * SPACE_MB << 20:
            raise Failure(f"all photos have only {total >> 20} MB")
        noah.up()
        everyone_meets(people)
        until(lambda: len(noah.items()) == 2 and len(sizes_absent(noah, "New")) == NEW
              and all("thumbnail" not in absent for absent in sizes_absent(noah, "Old") + sizes_absent(noah, "New")),
              SECONDS, "Noah has all thumbnails")
        until(lambda: any(not absent for absent in sizes_absent(noah, "New")), SECONDS, "Noah has some of the newest in full")
        until(lambda: stored(noah) > (SPACE_MB << 20) * 0.7, SECONDS, "the room is used")
        if "sharp" not in sizes_absent(noah, "Old")[0]:
            raise Failure("the oldest photo arrived in full, so nothing is shown")

        # Somebody wants it: what is here makes room.
        wanted = noah.host.home / "wanted"

        def is_saved():
            return noah.command("photo", "Old", "--save", wanted).returncode == 0

        if is_saved():
            raise Failure("a photo that is not here was saved")
        until(is_saved, SECONDS, "the old photo arrives in full")
        file, = wanted.glob("*.jpg")
        kept = stored(noah)
        print(f"demand: {total / 1e6:.0f} MB of photos, {kept / 1e6:.1f} MB of {SPACE_MB} MB here; "
              f"the old one arrived in full, {file.stat().st_size / 1e6:.1f} MB")
        if kept > SPACE_MB << 20:
            raise Failure(f"{kept} bytes of photos are here, more than the {SPACE_MB} MB that were set")
