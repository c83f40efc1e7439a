import DeltaCRDT

let me = ReplicaID(high: 0x1234_5678_9ABC_DEF0, low: 0x0FED_CBA9_8765_4321)

func setOf(_ strings: [String]) -> AddWinsSet<String> {
    var set = AddWinsSet<String>()
    set.formUnion(strings, by: me)
    return set
}

/// One delta of 100,000 adds: decode, join, 1,000 lookups, one walk.
func applyAdds() throws {
    let strings = keys(100_000, seed: 1)
    let delta = setOf(strings)
    let bytes = delta.encoded()
    report("adds bytes", Double(bytes.count), "B")
    let asked = stride(from: 0, to: 100_000, by: 100).map { strings[$0] }
    var decode = Double.infinity, total = Double.infinity
    for _ in 0..<5 {
        var set = AddWinsSet<String>()
        let time = try seconds { set.merge(try AddWinsSet<String>(decoding: bytes)) }
        decode = min(decode, time)
        var found = 0, length = 0
        let rest = seconds {
            for key in asked where set.contains(key) { found += 1 }
            set.forEach { length += $0.utf8.count }
        }
        precondition(found == 1000 && length == 1_600_000)
        total = min(total, time + rest)
    }
    report("adds apply", decode, "s")
    report("adds apply, ask, walk", total, "s")
    var plain = Double.infinity
    for _ in 0..<5 {
        var set = Set<String>()
        var found = 0, length = 0
        let time = seconds {
            set.formUnion(strings)
            for key in asked where set.contains(key) { found += 1 }
            for key in set { length += key.utf8.count }
        }
        precondition(found == 1000 && length == 1_600_000)
        plain = min(plain, time)
    }
    report("adds plain Set", plain, "s")
}

func lettersBytes() {
    var random = SplitMix64(seed: 9)
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
    let strings = (0..<100_000).map { _ in
        String(decoding: (0..<16).map { _ in letters[Int(random.next() % 62)] }, as: UTF8.self)
    }
    report("letters bytes", Double(setOf(strings).encoded().count), "B")
}

func memory() throws {
    let bytes = setOf(keys(100_000, seed: 1)).encoded()
    let before = allocatedBytes()
    let set = try AddWinsSet<String>(decoding: bytes)
    precondition(set.contains(keys(1, seed: 1)[0]))
    report("memory a string", Double(allocatedBytes() - before) / 100_000, "B")
    let copies = bytes.count
    use(copies)
    let between = allocatedBytes()
    var plain = Set<String>()
    for key in keys(100_000, seed: 1) { plain.insert(key) }
    report("memory a string, plain Set", Double(allocatedBytes() - between) / 100_000, "B")
    use(set.count + plain.count)
}

func oneAdd() {
    var set = setOf(keys(100_000, seed: 1))
    let element = keys(1, seed: 2)[0]
    let delta = set.insert(element, by: me)
    report("one add bytes", Double(delta.encoded().count), "B")
    report("one add bytes, author known", Double(delta.encoded(knownReplicas: [me]).count), "B")
    var votes = VoteCounter<Dot, ReplicaID>()
    let item = Dot(replica: ReplicaID(high: 77, low: 78), counter: 1000)
    votes.cast(.for, on: item, by: me)
    votes.cast(.neither, on: item, by: me)
    report("one vote bytes", Double(votes.cast(.for, on: item, by: me).encoded(knownReplicas: [me]).count), "B")
}

func voters() -> [VoteCounter<String, ReplicaID>] {
    (0..<50).map { voter in
        let name = ReplicaID(high: UInt64(voter) &* 0x9E37_79B9_7F4A_7C15, low: UInt64(voter))
        var votes = VoteCounter<String, ReplicaID>()
        for item in 0..<1000 {
            for choice in [VoteCounter<String, ReplicaID>.Choice.for, .neither, .for] {
                votes.cast(choice, on: "item\(item)", by: name)
            }
        }
        return votes
    }
}

func mergeVotes() throws {
    let encoded = voters().map { $0.encoded() }
    report("votes bytes", Double(encoded.reduce(0) { $0 + $1.count }), "B")
    var merged = VoteCounter<String, ReplicaID>()
    let time = try leastSeconds(of: 5) {
        merged = VoteCounter()
        for bytes in encoded { merged.merge(try VoteCounter(decoding: bytes)) }
    }
    precondition(merged.tally(of: "item7") == 50)
    report("votes merge", time, "s")
    report("votes state bytes", Double(merged.encoded().count), "B")
}

func churn() {
    let items = keys(100, seed: 3)
    var set = setOf(items)
    let fresh = set.encoded().count
    for _ in 0..<1000 {
        for item in items {
            set.remove(item)
            set.insert(item, by: me)
        }
    }
    report("churn fresh bytes", Double(fresh), "B")
    report("churn bytes", Double(set.encoded().count), "B")
}

func since(_ size: Int) {
    var set = setOf(keys(size, seed: 4))
    for replica in 1..<50 { set.insert("of \(replica)", by: ReplicaID(high: UInt64(replica), low: 9)) }
    var asked = set.summary()
    set.insert("one more", by: me)
    var delta = set
    report("since an add, \(size)", leastSeconds(of: 200) { delta = set.delta(since: asked) }, "s")
    precondition(delta.count == 1)
    asked = set.summary()
    set.remove(keys(size, seed: 4)[size / 2])
    report("since a removal, \(size)", leastSeconds(of: 200) { delta = set.delta(since: asked) }, "s")
    precondition(delta.count == 0 && !delta.context.isEmpty)
}

