"""The same work on DeltaCRDT, Yrs (pycrdt) and Loro, in alternation in one run; prints a table in Markdown.

Usage: peers.py PATH-OF-DELTABENCH [rounds] [documents]. Run it by `Scripts/bench peers`; the last word leaves out all but documents.py.
Times of Yrs and Loro are those of the calls into their Rust cores; what Python itself does is left out where that is possible.
"""

import importlib.metadata
import json
import platform
import random
import string
import subprocess
import sys
import time

import documents
import loro
import pycrdt

BENCH = sys.argv[1]
ROUNDS = int(sys.argv[2]) if len(sys.argv) > 2 else 5
TRIES = 5  # of each work in a round, ours and theirs; shown is the least time of all, what the work takes undisturbed
MASK = (1 << 64) - 1
best: dict[str, float] = {}


def note(name, value):
    best[name] = min(value, best.get(name, float("inf")))


def timed(name, work):
    start = time.perf_counter()
    result = work()
    note(name, time.perf_counter() - start)
    return result


def keys(count, seed):
    """Texts of 16 hexadecimal digits, as DeltaBench makes them."""
    made, state = [], seed
    for _ in range(count):
        state = (state + 0x9E3779B97F4A7C15) & MASK
        mixed = ((state ^ state >> 30) * 0xBF58476D1CE4E5B9) & MASK
        mixed = ((mixed ^ mixed >> 27) * 0x94D049BB133111EB) & MASK
        made.append("%016x" % (mixed ^ mixed >> 31))
    return made


def letters(count):
    """Texts of 16 letters and digits, which take 6 bits each at the least."""
    source = random.Random(9)
    return ["".join(source.choices(string.ascii_letters + string.digits, k=16)) for _ in range(count)]


def everything(doc):
    return doc.export(loro.ExportMode.Updates(loro.VersionVector()))


class Adds:
    """One update of 100,000 adds to an empty set."""

    def __init__(self):
        self.keys = keys(100_000, 1)
        (doc, items), (other, others) = self.filled(self.keys)
        self.yrs = doc.get_update()
        state = doc.get_state()
        items[keys(1, 2)[0]] = True
        note("yrs one add", len(doc.get_update(state)))
        self.loro = everything(other)
        self.snapshot = other.export(loro.ExportMode.Snapshot())
        known = other.oplog_vv
        others.insert(keys(1, 2)[0], True)
        other.commit()
        note("loro one add", len(other.export(loro.ExportMode.Updates(known))))
        note("yrs adds bytes", len(self.yrs))
        note("loro adds bytes", min(len(self.loro), len(self.snapshot)))
        (doc, _), (other, _) = self.filled(letters(100_000))
        note("yrs letters bytes", len(doc.get_update()))
        note("loro letters bytes", min(len(everything(other)), len(other.export(loro.ExportMode.Snapshot()))))

    @staticmethod
    def filled(added):
        doc, other = pycrdt.Doc(), loro.LoroDoc()
        items, others = doc.get("set", type=pycrdt.Map), other.get_map("set")
        with doc.transaction():
            for key in added:
                items[key] = True
        for key in added:
            others.insert(key, True)
        other.commit()
        return (doc, items), (other, others)

    def run(self):
        asked = self.keys[::100]
        doc = pycrdt.Doc()
        items = doc.get("set", type=pycrdt.Map)
        timed("yrs adds", lambda: doc.apply_update(self.yrs))
        timed("yrs ask and walk", lambda: (sum(key in items for key in asked), sum(len(key) for key in items.keys())))
        other = loro.LoroDoc()
        timed("loro adds", lambda: other.import_(self.loro))
        items = other.get_map("set")
        walk = lambda: (sum(items.get(key) is not None for key in asked), sum(len(key) for key in items.keys()))
        timed("loro ask and walk", walk)
        third = loro.LoroDoc()
        timed("loro adds snapshot", lambda: third.import_(self.snapshot))


