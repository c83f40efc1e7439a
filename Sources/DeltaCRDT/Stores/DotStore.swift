/// What is alive in a causal state: every piece of it is held up by a dot, and falls when the dot is covered.
///
/// A dot in a context but not in the store that belongs to it was overwritten or removed. Several stores can share one
/// context: merge each of them with both contexts first, and the contexts last.
///
/// ```swift
/// struct Board: Hashable {
///     var names = DotMap<String, DotFun<String>>()
///     var pins = DotSet()
///     var context = CausalContext()
///
///     mutating func merge(_ other: Board) {
///         names.merge(other.names, context: context, otherContext: other.context)
///         pins.merge(other.pins, context: context, otherContext: other.context)
///         context.merge(other.context)
///     }
/// }
/// ```
///
/// In one store a dot stands in one place with one content, and it is in the context that belongs to the store. Where a
/// dot was used twice, for two contents, nothing breaks, but replicas may keep different ones;
/// ``forEachConflict(with:_:)`` finds it.
public protocol DotStore: Hashable, Sendable {
    /// What a merge can tell about what it did, for a view to follow.
    associatedtype Change: Sendable

    /// Nothing alive. Complexity: to be O(1).
    init()

    /// Whether nothing is alive. Complexity: to be O(1).
    var isEmpty: Bool { get }

    /// How many dots hold something up. Has a default, which visits every dot. Complexity: by default O(n).
    var dotCount: Int { get }

    /// Visits every dot that holds something up, upwards. Complexity: O(n).
    func forEachDot(_ body: (Dot) -> Void)

    /// Visits the dots that hold something up as maximal ranges, upwards. Has a default, which visits every dot.
    ///
    /// Complexity: by default O(n).
    func forEachRun(_ body: (ReplicaID, ClosedRange<UInt64>) -> Void)

    /// Visits the dots that a context has seen, upwards. Has a default, which asks for every dot.
    ///
    /// Complexity: by default O(n log ranges).
    func forEachDot(in context: CausalContext, _ body: (Dot) -> Void)

    /// Whether the dot holds something up. Has a default, which visits every dot. Complexity: by default O(n).
    func contains(_ dot: Dot) -> Bool

    /// The dots that hold this store up, or those of them that a context has seen. Has a default, which visits every dot.
    ///
    /// This is what an overwrite or a removal covers: with no past given, all that is here; with one, what the writer
    /// had seen, which is the same on every replica that has at least that past.
    ///
    /// Complexity: by default O(n), times the logarithm of the past's ranges.
    func dots(in past: CausalContext?) -> CausalContext

    /// The dots that hold another store up, that a context has seen, and that do not hold up this one. Has a default, which visits
    /// every dot of the other. Complexity: by default O(n log n).
    func dotsMissing(of other: Self, in context: CausalContext) -> CausalContext

    /// Joins another state's store: what both have, and what one has and the other has not yet seen.
    ///
    /// A small delta costs in its own size and that of its context, not in the size of this store.
    ///
    /// - Parameters:
    ///   - other: the other state's store.
    ///   - context: what this state has seen, not yet joined with the other's.
    ///   - otherContext: what the other state has seen.
    ///   - fallen: is told of each dot that held something up here and no longer does.
    ///   - onChange: is told of what can be seen to have changed.
    /// - Returns: whether this store changed.
    ///
    /// Complexity: of the library's stores, O(what comes and falls) for a delta.
    mutating func merge(
        _ other: Self, context: CausalContext, otherContext: CausalContext, fallen: inout FallenDots,
        onChange: (Change) -> Void
    ) -> Bool

    /// The same, telling nobody. Has a default; a store that finds out its changes for the telling only does without.
    ///
    /// Complexity: as with telling.
    mutating func merge(
        _ other: Self, context: CausalContext, otherContext: CausalContext, fallen: inout FallenDots
    ) -> Bool

    /// Visits the dots that hold up one thing here and another in the other store: events that were given to two contents. Has a
    /// default, which compares the parts of both that stand on each dot of the lesser store.
    ///
    /// Complexity: by default O(m log n) for the m dots of the lesser one.
    func forEachConflict(with other: Self, _ body: (Dot) -> Void)

    /// The part of the store that stands on dots of `dots`.
    ///
    /// Complexity: of the library's stores, O(ranges of the dots · log n + what is found).
    func restricted(to dots: CausalContext) -> Self

    /// The sum of the fingerprints of one replica's dots. Has a default, which visits every dot.
    ///
    /// Complexity: by default O(n).
    func fingerprint(of replica: ReplicaID) -> UInt64

    /// A fingerprint of one replica's dots in a range, for two of such a store to be compared by. Has a default: the sum of the dots'
    /// fingerprints.
    ///
    /// Complexity: by default that of ``fingerprint(of:)`` and O(dots beyond) from the first event on, else O(dots in the range).
    func fingerprint(of replica: ReplicaID, in counters: ClosedRange<UInt64>) -> UInt64
}

/// Collects the dots that fall in a merge, if anyone wants to know.
public struct FallenDots: Sendable {
    @usableFromInline private(set) var dots: [Dot] = []
    @usableFromInline let isCollecting: Bool

    /// Forgets what it is told. Complexity: O(1).
    @inlinable public init() { isCollecting = false }

    @inlinable init(collecting: Bool) { isCollecting = collecting }

    @usableFromInline var isEmpty: Bool { dots.isEmpty }

