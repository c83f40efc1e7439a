/// A set of events of a run, by their numbers from 0. Iterates in their order.
public struct EventSet: Hashable, Sendable, Sequence {
    /// No zero words at the end, so that equal sets are equal values.
    fileprivate var words: [UInt64] = []

    /// The empty set.
    public init() {}

    /// Whether an event is in it. O(1).
    public func contains(_ event: Int) -> Bool {
        event >> 6 < words.count && words[event >> 6] >> UInt64(event & 63) & 1 == 1
    }

    /// Whether all of the other set is in this one. O(events / 64).
    public func isSuperset(of other: EventSet) -> Bool {
        other.words.count <= words.count && zip(words, other.words).allSatisfy { $1 & ~$0 == 0 }
    }

    public func makeIterator() -> Iterator { Iterator(words: words) }

    /// The events in their order. O(events / 64) for all of them together.
    public struct Iterator: IteratorProtocol {
        fileprivate var words: [UInt64]
        private var place = 0

        fileprivate init(words: [UInt64]) { self.words = words }

        public mutating func next() -> Int? {
            while place < words.count, words[place] == 0 { place += 1 }
            guard place < words.count else { return nil }
            let bit = words[place].trailingZeroBitCount
            words[place] &= words[place] - 1
            return place * 64 + bit
        }
    }

    package mutating func insert(_ event: Int) {
        while words.count <= event >> 6 { words.append(0) }
        words[event >> 6] |= 1 << UInt64(event & 63)
    }

    package mutating func formUnion(_ other: EventSet) {
        while words.count < other.words.count { words.append(0) }
        for index in other.words.indices { words[index] |= other.words[index] }
    }

    package func intersection(_ other: EventSet) -> EventSet {
        var result = EventSet()
        result.words = zip(words, other.words).map { $0 & $1 }
        while result.words.last == 0 { result.words.removeLast() }
        return result
    }

    package func subtracting(_ other: EventSet) -> EventSet {
        var result = self
        for index in result.words.indices.prefix(other.words.count) { result.words[index] &= ~other.words[index] }
        while result.words.last == 0 { result.words.removeLast() }
        return result
    }
}

extension EventSet {
    package mutating func remove(_ event: Int) {
        guard contains(event) else { return }
        words[event >> 6] &= ~(1 << UInt64(event & 63))
        while words.last == 0 { words.removeLast() }
    }

    /// O(events / 64).
    package var isEmpty: Bool { words.isEmpty }
}