class Votes:
    """1,000 items, 50 voters, each votes, takes it back and votes again on each; 50 replicas' updates are merged."""

    def __init__(self):
        self.yrs, self.loro = [], []
        for voter in range(50):
            doc, other = pycrdt.Doc(), loro.LoroDoc()
            votes, others = doc.get("votes", type=pycrdt.Map), other.get_map("votes")
            for item in range(1000):
                key = f"item{item}:{voter}"
                for value in (1, 0, 1):
                    votes[key] = value
                    others.insert(key, value)
            other.commit()
            self.yrs.append(doc.get_update())
            self.loro.append(everything(other))
        note("yrs votes bytes", sum(map(len, self.yrs)))
        note("loro votes bytes", sum(map(len, self.loro)))

    def run(self):
        doc, other = pycrdt.Doc(), loro.LoroDoc()
        timed("yrs votes", lambda: [doc.apply_update(update) for update in self.yrs])
        timed("loro votes", lambda: [other.import_(update) for update in self.loro])
        if "yrs votes state bytes" not in best:
            note("yrs votes state bytes", len(doc.get_update()))
            note("loro votes state bytes", min(len(everything(other)), len(other.export(loro.ExportMode.Snapshot()))))


class Maps:
    """20 writers: 5,000 edits each of 10,000 keys, or every key once; their updates are merged."""

    def __init__(self, name, edits):
        self.name, self.yrs, self.loro, self.snapshots = name, [], [], []
        source = random.Random(12)
        for writer in range(20):
            doc, other = pycrdt.Doc(), loro.LoroDoc()
            values, others = doc.get("map", type=pycrdt.Map), other.get_map("map")
            for key, value in edits(writer, source):
                values[key] = value
                others.insert(key, value)
            other.commit()
            self.yrs.append(doc.get_update())
            self.loro.append(everything(other))
            self.snapshots.append(other.export(loro.ExportMode.Snapshot()))

    def run(self):
        doc, other, third = pycrdt.Doc(), loro.LoroDoc(), loro.LoroDoc()
        timed(f"yrs {self.name}", lambda: [doc.apply_update(update) for update in self.yrs])
        timed(f"loro {self.name}", lambda: [other.import_(update) for update in self.loro])
        timed(f"loro {self.name} snapshots", lambda: [third.import_(snapshot) for snapshot in self.snapshots])


def edits(writer, source):
    names = keys(10_000, 11)
    return [(names[source.randrange(10_000)], source.randrange(1000)) for _ in range(5000)]


def every_key(writer, source):
    return [(key, writer) for key in keys(10_000, 11)]


class SmallAdds:
    """A hundred updates of one add each, to a set of 100,000."""

    def __init__(self, adds):
        self.adds, self.yrs, self.loro = adds, [], []
        doc, other = pycrdt.Doc(), loro.LoroDoc()
        doc.apply_update(adds.yrs)
        other.import_(adds.loro)
        items, others = doc.get("set", type=pycrdt.Map), other.get_map("set")
        for key in keys(100, 13):
            state, known = doc.get_state(), other.oplog_vv
            items[key] = True
            others.insert(key, True)
            other.commit()
            self.yrs.append(doc.get_update(state))
            self.loro.append(other.export(loro.ExportMode.Updates(known)))

    def run(self):
        doc, other = pycrdt.Doc(), loro.LoroDoc()
        doc.apply_update(self.adds.yrs)
        other.import_(self.adds.loro)
        timed("yrs small adds", lambda: [doc.apply_update(update) for update in self.yrs])
        timed("loro small adds", lambda: [other.import_(update) for update in self.loro])


def churn():
    """100 items through 1,000 rounds of remove and add."""
    items = keys(100, 3)
    doc, other = pycrdt.Doc(), loro.LoroDoc()
    live, others = doc.get("set", type=pycrdt.Map), other.get_map("set")
    for round in range(1001):
        for key in items:
            if round:
                del live[key]
                others.delete(key)
            live[key] = True
            others.insert(key, True)
    other.commit()
    note("yrs churn bytes", len(doc.get_update()))
    note("loro churn bytes", min(len(everything(other)), len(other.export(loro.ExportMode.Snapshot()))))


def ours(*works):
    output = subprocess.run([BENCH, *works], check=True, capture_output=True, text=True).stdout
    for line in output.splitlines():
        figure = json.loads(line)
        note(figure["work"], figure["value"])


