"""A guest who wants the host to wait: introductions, uploads, bombs, streams, pages and adds at once."""

import json
import time
from pathlib import Path

from lab import page_visitor
from lab.caravan import Caravan
from lab.network import Failure, Lan

ABOUT = "a hostile guest sends, draws and adds all at once: the owner's page takes 0.2 s at most, the owner's photo 2 s"
QUICK = True
NEEDS_CARAVAN = True
QUIET_SECONDS, ATTACK_SECONDS = 5, 20
PAGE_SECONDS_MAX, PHOTO_SECONDS_MAX = 0.2, 2.0
GROWTH_MB_MAX = 50
# What one guest may do in one opening of the door: Documentation/Security.md.
ITEMS_MAX = 100
VISITOR = Path(page_visitor.__file__)


def run(folder, program):
    with Lan(folder, ["jie", "mallory"]) as lan:
        jie = Caravan(lan["jie"], program, "Jie")
        jie.new("Lisbon in June")
        jie.up()
        jie.do("add", "Casa do Rio")
        item = jie.items()["Casa do Rio"]["id"]
        people = {person["id"] for person in json.loads(jie.do("members", "--json"))}
        owner = lan["jie"].start("owner", "python3", VISITOR, "owner", jie.do("open", "--print").strip(), item,
                                 str(QUIET_SECONDS + ATTACK_SECONDS), "--quiet", str(QUIET_SECONDS))
        time.sleep(QUIET_SECONDS)
        link = jie.do("guests", "--no-qr").splitlines()[0]
        guest = lan["mallory"].start("guest", "python3", VISITOR, "guest", link, item, str(ATTACK_SECONDS))
        for process in (guest, owner):
            process.wait(timeout=60)
        done, waited = (last_json(lan[host], job) for host, job in (("mallory", "guest"), ("jie", "owner")))
        print(f"door: the guest: {', '.join(f'{count} × {what}' for what, count in sorted(done.items()))}", flush=True)
        guests = [person for person in json.loads(jie.do("members", "--json")) if person["id"] not in people]
        junk = len(jie.items()) - 1
        print(f"door: {len(guests)} guest, {junk} items of theirs in the trip", flush=True)
        is_release = "release" in str(program)
        wrong = [report(waited, *bar, is_release) for bar in (("page", PAGE_SECONDS_MAX), ("photo", PHOTO_SECONDS_MAX))]
        if len(guests) != 1 or not 0 < junk <= ITEMS_MAX:
            wrong.append(f"one guest came as {len(guests)}, with {junk} items of {ITEMS_MAX}")
        if any(wrong):
            raise Failure("; ".join(filter(None, wrong)))
        before = jie.process().resident_kb() // 1024
        lan["jie"].run("python3", VISITOR, "great-files", jie.do("open", "--print").strip(), item)
        time.sleep(1)
        after = jie.process().resident_kb() // 1024
        print(f"door: {before} MB resident, and {after} MB after three files of 31 MB at once", flush=True)
        if after > before + GROWTH_MB_MAX:
            raise Failure(f"{after - before} MB more are resident after three files of 31 MB")
        jie.do("members", "remove", guests[0]["name"], "--with-items", "--yes")
        if set(jie.items()) != {"Casa do Rio"}:
            raise Failure("the guest was removed, and what they added was not")
        jie.do("edit", item, "--title", "../../up\\C:.jpg")
        jie.do("photo", item, "--save", jie.home / "saved")
        names = sorted(file.name for file in (jie.home / "saved").iterdir())
        if not names or any(not name.startswith("up-c-jpg-") for name in names):
            raise Failure(f"a title leads out of a folder: {names}")


def last_json(host, job):
    try:
        return json.loads(host.log_text(job).strip().splitlines()[-1])
    except (ValueError, IndexError):
        raise Failure(f"{host.name}: {job}: {host.log_text(job)[-400:]}") from None


def report(waited, kind, bar, is_release):
    """Says how long the owner waited; what is wrong with that, or None. The machine's own slowness, as it was before the
    attack, is added to the bar. A debug build's own work is a part of its slowest answers, so one in twenty is passed over."""
    quiet, attacked = sorted(waited["quiet"][kind]), sorted(waited["attacked"][kind])
    if waited["refused"].get(kind) or not attacked:
        return f"the owner's {kind} was refused: {waited['refused'].get(kind)}"
    print(f"door: the owner's {kind}: {middle(attacked):.3f} s, {attacked[-1]:.3f} s at most, of {len(attacked)}; "
          f"before the attack {middle(quiet):.3f} s, {quiet[-1]:.3f} s at most", flush=True)
    allowed, slowest = bar + quiet[-1], attacked[-1] if is_release else attacked[(len(attacked) - 1) * 19 // 20]
    return f"the owner's {kind} took {slowest:.2f} s, more than {allowed:.2f} s" if slowest > allowed else None


def middle(numbers):
    return numbers[len(numbers) // 2]
