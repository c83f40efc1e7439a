/// How two causal histories stand to each other.
public enum CausalOrder: Hashable, Sendable {
    /// The same events.
    case equal
    /// The left one is contained in the right one.
    case before
    /// The left one contains the right one.
    case after
    /// Each has an event that the other lacks.
    case concurrent
}

/// How far each replica's events are known: for every replica, all events from 1 to a number.
///
/// A replica that is not named stands at 0. Kept sorted by replica; equality is by value.
public struct VersionVector: Hashable, Sendable {
    /// One replica and the number of its last known event, never 0.
    public struct Entry: Hashable, Sendable {
        /// The replica.
        public let replica: ReplicaID
        /// The number of its last known event. Complexity: O(1).
        public internal(set) var counter: UInt64
    }

    /// The entries in the order of their replicas. Complexity: O(1).
    public internal(set) var entries: [Entry] = []

    /// Knows nothing. Complexity: O(1).
    public init() {}

    /// The number of the last known event of a replica, at most ``Dot/maximumCounter``; setting 0 forgets the replica.
    ///
    /// Complexity: reading O(log replicas), writing a replica that is new or forgotten O(replicas).
    public subscript(replica: ReplicaID) -> UInt64 {
        get {
            let index = position(of: replica)
            return index < entries.count && entries[index].replica == replica ? entries[index].counter : 0
        }
        set {
            require(newValue <= Dot.maximumCounter, "events are numbered from 1 to 2^56 - 1")
            set(replica, to: newValue)
        }
    }

    /// Sets a number that need not be an event's.
    mutating func set(_ replica: ReplicaID, to number: UInt64) {
        let index = position(of: replica)
        let found = index < entries.count && entries[index].replica == replica
        if number == 0 {
            if found { entries.remove(at: index) }
        } else if found {
            entries[index].counter = number
        } else {
            entries.insert(Entry(replica: replica, counter: number), at: index)
        }
    }

    /// Whether nothing is known. Complexity: O(1).
    public var isEmpty: Bool { entries.isEmpty }

    /// Whether the event is known. Complexity: O(log replicas).
    public func contains(_ dot: Dot) -> Bool {
        dot.counter <= self[dot.replica] && dot.counter > 0
    }

    /// Takes the greater number of each replica; says whether any grew.
    ///
    /// Complexity: O(replicas of both), or O(other · log self) when the other is much shorter.
    @discardableResult
    public mutating func merge(_ other: VersionVector) -> Bool {
        if other.entries.count * 8 < entries.count {
            var changed = false
            var new: [Entry] = []
            for entry in other.entries {
                let index = position(of: entry.replica)
                if index == entries.count || entries[index].replica != entry.replica {
                    new.append(entry)
                } else if entry.counter > entries[index].counter {
                    entries[index].counter = entry.counter
                    changed = true
                }
            }
            // Each new one moves all that come after it, so many are not put in one by one.
            if new.count > 8 { return insert(new) }
            for entry in new { set(entry.replica, to: entry.counter) }
            return changed || !new.isEmpty
        }
        return insert(other.entries)
    }

    /// Joins entries, sorted, by walking all.
    private mutating func insert(_ others: [Entry]) -> Bool {
        var changed = false
        var other = VersionVector()
        other.entries = others
        var merged: [Entry] = []
        merged.reserveCapacity(max(entries.count, other.entries.count))
        Self.walk(self, other) { replica, mine, theirs in
            merged.append(Entry(replica: replica, counter: max(mine, theirs)))
            if theirs > mine { changed = true }
        }
        if changed { entries = merged }
        return changed
    }

    /// How this history stands to another. Complexity: O(replicas of both).
    public func order(relativeTo other: VersionVector) -> CausalOrder {
        var (less, greater) = (false, false)
        Self.walk(self, other) { _, mine, theirs in
            if mine < theirs { less = true }
            if mine > theirs { greater = true }
        }
        switch (less, greater) {
        case (false, false): return .equal
        case (true, false): return .before
        case (false, true): return .after
        case (true, true): return .concurrent
        }
    }

    /// Whether the left history is contained in the right one. Complexity: O(replicas of both).
    public static func <= (left: VersionVector, right: VersionVector) -> Bool {
        var contained = true
        walk(left, right) { _, mine, theirs in
            if mine > theirs { contained = false }
        }
        return contained
    }

    /// The index of the replica's entry, or where it would stand.
    private func position(of replica: ReplicaID) -> Int {
        entries.partitioningIndex { $0.replica >= replica }
    }

    /// Visits the replicas of both in order, with both numbers.
    private static func walk(
        _ left: VersionVector, _ right: VersionVector, _ body: (ReplicaID, UInt64, UInt64) -> Void
    ) {
        var (i, j) = (0, 0)
        while i < left.entries.count || j < right.entries.count {
            if j == right.entries.count
                || i < left.entries.count && left.entries[i].replica < right.entries[j].replica
            {
                body(left.entries[i].replica, left.entries[i].counter, 0)
                i += 1
            } else if i == left.entries.count || right.entries[j].replica < left.entries[i].replica {
                body(right.entries[j].replica, 0, right.entries[j].counter)
                j += 1
            } else {
                body(left.entries[i].replica, left.entries[i].counter, right.entries[j].counter)
                i += 1
                j += 1
            }
        }
    }
}
