import DeltaCRDT

/// What applications keep: documents of maps and records, crowds, logs. The same works are in documents.py, on Yrs and Loro.
enum Documents {
    typealias Maps = ORMap<String, ORMap<String, MVRegister<Int>>>
    typealias Records = ORMap<String, Record<Ten>>

    struct Ten: RecordSchema {
        var a = MVRegister<Int>()
        var b = MVRegister<Int>()
        var c = MVRegister<Int>()
        var d = MVRegister<Int>()
        var e = MVRegister<Int>()
        var f = MVRegister<Int>()
        var g = MVRegister<Int>()
        var h = MVRegister<Int>()
        var i = MVRegister<Int>()
        var j = MVRegister<Int>()

        static let fields: [RecordField<Ten>] = [
            .init(1, \.a), .init(2, \.b), .init(3, \.c), .init(4, \.d), .init(5, \.e), .init(6, \.f), .init(7, \.g),
            .init(8, \.h), .init(9, \.i), .init(10, \.j),
        ]

        static let paths: [WritableKeyPath<Ten, MVRegister<Int>> & Sendable] = [
            \.a, \.b, \.c, \.d, \.e, \.f, \.g, \.h, \.i, \.j,
        ]
    }

    static func writer(_ number: Int) -> ReplicaID {
        ReplicaID(high: (UInt64(number) + 1) &* 0x9E37_79B9_7F4A_7C15, low: UInt64(number))
    }

    static func reportAll() throws {
        try reAdds()
        try edits(
            of: "nested maps", Maps.self,
            set: { doc, key, field, value, writer in
                doc.updateValue(forKey: key) { map in
                    map.updateValue(forKey: "field\(field)") { $0.set(value, by: writer) }
                }
            }, clear: { doc, key, field in doc.updateValue(forKey: key) { $0.removeValue(forKey: "field\(field)") } })
        try edits(
            of: "records", Records.self,
            set: { doc, key, field, value, writer in
                doc.updateValue(forKey: key) { $0[dynamicMember: Ten.paths[field]].set(value, by: writer) }
            },
            clear: { doc, key, field in doc.updateValue(forKey: key) { $0[dynamicMember: Ten.paths[field]].clear() } })
        try crowd("counter", CausalCounter.self) { $0.add(1, by: $1) }
        try crowd("counter that is never reset", PNCounter.self) { $0.add(1, by: $1) }
        try crowd("flag", EnableWinsFlag.self) { $0.enable(by: $1) }
        try crowd("register", MVRegister<Int>.self) { $0.set(1, by: $1) }
        try smallDocuments()
        try snapshotAndLog()
        memory()
        try almostEqual()
    }

    /// 50 writers, each with 1,000 removals and adds of a set of 20,000.
    private static func reAdds() throws {
        let base = (0..<20_000).map { "item-\($0)" }
        var zero = AddWinsSet<String>()
        zero.formUnion(base, by: me)
        let first = zero.encoded()
        var random = SplitMix64(seed: 21)
        let deltas = (0..<50).map { number in
            var mine = zero
            return mine.update { set in
                for _ in 0..<1000 {
                    let element = base[Int(random.next() % 20_000)]
                    if set.contains(element) { set.remove(element) }
                    if random.next() % 2 == 0 { set.insert(element, by: writer(number)) }
                }
            }.encoded()
        }
        try reportMerge("re-adds", AddWinsSet<String>.self, first, deltas)
    }

    /// 1,000 maps or records of 10 registers; 20 writers with 2,000 edits each, of which a fifth are removals.
    private static func edits<State: CausalState & CanonicalCodable>(
        of name: String, _: State.Type, set: (inout State, String, Int, Int, ReplicaID) -> Void,
        clear: (inout State, String, Int) -> Void
    ) throws {
        var zero = State()
        for key in 0..<1000 {
            for field in 0..<10 { set(&zero, "key\(key)", field, field, me) }
        }
        var random = SplitMix64(seed: 22)
        var time = 0.0
        let deltas = (0..<20).map { number in
            var (mine, delta) = (zero, State())
            time += processorSeconds {
                delta = mine.update { mine in
                    for _ in 0..<2000 {
                        let (key, field) = ("key\(random.next() % 1000)", Int(random.next() % 10))
                        let value = Int(random.next() % 1000)
                        if value % 5 == 0 {
                            clear(&mine, key, field)
                        } else {
                            set(&mine, key, field, value, writer(number))
                        }
                    }
                }
            }
            return delta.encoded()
        }
        report("\(name) edit", time / 40_000, "s")
        try reportMerge(name, State.self, zero.encoded(), deltas)
    }

    private static func reportMerge<State: CausalState & CanonicalCodable>(
        _ name: String, _: State.Type, _ base: [UInt8], _ deltas: [[UInt8]]
    ) throws {
        report("\(name) deltas bytes", Double(deltas.reduce(0) { $0 + $1.count }), "B")
        var (time, joined) = (Double.infinity, State())
        for _ in 0..<5 {
            joined = try State(decoding: base)
            let least = try processorSeconds { for delta in deltas { joined.merge(try State(decoding: delta)) } }
            time = min(time, least)
        }
        report("\(name) merge", time, "s")
        let whole = joined.encoded()
        report("\(name) bytes", Double(whole.count), "B")
        report("\(name) load", try leastProcessorSeconds(of: 5) { use(try State(decoding: whole)) }, "s")
        report("\(name) save", leastProcessorSeconds(of: 5) { use(joined.encoded()) }, "s")
    }

