/// The stores of a ``Record``'s fields: a product of stores under one context. A dot stands in one field.
public struct RecordStore<Schema: RecordSchema>: DotStore {
    /// The number of a field that changed.
    public typealias Change = Int

    @usableFromInline var fields = RecordFields()

    /// Nothing in any field. Complexity: O(1).
    @inlinable public init() {}

    /// One field that holds something.
    @inlinable init(_ fields: RecordFields) { self.fields = fields }

    @inlinable var layout: RecordLayout { fields.stores?.layout ?? RecordLayout.of(Schema.self) }

    /// Whether nothing is alive. Complexity: O(1).
    @inlinable public var isEmpty: Bool { fields.stores == nil }

    /// How many dots hold something up. Complexity: O(fields), where the fields' stores know.
    @inlinable public var dotCount: Int { fields.dotCount }

    /// Whether the dot holds something up. Complexity: O(fields · log n).
    @inlinable
    public func contains(_ dot: Dot) -> Bool { fields.contains(dot) }

    /// Visits every dot that holds something up, upwards. Complexity: O(n log n), O(n) where one field has dots.
    @inlinable
    public func forEachDot(_ body: (Dot) -> Void) { fields.forEachDot(of: nil, body) }

    /// Visits the dots that a context has seen, upwards. Complexity: that of the fields' stores, and O(m log m) for the m found.
    @inlinable
    public func forEachDot(in context: CausalContext, _ body: (Dot) -> Void) { fields.forEachDot(of: context, body) }

    /// The sum of the fingerprints of one replica's dots. Complexity: that of the fields' stores.
    @inlinable
    public func fingerprint(of replica: ReplicaID) -> UInt64 { fields.fingerprint(of: replica) }

    /// Joins another state's store, and tells the fields that changed.
    ///
    /// Complexity: that of the fields' stores: of a delta, O(fields + what comes and falls).
    @inlinable
    public mutating func merge(
        _ other: RecordStore, context: CausalContext, otherContext: CausalContext, fallen: inout FallenDots,
        onChange: (Int) -> Void
    ) -> Bool {
        fields.merge(other.fields, context, otherContext, &fallen, onChange)
    }

    /// The part of the store that stands on some dots. Complexity: that of the fields' stores.
    @inlinable
    public func restricted(to dots: CausalContext) -> RecordStore { RecordStore(fields.restricted(to: dots)) }

    /// Whether both have the same in every field. Complexity: O(n).
    @inlinable
    public static func == (left: RecordStore, right: RecordStore) -> Bool { left.fields == right.fields }

    /// Hashes the dots, which tell the rest. Complexity: O(n).
    public func hash(into hasher: inout Hasher) {
        var (count, sum) = (0, UInt64(0))
        forEachDot {
            count += 1
            sum &+= $0.fingerprint
        }
        hasher.combine(count)
        hasher.combine(sum)
    }
}
