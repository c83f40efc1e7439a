import DeltaCRDT

/// 20 writers, 10,000 keys, 100,000 edits, each writer's as one delta: read and joined.
func mergeMaps() throws {
    let names = keys(10_000, seed: 11)
    var random = SplitMix64(seed: 12)
    let deltas = (0..<20).map { writer in
        let replica = ReplicaID(high: UInt64(writer) &* 0x9E37_79B9_7F4A_7C15, low: UInt64(writer))
        var map = LWWMap<String, Int>()
        for _ in 0..<5000 {
            map.updateValue(Int(random.next() % 1000), forKey: names[Int(random.next() % 10_000)], by: replica)
        }
        return map.encoded()
    }
    report("map edits bytes", Double(deltas.reduce(0) { $0 + $1.count }), "B")
    var joined = LWWMap<String, Int>()
    let time = try leastSeconds(of: 5) {
        joined = LWWMap()
        for bytes in deltas { joined.merge(try LWWMap(decoding: bytes)) }
    }
    precondition(joined.count > 9000)
    report("map edits merge", time, "s")
}

/// 20 writers each set every one of 10,000 keys at the same moment: read and joined.
func mergeConcurrentMaps() throws {
    let names = keys(10_000, seed: 11)
    let deltas = (0..<20).map { writer in
        let replica = ReplicaID(high: UInt64(writer) &* 0x9E37_79B9_7F4A_7C15, low: UInt64(writer))
        var map = LWWMap<String, Int>()
        for name in names { map.updateValue(writer, forKey: name, by: replica) }
        return map.encoded()
    }
    report("map concurrent bytes", Double(deltas.reduce(0) { $0 + $1.count }), "B")
    var joined = LWWMap<String, Int>()
    let time = try leastSeconds(of: 3) {
        joined = LWWMap()
        for bytes in deltas { joined.merge(try LWWMap(decoding: bytes)) }
    }
    precondition(joined.count == 10_000)
    report("map concurrent merge", time, "s")
}

/// A hundred deltas of one add each, read and joined to a set of 100,000, which was asked before.
func smallAdds() throws {
    let bytes = setOf(keys(100_000, seed: 1)).encoded()
    var writer = try AddWinsSet<String>(decoding: bytes)
    let deltas = keys(100, seed: 13).map { writer.insert($0, by: me).encoded() }
    var least = Double.infinity
    for _ in 0..<20 {
        var set = try AddWinsSet<String>(decoding: bytes)
        precondition(!set.contains("x"))
        least = min(least, try seconds { for delta in deltas { set.merge(try AddWinsSet<String>(decoding: delta)) } })
        precondition(set.count == 100_100)
    }
    report("small adds", least, "s")
}

/// A million numbers added one by one and asked for, and a walk of a million texts, beside a plain set.
func localWork() throws {
    let numbers = (0..<1_000_000).map { Int(truncatingIfNeeded: UInt64($0) &* 0x9E37_79B9_7F4A_7C15) }
    var least: [String: Double] = [:]
    func note(_ name: String, _ time: Double) { least[name] = min(least[name] ?? .infinity, time) }
    for _ in 0..<3 {
        var set = AddWinsSet<Int>()
        note("local adds", seconds { for number in numbers { set.insert(number, by: me) } })
        var found = 0
        note("local lookups", seconds { for number in numbers where set.contains(number) { found += 1 } })
        var plain = Set<Int>()
        note("local adds, plain Set", seconds { for number in numbers { plain.insert(number) } })
        note("local lookups, plain Set", seconds { for number in numbers where plain.contains(number) { found += 1 } })
        var all = AddWinsSet<Int>()
        note("local adds at once", seconds { all.formUnion(numbers, by: me) })
        precondition(found == 2_000_000 && set.count == plain.count && all.count == plain.count)
    }
    let texts = keys(1_000_000, seed: 14)
    let set = setOf(texts)
    let plain = Set(texts)
    for _ in 0..<3 {
        var length = 0
        note("walk of a million", seconds { set.forEach { length += $0.utf8.count } })
        note("walk of a million, plain Set", seconds { for text in plain { length += text.utf8.count } })
        precondition(length == 32_000_000)
    }
    for (name, time) in least.sorted(by: { $0.key < $1.key }) { report(name, time, "s") }
}
