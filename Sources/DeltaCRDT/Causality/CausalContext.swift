/// The set of events that a state has seen, whether or not they left anything alive.
///
/// A version vector, and beyond it islands: ranges of events whose predecessors are not all here. A delta's context is
/// mostly islands; the context of a state that takes its deltas in order is a plain version vector.
///
/// Invariant: the islands of a replica are sorted, lie at least one missing event above its number in the vector,
/// and at least one missing event apart.
public struct CausalContext: Hashable, Sendable {
    /// The islands of one replica, never empty.
    struct Islands: Hashable, Sendable {
        let replica: ReplicaID
        var ranges: [ClosedRange<UInt64>]
    }

    /// For each replica, the greatest number up to which every event is here. Complexity: O(1).
    public private(set) var versionVector = VersionVector()
    private(set) var islands: [Islands] = []

    /// Has seen nothing.
    public init() {}

    /// Has seen exactly what the vector knows.
    public init(_ versionVector: VersionVector) {
        self.versionVector = versionVector
    }

    /// Has seen exactly one event.
    public init(_ dot: Dot) {
        insert(dot)
    }

    /// Has seen exactly these events. Complexity: O(n log n).
    public init(_ dots: some Sequence<Dot>) {
        for dot in dots.sorted() { insert(dot) }
    }

    public var isEmpty: Bool { versionVector.isEmpty && islands.isEmpty }

    /// Whether no event is here without all its predecessors.
    public var isVersionVector: Bool { islands.isEmpty }

    /// Whether the event was seen. Complexity: O(log replicas + log islands).
    public func contains(_ dot: Dot) -> Bool {
        if versionVector.contains(dot) { return true }
        guard !islands.isEmpty, let ranges = ranges(of: dot.replica) else { return false }
        let index = Self.firstRange(of: ranges, endingAtOrAbove: dot.counter)
        return index < ranges.count && ranges[index].lowerBound <= dot.counter
    }

    /// The number of the replica's last event here, 0 if there is none.
    public func lastCounter(of replica: ReplicaID) -> UInt64 {
        ranges(of: replica)?.last?.upperBound ?? versionVector[replica]
    }

    /// The event that the replica makes next: one more than its last here.
    public func nextDot(for replica: ReplicaID) -> Dot {
        Dot(replica: replica, counter: lastCounter(of: replica) + 1)
    }

    /// Marks an event as seen; says whether it was new.
    @discardableResult
    public mutating func insert(_ dot: Dot) -> Bool {
        insert(replica: dot.replica, counters: dot.counter...dot.counter)
    }

    /// Marks a range of one replica's events as seen; says whether any was new. The range must not contain 0.
    ///
    /// Complexity: O(log replicas + islands of the replica), amortised O(log replicas) at the end of what is here.
    @discardableResult
    public mutating func insert(replica: ReplicaID, counters: ClosedRange<UInt64>) -> Bool {
        precondition(counters.lowerBound > 0, "events are numbered from 1")
        let known = versionVector[replica]
        guard counters.upperBound > known else { return false }
        let place = islandsPosition(of: replica)
        let found = place < islands.count && islands[place].replica == replica
        if !found, counters.lowerBound <= known + 1 {
            versionVector[replica] = counters.upperBound
            return true
        }
        if !found {
            islands.insert(Islands(replica: replica, ranges: [counters]), at: place)
            return true
        }
        let grew = Self.insert(counters, into: &islands[place].ranges)
        if counters.lowerBound <= known + 1 || islands[place].ranges[0].lowerBound == known + 1 {
            versionVector[replica] = islands[place].ranges.removeFirst().upperBound
            if islands[place].ranges.isEmpty { islands.remove(at: place) }
            return true
        }
        return grew
    }

    /// Marks everything that the other has seen; says whether any of it was new.
    @discardableResult
    public mutating func merge(_ other: CausalContext) -> Bool {
        var changed = false
        if islands.isEmpty {
            changed = versionVector.merge(other.versionVector)
        } else {
            for entry in other.versionVector.entries {
                if insert(replica: entry.replica, counters: 1...entry.counter) { changed = true }
            }
        }
        for island in other.islands {
            for range in island.ranges where insert(replica: island.replica, counters: range) { changed = true }
        }
        return changed
    }

