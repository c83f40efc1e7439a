"""Photos over a slow network: each chunk goes once to each node that lacks it, and a vote does not wait for them."""

import json
import os
import re
import statistics
import subprocess
import threading
import time

from lab.caravan import everyone_meets, party
from lab.figures import fsync_ms, p99, spread
from lab.network import Failure, Lan, command, until
from lab.watching import Watching

ABOUT = "photos on three hosts over 20 Mbit/s with a crash and a pulled cable; votes meanwhile; a newcomer"
QUICK = True
NEEDS_CARAVAN = True

COUNT = int(os.environ.get("CARAVAN_LAB_PHOTOS", "6"))
MBIT = 20
PHOTOS_AN_ITEM = 50
PIXELS = (2_400, 1_800)  # of noise, which nothing makes small: about 4 MB
VOTE_MS_MAX = 100  # beyond the disk's own fsync: the 99th percentile of a release build, the median of another
TWICE_MAX = 0.05  # chunks that went more often than they were lacked
SECONDS = 30 + 3 * COUNT
SECONDS_MAX = 300 + 12 * COUNT  # a photo is 2 s of work, and 0.8 s of each of two cables

NAMES = {"jie": "Jie", "michelle": "Michelle", "noah": "Noah"}


def photograph(folder, count, pixels=PIXELS):
    """JPEG files of noise, no two alike; their paths."""
    files = []
    for number in range(count):
        raw, grey, file = folder / "noise.v", folder / "grey.v", folder / f"photo{number}.jpg"
        width, height = (str(size) for size in pixels)
        command("vips", "gaussnoise", raw, width, height, "--mean", "128", "--sigma", "40", "--seed", str(number + 1))
        command("vips", "cast", raw, grey, "uchar")
        command("vips", "copy", grey, f"{file}[Q=97]")
        files.append(file)
    return files


def narrow(lan):
    """Makes every cable slow, both ways."""
    shape = ["root", "tbf", "rate", f"{MBIT}mbit", "burst", "16kb", "latency", "200ms"]
    for host in lan:
        command("tc", "qdisc", "replace", "dev", host.link, *shape)
        done = host.run("tc", "qdisc", "replace", "dev", "eth0", *shape)
        if done.returncode != 0:
            raise Failure(f"{host.name}'s cable cannot be made slow: {done.stderr.strip()}")


def counted(person):
    """{name: value} of what a node counts of chunks."""
    text = person.do("status", "--metrics")
    return {name: float(value) for name, value in re.findall(r"^caravan_photo_chunks_(\w+?)(?:_total)?\{.*\} (\S+)$", text, re.M)}


def absent(person):
    """The sizes that are not here, of each photo."""
    return [photo.get("absent", []) for item in person.items().values() for photo in item.get("photos", [])]


def is_whole(person):
    sizes = absent(person)
    return len(sizes) == COUNT and not any(sizes)


def bytes_to(host):
    """Bytes of frames that went along a cable to its host."""
    return json.loads(subprocess.run(["ip", "-json", "-s", "link", "show", host.link], capture_output=True, text=True,
                                     check=True).stdout)[0]["stats64"]["tx"]["bytes"]


class Voting(threading.Thread):
    """One person votes again and again, and another one's watch tells when it is seen."""

    def __init__(self, voter, watching):
        super().__init__(daemon=True)
        self.voter, self.watching, self.number = voter, watching, 0
        self.milliseconds, self.problem, self.isOver = [], None, threading.Event()

    def vote(self):
        """Votes otherwise than the last time."""
        self.number += 1
        self.voter.do("vote", "1", *(["--against"] if self.number % 2 else []))

    def run(self):
        while not self.isOver.is_set():
            before = len(self.watching.times())
            try:
                self.vote()
            except Failure as failure:
                self.problem = failure
                return
            returned = time.monotonic()
            seen = self.watching.is_seen(before + 1, 20)
            if seen is None:
                self.problem = Failure(f"vote {self.number} is not seen within 20 s")
                return
            self.milliseconds.append((seen - returned) * 1000)
            self.isOver.wait(0.1)

    def finish(self):
        self.isOver.set()
        self.join()
        if self.problem:
            raise self.problem
        return self.milliseconds


