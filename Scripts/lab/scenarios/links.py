"""Details of links, fetched from a site of its own that is on the internet as far as Caravan can tell, and hostile where it can be."""

import json
import shutil
import time
from pathlib import Path

from lab.caravan import Caravan
from lab.network import Failure, Lan, until

ABOUT = "`caravan fetch` takes a card from a good page; a hostile site, name server or picture gets nothing and costs little"
QUICK = True
NEEDS_CARAVAN = True

SITE = Path(__file__).resolve().parent.parent / "web_site.py"
PUBLIC = "11.0.0.2"  # of the internet, and behind a router, which the site's address on the LAN is
NEAR = "12.0.0.1"  # of the internet too, and on Jie's own network
SECONDS = 14.0  # 10 for a page, and what starts and ends around it

REFUSED = {
    "loopback": "not on the public internet", "cloud": "not on the public internet", "six": "not on the public internet",
    "private": "not on the public internet", "mapped": "not on the public internet", "near": "not on the public internet",
    "name": "not on the public internet", "file": "only addresses of http and https", "gopher": "only addresses of http and https",
    "dict": "only addresses of http and https", "number": "not on the public internet", "user": "user name or a password", "port": "port 22",
    "loop": "more than 5 other addresses",
}
PICTURES = ["drawing.svg", "drawing.png", "polyglot.gif", "polyglot.png", "bomb.png", "cut.png", "text.png", "none.png"]


def run(folder, program):
    if missing := [name for name in ("curl", "bwrap") if not shutil.which(name)]:
        return print(f"links: left out: {' and '.join(missing)} are not installed")
    with Lan(folder, ["jie", "site"], services=False) as lan:
        jie = furnish(lan, program)
        inner = lan["jie"]
        good(jie, lan["site"])
        button(jie)
        names(jie, lan["site"])
        redirects(jie)
        bombs(jie)
        pictures(jie)
        slow(jie)
        if hits := requests(inner, "inner"):
            raise Failure(f"this machine's own loopback was asked: {hits}")
        # What has ended and is asked about by nobody, as the lab's first process does, does not go on.
        running = [line.split() for line in inner.run("ps", "-eo", "stat=,comm=").stdout.splitlines()]
        if left := [name for state, name, *_ in running if name in ("bwrap", "curl", "getent") and state[0] != "Z"]:
            raise Failure(f"these go on: {left}")
        offline(jie)


def furnish(lan, program):
    """The site far away, Jie with a resolver that asks it, and a server on her loopback that nobody may reach."""
    host, site = lan["jie"], lan["site"]
    site.run("ip", "addr", "add", f"{PUBLIC}/32", "dev", "eth0")
    site.run("ip", "addr", "add", "12.0.0.7/24", "dev", "eth0")
    (host.folder / "resolv.conf").write_text(f"nameserver {site.address}\noptions timeout:1 attempts:2\n")
    (host.folder / "nsswitch.conf").write_text("hosts: files dns\n")
    done = host.run("sh", "-ec", f"ip addr add {NEAR}/24 dev eth0; ip route add 11.0.0.0/8 via {site.address}; "
                    "mount --bind resolv.conf /etc/resolv.conf; mount --bind nsswitch.conf /etc/nsswitch.conf", cwd=host.folder)
    if done.returncode != 0:
        raise Failure(f"Jie's host cannot be furnished: {done.stderr.strip()}")
    site.start("web", "python3", SITE, PUBLIC, site.folder / "web.json")
    host.start("inner", "python3", SITE, PUBLIC, host.folder / "inner.json", "loopback")
    until(lambda: events(site, "web") and events(host, "inner"), 10, "both servers")
    jie = Caravan(host, program, "Jie")
    jie.new("Lisbon in June")
    return jie


def events(host, name):
    try:
        return [json.loads(line) for line in (host.folder / f"{name}.json").read_text().splitlines()]
    except FileNotFoundError:
        return []


def requests(host, name="web"):
    return [event["path"] for event in events(host, name) if "path" in event]


def lookups(site, name):
    return [event for event in events(site, "web") if event.get("name") == name and event["type"] == 1]


def item(jie, title):
    return json.loads(jie.do("show", title, "--json"))


def good(jie, site):
    started = time.monotonic()
    jie.do("add", "http://good.test/casa", "--fetch")
    seconds = time.monotonic() - started
    casa = item(jie, "Casa do Rio")
    expected = {"details": "By the river.", "place": "38.711,-9.13", "address": "Rua 1, Lisbon", "rooms": "2 bedrooms", "beds": "3",
                "price": "120 EUR a night", "kind": "stay", "link": "http://good.test/casa"}
    found = {name: value for name, value in fields(casa).items() if name in expected}
    if found != expected:
        raise Failure(f"the card is {found}")
    has_photo = bool(casa.get("photos"))
    if shutil.which("vipsthumbnail") and not has_photo:
        raise Failure(f"the card has no photo: {casa}")
    told = [event["fields"] for event in events(site, "web") if event.get("path") == "/casa"]
    if told != [["Accept", "Accept-Encoding", "Host", "User-Agent"]]:
        raise Failure(f"the site was told {told}")
    # What a person wrote stays; one undo takes back all that was fetched.
    jie.do("add", "http://good.test/to/moved", "--price", "99 EUR")
    title = "good.test: moved"
    before = item(jie, title)
    jie.do("fetch", title)
    after = item(jie, before["id"][:12])
    if fields(after)["price"] != "99 EUR" or fields(after).get("details") != "By the river.":
        raise Failure(f"fetching changed what was there: {after}")
    said = jie.do("fetch", before["id"][:12])
    if not said.startswith("Nothing changed"):
        raise Failure(f"fetching again says {said!r}")
    jie.do("undo")
    undone = item(jie, before["id"][:12])
    if fields(undone) != fields(before) or undone.get("photos"):
        raise Failure(f"undo leaves {undone}")
    print(f"links: a card with {len(expected)} fields and {'a' if has_photo else 'no'} photo in {seconds:.2f} s")


