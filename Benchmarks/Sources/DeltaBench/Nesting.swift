import DeltaCRDT

/// The law of cost: merging a delta and answering a summary take instructions in proportion to the delta's bytes and dots, for
/// every type and every nesting of two, and however many people write at once.
enum Nesting {
    /// Keys and writers of the lesser size. Fewer than of the other works, because there are many of these.
    static let size = 60

    static let works = attacks.filter(\.isCounted).map { attack in
        Hostile(weighed: attack.name) { size in
            let (_, weight, fresh, join, answer) = try attack.prepare(size)
            try fresh()
            return (
                weight,
                {
                    try join()
                    try answer()
                }
            )
        }
    }

    private static let attacks: [Attack] =
        attacks(of: "sets", \Sets.one, \Sets.keys, in: Shape.allCases) { $0.insert($1, by: $2) }
        + attacks(of: "remove-wins sets", \RemoveWinsSets.one, \RemoveWinsSets.keys, in: [.renewed]) {
            $0.insert($1, by: $2)
        }
        + attacks(of: "registers", \Registers.one, \Registers.keys, in: Shape.allCases) { $0.set($1, by: $2) }
        + attacks(of: "last-writer maps", \LastWriterMaps.one, \LastWriterMaps.keys, in: [.renewed]) {
            $0.updateValue($1, forKey: $1, by: $2)
        }
        + attacks(of: "flags", \Flags.one, \Flags.keys, in: Shape.allCases) { (state: inout EnableWinsFlag, _, me) in
            state.enable(by: me)
        }
        + attacks(of: "disable-wins flags", \DisableWinsFlags.one, \DisableWinsFlags.keys, in: [.renewed]) {
            (state: inout DisableWinsFlag, _, me) in state.enable(by: me)
        }
        + attacks(of: "counters", \Counters.one, \Counters.keys, in: [.renewed]) {
            (state: inout CausalCounter, _, me) in state.add(1, by: me)
        }
        + attacks(of: "maps of flags", \Maps.one, \Maps.keys, in: [.renewed]) { map, number, me in
            map.updateValue(forKey: number) { $0.enable(by: me) }
        }
        + attacks(of: "records", \Records.one, \Records.keys, in: [.renewed]) { (state: inout Record<Inner>, _, me) in
            state.only.add(1, by: me)
        }

    // Schemas as applications write them, of types that are known: what is generic is slower.
    private struct Sets: RecordSchema {
        var one = AddWinsSet<UInt64>()
        var keys = ORMap<UInt64, AddWinsSet<UInt64>>()
        static let fields: [RecordField<Sets>] = [.init(1, \.one), .init(2, \.keys)]
    }

    private struct RemoveWinsSets: RecordSchema {
        var one = RemoveWinsSet<UInt64>()
        var keys = ORMap<UInt64, RemoveWinsSet<UInt64>>()
        static let fields: [RecordField<RemoveWinsSets>] = [.init(1, \.one), .init(2, \.keys)]
    }

    private struct Registers: RecordSchema {
        var one = MVRegister<UInt64>()
        var keys = ORMap<UInt64, MVRegister<UInt64>>()
        static let fields: [RecordField<Registers>] = [.init(1, \.one), .init(2, \.keys)]
    }

    private struct LastWriterMaps: RecordSchema {
        var one = LWWMap<UInt64, UInt64>()
        var keys = ORMap<UInt64, LWWMap<UInt64, UInt64>>()
        static let fields: [RecordField<LastWriterMaps>] = [.init(1, \.one), .init(2, \.keys)]
    }

    private struct Flags: RecordSchema {
        var one = EnableWinsFlag()
        var keys = ORMap<UInt64, EnableWinsFlag>()
        static let fields: [RecordField<Flags>] = [.init(1, \.one), .init(2, \.keys)]
    }

    private struct DisableWinsFlags: RecordSchema {
        var one = DisableWinsFlag()
        var keys = ORMap<UInt64, DisableWinsFlag>()
        static let fields: [RecordField<DisableWinsFlags>] = [.init(1, \.one), .init(2, \.keys)]
    }

    private struct Counters: RecordSchema {
        var one = CausalCounter()
        var keys = ORMap<UInt64, CausalCounter>()
        static let fields: [RecordField<Counters>] = [.init(1, \.one), .init(2, \.keys)]
    }

    private struct Maps: RecordSchema {
        var one = ORMap<UInt64, EnableWinsFlag>()
        var keys = ORMap<UInt64, ORMap<UInt64, EnableWinsFlag>>()
        static let fields: [RecordField<Maps>] = [.init(1, \.one), .init(2, \.keys)]
    }

