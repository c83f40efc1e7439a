"""What applications keep, on Yrs and Loro: the works of Documents.swift. What is measured is the processor time of the calls into their
Rust cores."""

import os
import random
import subprocess
import sys
import time

import loro
import pycrdt


def seconds(work):
    start = time.process_time()
    work()
    return time.process_time() - start


class Yrs:
    name = "yrs"

    @staticmethod
    def new():
        doc = pycrdt.Doc()
        return doc, doc.get("root", type=pycrdt.Map)

    @staticmethod
    def whole(doc):
        return doc.get_update()

    @staticmethod
    def mark(doc):
        return doc.get_state()

    @staticmethod
    def since(doc, mark):
        return doc.get_update(mark)

    @staticmethod
    def apply(doc, update):
        doc.apply_update(update)

    @staticmethod
    def change(doc, work):
        with doc.transaction():
            work()

    @staticmethod
    def submap(root, key):
        root[key] = pycrdt.Map({})
        return root[key]

    @staticmethod
    def set(root, key, value):
        root[key] = value

    @staticmethod
    def remove(root, key):
        if key in root:
            del root[key]

    @staticmethod
    def child(root, key):
        return root[key]


class Loro(Yrs):
    name = "loro"

    @staticmethod
    def new():
        doc = loro.LoroDoc()
        return doc, doc.get_map("root")

    @staticmethod
    def whole(doc):
        return doc.export(loro.ExportMode.Snapshot())

    @staticmethod
    def mark(doc):
        return doc.oplog_vv

    @staticmethod
    def since(doc, mark):
        return doc.export(loro.ExportMode.Updates(mark))

    @staticmethod
    def apply(doc, update):
        doc.import_(update)

    @staticmethod
    def change(doc, work):
        work()
        doc.commit()

    @staticmethod
    def submap(root, key):
        return root.insert_container(key, loro.LoroMap())

    @staticmethod
    def set(root, key, value):
        root.insert(key, value)

    @staticmethod
    def remove(root, key):
        if root.get(key) is not None:
            root.delete(key)

    @staticmethod
    def child(root, key):
        return root.get(key).container


def merged(peer, note, name, base, updates):
    note(f"{peer.name} {name} deltas bytes", sum(map(len, updates)))
    for _ in range(5):
        doc, joined = peer.new()
        peer.apply(doc, base)
        note(f"{peer.name} {name} merge", seconds(lambda: [peer.apply(doc, update) for update in updates]))
    whole = peer.whole(doc)
    note(f"{peer.name} {name} bytes", len(whole))
    for _ in range(5):
        fresh, root = peer.new()
        # Loro reads a snapshot lazily: a question makes it read the state, as ours is.
        note(f"{peer.name} {name} load", seconds(lambda: (peer.apply(fresh, whole), len(root))))
    saved(peer, note, f"{name} save", doc, joined)


def saved(peer, note, name, doc, root):
    """Each time after a change: Loro keeps what it wrote of an unchanged document."""
    for number in range(5):
        peer.change(doc, lambda: peer.set(root, f"saved {number}", True))
        note(f"{peer.name} {name}", seconds(lambda: peer.whole(doc)))


def re_adds(peer, note):
    base = [f"item-{number}" for number in range(20_000)]
    doc, root = peer.new()
    peer.change(doc, lambda: [peer.set(root, key, True) for key in base])
    first, updates, source = peer.whole(doc), [], random.Random(21)
    for _ in range(50):
        mine, items = peer.new()
        peer.apply(mine, first)
        mark = peer.mark(mine)

        def acts():
            for _ in range(1000):
                element = source.choice(base)
                peer.remove(items, element)
                if source.random() < 0.5:
                    peer.set(items, element, True)

        peer.change(mine, acts)
        updates.append(peer.since(mine, mark))
    merged(peer, note, "re-adds", first, updates)


