import DeltaCRDT

/// How what a type does grows with its keys: from 1,000 to 100,000, as n^exponent · log n for what walks all, and as
/// n^exponent for what concerns one key.
enum Growth {
    private static let sizes = [1000, 10_000, 100_000]
    private static let you = ReplicaID(high: 70, low: 1)

    static func report() throws {
        try measure("set", AddWinsSet<UInt64>.self) {
            $0.insert($1, by: $2)
        } remove: {
            $0.remove($1)
        }
        try measure("remove-wins set", RemoveWinsSet<UInt64>.self) {
            $0.insert($1, by: $2)
        } remove: {
            $0.remove($1, by: me)
        }
        try measure("last-writer map", LWWMap<UInt64, UInt64>.self) {
            $0.updateValue(1, forKey: $1, by: $2)
        } remove: {
            $0.removeValue(forKey: $1, by: me)
        }
        try measure("map of registers", ORMap<UInt64, MVRegister<UInt64>>.self) { map, key, writer in
            map.updateValue(forKey: key) { $0.set(1, by: writer) }
        } remove: {
            $0.removeValue(forKey: $1)
        }
        try measure("map of maps", ORMap<UInt64, ORMap<UInt64, EnableWinsFlag>>.self) { map, key, writer in
            map.updateValue(forKey: key) { $0.updateValue(forKey: 1) { $0.enable(by: writer) } }
        } remove: {
            $0.removeValue(forKey: $1)
        }
        try measure("map of records", ORMap<UInt64, Record<Documents.Ten>>.self) { map, key, writer in
            map.updateValue(forKey: key) { $0.c.set(1, by: writer) }
        } remove: {
            $0.removeValue(forKey: $1)
        }
    }

    private static func measure<State: CausalState & CanonicalCodable>(
        _ name: String, _: State.Type, put: (inout State, UInt64, ReplicaID) -> Void,
        remove: (inout State, UInt64) -> Void
    ) throws {
        var works: [String: [Double]] = [:]
        func note(_ work: String, _ time: Double) { works[work, default: []].append(time) }
        for size in sizes {
            var whole = State()
            note("build", seconds { for key in 0..<UInt64(size) { put(&whole, key, me) } })
            let bytes = whole.encoded()
            note("encode", leastSeconds(of: 3) { use(whole.encoded()) })
            note("decode", try leastSeconds(of: 3) { use(try State(decoding: bytes)) })
            var other = State()
            for key in 0..<UInt64(size) { put(&other, key + UInt64(size / 2), you) }
            note(
                "merge of two",
                leastSeconds(of: 3) {
                    var joined = whole
                    joined.merge(other)
                })
            let summary = whole.summary()
            let some = (0..<500).map { UInt64($0 * (size / 500)) }
            let deltas = some.map { key in whole.update { put(&$0, key, you) }.encoded() }
            let changed = try (0..<3).map { _ in try State(decoding: whole.encoded()) }
            note("change of one key", least(of: changed) { for key in some { put(&$0, key, me) } } / 500)
            note("removal of one key", least(of: changed) { for key in some { remove(&$0, key) } } / 500)
            let readers = try (0..<3).map { _ in try State(decoding: bytes) }
            note(
                "delta of one key read and merged",
                try least(of: readers) { for delta in deltas { $0.merge(try State(decoding: delta)) } } / 500)
            note("delta since a summary, 500 behind", leastSeconds(of: 3) { use(whole.delta(since: summary)) } / 500)
        }
        for (work, times) in works.sorted(by: { $0.key < $1.key }) {
            let decades = 2.0
            let ratio = times[2] / max(times[0], 1e-9)
            let logarithms = 5.0 / 3.0
            let exponent = log10(ratio / logarithms) / decades
            DeltaBench.report("\(name), \(work): exponent beyond log", exponent, "")
            DeltaBench.report("\(name), \(work): at 100,000", times[2], "s")
        }
    }

    private static func least<State>(of states: [State], _ body: (inout State) throws -> Void) rethrows -> Double {
        var least = Double.infinity
        for var state in states { least = min(least, try seconds { try body(&state) }) }
        return least
    }

    /// Without a library of mathematics: by halving.
    private static func log10(_ value: Double) -> Double {
        guard value > 0 else { return -.infinity }
        var (rest, result, part) = (value, 0.0, 1.0)
        while rest >= 10 { (rest, result) = (rest / 10, result + 1) }
        while rest < 1 { (rest, result) = (rest * 10, result - 1) }
        for _ in 0..<30 {
            rest *= rest
            part /= 2
            if rest >= 10 { (rest, result) = (rest / 10, result + part) }
        }
        return result
    }
}
