/// Which events a state has seen, and which of them are alive, as runs along each replica's numbers.
///
/// Written, for each replica in order: `runs · 2 + 1` and its 16 bytes where it is new to the reader, or `runs · 2` and its
/// number where it is known; then each run as `length · 4 + kind`. Runs begin at 1; neighbours differ in kind; the last
/// is no gap.
@usableFromInline
struct CausalRuns: Sendable {
    enum Kind: UInt64 {
        case gap = 0
        case fallen = 1
        case alive = 2
    }

    @usableFromInline private(set) var context = CausalContext()
    @usableFromInline private(set) var alive = LiveDots()
    /// Whether an event was seen that holds nothing up.
    @usableFromInline private(set) var hasFallen = false

    /// What a store holds up, and what its context has seen beyond that.
    @usableFromInline
    static func encode(_ context: CausalContext, _ alive: LiveDots, into encoder: inout CanonicalEncoder) {
        var writer = Writer()
        let live = alive.runs
        var next = 0
        context.forEachRange { replica, range in
            writer.move(to: replica, range.lowerBound)
            while next < live.count, live[next].replica == replica, live[next].counters.lowerBound <= range.upperBound {
                writer.append(.fallen, before: live[next].counters.lowerBound)
                writer.append(.alive, before: live[next].counters.upperBound + 1)
                next += 1
            }
            writer.append(.fallen, before: range.upperBound + 1)
        }
        writer.finish(&encoder)
    }

    /// Collects one replica's runs at a time, since their number comes first.
    private struct Writer {
        private var replica: ReplicaID?
        private var position: UInt64 = 1
        private var runs: [UInt64] = []
        private var done: [(replica: ReplicaID, runs: Range<Int>)] = []
        private var begin = 0

        mutating func move(to replica: ReplicaID, _ counter: UInt64) {
            if self.replica != replica {
                close()
                self.replica = replica
                position = 1
            }
            append(.gap, before: counter)
        }

        mutating func append(_ kind: Kind, before end: UInt64) {
            guard end > position else { return }
            runs.append((end - position) << 2 | kind.rawValue)
            position = end
        }

        private mutating func close() {
            if let replica { done.append((replica, begin..<runs.count)) }
            begin = runs.count
        }

        mutating func finish(_ encoder: inout CanonicalEncoder) {
            close()
            encoder.encode(count: done.count)
            for (replica, range) in done {
                if let number = encoder.number(of: replica) {
                    encoder.encode(UInt64(range.count) << 1)
                    encoder.encode(count: number)
                } else {
                    encoder.encode(UInt64(range.count) << 1 | 1)
                    encoder.encode(new: replica)
                }
                for run in runs[range] { encoder.encode(run) }
            }
        }
    }

    @usableFromInline
    init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        let count = try decoder.decodeCount(limit: .max, minimumSize: 3)
        var previous: ReplicaID?
        for _ in 0..<count {
            let header = try decoder.decodeUInt64()
            let replica =
                header & 1 == 1
                ? try decoder.decodeNewReplica() : try decoder.knownReplica(try decoder.decodeUInt64())
            if let previous, previous >= replica { throw .notCanonical }
            previous = replica
            guard header >> 1 > 0 else { throw .notCanonical }
            guard header >> 1 <= UInt64(decoder.remaining) else { throw .tooLarge }
            try readRuns(header >> 1, of: replica, from: &decoder)
        }
    }

    private mutating func readRuns(
        _ count: UInt64, of replica: ReplicaID, from decoder: inout CanonicalDecoder
    ) throws(DecodingFailure) {
        var before: UInt64 = 0
        var previous: Kind?
        for _ in 0..<count {
            let run = try decoder.decodeUInt64()
            guard let kind = Kind(rawValue: run & 3), run >> 2 > 0, kind != previous else { throw .notCanonical }
            guard run >> 2 <= Dot.maximumCounter - before else { throw .tooLarge }
            let counters = before + 1...before + run >> 2
            if kind != .gap { context.insert(replica: replica, counters: counters) }
            if kind == .alive { alive.append(replica, counters) }
            if kind == .fallen { hasFallen = true }
            before = counters.upperBound
            previous = kind
        }
        guard previous != .gap else { throw .notCanonical }
    }
}