def nested(peer, note):
    doc, root = peer.new()

    def fill():
        for key in range(1000):
            inner = peer.submap(root, f"key{key}")
            for field in range(10):
                peer.set(inner, f"field{field}", field)

    peer.change(doc, fill)
    base, updates, source, spent = peer.whole(doc), [], random.Random(22), 0.0
    for _ in range(20):
        mine, items = peer.new()
        peer.apply(mine, base)
        mark = peer.mark(mine)
        inner = {key: peer.child(items, f"key{key}") for key in range(1000)}

        def acts():
            for _ in range(2000):
                map, field, value = inner[source.randrange(1000)], f"field{source.randrange(10)}", source.randrange(1000)
                if value % 5 == 0:
                    peer.remove(map, field)
                else:
                    peer.set(map, field, value)

        spent += seconds(lambda: peer.change(mine, acts))
        updates.append(peer.since(mine, mark))
    note(f"{peer.name} nested maps edit", spent / 40_000)
    merged(peer, note, "nested maps", base, updates)


def crowd(peer, note):
    updates = []
    for writer in range(2000):
        doc, root = peer.new()
        peer.change(doc, lambda: peer.set(root, str(writer), 1))
        updates.append(peer.whole(doc) if peer is Yrs else doc.export(loro.ExportMode.Updates(loro.VersionVector())))
    doc, _ = peer.new()
    note(f"{peer.name} crowd", seconds(lambda: [peer.apply(doc, update) for update in updates]))


def small_documents(peer, note):
    documents, updates = [], []
    for number in range(2000):
        doc, root = peer.new()
        peer.change(doc, lambda: [peer.set(root, f"key{key}", f"value {number} {key}") for key in range(20)])
        documents.append(peer.whole(doc))
        other, root = peer.new()
        peer.apply(other, documents[-1])
        mark = peer.mark(other)
        peer.change(other, lambda: peer.set(root, f"key{number % 20}", "changed"))
        updates.append(peer.since(other, mark))
    for _ in range(3):
        spent = size = 0
        for document, update in zip(documents, updates):
            doc, _ = peer.new()
            spent += seconds(lambda: (peer.apply(doc, document), peer.apply(doc, update)))
            start = time.process_time()
            size += len(peer.whole(doc))
            spent += time.process_time() - start
        note(f"{peer.name} small documents", spent)
    note(f"{peer.name} small documents bytes", size / 2000)


def snapshot_and_log(peer, note):
    doc, root = peer.new()
    peer.change(doc, lambda: [peer.set(root, f"item-{number}", True) for number in range(100_000)])
    snapshot, log = peer.whole(doc), []
    for number in range(1000):
        mark = peer.mark(doc)
        peer.change(doc, lambda: peer.set(root, f"new-{number}", True))
        log.append(peer.since(doc, mark))
    note(f"{peer.name} log, a change", sum(map(len, log)) / 1000)
    note(f"{peer.name} snapshot bytes", len(snapshot))
    for _ in range(3):
        fresh, root = peer.new()
        kept = fresh, root
        note(f"{peer.name} snapshot and log, load",
             seconds(lambda: (peer.apply(fresh, snapshot), [peer.apply(fresh, update) for update in log], len(root))))
    saved(peer, note, "snapshot, save", *kept)


def texts(peer, count):
    doc, root = peer.new()
    peer.change(doc, lambda: [peer.set(root, f"an element number {100_000 + number}", True) for number in range(count)])
    return doc


def records(peer, count):
    doc, root = peer.new()

    def fill():
        for number in range(count):
            inner = peer.submap(root, str(number))
            for field in "abc":
                peer.set(inner, field, number)

    peer.change(doc, fill)
    return doc


def resident(peer, make, count):
    """Bytes of resident memory that a thing takes, in a process of its own, which has none to spare."""
    work = f"import documents as d; d.print_resident(d.{peer.__name__}, d.{make.__name__}, {count})"
    ran = subprocess.run([sys.executable, "-c", work], cwd=os.path.dirname(os.path.abspath(__file__)), check=True, capture_output=True)
    return float(ran.stdout)


def print_resident(peer, make, count):
    pages = lambda: int(open("/proc/self/statm").read().split()[1]) * 4096
    make(peer, 1000)
    before = pages()
    kept = make(peer, count)
    print((pages() - before) / count if kept else 0)


def memory(peer, note):
    note(f"{peer.name} memory, a text of a set", resident(peer, texts, 100_000))
    note(f"{peer.name} memory, a record of 3 fields", resident(peer, records, 30_000))


