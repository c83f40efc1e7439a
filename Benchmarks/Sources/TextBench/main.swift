import DeltaCRDT
import Glibc

// TextBench sequential|concurrent TRACE, or TextBench branches|growth|crowd|small: a line of JSON for each figure.

let arguments = Array(CommandLine.arguments.dropFirst())
switch arguments.first {
case "sequential" where arguments.count == 2: sequential(Trace(arguments[1]))
case "concurrent" where arguments.count == 2: concurrent(Trace(arguments[1]))
case "branches": branches()
case "growth": growth()
case "crowd": crowd()
case "small": small()
default:
    fail("usage: TextBench sequential|concurrent TRACE, TextBench branches|growth|crowd|small", 64)
}

func milliseconds(_ rounds: Int = 5, _ body: () -> Void) -> Double { leastSeconds(of: rounds, body) * 1000 }

/// Ends the program where a text is not what it must be.
func expect(_ isRight: Bool, _ what: String) {
    if !isRight { fail("TextBench: \(what)", 1) }
}

func decoded(_ bytes: [UInt8]) -> Text {
    do throws(DecodingFailure) { return try Text(decoding: bytes) } catch {
        expect(false, "cannot be read: \(error)")
        return Text()
    }
}

func sequential(_ trace: Trace) {
    let patches = trace.transactions.flatMap(\.patches)
    let writer = Trace.writer(0)
    var text = Text()
    report(
        "edit by edit",
        milliseconds(3) {
            text = Text()
            for patch in patches { use(text.apply(patch, by: writer)) }
        }, "ms")
    expect(text.string == trace.end, "another text than the trace's")
    var bytes: [UInt8] = []
    report("encode", milliseconds { bytes = text.encoded() }, "ms")
    report("bytes", Double(bytes.count), "B")
    report(
        "merge the whole as a remote",
        milliseconds {
            var remote = Text()
            remote.merge(decoded(bytes))
            expect(remote.string.utf8.count == trace.end.utf8.count, "another text than was sent")
        }, "ms")
    report(
        "open: ready to edit",
        milliseconds {
            var read = decoded(bytes)
            read.insert("x", at: read.utf8Count / 2, by: writer)
        }, "ms")
    report(
        "open: the text alone",
        milliseconds {
            use(try? Text.string(decoding: bytes))
        }, "ms")
    var deltas: [Text] = []
    var author = Text()
    for patch in patches { deltas.append(author.apply(patch, by: writer)) }
    report(
        "merge edit by edit as a remote",
        milliseconds(1) {
            var remote = Text()
            for delta in deltas { remote.merge(delta) }
            expect(remote == text, "another text than its author's")
        }, "ms")
    deltas = []
    let before = allocatedBytes()
    let read = decoded(bytes)
    report("memory at rest, after opening", Double(allocatedBytes() - before), "B")
    expect(read == text, "another text than was written")
}

/// Each agent has a text; what its next transaction stands on is merged first, delta by delta.
func concurrent(_ trace: Trace) {
    var deltas: [Text] = []
    var replica = Text()
    report(
        "replay by every agent",
        milliseconds(1) {
            deltas = []
            var texts = [Text](repeating: Text(), count: trace.agents)
            var known = [[Int]](repeating: [Int](repeating: 0, count: trace.agents), count: trace.agents)
            var own = [[Int]](repeating: [], count: trace.agents)
            var pasts: [[Int]] = []
            for (number, transaction) in trace.transactions.enumerated() {
                let agent = transaction.agent
                var missing: [Int] = []
                for other in 0..<trace.agents {
                    let until = transaction.parents.map { pasts[$0][other] }.max() ?? 0
                    guard known[agent][other] < until else { continue }
                    missing += own[other][known[agent][other]..<until]
                    known[agent][other] = until
                }
                // Each after what it stands on.
                for number in missing.sorted() { texts[agent].merge(deltas[number]) }
                var delta = Text()
                for patch in transaction.patches {
                    let part = texts[agent].apply(patch, by: Trace.writer(agent))
                    if transaction.patches.count == 1 { delta = part } else { delta.merge(part) }
                }
                deltas.append(delta)
                own[agent].append(number)
                known[agent][agent] += 1
                pasts.append(known[agent])
            }
        }, "ms")
    report(
        "merge every delta into one text",
        milliseconds(1) {
            replica = Text()
            for delta in deltas { replica.merge(delta) }
        }, "ms")
    expect(replica.string == trace.end, "another text than the trace's endContent")
    let bytes = replica.encoded()
    report("bytes", Double(bytes.count), "B")
    report(
        "merge the whole as a remote",
        milliseconds {
            var remote = Text()
            remote.merge(decoded(bytes))
            use(remote.string)
        }, "ms")
}

