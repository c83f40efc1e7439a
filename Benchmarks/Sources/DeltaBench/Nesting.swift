import DeltaCRDT

/// The law of cost: merging a delta and answering a summary take instructions in proportion to the delta's bytes and dots, for
/// every type and every nesting of two, and however many people write at once.
enum Nesting {
    /// Keys and writers of the lesser size. Fewer than of the other works, because there are many of these.
    static let size = 60

    static let works: [Hostile] =
        works(of: "sets", { (set: inout AddWinsSet<UInt64>, number, me) in set.insert(number, by: me) })
        + works(
            of: "remove-wins sets", { (set: inout RemoveWinsSet<UInt64>, number, me) in set.insert(number, by: me) })
        + works(of: "registers", { (register: inout MVRegister<UInt64>, number, me) in register.set(number, by: me) })
        + works(
            of: "last-writer maps",
            { (map: inout LWWMap<UInt64, UInt64>, number, me) in map.updateValue(number, forKey: number, by: me) })
        + works(of: "flags", { (flag: inout EnableWinsFlag, _, me) in flag.enable(by: me) })
        + works(of: "disable-wins flags", { (flag: inout DisableWinsFlag, _, me) in flag.enable(by: me) })
        + works(of: "counters", { (counter: inout CausalCounter, _, me) in counter.add(1, by: me) })
        + works(
            of: "maps of flags",
            { (map: inout ORMap<UInt64, EnableWinsFlag>, number, me) in
                map.updateValue(forKey: number) { $0.enable(by: me) }
            })
        + works(
            of: "records",
            { (record: inout Record<Holder<CausalCounter>>, _, me) in record.only.add(1, by: me) })

    /// A record of one field, of any type.
    struct Holder<State: CausalState & Sendable>: RecordSchema where State.Store: CodableDotStore {
        var only = State()

        static var fields: [RecordField<Holder>] { [.init(1, \.only)] }
    }

    private static let me = ReplicaID(high: 60, low: 1)

    /// The works on one type, which is acted on with a number in the name of a replica.
    private static func works<State: CausalState & CanonicalCodable>(
        of name: String, _ act: @escaping @Sendable (inout State, UInt64, ReplicaID) -> Void
    ) -> [Hostile] where State.Store: CodableDotStore {
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
    ) -> Hostile {
        Hostile(weighed: "one thing renewed under each key of \(name)") { size in
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
                weight(of: delta, bytes),
                {
                    var joined = reader
                    joined.merge(try State(decoding: bytes))
                    use(joined)
                    use(writer.delta(since: summary))
                }
            )
        }
    }

    /// A delta from each of many writers who knew nothing of each other, joined one after the other; and all asked for.
    private static func crowd<State: CausalState & CanonicalCodable>(
        of name: String, _ act: @escaping @Sendable (inout State, UInt64, ReplicaID) -> Void
    ) -> Hostile {
        Hostile(weighed: "\(name) by a crowd") { size in
            var (weight, deltas) = (0, [[UInt8]]())
            for writer in 0..<UInt64(size) {
                var state = State()
                let delta = state.update {
                    act(&$0, 1, ReplicaID(high: writer &* 0x9E37_79B9_7F4A_7C15, low: writer))
                }
                deltas.append(delta.encoded())
                weight += Self.weight(of: delta, delta.encoded())
            }
            return (
                weight,
                {
                    var all = State()
                    for delta in deltas { all.merge(try State(decoding: delta)) }
                    use(all.delta(since: StateSummary()))
                }
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
