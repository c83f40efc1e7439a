/// A counter that only grows: a total for each replica, joined by the greater (Shapiro et al., 2011).
///
/// A replica's total has one writer. Two people who count under one replica's name lose counts.
public struct GCounter: DeltaState {
    /// The value now.
    public typealias Change = UInt64

    private(set) var totals = VersionVector()

    public init() {}

    /// The sum over all replicas. Overflow wraps around, the same on every replica.
    public var value: UInt64 { totals.entries.reduce(0) { $0 &+ $1.counter } }

    /// What one replica has counted.
    public subscript(replica: ReplicaID) -> UInt64 { totals[replica] }

    /// Counts `amount` more for a replica and returns the delta: that replica's new total.
    ///
    /// A total stays at `UInt64.max` once there.
    @discardableResult
    public mutating func increment(by replica: ReplicaID, _ amount: UInt64 = 1) -> GCounter {
        let (sum, overflow) = totals[replica].addingReportingOverflow(amount)
        totals[replica] = overflow ? .max : sum
        var delta = GCounter()
        delta.totals[replica] = totals[replica]
        return delta
    }

    @discardableResult
    public mutating func merge(_ other: GCounter) -> Bool {
        totals.merge(other.totals)
    }

    @discardableResult
    public mutating func merge(_ other: GCounter, onChange: (UInt64) -> Void) -> Bool {
        let before = value
        let changed = merge(other)
        if value != before { onChange(value) }
        return changed
    }

    public func delta(for other: GCounter) -> GCounter {
        var delta = GCounter()
        for entry in totals.entries where entry.counter > other.totals[entry.replica] {
            delta.totals[entry.replica] = entry.counter
        }
        return delta
    }

    public func decomposed() -> [GCounter] {
        totals.entries.map { entry in
            var part = GCounter()
            part.totals[entry.replica] = entry.counter
            return part
        }
    }

    init(totals: VersionVector) {
        self.totals = totals
    }
}

extension GCounter: CanonicalCodable {
    public func encode(into encoder: inout CanonicalEncoder) {
        encoder.encode(StateTag.gCounter)
        totals.encode(into: &encoder)
    }

    public init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        try decoder.decode(StateTag.gCounter)
        self.init(totals: try VersionVector(from: &decoder, limit: .max))
    }
}