def almost_equal(peer, note):
    doc, root = peer.new()
    peer.change(doc, lambda: [peer.set(root, f"item-{number}", True) for number in range(200_000)])

    def copies(left, right):
        made = []
        for acts in (left, right):
            other, items = peer.new()
            peer.apply(other, whole)
            peer.change(other, lambda: acts(items))
            made.append(other)
        return made

    def sync(name, one, other):
        def both():
            nonlocal sent
            marks = [peer.mark(one), peer.mark(other)]
            updates = [peer.since(one, marks[1]), peer.since(other, marks[0])]
            sent = sum(map(len, updates)) + sum(len(mark if peer is Yrs else mark.encode()) for mark in marks)
            peer.apply(one, updates[1])
            peer.apply(other, updates[0])

        sent = 0
        note(f"{peer.name} {name}, time", seconds(both))
        note(f"{peer.name} {name}, bytes", sent)

    whole = peer.whole(doc)
    adds = lambda side: lambda items: [peer.set(items, f"{side}-{number}", True) for number in range(5)]
    sync("10 adds apart", *copies(adds("left"), adds("right")))
    peer.change(doc, lambda: [peer.remove(root, f"item-{number}") for number in range(0, 200_000, 2)])
    whole = peer.whole(doc)
    sync("a removal apart", *copies(lambda items: peer.remove(items, "item-1001"), lambda items: None))


def run(note):
    for peer in (Yrs, Loro):
        for work in (re_adds, nested, crowd, small_documents, snapshot_and_log, memory, almost_equal):
            work(peer, note)


def table(best, milliseconds, size, versions):
    """Prints the rows: on none should ours be above the lesser of the others."""
    print(f"\n| work | DeltaCRDT | Yrs (pycrdt {versions[0]}) | Loro {versions[1]} | ratio | reached |")
    print("|---|---|---|---|---|---|")

    def row(work, ours, theirs, shown):
        mine, yrs, lo = best[ours], best[f"yrs {theirs}"], best[f"loro {theirs}"]
        ratio = min(yrs, lo) / mine
        cells = [shown(ours), shown(f"yrs {theirs}"), shown(f"loro {theirs}")]
        print(f"| {work} | {' | '.join(cells)} | {ratio:.2f}× | {'yes' if ratio >= 1 else '**no**'} |")

    bytes_ = lambda name: f"{best[name]:,.0f} B"
    fine = lambda name: f"{best[name] * 1e6:.1f} µs"
    figures = [("merge", milliseconds), ("load", milliseconds), ("save", milliseconds), ("deltas bytes", size), ("bytes", size)]
    labels = {"deltas bytes": "its deltas", "bytes": "the document"}
    works = [("re-adds", "re-adds", "a set of 20,000, 50 writers × 1,000 removals and adds"),
             ("nested maps", "nested maps", "1,000 maps of 10 registers, 20 writers × 2,000 edits"),
             ("records", "nested maps", "the same as records of 10 registers")]
    for ours, theirs, what in works:
        for figure, shown in figures:
            row(f"{what}: {labels.get(figure, figure)}", f"{ours} {figure}", f"{theirs} {figure}", shown)
        if ours != "re-adds":
            row(f"{what}: an edit, theirs through Python", f"{ours} edit", f"{theirs} edit", fine)
    for what in ("counter", "counter that is never reset", "flag", "register"):
        row(f"a {what}, a change by each of 2,000 writers: merge (theirs a map)", f"crowd, {what}", "crowd", milliseconds)
    row("2,000 documents of 20 texts: load, merge a change, save", "small documents", "small documents", milliseconds)
    row("a small document", "small documents bytes", "small documents bytes", bytes_)
    row("a set of 100,000 and 1,000 changes: load", "snapshot and log, load", "snapshot and log, load", milliseconds)
    row("save it whole", "snapshot, save", "snapshot, save", milliseconds)
    row("a change in the log", "log, a change", "log, a change", bytes_)
    row("the snapshot", "snapshot bytes", "snapshot bytes", size)
    row("memory of a text of 24 bytes in a set (theirs resident)", "memory, a text of a set", "memory, a text of a set", bytes_)
    row("memory of a record of 3 fields of 10 (theirs a map, resident)", "memory, a record of 3 fields", "memory, a record of 3 fields", bytes_)
    for what in ("10 adds apart", "a removal apart"):
        label = "two sets of 200,000" if what == "10 adds apart" else "two of which half was removed"
        row(f"{label}, {what}: until equal", f"{what}, time", f"{what}, time", milliseconds)
        row(f"{label}, {what}: bytes both ways", f"{what}, bytes", f"{what}, bytes", bytes_)