    /// Whether the other has seen every event that this one has.
    public func isSubset(of other: CausalContext) -> Bool {
        var contained = true
        forEachRange { replica, range in
            if contained, !other.containsAll(of: range, by: replica) { contained = false }
        }
        return contained
    }

    /// Visits the events as maximal ranges, by replica, then upwards. Complexity: O(ranges).
    public func forEachRange(_ body: (ReplicaID, ClosedRange<UInt64>) -> Void) {
        var (i, j) = (0, 0)
        let entries = versionVector.entries
        while i < entries.count || j < islands.count {
            let replica: ReplicaID
            if j == islands.count || i < entries.count && entries[i].replica <= islands[j].replica {
                replica = entries[i].replica
                body(replica, 1...entries[i].counter)
                i += 1
            } else {
                replica = islands[j].replica
            }
            if j < islands.count, islands[j].replica == replica {
                for range in islands[j].ranges { body(replica, range) }
                j += 1
            }
        }
    }

    /// The events that this context has seen and the other has not. Complexity: O(ranges of both).
    public func subtracting(_ other: CausalContext) -> CausalContext {
        var rest = CausalContext()
        forEachRange { replica, range in
            // Islands lie above the vector's number, so the vector cuts only at the lower end.
            var low = max(range.lowerBound, other.versionVector[replica] + 1)
            let cuts = other.ranges(of: replica) ?? []
            for cut in cuts[Self.firstRange(of: cuts, endingAtOrAbove: low)...] {
                guard cut.lowerBound <= range.upperBound else { break }
                if cut.lowerBound > low { rest.insert(replica: replica, counters: low...cut.lowerBound - 1) }
                low = cut.upperBound + 1
                if low > range.upperBound { break }
            }
            if low <= range.upperBound { rest.insert(replica: replica, counters: low...range.upperBound) }
        }
        return rest
    }

    /// Whether a whole range of one replica's events was seen.
    func containsAll(of range: ClosedRange<UInt64>, by replica: ReplicaID) -> Bool {
        if range.upperBound <= versionVector[replica] { return true }
        guard let ranges = ranges(of: replica) else { return false }
        let index = Self.firstRange(of: ranges, endingAtOrAbove: range.upperBound)
        return index < ranges.count && ranges[index].lowerBound <= range.lowerBound
    }

    /// The islands of a replica.
    func ranges(of replica: ReplicaID) -> [ClosedRange<UInt64>]? {
        guard !islands.isEmpty else { return nil }
        let place = islandsPosition(of: replica)
        return place < islands.count && islands[place].replica == replica ? islands[place].ranges : nil
    }

    private func islandsPosition(of replica: ReplicaID) -> Int {
        var (low, high) = (0, islands.count)
        while low < high {
            let middle = (low + high) / 2
            if islands[middle].replica < replica { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private static func firstRange(of ranges: [ClosedRange<UInt64>], endingAtOrAbove counter: UInt64) -> Int {
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound < counter { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Unites a range with sorted ranges; says whether it added anything.
    private static func insert(_ range: ClosedRange<UInt64>, into ranges: inout [ClosedRange<UInt64>]) -> Bool {
        // Ranges that touch the new one are united with it, so begin at the one that ends just below it.
        let first = firstRange(of: ranges, endingAtOrAbove: range.lowerBound - 1)
        var after = first
        var united = range
        while after < ranges.count, ranges[after].lowerBound <= range.upperBound &+ 1 {
            united = min(united.lowerBound, ranges[after].lowerBound)...max(united.upperBound, ranges[after].upperBound)
            after += 1
        }
        if after == first + 1, ranges[first] == united { return false }
        ranges.replaceSubrange(first..<after, with: CollectionOfOne(united))
        return true
    }
}

extension CausalContext: CustomStringConvertible {
    public var description: String {
        var parts: [String] = []
        forEachRange { replica, range in parts.append("\(replica):\(range.lowerBound)–\(range.upperBound)") }
        return "{" + parts.joined(separator: " ") + "}"
    }
}
