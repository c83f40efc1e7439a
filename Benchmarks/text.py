"""The same editing on DeltaCRDT, Yrs (pycrdt) and Loro, from a folder of traces of josephg/editing-traces; prints a table.

Usage: text.py TEXTBENCH FOLDER. Of Yrs and Loro the calls go through Python, whose part is small where one call does much.
"""

import gzip
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import loro
import pycrdt


def least(rounds, work):
    """Milliseconds of the quickest of several runs, and what the last gave."""
    best = float("inf")
    for _ in range(rounds):
        start = time.perf_counter()
        result = work()
        best = min(best, (time.perf_counter() - start) * 1000)
    return best, result


def convert(trace, path):
    """Writes a trace as TextBench reads it."""
    def text(value):
        data = value.encode()
        return b"%d " % len(data) + data
    with open(path, "wb") as out:
        out.write(b"%d %d " % (trace.get("numAgents", 1), len(trace["txns"])))
        for txn in trace["txns"]:
            parents = txn.get("parents", [])
            out.write(b"%d %d " % (txn.get("agent", 0), len(parents)) + b"".join(b"%d " % parent for parent in parents))
            out.write(b"%d " % len(txn["patches"]))
            for position, removed, inserted in txn["patches"]:
                out.write(b"%d %d " % (position, removed) + text(inserted))
        out.write(text(trace["endContent"]))


def ours(bench, *arguments):
    output = subprocess.run([bench, *arguments], check=True, capture_output=True, text=True).stdout
    return {line["work"]: (line["value"], line["unit"]) for line in map(json.loads, output.splitlines())}


class Yrs:
    """A document with one text, its updates kept as they come."""

    def __init__(self, base=None):
        self.doc = pycrdt.Doc()
        self.text = self.doc.get("t", type=pycrdt.Text)
        if base:
            self.doc.apply_update(base)

    def apply(self, patches):
        for position, removed, inserted in patches:
            if removed:
                del self.text[position:position + removed]
            if inserted:
                self.text.insert(position, inserted)

    def whole(self):
        return self.doc.get_update()

    def since(self, other):
        return self.doc.get_update(other.doc.get_state())

    def edit(self, *patch):
        before = self.doc.get_state()
        self.apply([patch])
        return self.doc.get_update(before)

    def take(self, update):
        self.doc.apply_update(update)

    def read(self):
        return str(self.text)


class Loro:
    def __init__(self, base=None):
        self.doc = loro.LoroDoc()
        self.text = self.doc.get_text("t")
        if base:
            self.doc.import_(base)

    def apply(self, patches):
        for position, removed, inserted in patches:
            if removed:
                self.text.delete(position, removed)
            if inserted:
                self.text.insert(position, inserted)
        self.doc.commit()

    def whole(self):
        return self.doc.export(loro.ExportMode.Updates(loro.VersionVector()))

    def since(self, other):
        return self.doc.export(loro.ExportMode.Updates(other.doc.oplog_vv))

    def edit(self, *patch):
        before = self.doc.oplog_vv
        self.apply([patch])
        return self.doc.export(loro.ExportMode.Updates(before))

    def take(self, update):
        self.doc.import_(update)

    def read(self):
        return self.text.to_string()


PEERS = {"Yrs": Yrs, "Loro": Loro}


def sequential(trace):
    """Edit by edit, each edit a transaction; then what was written is read."""
    figures = {}
    for name, peer in PEERS.items():
        def edit():
            document = peer()
            for txn in trace["txns"]:
                document.apply(txn["patches"])
            return document
        found = figures[name] = {}
        found["edit by edit"], document = least(1, edit)
        assert document.read() == trace["endContent"], f"{name}: another text"
        found["encode"], update = least(5, document.whole)
        found["bytes"] = len(update)
        found["merge the whole as a remote"], _ = least(5, lambda: peer(update).read())
        saved = document.doc.export(loro.ExportMode.Snapshot()) if name == "Loro" else update
        found["bytes saved"] = len(saved)

        def ready():
            opened = peer(saved)
            opened.apply([(50_000, 0, "x")])
        found["open: ready to edit"], _ = least(5, ready)
        found["open: the text alone"], _ = least(5, lambda: peer(saved).read())
        del document
    return figures


def concurrent(trace):
    """Every agent's document makes its own transactions, after what they stand on; then one takes all updates."""
    figures = {}
    for name, peer in PEERS.items():
        agents = trace["numAgents"]
        updates, own, pasts = [], [[] for _ in range(agents)], []

        def replay():
            documents, known = [peer() for _ in range(agents)], [[0] * agents for _ in range(agents)]
            for number, txn in enumerate(trace["txns"]):
                agent = txn["agent"]
                document, seen = documents[agent], known[agent]
                missing = []
                for other in range(agents):
                    until = max((pasts[parent][other] for parent in txn["parents"]), default=0)
                    if seen[other] < until:
                        missing += own[other][seen[other]:until]
                        seen[other] = until
                for update in sorted(missing):  # each after what it stands on
                    document.take(updates[update])
                before = document.doc.get_state() if name == "Yrs" else document.doc.oplog_vv
                document.apply(txn["patches"])
                updates.append(document.doc.get_update(before) if name == "Yrs"
                               else document.doc.export(loro.ExportMode.Updates(before)))
                own[agent].append(number)
                seen[agent] += 1
                pasts.append(list(seen))

        def merge():
            document = peer()
            for update in updates:
                document.take(update)
            return document
        found = figures[name] = {}
        found["replay by every agent"], _ = least(1, replay)
        found["merge every delta into one text"], document = least(1, merge)
        found["endContent"] = document.read() == trace["endContent"]
        update = document.whole()
        found["bytes"] = len(update)
        found["merge the whole as a remote"], _ = least(5, lambda: peer(update).read())
    return figures


