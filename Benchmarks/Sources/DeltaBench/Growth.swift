import DeltaCRDT

/// How what a type does grows with its keys, from 1,000 to 100,000: as n^exponent · log n, for n keys. What is measured is the time of
/// each, whose caches are part of it; `Scripts/bench growth` counts the instructions.
enum Growth {
    private static let sizes = [1000, 10_000, 100_000]
    private static let you = ReplicaID(high: 70, low: 1)
    private static let somebody = ReplicaID(high: 71, low: 1)

    /// Whether callgrind counts: see instructions.py.
    @MainActor static var isCounting = false

    @MainActor static func report() throws {
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

    @MainActor private static func measure<State: CausalState & CanonicalCodable>(
        _ name: String, _: State.Type, put: @escaping @Sendable (inout State, UInt64, ReplicaID) -> Void,
        remove: @escaping @Sendable (inout State, UInt64) -> Void
    ) throws {
        var works: [String: [Double]] = [:]
        let tries = isCounting ? 1 : 3
        /// Notes what `body` takes for each of `count` things: the least time of three, or instructions once.
        func note(_ work: String, _ size: Int, for count: Int, _ body: @escaping @MainActor (Int) throws -> Void) throws
        {
            if isCounting {
                Instructions.measure { try body(0) }
                return print("\(count)\tgrowth, of \(size): \(name), \(work)")
            }
            var least = Double.infinity
            for number in 0..<tries { least = min(least, try processorSeconds { try body(number) }) }
            works[work, default: []].append(least / Double(count))
        }
        for size in sizes {
            let built = Reader(State())
            try note("build", size, for: size) { _ in
                built.state = State()
                for key in 0..<UInt64(size) { put(&built.state, key, me) }
            }
            let whole = built.state
            let bytes = whole.encoded()
            try note("encode", size, for: size) { _ in use(whole.encoded()) }
            try note("decode", size, for: size) { _ in use(try State(decoding: bytes)) }
            var other = State()
            for key in 0..<UInt64(size) { put(&other, key + UInt64(size / 2), you) }
            let second = other
            // What shares nothing with a copy, as a replica's own state, and was asked once: the first question of all makes a table
            // of the keys, which is the work of no delta.
            let readers = try (0..<tries * 2).map { _ in Reader(try State(decoding: bytes)) }
            for reader in readers { put(&reader.state, 1, somebody) }
            try note("merge of two", size, for: size) { number in readers[number + tries].state.merge(second) }
            let summary = whole.summary()
            let some = (0..<500).map { UInt64($0 * (size / 500)) }
            var ahead = whole
            let deltas = some.map { key in ahead.update { put(&$0, key, you) }.encoded() }
            let changed = try (0..<tries).map { _ in Reader(try State(decoding: bytes)) }
            for reader in changed { put(&reader.state, 1, you) }
            try note("change of one key", size, for: 500) { number in
                for key in some { put(&changed[number].state, key, me) }
            }
            try note("removal of one key", size, for: 500) { number in
                for key in some { remove(&changed[number].state, key) }
            }
            try note("delta of one key read and merged", size, for: 500) { number in
                for delta in deltas { readers[number].state.merge(try State(decoding: delta)) }
            }
            let last = ahead
            try note("delta since a summary, 500 behind", size, for: 500) { _ in use(last.delta(since: summary)) }
        }
        guard !isCounting else { return }
        for (work, times) in works.sorted(by: { $0.key < $1.key }) {
            // Of one thing: beyond what the logarithm grows.
            let exponent = 1 + log10(times[2] / max(times[0], 1e-12) * 3 / 5) / 2
            DeltaBench.report("\(name), \(work): exponent beyond log", exponent, "")
            DeltaBench.report("\(name), \(work): of one at 100,000", times[2], "s")
        }
    }

    /// A state to be changed.
    @MainActor private final class Reader<State> {
        var state: State

        init(_ state: State) { self.state = state }
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
