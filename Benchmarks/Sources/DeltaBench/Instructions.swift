import CBench
import DeltaCRDT

/// Fixed works, small enough for callgrind. Each prepares itself, and then has its instructions counted.
@MainActor
enum Instructions {
    private static var set = AddWinsSet<String>()
    private static var numbers = AddWinsSet<UInt64>()
    private static var other = AddWinsSet<String>()
    private static var register = MVRegister<String>()
    private static var map = ORMap<String, MVRegister<String>>()
    private static var nested = ORMap<String, AddWinsSet<String>>()
    private static var votes = VoteCounter<String, ReplicaID>()
    private static var ballots: [[UInt8]] = []
    private static var summary = StateSummary()
    private static var bytes: [UInt8] = []
    private static var texts: [String] = []
    private static let you = ReplicaID(high: 5, low: 5)

    /// A name, how many times the work does what it is named for, what comes before, and the work.
    private struct Work {
        let name: String
        let times: Int
        let prepare: @MainActor () throws -> Void
        let run: @MainActor () throws -> Void
    }

    private static let works: [Work] = [
        Work(
            name: "decode a delta of 10,000 texts", times: 10_000,
            prepare: {
                bytes = setOf(keys(10_000, seed: 1)).encoded()
            }, run: { other = try AddWinsSet(decoding: bytes) }),
        Work(name: "make the table of 10,000 texts", times: 10_000, prepare: {}, run: { use(other.contains("")) }),
        Work(name: "walk 10,000 texts", times: 10_000, prepare: {}, run: { other.forEach { use($0) } }),
        Work(name: "encode 10,000 texts", times: 10_000, prepare: {}, run: { use(other.encoded()) }),
        Work(
            name: "add a text", times: 1000,
            prepare: {
                set = setOf(keys(10_000, seed: 1))
                use(set.contains(""))
                texts = keys(1000, seed: 2)
            }, run: { for text in texts { set.insert(text, by: me) } }),
        Work(name: "ask for a text", times: 1000, prepare: {}, run: { for text in texts { use(set.contains(text)) } }),
        Work(name: "remove a text", times: 1000, prepare: {}, run: { for text in texts { set.remove(text) } }),
        Work(
            name: "add a number", times: 1000,
            prepare: {
                for number in 0..<1000 { numbers.insert(UInt64(number), by: you) }
            }, run: { for number in 1000..<2000 { numbers.insert(UInt64(number), by: me) } }),
        Work(
            name: "merge an add into 10,000", times: 1000,
            prepare: {
                ballots = texts.map { text in
                    var delta = AddWinsSet<String>()
                    delta.insert(text, by: you)
                    return delta.encoded()
                }
                deltas = texts.enumerated().map { index, text in
                    var delta = AddWinsSet<String>()
                    return delta.insert(text, dot: Dot(replica: you, counter: UInt64(index + 1)))
                }
            }, run: { for delta in deltas { set.merge(delta) } }),
        Work(
            name: "join two sets of 10,000, 1% apart", times: 1,
            prepare: {
                other = try AddWinsSet(decoding: set.encoded())
                use(other.contains(""))
                other.formUnion(keys(100, seed: 8), by: ReplicaID(high: 8, low: 8))
                set.formUnion(keys(100, seed: 9), by: me)
            }, run: { set.merge(other) }),
        Work(
            name: "delta since a summary", times: 1,
            prepare: {
                summary = set.summary()
                set.remove(texts[7])
            }, run: { use(set.delta(since: summary)) }),
        Work(
            name: "set a register", times: 1000, prepare: {},
            run: {
                for text in texts { register.set(text, by: me) }
            }),
        Work(
            name: "update a new key of a map", times: 1000, prepare: {},
            run: {
                for text in texts { map.updateValue(forKey: text) { $0.set("value", by: me) } }
            }),
        Work(
            name: "update a key of a map", times: 1000, prepare: {},
            run: {
                for text in texts { map.updateValue(forKey: text) { $0.set("value", by: me) } }
            }),
        Work(
            name: "read a key of a map", times: 1000, prepare: {}, run: { for text in texts { use(map[text].values) } }),
        Work(
            name: "add to a set in a map", times: 1000, prepare: {},
            run: {
                for text in texts { nested.updateValue(forKey: "one") { $0.insert(text, by: me) } }
            }),
        Work(
            name: "cast a vote", times: 1000, prepare: {},
            run: {
                for text in texts { votes.cast(.for, on: text, by: me) }
            }),
        Work(
            name: "decode and merge a vote on 1,000 items", times: 1000,
            prepare: {
                var ballot = VoteCounter<String, ReplicaID>()
                for text in texts { ballot.cast(.for, on: text, by: you) }
                bytes = ballot.encoded()
            }, run: { votes.merge(try VoteCounter(decoding: bytes)) }),
    ]

    private static var deltas: [AddWinsSet<String>] = []
    private static var running: (@MainActor () throws -> Void)?

    /// Runs all, and prints their names and times in the order in which callgrind dumps them.
    static func run() throws {
        for work in works {
            try work.prepare()
            measure(work.run)
            print("\(work.times)\t\(work.name)")
        }
        for (works, size) in [(Hostile.works, Hostile.size), (Nesting.works, Nesting.size)] {
            for work in works {
                for size in [size, size * 4] {
                    let (weight, run) = try work.prepare(size)
                    measure(run)
                    print("\(weight)\thostile, of \(size): \(work.name)")
                }
            }
        }
    }

    static func measure(_ work: @escaping @MainActor () throws -> Void) {
        running = work
        tidy_allocator()
        delta_measured {
            MainActor.assumeIsolated {
                do { try Instructions.running?() } catch { preconditionFailure("\(error)") }
            }
        }
    }
}
