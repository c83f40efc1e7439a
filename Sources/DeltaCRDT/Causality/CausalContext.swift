/// The set of events that a state has seen, whether or not they left anything alive.
///
/// A version vector, and beyond it islands: ranges of events whose predecessors are not all here. A delta's context is
/// mostly islands; the context of a state that takes its deltas in order is a plain version vector.
///
/// Invariant: islands are sorted by replica, then upwards; they lie at least one missing event above their replica's number in
/// the vector, and at least one missing event apart.
public struct CausalContext: Hashable, Sendable {
    /// A range of one replica's events.
    struct Island: Hashable, Sendable {
        let replica: ReplicaID
        let counters: ClosedRange<UInt64>

        func begins(before other: ReplicaID, _ counter: UInt64) -> Bool {
            replica == other ? counters.lowerBound < counter : replica < other
        }
    }

    /// For each replica, the greatest number up to which every event is here. Complexity: O(1).
    public private(set) var versionVector = VersionVector()
    private(set) var islands: [Island] = []

    /// Has seen nothing. Complexity: O(1).
    public init() {}

    /// Has seen exactly what the vector knows. Complexity: O(1).
    public init(_ versionVector: VersionVector) {
        self.versionVector = versionVector
    }

    /// Has seen exactly one event. Complexity: O(1).
    public init(_ dot: Dot) {
        if dot.counter > 1 {
            islands = [Island(replica: dot.replica, counters: dot.counter...dot.counter)]
        } else {
            insert(dot)
        }
    }

    /// Has seen exactly these events. Complexity: O(n log n).
    public init(_ dots: some Sequence<Dot>) {
        for dot in dots.sorted() { insert(dot) }
    }

    /// Whether no event was seen. Complexity: O(1).
    public var isEmpty: Bool { versionVector.isEmpty && islands.isEmpty }

    /// Whether no event is here without all its predecessors. Complexity: O(1).
    public var isVersionVector: Bool { islands.isEmpty }

    /// Whether the event was seen. Complexity: O(log replicas + log islands).
    public func contains(_ dot: Dot) -> Bool {
        if versionVector.contains(dot) { return true }
        guard !islands.isEmpty else { return false }
        let index = firstIsland(of: dot.replica, endingAtOrAbove: dot.counter)
        return index < islands.count && islands[index].replica == dot.replica
            && islands[index].counters.lowerBound <= dot.counter
    }

    /// The number of the replica's last event here, 0 if there is none. Complexity: O(log replicas + log islands).
    public func lastCounter(of replica: ReplicaID) -> UInt64 {
        ranges(of: replica).last?.counters.upperBound ?? versionVector[replica]
    }

    /// The event that the replica makes next: one more than its last here. Where that would be beyond ``Dot/maximumCounter``, which
    /// happens only where somebody forged an event in the replica's name, the replica goes on under its ``ReplicaID/successor``.
    ///
    /// Complexity: O(log replicas + log islands).
    public func nextDot(for replica: ReplicaID) -> Dot {
        var writer = replica
        while true {
            let last = lastCounter(of: writer)
            if last < Dot.maximumCounter { return Dot(replica: writer, counter: last + 1) }
            writer = writer.successor
        }
    }

    /// Marks an event as seen; says whether it was new. Complexity: as ``insert(replica:counters:)``.
    @discardableResult
    public mutating func insert(_ dot: Dot) -> Bool {
        insert(replica: dot.replica, counters: dot.counter...dot.counter)
    }

    /// Marks a range of one replica's events as seen; says whether any was new. The range must lie within 1 and
    /// ``Dot/maximumCounter``.
    ///
    /// Complexity: O(log replicas + islands), O(log replicas) at the end of what is here.
    @discardableResult
    public mutating func insert(replica: ReplicaID, counters: ClosedRange<UInt64>) -> Bool {
        require(
            counters.lowerBound > 0 && counters.upperBound <= Dot.maximumCounter,
            "events are numbered from 1 to 2^56 - 1")
        let known = versionVector[replica]
        guard counters.upperBound > known else { return false }
        if islands.isEmpty {
            if counters.lowerBound <= known + 1 {
                versionVector[replica] = counters.upperBound
            } else {
                islands.append(Island(replica: replica, counters: counters))
            }
            return true
        }
        // Ranges are mostly inserted in ascending order.
        if let last = islands.last, counters.lowerBound > known + 1, last.begins(before: replica, counters.lowerBound) {
            guard last.replica == replica, last.counters.upperBound + 1 >= counters.lowerBound else {
                islands.append(Island(replica: replica, counters: counters))
                return true
            }
            guard counters.upperBound > last.counters.upperBound else { return false }
            islands[islands.count - 1] = Island(
                replica: replica, counters: last.counters.lowerBound...counters.upperBound)
            return true
        }
        // Islands that touch the range are united with it, so begin at the one that ends just below it.
        let first = firstIsland(of: replica, endingAtOrAbove: counters.lowerBound - 1)
        var after = first
        var (low, high) = (counters.lowerBound, counters.upperBound)
        while after < islands.count, islands[after].replica == replica,
            islands[after].counters.lowerBound <= counters.upperBound &+ 1
        {
            low = min(low, islands[after].counters.lowerBound)
            high = max(high, islands[after].counters.upperBound)
            after += 1
        }
        if after == first + 1, islands[first].counters == low...high { return false }
        if low <= known + 1 {
            versionVector[replica] = high
            islands.removeSubrange(first..<after)
        } else {
            islands.replaceSubrange(
                first..<after, with: CollectionOfOne(Island(replica: replica, counters: low...high)))
        }
        return true
    }

