import DeltaCRDT

/// A grow-only counter that is written as bytes: how many entries there are, and each as a name and a number.
struct CodedTally<V: Variant>: ReplicatedType {
    struct Vote: Sendable, CustomStringConvertible { var description: String { "vote" } }

    /// The greatest number of an entry. The fault: the reader's is less than the writers'.
    private static var readerMaximum: UInt64 { V.mutation == .narrowReader ? 2 : maximum }
    private static var maximum: UInt64 { Dot.maximumCounter }

    private var name: ReplicaID
    private var entries: [ReplicaID: UInt64] = [:]

    init(birth: Birth) { name = birth.start }
    mutating func restarted(as birth: Birth) { name = birth.start }
    static func randomAction(using generator: inout SeededGenerator) -> Vote { Vote() }

    mutating func perform(_ action: Vote, at now: Int64) -> [Dot] {
        let count = entries[name, default: 0]
        // The fault: whoever was sent the last number there is writes the next one.
        if count < Self.maximum || V.mutation == .passedLimit { entries[name] = count + 1 }
        return []
    }

    mutating func message(to peer: Int, at now: Int64) -> [ReplicaID: UInt64]? { entries }

    mutating func receive(
        _ message: [ReplicaID: UInt64], from peer: Int, at now: Int64
    ) -> Reception<[ReplicaID: UInt64]> {
        for (name, count) in message { entries[name] = max(entries[name] ?? 0, count) }
        return .taken()
    }

    var view: UInt64 { entries.values.reduce(0, &+) }

    static func check(_ observation: Observation<Self>) -> Violation? {
        CounterSpecification.check(Int(clamping: observation.view), of: observation.history) { _ in 1 }
    }

    static var codec: Codec<Self>? {
        Codec(
            encode: { $0.encoded },
            decode: { tally, bytes throws(DecodingFailure) in tally.entries = try Self.decoded(bytes) })
    }

    private var encoded: [UInt8] {
        var encoder = CanonicalEncoder()
        encoder.encode(count: entries.count)
        for (name, count) in entries.sorted(by: { $0.key < $1.key }) {
            encoder.encode(name.high)
            encoder.encode(name.low)
            encoder.encode(count)
        }
        return encoder.bytes
    }

    private static func decoded(_ bytes: [UInt8]) throws(DecodingFailure) -> [ReplicaID: UInt64] {
        var decoder = CanonicalDecoder(bytes)
        var entries: [ReplicaID: UInt64] = [:]
        var last: ReplicaID?
        for _ in 0..<(try decoder.decodeCount(limit: .max, minimumSize: 3)) {
            let name = ReplicaID(high: try decoder.decodeUInt64(), low: try decoder.decodeUInt64())
            let count = try decoder.decodeUInt64()
            if let last, last >= name { throw .notCanonical }
            guard (1...readerMaximum).contains(count) else { throw .tooLarge }
            (last, entries[name]) = (name, count)
        }
        try decoder.finish()
        return entries
    }
}
