/// The stores of a ``Record``'s fields: a product of stores under one context. A dot stands in one field.
public struct RecordStore<Schema: RecordSchema>: DotStore {
    /// The number of a field that changed.
    public typealias Change = Int

    /// What a field that is not known here, or not in this form, has under a dot.
    struct UnknownContent: Hashable, Sendable {
        let number: Int
        let bytes: [UInt8]
    }

    private(set) var layout = RecordLayout<Schema>.shared
    /// States without contexts: their stores alone are used.
    var fields = Schema()
    var unknown = DotFun<UnknownContent>()

    /// Nothing in any field. Complexity: O(fields).
    public init() {}

    /// Whether nothing is alive. Complexity: O(fields).
    public var isEmpty: Bool { unknown.isEmpty && layout.fields.allSatisfy { $0.access.isEmpty(fields) } }

    /// How many dots hold something up. Complexity: O(fields), where the fields' stores know.
    public var dotCount: Int { layout.fields.reduce(unknown.count) { $0 + $1.access.dotCount(fields) } }

    /// Whether the dot holds something up. Complexity: O(fields · log n).
    public func contains(_ dot: Dot) -> Bool {
        unknown.contains(dot) || layout.fields.contains { $0.access.contains(dot, in: fields) }
    }

    /// Visits every dot that holds something up, upwards. Complexity: O(n log n), O(n) where one field has dots.
    public func forEachDot(_ body: (Dot) -> Void) {
        inOrder(body) { visit in
            unknown.forEachDot(visit)
            for field in layout.fields { field.access.forEachDot(fields, visit) }
        }
    }

    /// Visits the dots that a context has seen, upwards. Complexity: that of the fields' stores, and O(m log m) for the m found.
    public func forEachDot(in context: CausalContext, _ body: (Dot) -> Void) {
        inOrder(body) { visit in
            unknown.forEachDot(in: context, visit)
            for field in layout.fields { field.access.forEachDot(fields, in: context, visit) }
        }
    }

    /// Each field visits its dots upwards; here all of them go upwards.
    private func inOrder(_ body: (Dot) -> Void, _ visitAll: ((Dot) -> Void) -> Void) {
        var dots: [Dot] = []
        var isSorted = true
        visitAll { dot in
            if let last = dots.last, dot < last { isSorted = false }
            dots.append(dot)
        }
        if !isSorted { dots.sort() }
        dots.forEach(body)
    }

    /// The sum of the fingerprints of one replica's dots. Complexity: that of the fields' stores.
    public func fingerprint(of replica: ReplicaID) -> UInt64 {
        layout.fields.reduce(unknown.fingerprint(of: replica)) { $0 &+ $1.access.fingerprint(of: replica, in: fields) }
    }

    /// Joins another state's store, and tells the fields that changed.
    ///
    /// Complexity: that of the fields' stores: of a delta, O(fields + what comes and falls).
    public mutating func merge(
        _ other: RecordStore, context: CausalContext, otherContext: CausalContext, fallen: inout FallenDots,
        onChange: (Int) -> Void
    ) -> Bool {
        var changed = unknown.merge(other.unknown, context: context, otherContext: otherContext, fallen: &fallen)
        for field in layout.fields {
            if field.access.merge(&fields, other.fields, context, otherContext, &fallen) {
                changed = true
                onChange(field.number)
            }
        }
        return changed
    }

    /// Lets the dots fall that a context has seen, in all fields but one.
    mutating func removeDots(of context: CausalContext, exceptIn index: Int, _ fallen: inout FallenDots) {
        let none = Schema()
        _ = unknown.merge(DotFun(), context: CausalContext(), otherContext: context, fallen: &fallen)
        for (other, field) in layout.fields.enumerated() where other != index {
            _ = field.access.merge(&fields, none, CausalContext(), context, &fallen)
        }
    }

    /// The part of the store that stands on some dots. Complexity: that of the fields' stores.
    public func restricted(to dots: CausalContext) -> RecordStore {
        var part = RecordStore()
        part.unknown = unknown.restricted(to: dots)
        for field in layout.fields { field.access.restrict(fields, to: dots, into: &part.fields) }
        return part
    }