def branches():
    figures = {}
    for name, peer in PEERS.items():
        base = peer()
        base.apply([(0, 0, "base text " * 1000)])
        sides = [peer(base.whole()), peer(base.whole())]
        for number, side in enumerate(sides):
            chance, length = random.Random(number), 10_000
            for _ in range(20_000):
                side.apply([(chance.randrange(length + 1), 0, "word ")])
                length += 5
        update, whole = sides[1].since(sides[0]), sides[0].whole()
        found = figures[name] = {"two long branches: bytes of one": len(update)}
        times = []
        for _ in range(3):
            document = peer(whole)
            document.read()
            times.append(least(1, lambda: (document.take(update), document.read()))[0])
        found["two long branches: merge"] = min(times)
    return figures


def crowd():
    """As TextBench's crowd and meeting; 24,000 deltas would take Loro minutes."""
    figures = {}
    for name, peer in PEERS.items():
        found = figures[name] = {}
        writers = [peer() for _ in range(24)]
        updates = [[writer.edit(place, 0, "x") for place in range(100)] for writer in writers]

        def merge():
            document = peer()
            for turn in range(100):
                for own in updates:
                    document.take(own[turn])
            return document
        found["24 writers at one place, 2,400 deltas in turn"], document = least(1, merge)
        assert len(document.read()) == 2_400, f"{name}: letters are missing"

        base = peer()
        base.apply([(0, 0, "base text " * 1000)])
        writers, edits = [peer(base.whole()) for _ in range(24)], []
        for number, writer in enumerate(writers):
            chance, length, own = random.Random(number), 10_000, []
            for turn in range(25):
                removes = turn % 4 == 3
                own.append(writer.edit(chance.randrange(length - 4), 4 if removes else 0, "" if removes else "word "))
                length += -4 if removes else 5
            edits.append(own)

        def meet():
            for number, writer in enumerate(writers):
                for turn in range(25):
                    for offset in range(1, 24):
                        writer.take(edits[(number + offset) % 24][turn])
        found["24 writers at random places, each takes 575 deltas: all"], _ = least(1, meet)
        assert len({writer.read() for writer in writers}) == 1, f"{name}: texts differ"
    return figures


def small():
    """As TextBench's small, without memory."""
    figures = {}
    for name, peer in PEERS.items():
        wholes, changes = [], []
        for number in range(10_000):
            document = peer()
            document.apply([(0, 0, f"remark {number % 1000}, " * 17)])
            wholes.append(document.whole())
            changes.append(document.edit(100, 0, "!"))

        def work():
            for whole, change in zip(wholes, changes):
                document = peer(whole)
                document.take(change)
                document.whole()
        found = figures[name] = {}
        found["10,000 small texts: read, merge, write"], _ = least(3, work)
        found["10,000 small texts: bytes each"] = sum(map(len, wholes)) // 10_000
    return figures


def shown(value, unit=""):
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if unit == "B" or isinstance(value, int):
        return f"{value:,.0f} B"
    return f"{value:,.2f} {unit or 'ms'}"


def table(title, mine, theirs):
    print(f"\n## {title}\n\n| work | DeltaCRDT | Yrs | Loro |\n|---|---|---|---|")
    works = list(mine) + [work for found in theirs.values() for work in found if work not in mine]
    for work in dict.fromkeys(works):
        row = [shown(*mine[work]) if work in mine else ""]
        row += [shown(theirs[name].get(work)) if theirs else "" for name in PEERS]
        print(f"| {work} | {' | '.join(row)} |")


def main():
    bench, folder = sys.argv[1:]
    for path in sorted(Path(folder).glob("*.json.gz")):
        trace = json.loads(gzip.decompress(path.read_bytes()))
        kind = "concurrent" if trace.get("kind") == "concurrent" else "sequential"
        with tempfile.NamedTemporaryFile() as plain:
            convert(trace, plain.name)
            mine = ours(bench, kind, plain.name)
        table(path.name.split(".")[0], mine, (concurrent if kind == "concurrent" else sequential)(trace))
    table("two long branches", ours(bench, "branches"), branches())
    for work, theirs in [("growth", dict), ("crowd", crowd), ("small", small)]:
        table(work, ours(bench, work), theirs())
    print(f"\nPeak memory of Yrs and Loro together: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB")


if __name__ == "__main__":
    main()