    /// A change by each of 2,000 writers who know nothing of each other.
    private static func crowd<State: DeltaState & CanonicalCodable>(
        _ name: String, _: State.Type, _ act: (inout State, ReplicaID) -> Void
    ) throws {
        let deltas = (0..<2000).map { number in
            var state = State()
            act(&state, writer(number))
            return state.encoded()
        }
        let time = try leastProcessorSeconds(of: 5) {
            var all = State()
            for delta in deltas { all.merge(try State(decoding: delta)) }
            use(all)
        }
        report("crowd, \(name)", time, "s")
    }

    /// 2,000 documents of 20 texts: each is loaded, joined with a change of one text, and saved.
    private static func smallDocuments() throws {
        var (documents, deltas): ([[UInt8]], [[UInt8]]) = ([], [])
        for number in 0..<2000 {
            var document = LWWMap<String, String>()
            for key in 0..<20 {
                document.updateValue("value \(number) \(key)", forKey: "key\(key)", by: writer(number % 5))
            }
            documents.append(document.encoded())
            deltas.append(
                document.updateValue("changed", forKey: "key\(number % 20)", by: writer((number + 1) % 5)).encoded())
        }
        var size = 0
        let time = try leastProcessorSeconds(of: 5) {
            size = 0
            for (document, delta) in zip(documents, deltas) {
                var state = try LWWMap<String, String>(decoding: document)
                state.merge(try LWWMap(decoding: delta))
                size += state.encoded().count
            }
        }
        report("small documents", time, "s")
        report("small documents bytes", Double(size) / 2000, "B")
    }

    /// A set of 100,000 and 1,000 adds, a delta each.
    private static func snapshotAndLog() throws {
        var set = setOf((0..<100_000).map { "item-\($0)" })
        let snapshot = set.encoded()
        let log = (0..<1000).map { set.insert("new-\($0)", by: writer(1)).encoded() }
        report("log, a change", Double(log.reduce(0) { $0 + $1.count }) / 1000, "B")
        report("snapshot bytes", Double(snapshot.count), "B")
        let time = try leastProcessorSeconds(of: 5) {
            var read = try AddWinsSet<String>(decoding: snapshot)
            for delta in log { read.merge(try AddWinsSet(decoding: delta)) }
            precondition(read.count == 101_000)
        }
        report("snapshot and log, load", time, "s")
        report("snapshot, save", leastProcessorSeconds(of: 5) { use(set.encoded()) }, "s")
    }

    private static func memory() {
        func report<State>(_ name: String, _ count: Int, _ make: () -> State) {
            let before = allocatedBytes()
            let state = make()
            DeltaBench.report("memory, \(name)", Double(allocatedBytes() - before) / Double(count), "B")
            withExtendedLifetime(state) {}
        }
        report("a text of a set", 100_000) {
            var set = AddWinsSet<String>()
            for number in 0..<100_000 { set.insert("an element number \(100_000 + number)", by: me) }
            return set
        }
        report("a record of 3 fields", 30_000) {
            var map = ORMap<Int, Record<Ten>>()
            for number in 0..<30_000 {
                map.updateValue(forKey: number) {
                    $0.a.set(number, by: me)
                    $0.b.set(number, by: me)
                    $0.c.set(number, by: me)
                }
            }
            return map
        }
    }

    /// Two sets of 200,000 that differ by 10 adds, and two of which half was removed that differ by one removal: what both send until
    /// they are equal. Both are read from bytes before, so that no removal is remembered.
    private static func almostEqual() throws {
        var first = AddWinsSet<String>()
        first.formUnion((0..<200_000).map { "item-\($0)" }, by: me)
        var second = first
        for number in 0..<5 {
            first.insert("left-\(number)", by: writer(1))
            second.insert("right-\(number)", by: writer(2))
        }
        try sync("10 adds apart", first, second)
        for number in stride(from: 0, to: 200_000, by: 2) { first.remove("item-\(number)") }
        second = first
        first.remove("item-1001")
        try sync("a removal apart", first, second)
    }

    private static func sync(_ name: String, _ left: AddWinsSet<String>, _ right: AddWinsSet<String>) throws {
        let encoded = [left.encoded(), right.encoded()]
        var (time, bytes) = (Double.infinity, 0)
        for _ in 0..<3 {
            var sides = try encoded.map { try AddWinsSet<String>(decoding: $0) }
            bytes = 0
            let once = try processorSeconds {
                for asking in 0..<2 { bytes += try ask(&sides, asking) }
            }
            time = min(time, once)
            precondition(sides[0] == sides[1])
        }
        report("\(name), time", time, "s")
        report("\(name), bytes", Double(bytes), "B")
    }

    /// One side asks the other, and they go on until there is no question. Returns the bytes sent.
    private static func ask(_ sides: inout [AddWinsSet<String>], _ asking: Int) throws -> Int {
        let summary = sides[asking].summary().encoded()
        var bytes = summary.count
        var turn = 1 - asking
        var answer = sides[turn].answer(to: try StateSummary(decoding: summary))
        while true {
            let (delta, question) = (answer.delta.encoded(), answer.question.encoded())
            bytes += delta.count + question.count
            turn = 1 - turn
            sides[turn].merge(try AddWinsSet(decoding: delta))
            guard !answer.question.isEmpty else { return bytes }
            answer = sides[turn].answer(to: try RangeSummary(decoding: question))
        }
    }
}
