/// A counter that goes up and down: what each replica has added and what it has taken, both growing.
///
/// A replica's totals have one writer.
public struct PNCounter: DeltaState {
    /// The value now.
    public typealias Change = Int64

    private(set) var added = GCounter()
    private(set) var taken = GCounter()

    /// A counter at 0. Complexity: O(1).
    public init() {}

    /// What was added less what was taken. Overflow wraps around, the same on every replica. Complexity: O(replicas).
    public var value: Int64 { Int64(bitPattern: added.value &- taken.value) }

    /// Adds an amount, which may be negative, for a replica and returns the delta.
    ///
    /// Complexity: O(log replicas), O(replicas) where the replica is new.
    @discardableResult
    public mutating func add(_ amount: Int64, by replica: ReplicaID) -> PNCounter {
        var delta = PNCounter()
        if amount > 0 { delta.added = added.add(amount.magnitude, by: replica) }
        if amount < 0 { delta.taken = taken.add(amount.magnitude, by: replica) }
        return delta
    }

    /// Joins another state or a delta; says whether this state changed.
    ///
    /// Complexity: O(replicas of both), less for a delta.
    @discardableResult
    public mutating func merge(_ other: PNCounter) -> Bool {
        let grew = added.merge(other.added)
        return taken.merge(other.taken) || grew
    }

    /// Joins, and calls with the value if it changed. Complexity: O(replicas of both).
    @discardableResult
    public mutating func merge(_ other: PNCounter, onChange: (Int64) -> Void) -> Bool {
        let before = value
        let changed = merge(other)
        if value != before { onChange(value) }
        return changed
    }

    /// The least part of this state that, merged into `other`, gives the join of both.
    ///
    /// Complexity: O(n log m) for the n replicas here and the m of the other.
    public func delta(for other: PNCounter) -> PNCounter {
        PNCounter(added: added.delta(for: other.added), taken: taken.delta(for: other.taken))
    }

    /// One part for each replica's total of what it added, and of what it took. Complexity: O(replicas).
    public func decomposed() -> [PNCounter] {
        added.decomposed().map { PNCounter(added: $0, taken: GCounter()) }
            + taken.decomposed().map { PNCounter(added: GCounter(), taken: $0) }
    }

    init(added: GCounter, taken: GCounter) {
        self.added = added
        self.taken = taken
    }
}

extension PNCounter: CanonicalCodable {
    /// Appends the value in its one form; see <doc:Format>. Complexity: O(size).
    public func encode(into encoder: inout CanonicalEncoder) {
        encoder.encode(StateTag.pnCounter)
        added.totals.encode(into: &encoder)
        taken.totals.encode(into: &encoder)
    }

    /// Reads a value, and refuses every form but its only one; see <doc:Format>.
    ///
    /// Complexity: O(size of the bytes read), with a bound on what they may ask for.
    public init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        try decoder.decode(StateTag.pnCounter)
        let added = try VersionVector(from: &decoder, limit: .max)
        let taken = try VersionVector(from: &decoder, limit: .max)
        self.init(added: GCounter(totals: added), taken: GCounter(totals: taken))
    }
}
