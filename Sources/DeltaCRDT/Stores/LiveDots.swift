/// Dots that hold something up, as ranges in their order.
public struct LiveDots: Sendable {
    @usableFromInline
    struct Run: Sendable {
        @usableFromInline let replica: ReplicaID
        @usableFromInline var counters: ClosedRange<UInt64>
    }

    @usableFromInline private(set) var runs: [Run] = []
    /// How many dots there are; `Int.max` for more than that. Complexity: O(1).
    public private(set) var count = 0

    @usableFromInline
    init() {}

    /// Adds dots that come after all others.
    @usableFromInline
    mutating func append(_ replica: ReplicaID, _ counters: ClosedRange<UInt64>) {
        if let last = runs.last, last.replica == replica, last.counters.upperBound + 1 == counters.lowerBound {
            runs[runs.count - 1].counters = last.counters.lowerBound...counters.upperBound
        } else {
            runs.append(Run(replica: replica, counters: counters))
        }
        count = Int(clamping: UInt64(count) + (counters.upperBound - counters.lowerBound) + 1)
    }

    /// Adds a dot that comes after all others.
    @usableFromInline
    mutating func append(_ dot: Dot) {
        append(dot.replica, dot.counter...dot.counter)
    }

    @usableFromInline
    func forEachRun(_ body: (ReplicaID, ClosedRange<UInt64>) -> Void) {
        for run in runs { body(run.replica, run.counters) }
    }

    /// Visits the dots in their order until `body` throws. Complexity: O(dots).
    public func forEach(_ body: (Dot) throws(DecodingFailure) -> Void) throws(DecodingFailure) {
        for run in runs {
            for counter in run.counters { try body(Dot(replica: run.replica, counter: counter)) }
        }
    }
}
