/// Dots and nothing else: something exists while at least one of them does.
///
/// Made for a few dots, as many as there were writers at the same time. One takes no allocation.
public struct DotSet: DotStore {
    /// Whether something exists now that did not, or no longer.
    public typealias Change = Bool

    @usableFromInline
    struct Nothing: Hashable, Sendable {
        @inlinable init() {}
    }

    @usableFromInline var few = FewDots<Nothing>.none

    /// No dots. Complexity: O(1).
    @inlinable
    public init() {}

    /// Holds one dot. Complexity: O(1).
    @inlinable
    public init(_ dot: Dot) {
        few = .one(.init(dot: dot, value: Nothing()))
    }

    /// Whether nothing is alive. Complexity: O(1).
    @inlinable public var isEmpty: Bool { few.count == 0 }

    /// How many dots there are. Complexity: O(1).
    @inlinable public var count: Int { few.count }

    /// How many dots hold something up. Complexity: O(1).
    @inlinable public var dotCount: Int { few.count }

    /// Complexity: O(log n).
    @inlinable
    public func contains(_ dot: Dot) -> Bool { few[dot] != nil }

    /// Adds a dot; says whether it was new. Complexity: O(n).
    @inlinable
    @discardableResult
    public mutating func insert(_ dot: Dot) -> Bool {
        few.set(.init(dot: dot, value: Nothing()))
    }

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

    /// Joins another state's store, and tells what can be seen to have changed.
    ///
    /// Complexity: O(n + m) for the n dots of both, times the logarithm of the contexts' ranges.
    @inlinable
    public mutating func merge(
        _ other: DotSet, context: CausalContext, otherContext: CausalContext, fallen: inout FallenDots,
        onChange: (Bool) -> Void
    ) -> Bool {
        let wasEmpty = isEmpty
        let changed = few.merge(other.few, context: context, otherContext: otherContext, fallen: &fallen)
        if wasEmpty != isEmpty { onChange(!isEmpty) }
        return changed
    }

    /// The part of the store that stands on some dots.
    ///
    /// Complexity: O(ranges of the dots · log n + dots found), or O(n) where that is less.
    @inlinable
    public func restricted(to dots: CausalContext) -> DotSet {
        var part = DotSet()
        part.few = few.restricted(to: dots)
        return part
    }
}
