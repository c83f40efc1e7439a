"""Listings into a trip of three hosts: in few changes, soon, in bounded memory; and what is no listing leaves nothing."""

import csv
import io
import json
import random
import subprocess
import threading
import time

from lab.caravan import Process, converge, party
from lab.figures import BRIEF_SLACK
from lab.network import Failure, Lan, until

ABOUT = "100 posts and 10,000 rows on one of three hosts: few changes, 3 s, all equal; what is no listing changes nothing"
QUICK = True
NEEDS_CARAVAN = True

ROWS, BRIEF_ROWS = 10_000, 1_000
SECONDS = 3.0  # of the processor, in the command and in its node: what it takes where nothing else runs
CHANGE_BYTES = 1 << 20  # of what one change may hold
COMMAND_KB, NODE_KB = 160 << 10, 160 << 10
SEED = 16

NAMES = {"jie": "Jie", "michelle": "Michelle", "noah": "Noah"}

# As in Inside Airbnb's listings.csv.
COLUMNS = """id listing_url scrape_id last_scraped source name description neighborhood_overview picture_url host_id host_url
host_name host_since host_location host_about host_is_superhost host_neighbourhood host_verifications neighbourhood
neighbourhood_cleansed latitude longitude property_type room_type accommodates bathrooms_text bedrooms beds amenities price
minimum_nights maximum_nights has_availability availability_365 number_of_reviews review_scores_rating license
instant_bookable reviews_per_month""".split()

# What tables get wrong: quotation marks, separators and line breaks in a text, formulas, tags, letters of many scripts.
AWKWARD = ['a "quiet" street', "near the river, by tram 28", "two floors;\r\nno lift", "Café Ü – 東京の家", "مفتاح", "🏡🏡🏽",
           "<b>sunny</b><br />all day", "=1+1", "l'été", "\ttabs\there", "50% off & more", "\"\"", "end\n"]


def run(folder, program, rows=ROWS, slack=1, waits=True):
    with Lan(folder, list(NAMES)) as lan:
        people = jie, *_ = party(lan, program, NAMES, "Lisbon in June")
        jie.do("add", "Casa do Rio")
        before = {person.name: person.process().peak_resident_kb() for person in people}
        listing = write(folder, "posts.json", reddit(100))
        taken(people, listing, 100, "posts", slack)
        table = write(folder, "listings.csv", airbnb(rows))
        taken(people, table, rows, "rows", slack)
        if json.loads(jie.do("import", table, "--json"))["changes"] != 0:
            raise Failure("the same table again is not known")
        peaks = {person.name: person.process().peak_resident_kb() for person in people}
        print("import: memory of the nodes, before and at most: " + ", ".join(
            f"{name} {before[name] >> 10} and {peak >> 10} MB" for name, peak in peaks.items()), flush=True)
        refused(people, folder, rows, waits)
        late = {person.name: person.process().peak_resident_kb() for person in people}
        if "release" in str(program) and max(late.values()) > NODE_KB:
            raise Failure(f"a node had more than {NODE_KB >> 10} MB: {late}")


def brief(folder, program):
    run(folder, program, BRIEF_ROWS, BRIEF_SLACK, waits=False)


# Imports that are taken

def taken(people, file, count, what, slack):
    jie, *_ = people
    before, items, spent = changes(jie), len(jie.items()), jie.process().cpu_seconds()
    done = Command(jie, "import", file, "--json").finish()
    if done.status != 0:
        raise Failure(f"{what}: {done.errors.strip()}")
    spent = done.cpu_seconds + jie.process().cpu_seconds() - spent
    answer = json.loads(done.output)
    _, seconds = until(lambda: len({changes(person) for person in people}) == 1, 20, "all have all changes")
    converge(people, 30, lambda: len(jie.items()) == items + count)
    if len({person.do("export", "--as", "csv") for person in people}) != 1:
        raise Failure(f"{what}: hosts export otherwise")
    came = changes(jie) - before
    print(f"import: {count} {what} of {file.stat().st_size / 1e6:.2f} MB after {done.seconds:.2f} s, {spent:.2f} s of the "
          f"processor, in {came} changes, with {done.kilobytes >> 10} MB; three hosts have them {seconds:.2f} s later", flush=True)
    bound = 1 + file.stat().st_size // CHANGE_BYTES
    if answer["added"] != count or came != answer["changes"] or came > bound:
        raise Failure(f"{what}: {answer['added']} items in {came} changes, where {bound} are enough")
    if "release" in str(jie.program) and (spent > SECONDS * slack or done.kilobytes > COMMAND_KB):
        raise Failure(f"{what}: more than {SECONDS} s, or than {COMMAND_KB >> 10} MB")


