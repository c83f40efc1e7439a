import DeltaCRDT

/// The law of cost: merging a delta and answering a summary take instructions in proportion to the delta's bytes and dots, for
/// every type and every nesting of two, and however many people write at once.
enum Nesting {
    /// Keys and writers of the lesser size. Fewer than of the other works, because there are many of these.
    static let size = 60

    static let works = attacks.map { attack in
        Hostile(weighed: attack.name) { size in
            let (_, weight, join, answer) = try attack.prepare(size)
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
        attacks(of: "sets", { (set: inout AddWinsSet<UInt64>, number, me) in set.insert(number, by: me) })
        + attacks(
            of: "remove-wins sets", { (set: inout RemoveWinsSet<UInt64>, number, me) in set.insert(number, by: me) })
        + attacks(of: "registers", { (register: inout MVRegister<UInt64>, number, me) in register.set(number, by: me) })
        + attacks(
            of: "last-writer maps",
            { (map: inout LWWMap<UInt64, UInt64>, number, me) in map.updateValue(number, forKey: number, by: me) })
        + attacks(of: "flags", { (flag: inout EnableWinsFlag, _, me) in flag.enable(by: me) })
        + attacks(of: "disable-wins flags", { (flag: inout DisableWinsFlag, _, me) in flag.enable(by: me) })
        + attacks(of: "counters", { (counter: inout CausalCounter, _, me) in counter.add(1, by: me) })
        + attacks(
            of: "maps of flags",
            { (map: inout ORMap<UInt64, EnableWinsFlag>, number, me) in
                map.updateValue(forKey: number) { $0.enable(by: me) }
            })
        + attacks(
            of: "records",
            { (record: inout Record<Holder<CausalCounter>>, _, me) in record.only.add(1, by: me) })

    /// A record of one field, of any type.
    struct Holder<State: CausalState & Sendable>: RecordSchema where State.Store: CodableDotStore {
        var only = State()

        static var fields: [RecordField<Holder>] { [.init(1, \.only)] }
    }

    private static let me = ReplicaID(high: 60, low: 1)

    /// Prints the milliseconds in which deltas of about 120 kB are read and joined, the slowest last.
    @MainActor static func report() throws {
        var times: [(milliseconds: Double, bytes: Int, name: String)] = []
        for attack in attacks {
            let sample = try attack.prepare(100).bytes
            let (bytes, _, join, _) = try attack.prepare(max(100, 120_000 * 100 / sample))
            var least = Double.infinity
            for _ in 0..<3 { least = min(least, try seconds { try join() }) }
            times.append((least * 1e3, bytes, attack.name))
        }
        for (milliseconds, bytes, name) in times.sorted(by: { $0.milliseconds < $1.milliseconds }) {
            DeltaBench.report("\(name), \(bytes) bytes", milliseconds, "ms")
        }
    }

    /// Deltas that somebody else made, to be joined to a state that is there.
    private struct Attack {
        typealias Prepared = (bytes: Int, weight: Int, join: Hostile.Run, answer: Hostile.Run)

        let name: String
        let prepare: @MainActor (_ size: Int) throws -> Prepared
    }

    /// The works on one type, which is acted on with a number in the name of a replica.
    private static func attacks<State: CausalState & CanonicalCodable>(
        of name: String, _ act: @escaping @Sendable (inout State, UInt64, ReplicaID) -> Void
    ) -> [Attack] where State.Store: CodableDotStore {
        [
            renewal(of: "a map of " + name, ORMap<UInt64, State>.self) { map, key, number in
                map.updateValue(forKey: key) { act(&$0, number, me) }
            },
            renewal(of: "a map of maps of " + name, ORMap<UInt64, ORMap<UInt64, State>>.self) { map, key, number in
                map.updateValue(forKey: key) { $0.updateValue(forKey: 1) { act(&$0, number, me) } }
            },
            renewal(of: "a map of records of " + name, ORMap<UInt64, Record<Holder<State>>>.self) { map, key, number in
                map.updateValue(forKey: key) { act(&$0.only, number, me) }
            },
            renewal(of: "a record of a map of " + name, Record<Holder<ORMap<UInt64, State>>>.self) {
                record, key, number in
                record.only.updateValue(forKey: key) { act(&$0, number, me) }
            },
            crowd(of: name, act),
            crowd(of: "a record of " + name) { (record: inout Record<Holder<State>>, number, writer) in
                act(&record.only, number, writer)
            },
        ]
    }

    /// One thing of each key written again by somebody who saw it: the delta is joined, and asked for.
    private static func renewal<State: CausalState & CanonicalCodable>(
        of name: String, _: State.Type, _ act: @escaping @Sendable (inout State, _ key: UInt64, UInt64) -> Void
    ) -> Attack {
        Attack(name: "one thing renewed under each key of \(name)") { size in
            var writer = State()
            for key in 0..<UInt64(size) {
                for number in 0..<3 { act(&writer, key, UInt64(number)) }
            }
            let reader = writer
            let summary = reader.summary()
            let delta = writer.update { writer in
                for key in 0..<UInt64(size) { act(&writer, key, 0) }
            }
            let bytes = delta.encoded()
            return (
                bytes.count, weight(of: delta, bytes),
                {
                    var joined = reader
                    joined.merge(try State(decoding: bytes))
                    use(joined)
                }, { use(writer.delta(since: summary)) }
            )
        }
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
                deltas.reduce(0) { $0 + $1.count }, weight,
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