    /// Whether both have the same in every field. Complexity: O(n).
    public static func == (left: RecordStore, right: RecordStore) -> Bool {
        left.unknown == right.unknown && left.layout.fields.allSatisfy { $0.access.isEqual(left.fields, right.fields) }
    }

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

/// What a record does with one of its fields, whatever the field's type.
protocol RecordFieldAccess<Schema>: Sendable {
    associatedtype Schema

    var keyPath: PartialKeyPath<Schema> { get }
    func description(_ fields: Schema) -> String
    func isEmpty(_ fields: Schema) -> Bool
    func dotCount(_ fields: Schema) -> Int
    func contains(_ dot: Dot, in fields: Schema) -> Bool
    func forEachDot(_ fields: Schema, _ body: (Dot) -> Void)
    func forEachDot(_ fields: Schema, in context: CausalContext, _ body: (Dot) -> Void)
    func fingerprint(of replica: ReplicaID, in fields: Schema) -> UInt64
    func isEqual(_ left: Schema, _ right: Schema) -> Bool
    func merge(
        _ fields: inout Schema, _ other: Schema, _ context: CausalContext, _ otherContext: CausalContext,
        _ fallen: inout FallenDots
    ) -> Bool
    func restrict(_ fields: Schema, to dots: CausalContext, into part: inout Schema)
    /// What a dot holds up, written alone: without what was met before.
    func encodedContent(of dot: Dot, in fields: Schema) -> [UInt8]
    /// Reads what `encodedContent` wrote; changes nothing where that fails.
    func decodeContent(of dot: Dot, _ bytes: [UInt8], into fields: inout Schema) throws(DecodingFailure)
}

struct StateFieldAccess<Schema, State: CausalState>: RecordFieldAccess where State.Store: CodableDotStore {
    let path: any WritableKeyPath<Schema, State> & Sendable

    var keyPath: PartialKeyPath<Schema> { path }

    func description(_ fields: Schema) -> String { "\(State(Causal(store: store(fields), seen: CausalContext())))" }

    private func store(_ fields: Schema) -> State.Store { fields[keyPath: path].causal.store }

    func isEmpty(_ fields: Schema) -> Bool { store(fields).isEmpty }

    func dotCount(_ fields: Schema) -> Int { store(fields).dotCount }

    func contains(_ dot: Dot, in fields: Schema) -> Bool { store(fields).contains(dot) }

    func forEachDot(_ fields: Schema, _ body: (Dot) -> Void) { store(fields).forEachDot(body) }

    func forEachDot(_ fields: Schema, in context: CausalContext, _ body: (Dot) -> Void) {
        store(fields).forEachDot(in: context, body)
    }

    func fingerprint(of replica: ReplicaID, in fields: Schema) -> UInt64 { store(fields).fingerprint(of: replica) }

    func isEqual(_ left: Schema, _ right: Schema) -> Bool { store(left) == store(right) }

    func merge(
        _ fields: inout Schema, _ other: Schema, _ context: CausalContext, _ otherContext: CausalContext,
        _ fallen: inout FallenDots
    ) -> Bool {
        fields[keyPath: path].causal.liveStore.merge(
            store(other), context: context, otherContext: otherContext, fallen: &fallen)
    }

    func restrict(_ fields: Schema, to dots: CausalContext, into part: inout Schema) {
        part[keyPath: path].causal.liveStore = store(fields).restricted(to: dots)
    }

    func encodedContent(of dot: Dot, in fields: Schema) -> [UInt8] {
        var encoder = CanonicalEncoder()
        var coding = State.Store.Coding()
        store(fields).encodeContent(of: dot, into: &encoder, &coding)
        return encoder.bytes
    }

    func decodeContent(of dot: Dot, _ bytes: [UInt8], into fields: inout Schema) throws(DecodingFailure) {
        var trial = State.Store()
        try Self.decode(dot, bytes, into: &trial)
        try Self.decode(dot, bytes, into: &fields[keyPath: path].causal.liveStore)
    }

    private static func decode(_ dot: Dot, _ bytes: [UInt8], into store: inout State.Store) throws(DecodingFailure) {
        var decoder = CanonicalDecoder(bytes)
        var coding = State.Store.Coding()
        try store.decodeContent(of: dot, from: &decoder, &coding)
        try decoder.finish()
    }
}