    /// Marks everything that the other has seen; says whether any of it was new.
    ///
    /// Complexity: O(ranges of both), less where the other's are few.
    @discardableResult
    public mutating func merge(_ other: CausalContext) -> Bool {
        if islands.isEmpty, other.islands.isEmpty { return versionVector.merge(other.versionVector) }
        // Each range may move all that come after it, so many are not put in one by one.
        if other.islands.count > 8, !islands.isEmpty { return unite(other) }
        var changed = false
        if islands.isEmpty {
            changed = versionVector.merge(other.versionVector)
        } else if other.versionVector.entries.count > 8 {
            return unite(other)
        } else {
            for entry in other.versionVector.entries {
                if insert(replica: entry.replica, counters: 1...entry.counter) { changed = true }
            }
        }
        for island in other.islands {
            if insert(replica: island.replica, counters: island.counters) { changed = true }
        }
        return changed
    }

    /// Walks the ranges of both in their order, and puts each at the end.
    private mutating func unite(_ other: CausalContext) -> Bool {
        var ranges: [Island] = []
        forEachRange { ranges.append(Island(replica: $0, counters: $1)) }
        var joined = CausalContext()
        var next = 0
        other.forEachRange { replica, counters in
            while next < ranges.count, ranges[next].begins(before: replica, counters.lowerBound) {
                joined.insert(replica: ranges[next].replica, counters: ranges[next].counters)
                next += 1
            }
            joined.insert(replica: replica, counters: counters)
        }
        for range in ranges[next...] { joined.insert(replica: range.replica, counters: range.counters) }
        let changed = joined != self
        self = joined
        return changed
    }

    /// Whether the other has seen every event that this one has.
    ///
    /// Complexity: O(r log s) for the r ranges here and the s of the other.
    public func isSubset(of other: CausalContext) -> Bool {
        var contained = true
        forEachRange { replica, range in
            if contained, !other.containsAll(of: range, by: replica) { contained = false }
        }
        return contained
    }

    /// How many events were seen; `Int.max` for more than that.
    @usableFromInline var count: Int {
        var count = 0
        forEachRange { _, counters in
            count = Int(clamping: UInt64(count) + (counters.upperBound - counters.lowerBound) + 1)
        }
        return count
    }

    /// How many maximal ranges the events form.
    @usableFromInline var rangeCount: Int { versionVector.entries.count + islands.count }

    /// The replicas of which an event was seen, in their order. Complexity: O(ranges).
    @usableFromInline var replicas: [ReplicaID] {
        var replicas: [ReplicaID] = []
        forEachRange { replica, _ in if replicas.last != replica { replicas.append(replica) } }
        return replicas
    }

    /// What was seen of a replica beyond a gap, the first so many ranges.
    @usableFromInline
    func islands(of replica: ReplicaID, most: Int) -> [ClosedRange<UInt64>] {
        ranges(of: replica).prefix(most).map { $0.counters }
    }

    /// The first part of a range of one replica's events that was seen without a gap.
    @usableFromInline
    func knownPrefix(of range: ClosedRange<UInt64>, by replica: ReplicaID) -> ClosedRange<UInt64>? {
        var known: ClosedRange<UInt64>?
        forEachRange(of: replica, overlapping: range) { part in
            if part.lowerBound == range.lowerBound { known = part }
        }
        return known
    }

    /// Forgets that writers were, as far as their events are known without a gap.
    @usableFromInline
    mutating func forget(_ replica: ReplicaID) { versionVector[replica] = 0 }

    /// Visits the events as maximal ranges, by replica, then upwards. Complexity: O(ranges).
    public func forEachRange(_ body: (ReplicaID, ClosedRange<UInt64>) -> Void) {
        var next = 0
        for entry in versionVector.entries {
            while next < islands.count, islands[next].replica < entry.replica {
                body(islands[next].replica, islands[next].counters)
                next += 1
            }
            body(entry.replica, 1...entry.counter)
        }
        for island in islands[next...] { body(island.replica, island.counters) }
    }

    /// Visits the replicas of which an event was seen, in their order, with the number up to which every event was, and the islands
    /// beyond. Complexity: O(ranges).
    func forEachReplica(_ body: (ReplicaID, _ known: UInt64, ArraySlice<Island>) -> Void) {
        var next = 0
        func visit(_ replica: ReplicaID, _ known: UInt64) {
            let first = next
            while next < islands.count, islands[next].replica == replica { next += 1 }
            body(replica, known, islands[first..<next])
        }
        for entry in versionVector.entries {
            while next < islands.count, islands[next].replica < entry.replica { visit(islands[next].replica, 0) }
            visit(entry.replica, entry.counter)
        }
        while next < islands.count { visit(islands[next].replica, 0) }
    }

