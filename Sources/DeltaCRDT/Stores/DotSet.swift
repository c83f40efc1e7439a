/// Dots and nothing else: something exists while at least one of them does.
///
/// Made for a few dots, as many as there were writers at the same time. One takes no allocation; more are kept as ranges, so that any
/// number of dots in a row costs the same.
public struct DotSet: DotStore {
    /// Whether something exists now that did not, or no longer.
    public typealias Change = Bool

    @usableFromInline
    enum Storage: Hashable, Sendable {
        case none
        case one(Dot)
        /// Two dots at least.
        case several(CausalContext)
    }

    @usableFromInline private(set) var storage = Storage.none

    /// No dots. Complexity: O(1).
    @inlinable public init() {}

    /// Holds one dot. Complexity: O(1).
    public init(_ dot: Dot) {
        storage = .one(dot)
    }

    init(_ dots: LiveDots) {
        var ranges = CausalContext()
        dots.forEachRun { ranges.insert(replica: $0, counters: $1) }
        self.init(ranges)
    }

    private init(_ dots: CausalContext) {
        guard dots.rangeCount == 1 else {
            storage = dots.isEmpty ? .none : .several(dots)
            return
        }
        dots.forEachRange { replica, counters in
            storage =
                counters.lowerBound == counters.upperBound
                ? .one(Dot(replica: replica, counter: counters.lowerBound)) : .several(dots)
        }
    }

    /// The dots as ranges.
    private var ranges: CausalContext {
        switch storage {
        case .none: CausalContext()
        case .one(let dot): CausalContext(dot)
        case .several(let dots): dots
        }
    }

    /// Whether nothing is alive. Complexity: O(1).
    public var isEmpty: Bool {
        if case .none = storage { true } else { false }
    }

    /// How many dots there are; `Int.max` for more than that. Complexity: O(ranges).
    public var count: Int {
        switch storage {
        case .none: 0
        case .one: 1
        case .several(let dots): dots.count
        }
    }

    /// How many dots hold something up. Complexity: O(ranges).
    public var dotCount: Int { count }

    /// Complexity: O(log ranges).
    public func contains(_ dot: Dot) -> Bool {
        switch storage {
        case .none: false
        case .one(let single): single == dot
        case .several(let dots): dots.contains(dot)
        }
    }

    /// Adds a dot; says whether it was new. Complexity: O(ranges).
    @discardableResult
    public mutating func insert(_ dot: Dot) -> Bool {
        guard !contains(dot) else { return false }
        if case .none = storage {
            storage = .one(dot)
        } else {
            var dots = ranges
            storage = .none
            dots.insert(dot)
            storage = .several(dots)
        }
        return true
    }

    /// Visits every dot that holds something up, upwards. Complexity: O(n).
    public func forEachDot(_ body: (Dot) -> Void) {
        forEachRun { replica, counters in
            for counter in counters { body(Dot(replica: replica, counter: counter)) }
        }
    }

    /// Visits the dots that hold something up as maximal ranges, upwards. Complexity: O(ranges).
    public func forEachRun(_ body: (ReplicaID, ClosedRange<UInt64>) -> Void) {
        switch storage {
        case .none: break
        case .one(let dot): body(dot.replica, dot.counter...dot.counter)
        case .several(let dots): dots.forEachRange(body)
        }
    }

    /// Visits the dots that a context has seen, upwards. Complexity: O(ranges of both + dots found).
    public func forEachDot(in context: CausalContext, _ body: (Dot) -> Void) {
        switch storage {
        case .none: break
        case .one(let dot): if context.contains(dot) { body(dot) }
        case .several(let dots): DotSet(dots.intersection(context)).forEachDot(body)
        }
    }

    /// The dots, or those that a context has seen. Complexity: O(ranges of both).
    public func dots(in past: CausalContext?) -> CausalContext {
        past.map { ranges.intersection($0) } ?? ranges
    }

    /// The dots that another holds up, a context has seen, and this one does not hold up. Complexity: O(ranges of all).
    public func dotsMissing(of other: DotSet, in context: CausalContext) -> CausalContext {
        other.dots(in: context).subtracting(ranges)
    }

    /// Visits none: dots have no contents. Complexity: O(1).
    public func forEachConflict(with other: DotSet, _ body: (Dot) -> Void) {}

    /// Joins another state's store, and tells what can be seen to have changed.
    ///
    /// Complexity: of a delta, O(its ranges · log n), and to move what comes after them; else O(ranges of both, and of the contexts).
    public mutating func merge(
        _ other: DotSet, context: CausalContext, otherContext: CausalContext, fallen: inout FallenDots,
        onChange: (Bool) -> Void
    ) -> Bool {
        let wasEmpty = isEmpty
        defer { if wasEmpty != isEmpty { onChange(!isEmpty) } }
        switch (storage, other.storage) {
        case (.none, .none): return false
        case (.one(let dot), .none):
            guard otherContext.contains(dot) else { return false }
            fallen.append(dot)
            storage = .none
            return true
        case (.none, .one(let dot)):
            guard !context.contains(dot) else { return false }
            storage = .one(dot)
            return true
        case (.one(let dot), .one(let single)):
            guard dot != single else { return false }
            let isNew = !context.contains(single)
            guard otherContext.contains(dot) else {
                if isNew { storage = .several(CausalContext([dot, single])) }
                return isNew
            }
            fallen.append(dot)
            storage = isNew ? .one(single) : .none
            return true
        default: break
        }
        let gone = ranges.intersection(otherContext).subtracting(other.ranges)
        let new = other.ranges.subtracting(context)
        guard !gone.isEmpty || !new.isEmpty else { return false }
        gone.forEachRange { fallen.append($0, $1) }
        var dots = ranges
        // Let go of the storage, or changing it would copy it.
        storage = .none
        dots.subtract(gone)
        dots.merge(new)
        self = DotSet(dots)
        return true
    }

    /// The part of the store that stands on some dots. Complexity: O(ranges of both).
    public func restricted(to dots: CausalContext) -> DotSet {
        switch storage {
        case .none: self
        case .one(let dot): dots.contains(dot) ? self : DotSet()
        case .several(let all): DotSet(all.intersection(dots))
        }
    }
}

extension DotSet {
    /// Dots in a row are told by fewer numbers: 64 of them that begin at a multiple of 64 by one, and so are two such blocks that begin
    /// at a multiple of both, and so on. Complexity: O(ranges · 64).
    public func fingerprint(of replica: ReplicaID, in range: ClosedRange<UInt64>) -> UInt64 {
        var sum: UInt64 = 0
        let salt = replica.fingerprintSalt
        forEachRun { owner, counters in
            guard owner == replica, counters.overlaps(range) else { return }
            let common = counters.clamped(to: range)
            sum &+= Self.fingerprint(salt, common.lowerBound, through: common.upperBound)
        }
        return sum
    }

    private static func fingerprint(_ salt: UInt64, _ first: UInt64, through last: UInt64) -> UInt64 {
        var sum: UInt64 = 0
        var next = first
        while next <= last {
            // The greatest block that begins here and ends within.
            var level = min(next.trailingZeroBitCount, 56)
            while level > 0, last - next < 1 << UInt64(level) - 1 { level -= 1 }
            if level < 6 { level = 0 }
            let block = Dot.fingerprint(salt: salt, counter: next)
            sum &+= level == 0 ? block : SplitMix64.mixed(block ^ UInt64(level))
            next += 1 << UInt64(level)
        }
        return sum
    }
}