def milliseconds(name):
    value = best[name]
    return f"{value:.2f} s" if value >= 1 else f"{value * 1e3:.0f} ms" if value >= 0.1 else f"{value * 1e3:.1f} ms"


def fine(name):
    return f"{best[name] * 1e3:.2f} ms"


def size(name):
    value = best[name]
    return f"{value / 1e6:.2f} MB" if value >= 1e5 else f"{value / 1e3:.1f} kB" if value >= 1e4 else f"{value:.0f} B"


def row(work, mine, yrs, lo, plain, ratio, target, reached):
    print(f"| {work} | {mine} | {yrs} | {lo} | {plain} | {ratio} | {target} | {('yes' if reached else '**no**') if target else ''} |")


def machine():
    model = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), platform.machine())
    swift = subprocess.run(["swift", "--version"], capture_output=True, text=True).stdout.split("\n")[0]
    print(f"{model}; {swift}; the least of {ROUNDS * TRIES} tries of each.\n")


def table():
    yrs, lo = (importlib.metadata.version(name) for name in ("pycrdt", "loro"))
    print(f"| work | DeltaCRDT | Yrs (pycrdt {yrs}) | Loro {lo} | `Set<String>` | ratio | must be | reached |")
    print("|---|---|---|---|---|---|---|---|")
    faster = min(best["yrs adds"], best["loro adds"]) / best["adds apply, ask, walk"]
    row("100,000 adds: decode and apply, 1,000 lookups, one walk (theirs: apply alone)", milliseconds("adds apply, ask, walk"),
        milliseconds("yrs adds"), milliseconds("loro adds"), milliseconds("adds plain Set"), f"{faster:.1f}×", "≥ 5×, ≤ `Set`",
        faster >= 5 and best["adds apply, ask, walk"] <= best["adds plain Set"])
    best["yrs all"], best["loro all"] = (best[f"{peer} adds"] + best[f"{peer} ask and walk"] for peer in ("yrs", "loro"))
    faster = min(best["yrs all"], best["loro all"]) / best["adds apply, ask, walk"]
    row("the same with their lookups and walk, through Python", milliseconds("adds apply, ask, walk"), milliseconds("yrs all"),
        milliseconds("loro all"), "", f"{faster:.1f}×", "", True)
    faster = min(best["yrs adds"], best["loro adds"]) / best["adds apply"]
    row("the same, decode and apply alone", milliseconds("adds apply"), milliseconds("yrs adds"), milliseconds("loro adds"), "",
        f"{faster:.1f}×", "", True)
    faster = best["loro adds snapshot"] / best["adds apply"]
    row("the same, of Loro from a snapshot", milliseconds("adds apply"), "", milliseconds("loro adds snapshot"), "", f"{faster:.1f}×", "", True)
    share = best["adds bytes"] / min(best["yrs adds bytes"], best["loro adds bytes"])
    row("its bytes", size("adds bytes"), size("yrs adds bytes"), size("loro adds bytes"), "", f"{share:.2f}", "≤ 0.7", share <= 0.7)
    share = best["letters bytes"] / min(best["yrs letters bytes"], best["loro letters bytes"])
    row("its bytes, where the strings have letters of both cases and digits", size("letters bytes"), size("yrs letters bytes"),
        size("loro letters bytes"), "", f"{share:.2f}", "≤ 0.7", share <= 0.7)
    more = best["one add bytes"] - 16
    row("one add to 100,000, beyond the element", f"{more:.0f} B", f"{best['yrs one add'] - 16:.0f} B",
        f"{best['loro one add'] - 16:.0f} B", "", "", "≤ 24 B", more <= 24)
    row("one vote in an envelope that names its author", size("one vote bytes"), "", "", "", "", "≤ 40 B", best["one vote bytes"] <= 40)
    faster = min(best["yrs votes"], best["loro votes"]) / best["votes merge"]
    row("1,000 items × 50 voters × vote, unvote, vote: merge", milliseconds("votes merge"), milliseconds("yrs votes"),
        milliseconds("loro votes"), "", f"{faster:.1f}×", "≥ 5×", faster >= 5)
    for name, what in (("votes", "its bytes, 50 deltas"), ("votes state", "its bytes, merged")):
        share = best[f"{name} bytes"] / min(best[f"yrs {name} bytes"], best[f"loro {name} bytes"])
        row(what, size(f"{name} bytes"), size(f"yrs {name} bytes"), size(f"loro {name} bytes"), "", f"{share:.2f}", "≤ 0.5", share <= 0.5)
    share = best["churn bytes"] / best["churn fresh bytes"]
    row("100 live items after 1,000 rounds of remove and add", size("churn bytes"), size("yrs churn bytes"), size("loro churn bytes"),
        "", f"{share:.2f} of fresh", "≤ 1.1", share <= 1.1)
    for name, what in (("map edits", "20 writers, 10,000 keys, 100,000 edits of a map: merge"),
                       ("map concurrent", "20 writers set each of 10,000 keys at the same moment: merge")):
        faster = min(best[f"yrs {name}"], best[f"loro {name}"], best[f"loro {name} snapshots"]) / best[f"{name} merge"]
        row(what, milliseconds(f"{name} merge"), milliseconds(f"yrs {name}"),
            f"{milliseconds(f'loro {name}')}, snapshots {milliseconds(f'loro {name} snapshots')}", "", f"{faster:.1f}×", "≥ 3×", faster >= 3)
    faster = min(best["yrs small adds"], best["loro small adds"]) / best["small adds"]
    row("100 adds, a delta each, to a set of 100,000: decode and apply", fine("small adds"), fine("yrs small adds"), fine("loro small adds"),
        "", f"{faster:.2f}×", "≥ 1×", faster >= 1)
    for name, what in (("local adds", "a million numbers added one by one"), ("local lookups", "a million numbers asked for"),
                       ("walk of a million", "a walk of a million strings")):
        slower = best[name] / best[f"{name}, plain Set"]
        row(what, milliseconds(name), "", "", milliseconds(f"{name}, plain Set"), f"{slower:.1f} of `Set`", "≤ 2", slower <= 2)
    row("a million numbers added at once", milliseconds("local adds at once"), "", "", milliseconds("local adds, plain Set"),
        f"{best['local adds at once'] / best['local adds, plain Set']:.1f} of `Set`", "", True)
    for what in ("an add", "a removal"):
        small, big = best[f"since {what}, 10000"], best[f"since {what}, 1000000"]
        row(f"`delta(since:)`, {what} behind, set of 10,000 and of 1,000,000", f"{small * 1e6:.1f} µs, {big * 1e6:.1f} µs", "", "", "",
            f"{big / small:.2f}", "≤ 2, ≤ 20 µs", big <= 2 * small and big <= 20e-6)
    million = best["merge of a million"]
    row("merge of two sets of 1,000,000, 1% apart", milliseconds("merge of a million"), "", "",
        milliseconds("merge of a million, plain Set"), f"{best['merge of a million, plain Set'] / million:.1f}×", "≤ 60 ms", million <= 0.06)
    row("the same, and the first question to the joined set", milliseconds("merge of a million, and a question"), "", "",
        "", "", "", True)
    share = best["memory a string"] / best["memory a string, plain Set"]
    row("memory a string, set of 100,000", f"{best['memory a string']:.0f} B", "", "", f"{best['memory a string, plain Set']:.0f} B",
        f"{share:.2f}", "≤ 1.5", share <= 1.5)


def kept_documents():
    ours("documents")
    documents.run(note)
    ours("documents")


def print_documents():
    documents.table(best, milliseconds, size, [importlib.metadata.version(name) for name in ("pycrdt", "loro")])


def main():
    if "documents" in sys.argv[3:]:
        kept_documents()
        return print_documents()
    adds, votes = Adds(), Votes()
    works = [adds, votes, Maps("map edits", edits), Maps("map concurrent", every_key), SmallAdds(adds)]
    churn()
    ours("memory", "one", "churn", "letters")
    for round in range(ROUNDS):
        print(f"round {round + 1} of {ROUNDS}", file=sys.stderr)
        for ourselves, others in zip(("adds", "votes", "maps", "concurrent", "small"), works):
            ours(ourselves)
            for _ in range(TRIES):
                others.run()
        ours("since", "million", "local")
    kept_documents()
    machine()
    table()
    print_documents()


main()
