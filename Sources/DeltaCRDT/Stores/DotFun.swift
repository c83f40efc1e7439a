/// A value for each dot: what was written by an event that nobody has overwritten yet.
///
/// Made for a few dots, as many as there were writers at the same time. One takes no allocation. ``DotTable`` is the
/// store for many.
public struct DotFun<Value: Hashable & Sendable>: DotStore {
    /// The values that survive now.
    public typealias Change = [Value]

    /// A write and what it wrote.
    public struct Entry: Hashable, Sendable {
        /// The event that wrote.
        public let dot: Dot
        /// What it wrote.
        public let value: Value

        @inlinable init(dot: Dot, value: Value) {
            self.dot = dot
            self.value = value
        }
    }

    @usableFromInline var few = FewDots<Value>.none

    /// No writes. Complexity: O(1).
    @inlinable
    public init() {}

    /// Holds one write. Complexity: O(1).
    @inlinable
    public init(_ dot: Dot, _ value: Value) {
        few = .one(.init(dot: dot, value: value))
    }

    /// The surviving writes in the order of their dots: the same on every replica with the same state.
    ///
    /// Complexity: O(n).
    @inlinable public var entries: [Entry] {
        var entries: [Entry] = []
        entries.reserveCapacity(count)
        few.forEach { entries.append(Entry(dot: $0.dot, value: $0.value)) }
        return entries
    }

    /// Whether nothing is alive. Complexity: O(1).
    @inlinable public var isEmpty: Bool { few.count == 0 }

    /// How many writes survive. Complexity: O(1).
    @inlinable public var count: Int { few.count }

    /// How many dots hold something up. Complexity: O(1).
    @inlinable public var dotCount: Int { few.count }

    /// What a dot wrote; setting nil forgets it. Complexity: O(log n) to read, O(n) to write.
    @inlinable public subscript(dot: Dot) -> Value? {
        get { few[dot] }
        set {
            if let value = newValue {
                _ = few.set(.init(dot: dot, value: value))
            } else {
                _ = few.filter { $0 != dot }
            }
        }
    }

    /// Forgets some writes, whose dots ascend. Complexity: O((n + 1) log m) for the m that are forgotten.
    @inlinable
    package mutating func forget(_ superseded: [Dot]) {
        few.replace(superseded, with: nil)
    }

    /// Visits the surviving writes in the order of their dots. Complexity: O(n).
    @inlinable
    public func forEach(_ body: (Dot, Value) -> Void) {
        few.forEach { body($0.dot, $0.value) }
    }

    /// Whether the dot holds something up. Complexity: O(log n).
    @inlinable
    public func contains(_ dot: Dot) -> Bool { few[dot] != nil }

    /// Visits every dot that holds something up, upwards. Complexity: O(n).
    @inlinable
    public func forEachDot(_ body: (Dot) -> Void) {
        few.forEach { body($0.dot) }
    }

    /// Visits the dots that a context has seen, upwards.
    ///
    /// Complexity: O(ranges of the context · log n + dots found), or O(n) where that is less.
    @inlinable
    public func forEachDot(in context: CausalContext, _ body: (Dot) -> Void) {
        few.forEach(in: context) { body($0.dot) }
    }

    /// The sum of the fingerprints of one replica's dots. Complexity: O(log n + dots of the replica).
    @inlinable
    public func fingerprint(of replica: ReplicaID) -> UInt64 { few.fingerprint(of: replica) }

    /// Visits the dots that wrote one value here and another there. Complexity: O(m log n) for the m dots of the lesser one.
    @inlinable
    public func forEachConflict(with other: DotFun, _ body: (Dot) -> Void) {
        let (lesser, greater) = count < other.count ? (few, other.few) : (other.few, few)
        lesser.forEach { entry in
            if let value = greater[entry.dot], value != entry.value { body(entry.dot) }
        }
    }

    /// Joins another state's store, and tells what can be seen to have changed.
    ///
    /// Complexity: O(n + m) for the n dots of both, times the logarithm of the contexts' ranges.
    @inlinable
    public mutating func merge(
        _ other: DotFun, context: CausalContext, otherContext: CausalContext, fallen: inout FallenDots,
        onChange: ([Value]) -> Void
    ) -> Bool {
        let changed = few.merge(other.few, context: context, otherContext: otherContext, fallen: &fallen)
        if changed { onChange(entries.map { $0.value }) }
        return changed
    }

    /// Joins another state's store, telling nobody what changed.
    ///
    /// Complexity: O(n + m) for the n dots of both, times the logarithm of the contexts' ranges.
    @inlinable
    public mutating func merge(
        _ other: DotFun, context: CausalContext, otherContext: CausalContext, fallen: inout FallenDots
    ) -> Bool {
        few.merge(other.few, context: context, otherContext: otherContext, fallen: &fallen)
    }

    /// The part of the store that stands on some dots.
    ///
    /// Complexity: O(ranges of the dots · log n + dots found), or O(n) where that is less.
    @inlinable
    public func restricted(to dots: CausalContext) -> DotFun {
        var part = DotFun()
        part.few = few.restricted(to: dots)
        return part
    }
}
