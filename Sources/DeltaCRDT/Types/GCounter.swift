/// A counter that only grows: a total for each replica, joined by the greater (Shapiro et al., 2011).
///
/// A replica's total has one writer. Two people who count under one replica's name lose counts.
public struct GCounter: DeltaState {
    /// The value now.
    public typealias Change = UInt64

    private(set) var totals = VersionVector()

    /// A counter at 0. Complexity: O(1).
    public init() {}

    /// The sum over all replicas. Overflow wraps around, the same on every replica. Complexity: O(replicas).
    public var value: UInt64 { totals.entries.reduce(0) { $0 &+ $1.counter } }

    /// What one replica has counted under its own name. Complexity: O(log replicas).
    public subscript(replica: ReplicaID) -> UInt64 { totals[replica] }

    /// Adds an amount for a replica and returns the delta: that replica's new total.
    ///
    /// What is beyond a total of `UInt64.max` is counted under the replica's ``ReplicaID/successor``.
    ///
    /// Complexity: O(log replicas), O(replicas) where the replica is new.
    @discardableResult
    public mutating func add(_ amount: UInt64, by replica: ReplicaID) -> GCounter {
        var delta = GCounter()
        var (writer, rest) = (replica, amount)
        while true {
            let total = totals[writer]
            let step = min(rest, .max - total)
            totals.set(writer, to: total + step)
            delta.totals.set(writer, to: total + step)
            rest -= step
            if rest == 0 { return delta }
            writer = writer.successor
        }
    }

    /// Joins another state or a delta; says whether this state changed.
    ///
    /// Complexity: O(replicas of both), less for a delta.
    @discardableResult
    public mutating func merge(_ other: GCounter) -> Bool {
        totals.merge(other.totals)
    }

    /// Joins, and calls with the value if it changed. Complexity: O(replicas of both).
    @discardableResult
    public mutating func merge(_ other: GCounter, onChange: (UInt64) -> Void) -> Bool {
        let before = value
        let changed = merge(other)
        if value != before { onChange(value) }
        return changed
    }

    /// The least part of this state that, merged into `other`, gives the join of both.
    ///
    /// Complexity: O(n log m) for the n replicas here and the m of the other.
    public func delta(for other: GCounter) -> GCounter {
        var delta = GCounter()
        for entry in totals.entries where entry.counter > other.totals[entry.replica] {
            delta.totals.set(entry.replica, to: entry.counter)
        }
        return delta
    }

    /// One part for each replica's total. Complexity: O(replicas).
    public func decomposed() -> [GCounter] {
        totals.entries.map { entry in
            var part = GCounter()
            part.totals.set(entry.replica, to: entry.counter)
            return part
        }
    }

    init(totals: VersionVector) {
        self.totals = totals
    }
}

extension GCounter: CanonicalCodable {
    /// Appends the value in its one form; see <doc:Format>. Complexity: O(size).
    public func encode(into encoder: inout CanonicalEncoder) {
        encoder.encode(StateTag.gCounter)
        totals.encode(into: &encoder)
    }

    /// Reads a value, and refuses every form but its only one; see <doc:Format>.
    ///
    /// Complexity: O(size of the bytes read), with a bound on what they may ask for.
    public init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        try decoder.decode(StateTag.gCounter)
        self.init(totals: try VersionVector(from: &decoder, limit: .max))
    }
}