def vote_until(voter, watcher, condition, what):
    """Votes until a condition holds; how long each vote took to be seen."""
    watching = Watching(watcher, '"vote"')
    voting = Voting(voter, watching)
    for _ in range(20):  # until the watch is on
        voting.vote()
        if watching.is_seen(1, 0.5):
            break
    voting.start()
    try:
        until(condition, SECONDS, what)
    finally:
        taken = voting.finish()
        watching.process.kill()
    return taken


def run(folder, program):
    with Lan(folder, list(NAMES)) as lan:
        files = photograph(folder, COUNT)
        size = sum(file.stat().st_size for file in files) / COUNT / 1e6
        people = jie, michelle, noah = party(lan, program, NAMES, "Lisbon in June")
        places = [f"Stay {number}" for number in range(-(-COUNT // PHOTOS_AN_ITEM))]
        for place in places:
            jie.do("add", place)
        until(lambda: len(michelle.items()) == len(noah.items()) == len(places), 10, "all have the items")
        noah.down()
        narrow(lan)
        sent = 0

        # One who is there while they are taken, whose node crashes and whose cable is pulled.
        def take(numbers):
            for number in numbers:
                jie.do("photo", places[number // PHOTOS_AN_ITEM], files[number])

        take(range(COUNT // 2))
        until(lambda: counted(michelle).get("received", 0) > 10, 20, "Michelle's node fetches")
        michelle.crash()
        michelle.up()
        everyone_meets([jie, michelle])
        take(range(COUNT // 2, COUNT))
        lan["michelle"].cut()
        time.sleep(1 if COUNT < 20 else 9)
        lan["michelle"].join()
        votes = vote_until(jie, michelle, lambda: is_whole(michelle), "Michelle has all photos")
        chunks = len(list(lan["jie"].caravan_home.glob("trips/*/chunks/*")))

        # A node that lacks the photos, which both others can send.
        already = bytes_to(lan["noah"])
        noah.up()
        everyone_meets(people)
        started = time.monotonic()
        seen_without = []

        def comes():
            sizes = absent(noah)
            if len(sizes) < COUNT:
                return False
            if any("thumbnail" in one for one in sizes) and not all("sharp" in one for one in sizes):
                seen_without.append(sizes)
            return not any(sizes)

        votes += vote_until(michelle, noah, comes, "Noah has all photos")
        seconds = time.monotonic() - started
        if seen_without:
            raise Failure("a sharp picture came before the last thumbnail")
        sent = sum(counted(person)["sent"] for person in people)
        arrived = bytes_to(lan["noah"]) - already
        stored = sum(file.stat().st_size for file in lan["noah"].caravan_home.glob("trips/*/chunks/*"))
        lacked = 2 * chunks
        print(f"photos: {COUNT} of {size:.1f} MB are {chunks} chunks, {stored / 1e6:.1f} MB; "
              f"{int(sent)} were sent for {lacked} that were lacked")
        print(f"photos: {arrived / stored:.3f} bytes of frames for each byte of them to the newcomer, "
              f"{arrived * 8 / 1e6 / seconds:.1f} Mbit/s of {MBIT} for {seconds:.1f} s")
        disk = fsync_ms(folder)
        print(f"photos: {len(votes)} votes meanwhile, from the command's return to the other's sight: {spread(votes)}, "
              f"worst {', '.join(f'{vote:.0f}' for vote in sorted(votes)[-5:])} ms; one fsync here: {disk:.1f} ms")
        if not chunks or sent > lacked * (1 + TWICE_MAX) + 2:
            raise Failure(f"{int(sent)} chunks were sent for {lacked} that were lacked")
        # A debug build's own work is a part of its slowest votes.
        slow = p99(votes) if "release" in str(program) else statistics.median(votes)
        if slow > VOTE_MS_MAX + disk:
            raise Failure(f"votes took more than {VOTE_MS_MAX} ms beyond one fsync: {slow:.0f} ms")