func bigMerge() throws {
    let common = keys(990_000, seed: 5)
    let other = ReplicaID(high: 5, low: 5)
    var left = setOf(common)
    let bytes = left.encoded()
    var right = try AddWinsSet<String>(decoding: bytes)
    left.formUnion(keys(10_000, seed: 6), by: me)
    right.formUnion(keys(10_000, seed: 7), by: other)
    precondition(left.contains(common[0]) && right.contains(common[0]))
    var times: [Double] = []
    var withQuestion: [Double] = []
    for _ in 0..<5 {
        // Read from bytes apart, and asked before: nothing is shared, and nothing is left to be made later.
        var mine = try AddWinsSet<String>(decoding: left.encoded())
        let theirs = try AddWinsSet<String>(decoding: right.encoded())
        precondition(mine.contains(common[0]) && theirs.contains(common[0]))
        times.append(seconds { mine.merge(theirs) })
        var isThere = false
        let question = seconds { isThere = mine.contains(common[1]) }
        withQuestion.append(times[times.count - 1] + question)
        precondition(isThere && mine.count == 1_010_000)
    }
    report("merge of a million", times.min()!, "s")
    report("merge of a million, and a question", withQuestion.min()!, "s")
    times = []
    for _ in 0..<3 {
        var mine = Set(common + keys(10_000, seed: 6))
        let theirs = Set(keys(990_000, seed: 5) + keys(10_000, seed: 7))
        times.append(seconds { mine.formUnion(theirs) })
        precondition(mine.count == 1_010_000)
    }
    report("merge of a million, plain Set", times.min()!, "s")
}

/// Single mutations and questions, for a text and for a value that the library knows nothing of.
func single<Element: Hashable & Sendable & CanonicalCodable>(_ name: String, _ elements: [Element]) {
    var set = AddWinsSet<Element>()
    let count = Double(elements.count)
    report("add, \(name)", seconds { for element in elements { set.insert(element, by: me) } } / count, "s")
    var found = 0
    report(
        "contains, \(name)", seconds { for element in elements where set.contains(element) { found += 1 } } / count, "s"
    )
    precondition(found == elements.count)
    let bytes = set.encoded()
    report("encode, \(name)", seconds { use(set.encoded()) } / count, "s")
    report("decode, \(name)", seconds { use(try? AddWinsSet<Element>(decoding: bytes)) } / count, "s")
    var other = AddWinsSet<Element>()
    other.insert(elements[0], by: ReplicaID(high: 1, low: 1))
    report("merge, \(name)", seconds { other.merge(set) } / count, "s")
    report("walk, \(name)", seconds { set.forEach { use($0) } } / count, "s")
    report("remove, \(name)", seconds { for element in elements { set.remove(element) } } / count, "s")
    precondition(set.isEmpty)
}

func singles() {
    single("text", keys(100_000, seed: 1))
    single("number", (0..<100_000).map { UInt64($0) &* 0x9E37_79B9_7F4A_7C15 })
    var register = MVRegister<String>()
    report("set", seconds { for _ in 0..<100_000 { register.set("a value", by: me) } } / 100_000, "s")
    var map = ORMap<String, MVRegister<String>>()
    let names = keys(10_000, seed: 2)
    report(
        "map update, new",
        seconds { for name in names { map.updateValue(forKey: name) { $0.set("value", by: me) } } } / 10_000,
        "s")
    report(
        "map update",
        seconds { for name in names { map.updateValue(forKey: name) { $0.set("value", by: me) } } } / 10_000, "s")
    report("map get", seconds { for name in names { use(map[name].values) } } / 10_000, "s")
    var nested = ORMap<String, AddWinsSet<String>>()
    report(
        "nested add",
        seconds { for name in names { nested.updateValue(forKey: "one") { $0.insert(name, by: me) } } } / 10_000, "s")
    var counter = PNCounter()
    report("count", seconds { for _ in 0..<100_000 { counter.add(1, by: me) } } / 100_000, "s")
    var votes = VoteCounter<String, ReplicaID>()
    report("cast", seconds { for name in names { votes.cast(.for, on: name, by: me) } } / 10_000, "s")
}

let works: [(String, @MainActor () throws -> Void)] = [
    ("adds", applyAdds), ("memory", memory), ("one", oneAdd), ("votes", mergeVotes), ("churn", churn),
    (
        "since",
        {
            since(10_000); since(1_000_000)
        }
    ), ("million", bigMerge), ("maps", mergeMaps), ("concurrent", mergeConcurrentMaps), ("small", smallAdds),
    ("local", localWork), ("letters", lettersBytes), ("singles", singles), ("hostile", Hostile.report),
    ("documents", Documents.reportAll), ("growth", Growth.report), ("nesting", Nesting.report),
]
let chosen = CommandLine.arguments.dropFirst()
if chosen.first == "instructions" {
    try Instructions.run()
} else if chosen.first == "growth-counted" {
    Growth.isCounting = true
    try Growth.report()
} else {
    for (name, work) in works where chosen.isEmpty || chosen.contains(name) { try work() }
}
