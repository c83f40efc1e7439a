/// A value for each dot: what was written by an event that nobody has overwritten yet.
///
/// Made for a few dots, as many as there were writers at the same time. One takes no allocation. ``DotTable`` is the
/// store for many.
public struct DotFun<Value: Hashable & Sendable>: DotStore {
    /// The values that survive now.
    public typealias Change = [Value]

    /// A write and what it wrote.
    public struct Entry: Hashable, Sendable {
        public let dot: Dot
        public let value: Value

        @inlinable init(dot: Dot, value: Value) {
            self.dot = dot
            self.value = value
        }
    }

    @usableFromInline var few = FewDots<Value>.none

    @inlinable
    public init() {}

    /// Holds one write.
    @inlinable
    public init(_ dot: Dot, _ value: Value) {
        few = .one(.init(dot: dot, value: value))
    }

    /// The surviving writes in the order of their dots: the same on every replica with the same state.
    @inlinable public var entries: [Entry] {
        var entries: [Entry] = []
        entries.reserveCapacity(count)
        few.forEach { entries.append(Entry(dot: $0.dot, value: $0.value)) }
        return entries
    }

    @inlinable public var isEmpty: Bool { few.count == 0 }

    /// How many writes survive.
    @inlinable public var count: Int { few.count }

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

    /// Visits the surviving writes in the order of their dots.
    @inlinable
    public func forEach(_ body: (Dot, Value) -> Void) {
        few.forEach { body($0.dot, $0.value) }
    }

    @inlinable
    public func contains(_ dot: Dot) -> Bool { few[dot] != nil }

    @inlinable
    public func forEachDot(_ body: (Dot) -> Void) {
        few.forEach { body($0.dot) }
    }

    @inlinable
    public func forEachDot(in context: CausalContext, _ body: (Dot) -> Void) {
        few.forEach(in: context) { body($0.dot) }
    }

    @inlinable
    public func fingerprint(of replica: ReplicaID) -> UInt64 { few.fingerprint(of: replica) }

    @inlinable
    public mutating func merge(
        _ other: DotFun, context: CausalContext, otherContext: CausalContext, fallen: inout FallenDots,
        onChange: ([Value]) -> Void
    ) -> Bool {
        let changed = few.merge(other.few, context: context, otherContext: otherContext, fallen: &fallen)
        if changed { onChange(entries.map(\.value)) }
        return changed
    }

    @inlinable
    public mutating func merge(
        _ other: DotFun, context: CausalContext, otherContext: CausalContext, fallen: inout FallenDots
    ) -> Bool {
        few.merge(other.few, context: context, otherContext: otherContext, fallen: &fallen)
    }

    @inlinable
    public func restricted(to dots: CausalContext) -> DotFun {
        var part = DotFun()
        part.few = few.restricted(to: dots)
        return part
    }
}