PRESS = """
import sys
sys.path.insert(0, sys.argv[1])
from lab.page_visitor import Visitor
owner = Visitor(sys.argv[2])
before = owner.ask("GET", owner.trip + "?open=" + sys.argv[3]).text.decode()
print("Fetch details" in before, owner.post("act", do="fetch", item=sys.argv[3], stream="x"), owner.post("act", do="fetch-always"))
"""


def button(jie):
    """The page's button asks through the node that serves it; once allowed for the trip, a link that is added is filled by itself."""
    added = json.loads(jie.do("add", "http://good.test/casa?page", "--json"))["items"][0]["id"]
    jie.up()
    pressed = jie.host.run("python3", "-c", PRESS, SITE.parent.parent, jie.do("open", "--print").strip(), added)
    if pressed.stdout.split() != ["True", "200", "303"]:
        raise Failure(f"the button: {pressed.stdout} {pressed.stderr}")
    if fields(item(jie, added)).get("details") != "By the river.":
        raise Failure(f"the button fetched {item(jie, added)}")
    pressed = jie.host.run("python3", "-c", PRESS.replace('do="fetch-always"', 'do="add", what="http://good.test/casa?always"'),
                           SITE.parent.parent, jie.do("open", "--print").strip(), added)
    until(lambda: sum(one.get("link") == "http://good.test/casa?always" and "details" in one for one in listing(jie)), 20,
          f"what is added on the page is filled: {pressed.stdout} {pressed.stderr}")
    jie.do("fetch", "--no-always")
    jie.down()
    print("links: the page's button fetches, and so does its box once that is allowed")


def listing(jie):
    return [fields(one) for one in json.loads(jie.listing())["items"]]


def fields(shown):
    """An item's fields, whichever way JSON nests them."""
    return {name: value["value"] if isinstance(value, dict) else value for name, value in shown.items()
            if name in ("title", "details", "place", "address", "rooms", "beds", "price", "kind", "link")}


def refused(jie, address, what):
    """Adds a link, whose details are refused; its item is there without them. The seconds that it took."""
    started = time.monotonic()
    done = jie.command("add", address, "--fetch")
    seconds = time.monotonic() - started
    lines = done.stderr.strip().splitlines()
    if done.returncode != 1 or len(lines) != 1 or what not in lines[0] or "without its details" not in lines[0]:
        raise Failure(f"{address}: status {done.returncode}, {done.stderr.strip()!r}, not {what!r}")
    if seconds > SECONDS:
        raise Failure(f"{address}: {seconds:.1f} s")
    return seconds


def names(jie, site):
    """A name means one thing when it is checked and when it is asked, whatever its server says a moment later."""
    before = len(requests(site))
    refused(jie, "http://mixed.test/casa", "not on the public internet")
    refused(jie, "http://inner.test/casa", "not on the public internet")
    refused(jie, "http://nobody.test/casa", "cannot find nobody.test")
    if len(requests(site)) != before:
        raise Failure("a name with a private address was asked")
    jie.do("add", "http://rebind.test/casa/none.png", "--fetch", "--price", "1 EUR")
    asked = [event["addresses"] for event in lookups(site, "rebind.test")]
    # For the page, and for its picture, which the second answer forbids.
    if asked != [[PUBLIC], ["127.0.0.1"]]:
        raise Failure(f"rebind.test was looked up {asked}")
    print("links: one lookup for each request; a changed answer leads nowhere")


def redirects(jie):
    for name, what in REFUSED.items():
        refused(jie, f"http://good.test/to/{name}", what)
    print(f"links: {len(REFUSED)} redirects were not followed")


def bombs(jie):
    took = {}
    for name in ("deep", "attributes", "comment", "json", "bytes"):
        started = time.monotonic()
        jie.do("add", f"http://good.test/bomb/{name}", "--fetch")
        took[name] = time.monotonic() - started
    seconds = refused(jie, "http://good.test/endless", "larger than 5 MB")
    slowest = max(took, key=took.get)
    if took[slowest] > SECONDS:
        raise Failure(f"a page of 4 MB takes {took}")
    print(f"links: pages of 4 MB in {took[slowest]:.2f} s at most ({slowest}); one without an end is left after {seconds:.2f} s")


def pictures(jie):
    for picture in PICTURES:
        done = jie.command("add", f"http://good.test/casa/{picture}", "--fetch", "--note", picture)
        if done.returncode != 0 or "picture was left out" not in done.stderr or len(done.stderr.strip().splitlines()) != 1:
            raise Failure(f"{picture}: status {done.returncode}, {done.stderr.strip()!r}")
        shown = item(jie, done.stdout.rsplit("(", 1)[1].rstrip(")\n"))
        if shown.get("photos") or fields(shown).get("details") != "By the river.":
            raise Failure(f"{picture}: {shown}")
    print(f"links: {len(PICTURES)} pictures that are none were left out, and their cards stay")


def slow(jie):
    seconds = refused(jie, "http://good.test/trickle", "did not answer within 10 s")
    print(f"links: a page that trickles is left after {seconds:.1f} s")


def offline(jie):
    jie.host.cut()
    refused(jie, "http://offline.test/", "check that you are online")
    print("links: offline says so")