    private struct Records: RecordSchema {
        var one = Record<Inner>()
        var keys = ORMap<UInt64, Record<Inner>>()
        static let fields: [RecordField<Records>] = [.init(1, \.one), .init(2, \.keys)]
    }

    private struct Inner: RecordSchema {
        var only = CausalCounter()
        static let fields: [RecordField<Inner>] = [.init(1, \.only)]
    }

    private static let me = ReplicaID(high: 60, low: 1)

    /// Prints the milliseconds of processor time in which deltas of 120 kB are read and joined, the slowest last. A word
    /// after "nesting" chooses attacks.
    @MainActor static func report() throws {
        let longest = 50.0
        var times: [(milliseconds: Double, bytes: Int, name: String)] = []
        let word = CommandLine.arguments.dropFirst(2).first
        for attack in attacks where word.map(attack.name.contains) ?? true {
            var size = 100
            for _ in 0..<2 { size = max(10, 120_000 * size / (try attack.prepare(size).bytes)) }
            let (bytes, _, fresh, join, _) = try attack.prepare(size)
            var least = Double.infinity
            for _ in 0..<5 {
                try fresh()
                least = min(least, try processorSeconds { try join() })
            }
            times.append((least * 1e3, bytes, attack.name))
        }
        for (milliseconds, bytes, name) in times.sorted(by: { $0.milliseconds < $1.milliseconds }) {
            DeltaBench.report("\(name), \(bytes) bytes", milliseconds, "ms")
        }
        DeltaBench.report("attacks", Double(times.count), "")
        DeltaBench.report("attacks beyond 50 ms", Double(times.count { $0.milliseconds > longest }), "")
    }

    /// Deltas that somebody else made, to be joined to a state that is there.
    private struct Attack {
        typealias Prepared = (bytes: Int, weight: Int, fresh: Hostile.Run, join: Hostile.Run, answer: Hostile.Run)

        let name: String
        /// Whether its instructions are counted, too.
        var isCounted = true
        let prepare: @MainActor (_ size: Int) throws -> Prepared

        /// The same, of which no instructions are counted.
        var uncounted: Attack { Attack(name: name, isCounted: false, prepare: prepare) }
    }

    /// Who gets the delta.
    @MainActor private final class Reader<State> {
        var state: State

        init(_ state: State) { self.state = state }
    }

    /// What the delta does to each key of what its readers have.
    private enum Shape: String, CaseIterable {
        case renewed = "one thing renewed"
        case renewedByOthers = "one thing renewed by somebody else"
        /// In between what was written before, so that all of it must make room.
        case renewedFarApart = "one thing renewed far from the next"
        case removed = "every second thing removed"
    }

    /// The works on one type, which is acted on with a number in the name of a replica, and which a schema has alone and in a map.
    private static func attacks<State: CausalState & CanonicalCodable, Schema: RecordSchema>(
        of name: String, _ one: WritableKeyPath<Schema, State> & Sendable,
        _ keys: WritableKeyPath<Schema, ORMap<UInt64, State>> & Sendable, in shapes: [Shape],
        _ act: @escaping @Sendable (inout State, UInt64, ReplicaID) -> Void
    ) -> [Attack] where State.Store: CodableDotStore {
        keyed("a map of " + name, ORMap<UInt64, State>.self, shapes) { map, key, number, me in
            map.updateValue(forKey: key) { act(&$0, number, me) }
        }
            + keyed("a map of maps of " + name, ORMap<UInt64, ORMap<UInt64, State>>.self, shapes) {
                map, key, number, me in
                map.updateValue(forKey: key) { $0.updateValue(forKey: 1) { act(&$0, number, me) } }
            }
            + keyed("a map of one map of " + name, ORMap<UInt64, ORMap<UInt64, State>>.self, shapes) {
                map, key, number, me in
                map.updateValue(forKey: 1) { $0.updateValue(forKey: key) { act(&$0, number, me) } }
            }.map(\.uncounted)
            + keyed("a map of records of " + name, ORMap<UInt64, Record<Schema>>.self, shapes) {
                map, key, number, me in
                map.updateValue(forKey: key) { act(&$0[dynamicMember: one], number, me) }
            }
            + keyed("a record of a map of " + name, Record<Schema>.self, shapes) { record, key, number, me in
                record[dynamicMember: keys].updateValue(forKey: key) { act(&$0, number, me) }
            }
            + [
                crowd(of: name, act),
                crowd(of: "a record of " + name) { (record: inout Record<Schema>, number, writer) in
                    act(&record[dynamicMember: one], number, writer)
                },
            ]
    }