    /// The events that this context has seen and the other has not. Complexity: O(ranges of both).
    public func subtracting(_ other: CausalContext) -> CausalContext {
        var rest = CausalContext()
        forEachRange { replica, range in
            // Islands lie above the vector's number, so the vector cuts only at the lower end.
            var low = max(range.lowerBound, other.versionVector[replica] + 1)
            var next = other.firstIsland(of: replica, endingAtOrAbove: low)
            while low <= range.upperBound, next < other.islands.count, other.islands[next].replica == replica,
                other.islands[next].counters.lowerBound <= range.upperBound
            {
                let cut = other.islands[next].counters
                if cut.lowerBound > low { rest.insert(replica: replica, counters: low...cut.lowerBound - 1) }
                low = cut.upperBound + 1
                next += 1
            }
            if low <= range.upperBound { rest.insert(replica: replica, counters: low...range.upperBound) }
        }
        return rest
    }

    /// The events that both have seen. Complexity: O(m log n + ranges found) for the m ranges of the one that has fewer.
    public func intersection(_ other: CausalContext) -> CausalContext {
        if other.rangeCount < rangeCount { return other.intersection(self) }
        var common = CausalContext()
        forEachRange { replica, range in
            other.forEachRange(of: replica, overlapping: range) { common.insert(replica: replica, counters: $0) }
        }
        return common
    }

    /// Forgets that the events which the other has seen were seen.
    ///
    /// Complexity: O(ranges of both), or O(m log n) for the m ranges of the other where they are few, and to move what comes after
    /// them.
    mutating func subtract(_ other: CausalContext) {
        guard other.rangeCount * 8 < rangeCount else {
            self = subtracting(other)
            return
        }
        other.forEachRange { remove(replica: $0, counters: $1) }
    }

    private mutating func remove(replica: ReplicaID, counters: ClosedRange<UInt64>) {
        let known = versionVector[replica]
        let first = firstIsland(of: replica, endingAtOrAbove: counters.lowerBound)
        var after = first
        var rest: [Island] = []
        if counters.lowerBound <= known {
            versionVector[replica] = counters.lowerBound - 1
            if counters.upperBound < known {
                rest.append(Island(replica: replica, counters: counters.upperBound + 1...known))
            }
        }
        while after < islands.count, islands[after].replica == replica,
            islands[after].counters.lowerBound <= counters.upperBound
        {
            let island = islands[after].counters
            if island.lowerBound < counters.lowerBound {
                rest.append(Island(replica: replica, counters: island.lowerBound...counters.lowerBound - 1))
            }
            if island.upperBound > counters.upperBound {
                rest.append(Island(replica: replica, counters: counters.upperBound + 1...island.upperBound))
            }
            after += 1
        }
        islands.replaceSubrange(first..<after, with: rest)
    }

    /// Visits what a range of one replica's events has in common with this context, upwards. Complexity: O(log n + ranges found).
    private func forEachRange(
        of replica: ReplicaID, overlapping range: ClosedRange<UInt64>, _ body: (ClosedRange<UInt64>) -> Void
    ) {
        let known = versionVector[replica]
        if known >= range.lowerBound { body(range.lowerBound...min(known, range.upperBound)) }
        var next = firstIsland(of: replica, endingAtOrAbove: range.lowerBound)
        while next < islands.count, islands[next].replica == replica,
            islands[next].counters.lowerBound <= range.upperBound
        {
            body(islands[next].counters.clamped(to: range))
            next += 1
        }
    }

    /// Whether a whole range of one replica's events was seen.
    func containsAll(of range: ClosedRange<UInt64>, by replica: ReplicaID) -> Bool {
        if range.upperBound <= versionVector[replica] { return true }
        let index = firstIsland(of: replica, endingAtOrAbove: range.upperBound)
        return index < islands.count && islands[index].replica == replica
            && islands[index].counters.lowerBound <= range.lowerBound
    }

    /// The islands of a replica.
    func ranges(of replica: ReplicaID) -> ArraySlice<Island> {
        guard !islands.isEmpty else { return [] }
        let first = firstIsland(of: replica, endingAtOrAbove: 0)
        var after = first
        // Few have many; those are found by search.
        if first < islands.count, islands[first].replica == replica {
            after = firstIsland(of: replica, endingAtOrAbove: UInt64.max)
            if after < islands.count, islands[after].replica == replica { after += 1 }
        }
        return islands[first..<after]
    }

    /// The first island, in their order, that is of the replica and ends at or above a number, or is of a later replica.
    private func firstIsland(of replica: ReplicaID, endingAtOrAbove counter: UInt64) -> Int {
        islands.partitioningIndex { island in
            island.replica == replica ? island.counters.upperBound >= counter : island.replica > replica
        }
    }
}

extension CausalContext: CustomStringConvertible {
    /// The ranges seen, for people who debug.
    public var description: String {
        var parts: [String] = []
        forEachRange { replica, range in parts.append("\(replica):\(range.lowerBound)–\(range.upperBound)") }
        return "{" + parts.joined(separator: " ") + "}"
    }
}