    /// Notes a dot, if anyone wants to know. Complexity: O(1) amortised.
    public mutating func append(_ dot: Dot) {
        if isCollecting { dots.append(dot) }
    }

    /// How many fell that are not named.
    @usableFromInline private(set) var unnamed: UInt64 = 0

    /// Notes that something fell which others have forgotten.
    @usableFromInline
    mutating func appendUnnamed(_ count: UInt64) { unnamed &+= count }

    /// Notes a range of dots, the last of them at least: more are not remembered anyway.
    mutating func append(_ replica: ReplicaID, _ counters: ClosedRange<UInt64>) {
        guard isCollecting else { return }
        let (first, last) = (counters.lowerBound, counters.upperBound)
        let most = UInt64(RecentRemovals.most * 2)
        let named = last - first < most ? first : last - most + 1
        unnamed &+= named - first
        for counter in named...last { append(Dot(replica: replica, counter: counter)) }
    }
}

extension DotStore {
    /// Joins another state's store; see ``merge(_:context:otherContext:fallen:onChange:)``.
    ///
    /// Complexity: as ``merge(_:context:otherContext:fallen:onChange:)``.
    @inlinable
    @discardableResult
    public mutating func merge(_ other: Self, context: CausalContext, otherContext: CausalContext) -> Bool {
        var unheard = FallenDots()
        return merge(other, context: context, otherContext: otherContext, fallen: &unheard)
    }

    /// The dots that hold this store up. Complexity: by default O(n).
    @inlinable
    public func dots() -> CausalContext { dots(in: nil) }

    /// The dots that hold this store up, or those of them that a context has seen.
    ///
    /// Complexity: by default that of ``forEachDot(in:_:)``, O(n) with no past.
    @inlinable
    public func dots(in past: CausalContext?) -> CausalContext {
        var found = CausalContext()
        // A store that keeps dots by replica need not look at all of them.
        if let past { forEachDot(in: past) { found.insert($0) } } else { forEachDot { found.insert($0) } }
        return found
    }

    /// The dots that hold another store up, that a context has seen, and that do not hold up this one.
    ///
    /// Complexity: by default O(n log n).
    @inlinable
    public func dotsMissing(of other: Self, in context: CausalContext) -> CausalContext {
        var missing = CausalContext()
        other.forEachDot(in: context) { if !contains($0) { missing.insert($0) } }
        return missing
    }

    /// A fingerprint of one replica's dots in a range.
    ///
    /// Complexity: by default that of ``fingerprint(of:)`` and O(dots beyond) from the first event on, else O(dots in the range).
    @inlinable
    public func fingerprint(of replica: ReplicaID, in counters: ClosedRange<UInt64>) -> UInt64 {
        var sum: UInt64 = 0
        var range = CausalContext()
        if counters.lowerBound > 1 {
            range.insert(replica: replica, counters: counters)
            forEachDot(in: range) { sum &+= $0.fingerprint }
        } else {
            sum = fingerprint(of: replica)
            guard counters.upperBound < Dot.maximumCounter else { return sum }
            range.insert(replica: replica, counters: counters.upperBound + 1...Dot.maximumCounter)
            forEachDot(in: range) { sum &-= $0.fingerprint }
        }
        return sum
    }

    /// Joins another state's store, telling nobody what changed. Complexity: as with telling.
    @inlinable
    public mutating func merge(
        _ other: Self, context: CausalContext, otherContext: CausalContext, fallen: inout FallenDots
    ) -> Bool {
        merge(other, context: context, otherContext: otherContext, fallen: &fallen) { _ in }
    }

    /// Visits the dots that hold up one thing here and another in the other store.
    ///
    /// Complexity: by default O(m log n) for the m dots of the lesser one.
    @inlinable
    public func forEachConflict(with other: Self, _ body: (Dot) -> Void) {
        let (lesser, greater) = dotCount < other.dotCount ? (self, other) : (other, self)
        lesser.forEachDot { dot in
            guard greater.contains(dot) else { return }
            let event = CausalContext(dot)
            if lesser.restricted(to: event) != greater.restricted(to: event) { body(dot) }
        }
    }

    /// How many dots hold something up. Complexity: by default O(n).
    @inlinable
    public var dotCount: Int {
        var count = 0
        forEachDot { _ in count += 1 }
        return count
    }

    /// Visits the dots that hold something up as maximal ranges, upwards. Complexity: by default O(n).
    @inlinable
    public func forEachRun(_ body: (ReplicaID, ClosedRange<UInt64>) -> Void) {
        var dots = LiveDots()
        forEachDot { dots.append($0) }
        dots.forEachRun(body)
    }

    /// Visits the dots that a context has seen, upwards. Complexity: by default O(n log ranges).
    @inlinable
    public func forEachDot(in context: CausalContext, _ body: (Dot) -> Void) {
        forEachDot { if context.contains($0) { body($0) } }
    }

    /// Whether the dot holds something up. Complexity: by default O(n).
    @inlinable
    public func contains(_ dot: Dot) -> Bool {
        var isHere = false
        forEachDot { if $0 == dot { isHere = true } }
        return isHere
    }

    /// The sum of the fingerprints of one replica's dots. Complexity: by default O(n).
    @inlinable
    public func fingerprint(of replica: ReplicaID) -> UInt64 {
        var sum: UInt64 = 0
        forEachDot { if $0.replica == replica { sum &+= $0.fingerprint } }
        return sum
    }
}