    /// The shapes of deltas that concern each key of what readers have.
    private static func keyed<State: CausalState & CanonicalCodable>(
        _ name: String, _: State.Type, _ shapes: [Shape],
        _ act: @escaping @Sendable (inout State, _ key: UInt64, _ number: UInt64, ReplicaID) -> Void
    ) -> [Attack] {
        shapes.map { shape in
            Attack(name: "\(shape.rawValue) under each key of \(name)", isCounted: shape == .renewed) { size in
                var writer = State()
                for key in 0..<UInt64(size) {
                    for number in 0..<3 {
                        if shape == .renewedFarApart { leap(&writer, by: 64) }
                        act(&writer, key, UInt64(number), me)
                    }
                }
                if shape == .renewedFarApart {
                    // The numbers between are written now.
                    writer = State(Causal(store: writer.causal.store, context: CausalContext()))
                }
                let summary = writer.summary()
                let before = writer.encoded()
                let delta = change(&writer, shape, size, act)
                let bytes = delta.encoded()
                // What shares nothing with a copy, and has been asked for keys.
                let reader = Reader(State())
                return (
                    bytes.count, weight(of: delta, bytes),
                    {
                        reader.state = try State(decoding: before)
                        act(&reader.state, 0, 0, ReplicaID(high: 61, low: 1))
                    }, { reader.state.merge(try State(decoding: bytes)) }, { use(writer.delta(since: summary)) }
                )
            }
        }
    }

    private static func change<State: CausalState>(
        _ writer: inout State, _ shape: Shape, _ size: Int,
        _ act: (inout State, _ key: UInt64, _ number: UInt64, ReplicaID) -> Void
    ) -> State {
        switch shape {
        case .renewed:
            return writer.update { writer in
                for key in 0..<UInt64(size) { act(&writer, key, 0, me) }
            }
        case .renewedByOthers:
            return writer.update { writer in
                for key in 0..<UInt64(size) {
                    act(&writer, key, 0, ReplicaID(high: key &* 0x9E37_79B9_7F4A_7C15, low: key))
                }
            }
        case .renewedFarApart:
            // As of somebody who goes on from a number in the middle: what comes lies between what is there.
            var delta = State()
            var other = State()
            for key in 0..<UInt64(size) {
                leap(&other, by: 96)
                delta.merge(other.update { act(&$0, key, 0, me) })
            }
            return delta
        case .removed:
            var (gone, isGone) = ([Dot](), false)
            writer.causal.store.forEachDot {
                if isGone { gone.append($0) }
                isGone.toggle()
            }
            return State(Causal(store: State.Store(), context: CausalContext(gone)))
        }
    }

    /// Passes over some numbers of `me`.
    private static func leap<State: CausalState>(_ state: inout State, by count: UInt64) {
        let last = state.context.lastCounter(of: me)
        var passed = CausalContext()
        passed.insert(replica: me, counters: last + 1...last + count)
        state.merge(State(Causal(store: State.Store(), context: passed)))
    }

    /// A delta from each of many writers who knew nothing of each other, joined one after the other; and all asked for.
    private static func crowd<State: CausalState & CanonicalCodable>(
        of name: String, _ act: @escaping @Sendable (inout State, UInt64, ReplicaID) -> Void
    ) -> Attack {
        Attack(name: "\(name) by a crowd") { size in
            var (weight, deltas, whole) = (0, [[UInt8]](), State())
            for writer in 0..<UInt64(size) {
                var state = State()
                let delta = state.update {
                    act(&$0, 1, ReplicaID(high: writer &* 0x9E37_79B9_7F4A_7C15, low: writer))
                }
                deltas.append(delta.encoded())
                weight += Self.weight(of: delta, delta.encoded())
                whole.merge(delta)
            }
            return (
                deltas.reduce(0) { $0 + $1.count }, weight, {},
                {
                    var all = State()
                    for delta in deltas { all.merge(try State(decoding: delta)) }
                    use(all)
                }, { use(whole.delta(since: StateSummary())) }
            )
        }
    }

    /// Bytes and dots.
    private static func weight(of delta: some CausalState, _ bytes: [UInt8]) -> Int {
        var weight = bytes.count
        delta.context.forEachRange { weight += $1.count }
        return weight
    }
}