/// Two write 20,000 words each into one text of 10,000 characters, at random places, and then meet.
func branches() {
    var base = Text()
    base.insert(String(repeating: "base text ", count: 1000), at: 0, by: Trace.writer(0))
    var sides = [base, base]
    for side in 0..<2 {
        var random = SplitMix64(seed: UInt64(side))
        for _ in 0..<20_000 {
            let position = Int(random.next() % UInt64(sides[side].utf8Count + 1))
            sides[side].insert("word ", at: position, by: Trace.writer(side + 1))
        }
    }
    let bytes = sides[1].delta(since: sides[0].summary()).encoded()
    report("two long branches: bytes of one", Double(bytes.count), "B")
    report(
        "two long branches: merge",
        milliseconds {
            var text = sides[0]
            text.merge(decoded(bytes))
            expect(text.string.utf8.count == 210_000, "letters are missing")
        }, "ms")
}

/// The next edit in the middle, in texts of 10⁴ to 10⁷ characters in runs of ten.
func growth() {
    for size in [10_000, 100_000, 1_000_000, 10_000_000] {
        var text = Text()
        var random = SplitMix64(seed: 1)
        while text.utf8Count < size {
            text.insert("ten letter", at: Int(random.next() % UInt64(text.utf8Count + 1)), by: Trace.writer(0))
        }
        let times = (0..<20_000).map { number in
            let position = number % 2 == 0 ? Int(random.next() % UInt64(size)) : size / 2
            return seconds { use(text.insert("x", at: position, by: Trace.writer(0))) } * 1e6
        }.sorted()
        report("next edit, \(size) characters: median", times[times.count / 2], "µs")
        report("next edit, \(size) characters: p99", times[times.count * 99 / 100], "µs")
    }
}

/// 24 type at one place, and one takes every letter; then 24 edit one text, and everybody takes everything.
func crowd() {
    for (letters, deltaCount) in [(100, "2,400"), (1000, "24,000")] {
        var deltas: [[Text]] = []
        for writer in 0..<24 {
            var text = Text()
            deltas.append((0..<letters).map { text.insert("x", at: $0, by: Trace.writer(writer)) })
        }
        report(
            "24 writers at one place, \(deltaCount) deltas in turn",
            milliseconds(1) {
                var text = Text()
                for turn in 0..<letters { for writer in 0..<24 { text.merge(deltas[writer][turn]) } }
                expect(text.utf8Count == 24 * letters, "letters are missing")
            }, "ms")
    }
    meeting()
}

/// 24 insert and remove at random places of one text of 10,000 letters, 25 times each, and everybody takes every delta of the others.
func meeting() {
    var base = Text()
    base.insert(String(repeating: "base text ", count: 1000), at: 0, by: Trace.writer(24))
    var texts = [Text](repeating: base, count: 24)
    var deltas: [[Text]] = []
    for writer in 0..<24 {
        var random = SplitMix64(seed: UInt64(writer))
        deltas.append(
            (0..<25).map { turn in
                let position = Int(random.next() % UInt64(texts[writer].utf8Count - 4))
                return turn % 4 == 3
                    ? texts[writer].remove(position..<position + 4)
                    : texts[writer].insert("word ", at: position, by: Trace.writer(writer))
            })
    }
    report(
        "24 writers at random places, each takes 575 deltas: all",
        milliseconds(1) {
            for writer in 0..<24 {
                for turn in 0..<25 {
                    for offset in 1..<24 { texts[writer].merge(deltas[(writer + offset) % 24][turn]) }
                }
            }
        }, "ms")
    expect(texts.allSatisfy { $0 == texts[0] && $0.string == texts[0].string }, "the texts differ")
}

/// 10,000 texts of 200 letters: read, one change merged, written.
func small() {
    var bytes: [[UInt8]] = []
    var changes: [[UInt8]] = []
    for number in 0..<10_000 {
        var text = Text()
        text.insert(String(repeating: "remark \(number % 1000), ", count: 17), at: 0, by: Trace.writer(number))
        bytes.append(text.encoded())
        changes.append(text.insert("!", at: 100, by: Trace.writer(number + 1)).encoded())
    }
    report(
        "10,000 small texts: read, merge, write",
        milliseconds(3) {
            for (text, change) in zip(bytes, changes) {
                var text = decoded(text)
                text.merge(decoded(change))
                use(text.encoded())
            }
        }, "ms")
    report("10,000 small texts: bytes each", Double(bytes.reduce(0) { $0 + $1.count }) / 10_000, "B")
    let before = allocatedBytes()
    var texts: [Text] = []
    for text in bytes { texts.append(decoded(text)) }
    use(texts)
    report("10,000 small texts: memory each", Double(allocatedBytes() - before) / 10_000, "B")
    expect(texts.count == 10_000, "texts are missing")
}