def changes(person):
    return json.loads(person.do("status", "--json"))["changes"]


def reddit(count):
    """A page of a subreddit, as /r/NAME.json gives it."""
    chance = random.Random(SEED)
    posts = [{"kind": "t3", "data": {
        "title": f"{number}: {chance.choice(AWKWARD).strip()} &amp; {chance.choice(AWKWARD).strip()}",
        "url": f"https://example.org/r/{number}?a=1&amp;b=2", "domain": "example.org", "score": chance.randrange(-9, 9_999),
        "permalink": f"/r/travel/comments/{number}/", "hidden": False, "selftext": "x" * chance.randrange(2_000),
        "media": {"nested": [1, None, {"deep": [True]}]}, "created_utc": 1.7e9 + number}} for number in range(count)]
    return json.dumps({"kind": "Listing", "data": {"after": "t3_x", "children": posts}}, ensure_ascii=False)


def airbnb(count, last=None):
    """A table of so many rows; `last` stands in place of what the last one says, by column."""
    chance, text = random.Random(SEED), io.StringIO(newline="")
    table = csv.DictWriter(text, COLUMNS, restval="", lineterminator="\r\n")
    table.writeheader()
    for number in range(1, count + 1):
        words = " ".join(chance.choices(AWKWARD, k=4))
        row = {
            "id": number, "listing_url": f"https://www.airbnb.com/rooms/{number}", "scrape_id": 20_250_601, "source": "city scrape",
            "name": f"{number} {chance.choice(AWKWARD).strip()}", "description": f"{words} {'word ' * chance.randrange(60)}",
            "neighborhood_overview": words, "picture_url": f"https://example.org/{number}.jpg", "host_id": number % 977,
            "host_name": chance.choice(["Ana", "João & Zé", "O\"Neill, M."]), "host_about": words, "host_is_superhost": "t",
            "host_verifications": "['email', 'phone']", "neighbourhood_cleansed": "Santa Maria Maior", "latitude": 38.7 + number / 1e5,
            "longitude": -9.1 - number / 1e5, "room_type": "Entire home/apt", "accommodates": 4, "bedrooms": "2.0", "beds": "",
            "amenities": '["Wifi", "Kitchen, ""big"""]', "price": f"${number % 900 + 20}.00", "reviews_per_month": "0.37"}
        table.writerow(row | (last or {}) if number == count else row)
    return text.getvalue()


# Imports that are refused

def refused(people, folder, rows, waits):
    jie, *_ = people
    before, worst = state(people), (0, 0, "")
    sparse = folder / "huge.csv"
    with open(sparse, "wb") as file:
        file.truncate(1 << 40)
    sources = [(name, write(folder, *source), None) for name, source in malformed(rows).items()]
    sources += [("a terabyte", sparse, None), ("a folder", folder, None), ("no file", folder / "none.csv", None)]
    sources += [("a pipe without an end", "-", flood), ("a slow pipe, cut off", "-", trickle)]
    sources += [("a pipe that falls silent", "-", silence)] * waits
    for name, source, feed in sources:
        done = Command(jie, "import", source, feed=feed).finish()
        if done.status == 0 or done.output or len(done.errors.splitlines()) != 1:
            raise Failure(f"{name}: status {done.status}, {done.output[:200]!r}, {done.errors[:400]!r}")
        print(f"import: {name}: {done.errors.strip()[:110]} ({done.seconds:.2f} s, {done.kilobytes >> 10} MB)", flush=True)
        worst = max(worst, (done.kilobytes, done.seconds, name))
    if state(people) != before:
        raise Failure("something of what was refused is there")
    print(f"import: {len(sources)} that are no listing left nothing; the most that a command had is {worst[0] >> 10} MB, "
          f"of {worst[2]}", flush=True)
    if "release" in str(jie.program) and worst[0] > 2 * COMMAND_KB:
        raise Failure(f"{worst[2]}: more than {2 * COMMAND_KB >> 10} MB")


