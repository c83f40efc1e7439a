"""Homes with all that `--json` tells of, for Scripts/commands: what three people and a phone do, with nodes on loopback."""

import json
import os
import socket
import struct
import subprocess
import time
import zlib

COMMAND_SECONDS, MEET_SECONDS = 60, 30


class Home:
    """A home with a node of its own, which knows others by their ports."""

    TWO_WORDS = {("invite", "show"), ("invite", "list"), ("device", "add"), ("device", "list"), ("device", "remove"), ("cost", "import")} | {
        tuple(words.split()) for words in (
            "lists new,lists rename,lists remove,lists restore,wishes remove,wishes share,feeds add,feeds remove,cost add,members remove,"
            "mailbox add,mailbox remove,invite close,invite keep,trash restore,trash empty,note edit,note set").split(",")}

    def __init__(self, program, folder, name):
        self.program, self.name, self.folder = program, name, folder
        self.environment = dict(os.environ, CARAVAN_HOME=str(folder / name), DBUS_SYSTEM_BUS_ADDRESS="unix:path=/nonexistent",
                                EDITOR="sed -i s/station/harbor/")
        self.environment.pop("VISUAL", None)
        self.environment.pop("CARAVAN_PASSPHRASE_FILE", None)
        self.printed, self.node, self.watcher, self.seen = {}, None, None, folder / f"{name}.watched"
        with socket.socket() as one:
            one.bind(("127.0.0.1", 0))
            self.port = one.getsockname()[1]

    def do(self, *words, statuses=(0,)):
        done = subprocess.run([self.program, *words], env=self.environment, cwd=self.folder, capture_output=True, text=True,
                              timeout=COMMAND_SECONDS)
        if done.returncode not in statuses:
            raise SystemExit(f"commands: {self.name}: caravan {' '.join(words)}: {done.returncode}: {done.stderr.strip()}")
        return done.stdout

    def json(self, *words, statuses=(0,)):
        """What a command prints with `--json`; its keys are kept under the command's name."""
        value = json.loads(self.do(*words, "--json", statuses=statuses))
        name = " ".join(words[:2] if words[:2] in self.TWO_WORDS else words[:1])
        self.printed.setdefault(name, []).append(value)
        return value

    def up(self, *peers):
        others = [word for peer in peers for word in ("--peer", f"127.0.0.1:{peer.port}")]
        self.node = subprocess.Popen([self.program, "up", "--no-page", "--port", str(self.port), *others], env=self.environment,
                                     stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.until(lambda: json.loads(self.do("status", "--json"))["running"], "runs")

    def watch(self):
        with open(self.seen, "wb") as file:
            self.watcher = subprocess.Popen([self.program, "watch", "--json"], env=self.environment, stdout=file, stderr=subprocess.DEVNULL)
        time.sleep(1)

    def down(self):
        if self.node:
            self.do("down")
            self.node.wait(COMMAND_SECONDS)
            self.node = None
        if self.watcher:
            self.watcher.wait(COMMAND_SECONDS)
            self.printed.setdefault("watch", []).extend(json.loads(line) for line in self.seen.read_text().splitlines())
            self.watcher = None

    def end(self):
        for process in (self.node, self.watcher):
            if process and process.poll() is None:
                process.kill()
                process.wait()

    def until(self, condition, what):
        deadline = time.monotonic() + MEET_SECONDS
        while not condition():
            if time.monotonic() > deadline:
                raise SystemExit(f"commands: {self.name}: not within {MEET_SECONDS} s: {what}")
            time.sleep(0.2)

    def meets(self, *others):
        names = {other.name for other in others}
        self.until(lambda: names <= {one["name"] for one in json.loads(self.do("status", "--json"))["devices"] if one["here"]}, "meets " + ", ".join(names))
        self.until(lambda: {other.do("list", "--json") for other in others} == {self.do("list", "--json")}, "all show the same")


def dot(path, blue):
    """A picture of 400 × 300 points, in PNG."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    pixels = b"".join(b"\0" + bytes(((x * 255) // 400, (y * 255) // 300, blue)[part] for x in range(400) for part in range(3)) for y in range(300))
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 400, 300, 8, 2, 0, 0, 0))
                     + chunk(b"IDAT", zlib.compress(pixels)) + chunk(b"IEND", b""))


DEEDS = ("cost add Dinner 84EUR --by Noah --on 2026-06-12 --note n --category food|cost add Taxi 30 --percent Jie=50 --percent Noah=50|settle Noah 5 "
         "--on 2026-06-13|cost add Fondue 50CHF --rate 0.9512 --parts Jie=2 --parts Noah=1|cost export costs.csv|add Market|choose Market|"
         "plan Boat --on 2026-06-13 --at 14:30 --for 2h --zone Lisbon|add Sintra|plan Sintra --on 2026-06-13..14|unplan Sintra|undo|going Market Sintra --not|going Market|going Sintra --withdraw|"
         "ask Where Lisbon Porto --due 2099-06-03 --agree 80|ask Which Coast Hills --ranked|ask Rice --points 10|ask When 2026-06-12 2026-06-13 --dates|"
         "options Where --add Faro --remove Porto|answer Where Lis|answer Which Hills Coast|answer When 2026-06-12 --if-need-be 2026-06-13|answer Rice --none|"
         "close Where|answer Where Faro|answer Which --withdraw|close Where --not|close Where|answer Where Lis").split("|")
FIELDS = ["--note", "n", "--link", "https://example.org/1", "--place", "38.7,-9.1", "--address", "a", "--host", "h", "--rooms", "r", "--details", "d", "--beds", "2",
          "--phone", "+351 21 342 0000"]


def plan(jie):
    """A founder's trip with everything that one person can do."""
    kept = jie.folder / "kept.html"
    for line in f"new Faro --as Jie|fetch --always|archive {kept}|status|archive --reopen|delete Faro --yes|trash|trash restore Faro|delete Faro --yes|trash empty --yes".split("|"):
        jie.json(*line.split())
    jie.json("new", "Lisbon in June", "--as", "Jie")
    jie.do("add", "Casa do Rio", "--kind", "stay", "--price", "120 EUR/night", "--amenity", "wifi", *FIELDS)
    jie.do("add", "--kind", "dates", "--dates", "2026-06-12..15")
    jie.do("add", "Boat", "--price", "35 EUR and a deposit", "--dates", "2026-06-13..14")
    jie.do("choose", "2")
    jie.json("lists", "new", "Packing", "3 towels", "Corkscrew", "--kind", "bring")
    jie.do("lists", "new", "Old", "Rope")
    jie.do("add", "Tent", "--quantity", "2", "--list", "Packing")
    jie.do("vote", "1")
    jie.json("vote", "1")
    jie.do("comment", "1", "The terrace")
    jie.do("comment", "1", "Sunny")
    jie.json("comment", "1", "--remove", "1")
    jie.json("undo")
    for words in (("bring", "Tent"), ("bring", "Tent", "--not"), ("bring", "Tent"), ("vote", "Tent"), ("unvote", "Tent"), ("remove", "Corkscrew"),
                  ("restore", "Corkscrew"), ("quantity", "Tent", "+1"), ("edit", "1", "--no-amenity", "wifi"), ("edit", "1", "--amenity", "wifi"),
                  ("edit", "1", "--clear", "note"), ("note", "set", "1", "By the river"), ("note", "1"), ("note", "set", "Meet at the station"),
                  ("note", "edit"), ("note",), ("edit", "Boat", "--assignee", "Jie", "--due", "2099-06-03"), ("going", "Boat", "--not"),
                  ("move", "1", "--list", "Packing"), ("lists", "rename", "Old", "Older"),
                  ("lists", "remove", "Older"), ("lists", "restore", "Older"), ("rename", "Lisbon"), ("rename", "--me", "J"), ("rename", "--me", "Jie"), ("photo", "1", "dot.png"),
                  ("photo", "1", "--remove", "1"), ("photo", "1", "dot.png"), ("mailbox", "add", ".")):
        jie.json(*words)


def own(jie):
    """What nobody else sees."""
    (jie.folder / "stays.csv").write_text("title,link,price,note,place,host,details,rooms,kind,dates,beds,address\n"
                                          "Loft,https://example.org/2,90 EUR,n,\"38.7,-9.1\",h,d,r,stay,2026-06-12..13,2,a\n")
    jie.json("wish", "Boat", "--price", "40 EUR", "--kind", "dates", "--dates", "2026-06-12..13", *FIELDS)
    jie.do("wish", "Ferry")
    jie.json("undo")
    jie.json("wishes", "remove", "Boat")
    jie.json("undo")
    jie.json("feeds", "add", "stays.csv")
    jie.json("feeds", "remove", "stays.csv")
    jie.do("feeds", "add", "stays.csv")
    jie.json("rename", "--me", "Jie")
    jie.json("photo", "1", "--save", "saved")
    jie.json("remove", "Boat", "--dry-run")
    jie.json("mailbox", "remove", "1")
    jie.do("mailbox", "add", ".")
    (jie.folder / "pasted").write_text("# Party\nMussels\nFries\n")
    jie.json("import", "pasted")
    (jie.folder / "rated.csv").write_text("title,stars,beds,assignee\nHotel,5,two,Nobody\n")
    (jie.folder / "noted.json").write_text('{"items": [], "note": "Bring boots"}')
    jie.json("import", "noted.json")
    event = "BEGIN:VEVENT\nSUMMARY:{}\nEND:VEVENT\n"
    events = ["a\nDTSTART:20260612T080000\nRRULE:FREQ=DAILY", "b\nDTSTART:20260612T080000\nDTEND:20260615T080000", "c\nDTSTART;TZID=Mine:20260612T080000"]
    (jie.folder / "events.ics").write_text("BEGIN:VCALENDAR\n" + "".join(event.format(text) for text in events) + "END:VCALENDAR\n")
    for name in ("rated.csv", "events.ics"):
        jie.json("import", name, "--dry-run")
    for words in (("mailbox", "test"), ("wishes",), ("feeds",), ("browse", "stays.csv"), ("import", "stays.csv", "--dry-run"), ("import", "stays.csv")):
        jie.json(*words)
    jie.json("doctor", statuses=(0, 1))  # this machine may have faults
    jie.do("show", "1")
    jie.json("recent")


def apart(jie, noah):
    """What two do at the same moment, and carry by files."""
    def carry(one, other, name):
        one.do("export", "--sealed", name)
        other.json("import", name)
    jie.do("ask", "Who", "Jie", "Noah", "--hidden")
    jie.do("answer", "Who", "Jie")
    carry(jie, noah, "first")
    jie.do("close", "Who")
    noah.do("answer", "Who", "Noah")
    # What somebody upholds comes before or after the removal, in the order of both their changes.
    jie.do("remove", "Tent")
    noah.do("vote", "Corkscrew", "--against")
    noah.do("add", "Late", "--list", "Older")
    for home, letter in ((jie, "J"), (noah, "N")):
        home.do("rename", f"Lisbon {letter}")
        home.do("edit", "Casa do Rio", "--title", f"Casa {letter}")
        home.do("lists", "rename", "Packing", f"Packing {letter}")
    jie.do("photo", "Boat", "spot.png")
    jie.do("remove", "Corkscrew")
    jie.do("lists", "remove", "Older")
    noah.do("vote", "Tent", "--against")
    noah.do("bring", "Tent")
    carry(jie, noah, "j")
    carry(noah, jie, "n")
    noah.up()  # alone: of Jie's photo nothing is there
    for words in (("list",), ("lists",), ("search", "Casa"), ("show", "1"), ("show", "Boat"), ("status",), ("history",)):
        noah.json(*words)
    noah.down()
    jie.json("questions")
    jie.do("rename", "Lisbon")
    jie.do("edit", "1", "--title", "Casa")
    jie.do("lists", "rename", "Packing N" if "Packing N" in jie.do("lists") else "Packing J", "Packing")
    jie.do("remove", "Rope")


def trips_of(program, folder, homes):
    """Fills homes with all that `--json` tells of."""
    dot(folder / "dot.png", 90)
    dot(folder / "spot.png", 10)
    jie, noah, mia = (Home(program, folder, name) for name in ("Jie", "Noah", "Mia"))
    homes += [jie, noah, mia]
    plan(jie)
    own(jie)
    jie.up()
    jie.watch()
    links = [jie.json("invite", "--expires", "1h")["link"] for _ in range(2)]
    for person, link in zip((noah, mia), links):
        person.do("join", link, "--as", person.name, "--peer", f"127.0.0.1:{jie.port}")
    homes.append(phone := Home(program, folder, "Phone"))
    phone.do("join", jie.json("device", "add")["link"], "--as", "Phone", "--peer", f"127.0.0.1:{jie.port}")
    jie.json("invite", "show", str(jie.json("invite", "--expires", "1h")["number"]))
    jie.json("invite", "list")
    jie.json("invite", "close", "1")
    noah.up(jie)
    jie.meets(noah)
    noah.json("status")
    noah.json("members")
    noah.down()
    jie.down()
    apart(jie, noah)
    jie.up()
    jie.until(lambda: any("in_mailbox" in one for one in jie.json("status")["devices"]), "puts changes in its mailbox")
    noah.up(jie)
    mia.up(jie, noah)
    jie.meets(noah, mia)
    jie.watch()
    for words in (("list", "--all"), ("lists",), ("search", "Casa"), ("status",), ("members",), ("trips",)):
        jie.json(*words)
    for home, words in [(jie, words) for words in DEEDS] + [(mia, "vote 1"), (mia, "bring 1"), (mia, "going 1 --maybe")]:
        home.json(*words.split()) if "export" not in words else home.do(*words.split())
    jie.meets(noah, mia)
    mia.json("leave", "--yes")
    jie.json("device", "list")
    jie.json("device", "remove", "Phone", "--yes")
    jie.json("members", "remove", "Noah", "--yes")
    noah.until(lambda: "out" in json.loads(noah.do("status", "--json")), "hears of the removal")
    for words in (("list", "--all"), ("show", "1"), ("history",), ("status",), ("members",), ("days",), ("questions",), ("cost",), ("balances",), ("cost", "import", "costs.csv", "--dry-run")):
        jie.json(*words)
    noah.json("status")
    noah.json("trips")
    for home in (noah, mia, jie):
        home.down()
    jie.do("archive", "over.html")
    jie.json("trips")
    jie.do("archive", "--reopen")
    (folder / "secret").write_text("four words of mine\n")
    (folder / "secret").chmod(0o600)
    phone.do("passphrase", "set", "--new-passphrase-file", "secret")
    phone.json("trips")
