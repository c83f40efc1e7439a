/// Registers over a log, one for each key, which keep every value that no other write has seen: a map of ``MVRegister`` for events of a
/// causal log.
///
/// All writes stand in one column, for most keys have one. A replaced write leaves nothing behind (Baquero, Almeida and Shoker, 2017).
/// Keys are one when `==`, texts when their UTF-8 is the same.
public struct LoggedRegisters<Key: Comparable & Hashable & Sendable, Value: Hashable & Sendable, ID>: Hashable, Sendable
where ID: Comparable & Hashable & Sendable {
    /// A write that stands.
    public struct Write: Hashable, Sendable {
        /// The event that wrote.
        public let id: ID
        /// Where it wrote.
        public let key: Key
        /// What it wrote.
        public let value: Value

        @inlinable init(_ value: Value, at key: Key, by id: ID) {
            self.id = id
            self.key = key
            self.value = value
        }
    }

    /// Ascending by key; at one key the greatest first.
    @usableFromInline var standing: [Write] = []

    /// Registers without a value. Complexity: O(1).
    @inlinable
    public init() {}

    /// The writes that stand, ascending by key, texts by their UTF-8, at one key the greatest first. Complexity: O(1).
    @inlinable public var writes: [Write] { standing }

    /// The keys that have a value, ascending. Complexity: O(n).
    @inlinable public var keys: [Key] {
        var keys: [Key] = []
        for write in standing {
            if let last = keys.last, Identity.isEqual(last, write.key) { continue }
            keys.append(write.key)
        }
        return keys
    }

    /// The writes that stand at a key, the greatest first. Complexity: O(log n).
    @inlinable public subscript(key: Key) -> ArraySlice<Write> { standing[range(of: key)] }

    /// Whether a key has a value. Complexity: O(log n), and O(1) for a key above all others.
    @inlinable
    public func contains(_ key: Key) -> Bool { !range(of: key).isEmpty }

    /// Makes room for so many writes. Complexity: O(n).
    @inlinable
    public mutating func reserveCapacity(_ count: Int) { standing.reserveCapacity(count) }

    /// Writes a value over what the event has seen at a key. Complexity: O(n).
    /// - Parameters:
    ///   - value: the value.
    ///   - key: the register.
    ///   - event: the event that writes.
    ///   - isKept: whether a write stays though the event has seen it, because its author was not shown it; by default none does.
    @inlinable
    public mutating func write(
        _ value: Value, at key: Key, by event: some LoggedEvent<ID>, keeping isKept: (ID) -> Bool = { _ in false }
    ) {
        clear(key, by: event, keeping: isKept)
        let (range, id) = (range(of: key), event.id)
        // Of two writes by one event, the later stands first.
        let place = standing[range].partitioningIndex { $0.id <= id }
        standing.insert(Write(value, at: key, by: id), at: place)
    }

    /// Removes what the event has seen at a key. Complexity: O(n).
    /// - Parameters:
    ///   - key: the register.
    ///   - event: the event that clears.
    ///   - isKept: whether a write stays though the event has seen it, because its author was not shown it; by default none does.
    @inlinable
    public mutating func clear(
        _ key: Key, by event: some LoggedEvent<ID>, keeping isKept: (ID) -> Bool = { _ in false }
    ) {
        let range = range(of: key)
        if range.count == 1 {
            let id = standing[range.lowerBound].id
            if event.hasSeen(id), !isKept(id) { standing.remove(at: range.lowerBound) }
        } else if let first = standing[range].firstIndex(where: { event.hasSeen($0.id) && !isKept($0.id) }) {
            let rest = first..<range.upperBound
            standing.replaceSubrange(rest, with: standing[rest].filter { !event.hasSeen($0.id) || isKept($0.id) })
        }
    }

    /// Takes all writes at a key out of the registers, for a state that goes on with them elsewhere. Complexity: O(n).
    @inlinable
    public mutating func removeWrites(at key: Key) -> [Write] {
        let range = range(of: key)
        guard !range.isEmpty else { return [] }
        let writes = Array(standing[range])
        standing.removeSubrange(range)
        return writes
    }

    @inlinable func range(of key: Key) -> Range<Int> {
        // Mostly keys are written in their order.
        guard let last = standing.last, !Identity.precedes(last.key, key) else {
            return standing.count..<standing.count
        }
        let start = standing.partitioningIndex { !Identity.precedes($0.key, key) }
        // Mostly there are few.
        var end = start
        while end < min(start + 8, standing.count), Identity.isEqual(standing[end].key, key) { end += 1 }
        guard end == start + 8 else { return start..<end }
        return start..<standing[end...].partitioningIndex { Identity.precedes(key, $0.key) }
    }
}