def malformed(rows):
    """{what: (file, what it holds)}"""
    million = 100 * rows  # a tenth of each in the short form, beyond the bounds as well
    return {
        "a last row with no title": ("last.csv", airbnb(rows, {"name": "", "listing_url": "", "host_id": "", "id": "x",
                                                                "neighbourhood_cleansed": "", "room_type": ""})),
        "a last row with a wrong place": ("place.csv", airbnb(rows, {"latitude": "north"})),
        "a quotation mark that is not closed": ("open.csv", airbnb(rows) + '"open,'),
        "a quotation mark within": ("within.csv", 'title,link\n"a"b,\n'),
        "another coding": ("latin.csv", "title,link\nCaf\xe9,\n".encode("latin-1")),
        "nothing": ("nothing.csv", ""),
        "a million columns": ("wide.csv", "title," * million),
        "a million columns in a row": ("row.csv", "title,link\n" + "a," * million),
        "a field of 20 MB": ("field.csv", 'title,link\n"' + "a" * (20 * million) + '",'),
        "too many rows": ("rows.csv", "title,link\n" + "a,\n" * 30_000),
        "65 MB of rows": ("long.csv", "title,link\n" + ("a" * 199 + ",\n") * (33 * rows)),
        "JSON a million deep": ("deep.json", "[" * million),
        "objects a million deep": ("objects.json", '{"a":' * million),
        "JSON of too many values": ("values.json", "[" + "1," * (3 * million) + "1]"),
        "JSON of two million empty objects": ("empty.json", "[" + "{}," * (2 * million - 2) + "{}]"),
        "JSON of a million members": ("members.json", "[{" + ",".join(f'"{n}":1' for n in range(million)) + "}]"),
        "JSON that is cut off": ("cut.json", reddit(100)[:-40]),
        "a post with no title": ("post.json", '{"kind":"Listing","data":{"children":[{"data":{"title":"a"}},{"data":{}}]}}'),
        "JSON that is no listing": ("other.json", '{"kind":"Comment"}'),
    }


def flood(pipe):
    row = b"a" * 65_536
    while True:
        pipe.write(row)


def trickle(pipe):
    for byte in b'[{"title": "Casa':
        pipe.write(bytes([byte]))
        time.sleep(0.1)


def silence(pipe):
    pipe.write(b'[{"title": "Casa')
    time.sleep(60)


def state(people):
    return [(person.listing(), changes(person)) for person in people]


def write(folder, name, content):
    (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder / name


class Command:
    """A command of a person's: its time, the most that it had in memory, and what it said."""

    def __init__(self, person, *words, feed=None):
        host = person.host
        self.began, self.kilobytes, self.cpu_seconds = time.monotonic(), 0, 0
        self.process = subprocess.Popen(
            host._enter(person.words(*words), None), env=host._environment(), bufsize=0,
            stdin=subprocess.PIPE if feed else subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if feed:
            threading.Thread(target=self._feed, args=[feed], daemon=True).start()

    def _feed(self, feed):
        try:
            with self.process.stdin as pipe:
                feed(pipe)
        except OSError:  # it has read enough
            pass

    def finish(self, seconds=60):
        """Waits for its end."""
        texts = {}
        readers = [threading.Thread(target=lambda name=name: texts.update({name: getattr(self.process, name).read()}), daemon=True)
                   for name in ("stdout", "stderr")]
        for reader in readers:
            reader.start()
        try:
            until(self._is_over, seconds, "the command ends", pause=0.004)
        finally:
            self.process.kill()
            self.process.wait()
        self.seconds = time.monotonic() - self.began
        for reader in readers:
            reader.join(10)
        self.status = self.process.returncode
        self.output, self.errors = (texts[name].decode() for name in ("stdout", "stderr"))
        return self

    def _is_over(self):
        try:
            process = Process(self.process.pid)
            self.cpu_seconds = process.cpu_seconds()
            self.kilobytes = max(self.kilobytes, process.peak_resident_kb())
        except (OSError, StopIteration):
            pass
        return self.process.poll() is not None
