import DeltaCRDT

/// Works on states that somebody made in order to be slow to join. Each must cost about in proportion to its weight: of 4 times
/// a size, the instructions for each unit of weight may grow as 4^0.1 · log, where those of a quadratic work grow 4 times.
struct Hostile {
    typealias Run = @MainActor () throws -> Void

    /// The lesser size: long enough for what is quadratic to show under what is not.
    static let size = 2000

    let name: String
    /// Prepares a size, and returns the work and what its instructions are divided by.
    let prepare: @MainActor (_ size: Int) throws -> (weight: Int, run: Run)

    /// A work on a size's bytes and dots, as many as `prepare` counts.
    init(weighed name: String, prepare: @escaping @MainActor (_ size: Int) throws -> (weight: Int, run: Run)) {
        self.name = name
        self.prepare = prepare
    }

    /// A work on as many dots as the size says.
    init(name: String, prepare: @escaping @MainActor (_ size: Int) throws -> Run) {
        self.init(weighed: name) { (weight: $0, run: try prepare($0)) }
    }

    private static let others = (0..<4).map { ReplicaID(high: 40 + $0, low: 1) }

    /// Every second event of a replica, from the first or the second on, as far apart as `stride` says.
    private static func dots(_ size: Int, of replica: ReplicaID = others[0], from start: UInt64, stride: UInt64)
        -> [Dot]
    {
        (0..<UInt64(size)).map { Dot(replica: replica, counter: start + $0 * stride) }
    }

    /// An event of each of many replicas.
    private static func replicas(_ size: Int, from start: UInt64) -> [Dot] {
        (0..<UInt64(size)).map { Dot(replica: ReplicaID(high: start + $0 * 2, low: 7), counter: 1) }
    }

    private static func table(_ dots: [Dot]) -> AddWinsSet<UInt64> {
        var table = DotTable<UInt64>()
        for dot in dots { table.insert(dot, dot.counter) }
        return AddWinsSet(Causal(store: table, context: CausalContext()))
    }

    private static func register(_ dots: [Dot]) -> MVRegister<Bool> {
        var store = DotFun<Bool>()
        for dot in dots { store[dot] = true }
        return MVRegister(Causal(store: store, context: CausalContext()))
    }

    private static func map(_ dots: [Dot]) throws -> ORMap<UInt64, EnableWinsFlag> {
        var map = ORMap<UInt64, EnableWinsFlag>()
        for dot in dots { map.merge(ORMap(Causal(store: DotMap(dot.counter, DotSet(dot)), context: CausalContext()))) }
        return map
    }

    /// Joins two states that lie between each other, both as they come from outside.
    @MainActor
    private static func join<State: DeltaState & CanonicalCodable>(
        _ left: State, _ right: State
    ) -> Run {
        let (left, right) = (left.encoded(), right.encoded())
        return {
            var joined = try State(decoding: left)
            let other = try State(decoding: right)
            use(joined.merge(other) { _ in })
            use(joined.delta(for: other))
            use(joined.encoded())
        }
    }

    static let works: [Hostile] = [
        Hostile(name: "one text under many dots") { size in
            var table = DotTable<String>()
            for dot in dots(size, from: 1, stride: 1) { table.insert(dot, "same") }
            let bytes = AddWinsSet(Causal(store: table, context: CausalContext())).encoded()
            return {
                var set = try AddWinsSet<String>(decoding: bytes)
                use(set.elements)
                use(set.contains("x"))
                set.remove("same")
            }
        },
        Hostile(name: "a set whose dots are far apart") { size in
            join(table(dots(size, from: 1, stride: 64)), table(dots(size, from: 33, stride: 64)))
        },
        Hostile(name: "a set of many replicas") { size in
            join(table(replicas(size, from: 1)), table(replicas(size, from: 2)))
        },
        Hostile(name: "a map whose dots are far apart") { size in
            join(try map(dots(size, from: 1, stride: 64)), try map(dots(size, from: 33, stride: 64)))
        },
        Hostile(name: "a register of many writes") { size in
            join(register(dots(size, from: 1, stride: 4)), register(dots(size, from: 3, stride: 4)))
        },
        Hostile(name: "a register of many replicas") { size in
            let state = register(replicas(size, from: 1))
            let other = register(replicas(size / 2, from: 2))
            return {
                let summary = other.merging(state).summary()
                use(state.delta(since: summary))
                use(state.decomposed().reduce(0) { count, _ in count + 1 })
            }
        },
        Hostile(name: "vectors of many replicas") { size in
            let (many, some) = (GCounter.self, replicas(size / 10, from: 2))
            var (left, right) = (many.init(), many.init())
            for dot in replicas(size, from: 1) { left.add(1, by: dot.replica) }
            for dot in some { right.add(1, by: dot.replica) }
            return join(left, right)
        },
        Hostile(name: "a ballot of many voters") { size in
            var (left, right) = (VoteCounter<UInt64, UInt64>(), VoteCounter<UInt64, UInt64>())
            for voter in 0..<UInt64(size) { left.cast(.for, on: 1, by: voter) }
            for voter in 0..<UInt64(size) { right.cast(.against, on: 1, by: UInt64(size) - voter) }
            return join(left, right)
        },
        Hostile(name: "edits of a text, all at its beginning") { size in
            let edit = TextEdit(insertions: [.init("a", at: .beginning)], removals: [])
            return {
                var text = Text()
                for name in 1...UInt64(size) {
                    text.apply(edit, as: ReplicaID(high: name &* 0x9E37_79B9_7F4A_7C15, low: name)) { _ in false }
                }
                use(text.string)
            }
        },
        Hostile(name: "an edit of a text that removes every second character, from the last on") { size in
            let (name, other) = (ReplicaID(high: 1, low: 1), ReplicaID(high: 2, low: 1))
            let words = TextEdit(
                insertions: [.init(String(repeating: "a", count: size * 2), at: .beginning)], removals: [])
            let removals = (0..<size).reversed().map { TextEdit.Removal($0 * 2..<$0 * 2 + 1, of: name) }
            return {
                var text = Text()
                text.apply(words, as: name) { _ in false }
                text.apply(TextEdit(insertions: [], removals: removals), as: other) { _ in true }
                use(text.string)
            }
        },
        Hostile(name: "a summary that agrees with nothing") { size in
            let mine = table(replicas(size, from: 1))
            var bytes = CanonicalEncoder()
            bytes.encode(count: size)
            for dot in replicas(size, from: 1) {
                bytes.encode(interned: dot.replica)
                bytes.encode(UInt64(1))
                bytes.encode(fixed: [UInt8](repeating: 7, count: 8))
            }
            let summary = try StateSummary(decoding: bytes.bytes)
            return { use(mine.delta(since: summary)) }
        },
    ]

    /// Times every work at a size and at four times that.
    @MainActor
    static func report() throws {
        for work in works {
            for size in [20_000, 80_000] {
                let run = try work.prepare(size).run
                DeltaBench.report("hostile, \(size), \(work.name)", try seconds(run), "s")
            }
        }
    }
}
