// Sets and maps are sequences, in the order of their `forEach`. A copy is walked: what is done meanwhile is not seen.

extension AddWinsSet: Sequence {
    /// Walks the elements in the order of ``forEach(_:)``. Complexity: O(n) to begin.
    @inlinable
    public func makeIterator() -> IndexingIterator<[Element]> { elements.makeIterator() }

    /// How many elements there are. Complexity: as of ``count``.
    @inlinable public var underestimatedCount: Int { count }
}

extension RemoveWinsSet: Sequence {
    /// Walks the elements in the order of ``forEach(_:)``. Complexity: O(n) to begin.
    @inlinable
    public func makeIterator() -> IndexingIterator<[Element]> { elements.makeIterator() }

    /// How many elements there are. Complexity: as of ``count``.
    @inlinable public var underestimatedCount: Int { count }
}

extension GSet: Sequence {
    /// Walks the elements in the order in which they came here. Complexity: O(1), and O(1) for each.
    @inlinable
    public func makeIterator() -> Iterator { Iterator(roster) }

    /// How many elements there are. Complexity: O(1).
    @inlinable public var underestimatedCount: Int { count }

    /// Walks the elements of a set as it was.
    public struct Iterator: IteratorProtocol {
        @usableFromInline let roster: Roster<Element>
        @usableFromInline var slot = 0

        @inlinable init(_ roster: Roster<Element>) { self.roster = roster }

        /// The next element, nil after the last. Complexity: O(1).
        @inlinable
        public mutating func next() -> Element? {
            guard slot < roster.count else { return nil }
            defer { slot += 1 }
            return roster.values[UInt32(slot)]
        }
    }
}

extension LWWMap: Sequence {
    /// Walks keys and values in the order of ``forEach(_:)``. Complexity: O(n) to begin.
    @inlinable
    public func makeIterator() -> IndexingIterator<[(key: Key, value: Value)]> {
        var entries: [(key: Key, value: Value)] = []
        forEach { entries.append(($0, $1)) }
        return entries.makeIterator()
    }
}

extension ORMap: Sequence {
    /// Walks keys and states in the order of ``forEach(_:)``. Complexity: O(dots) to begin.
    @inlinable
    public func makeIterator() -> IndexingIterator<[(key: Key, state: State)]> {
        var entries: [(key: Key, state: State)] = []
        forEach { entries.append(($0, $1)) }
        return entries.makeIterator()
    }
}
