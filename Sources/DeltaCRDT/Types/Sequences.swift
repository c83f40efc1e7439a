// Sets and maps are sequences, in the order of their `forEach`. A copy is walked: what is done meanwhile is not seen.

extension AddWinsSet: Sequence {
    /// Walks the elements in the order of ``forEach(_:)``. Complexity: O(1), and O(n) once.
    @inlinable
    public func makeIterator() -> Iterator {
        if case .many(let many) = causal.store.storage { return Iterator(many) }
        return Iterator(elements)
    }

    /// How many elements there are. Complexity: as of ``count``.
    @inlinable public var underestimatedCount: Int { count }

    /// Walks the elements of a set as it was.
    public struct Iterator: IteratorProtocol {
        /// A few elements, or the columns of many.
        @usableFromInline var few: IndexingIterator<[Element]>
        @usableFromInline let many: ManyDots<Element>?
        @usableFromInline var slots: SlotWalk
        /// The slots that stand for their elements and were met, where elements have several.
        @usableFromInline var visited: Set<UInt32> = []

        @inlinable init(_ elements: [Element]) {
            few = elements.makeIterator()
            many = nil
            slots = SlotWalk(DotColumns())
        }

        @inlinable init(_ many: ManyDots<Element>) {
            few = [].makeIterator()
            self.many = many
            slots = SlotWalk(many.columns)
        }

        /// The next element, nil after the last. Complexity: O(1) amortised.
        @inlinable
        public mutating func next() -> Element? {
            guard let many else { return few.next() }
            while let slot = slots.next() {
                guard many.repeats > 0 else { return many.elements[slot] }
                if let first = many.slot(withElementOf: slot), visited.insert(first).inserted {
                    return many.elements[slot]
                }
            }
            return nil
        }
    }
}

extension RemoveWinsSet: Sequence {
    /// Walks the elements in the order of ``forEach(_:)``. Complexity: O(1).
    @inlinable
    public func makeIterator() -> Iterator { Iterator(walk: KeyWalk(causal.store)) }

    /// Walks the elements of a set as it was.
    public struct Iterator: IteratorProtocol {
        @usableFromInline var walk: KeyWalk<Element, DotFun<Bool>>

        @inlinable init(walk: KeyWalk<Element, DotFun<Bool>>) { self.walk = walk }

        /// The next element, nil after the last. Complexity: O(1) amortised, and O(elements removed).
        @inlinable
        public mutating func next() -> Element? {
            while let (element, marks) = walk.next() {
                if marks.isElement { return element }
            }
            return nil
        }
    }

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
        @usableFromInline let roster: ValueSlots<Element>
        @usableFromInline var slot = 0

        @inlinable init(_ roster: ValueSlots<Element>) { self.roster = roster }

        /// The next element, nil after the last. Complexity: O(1).
        @inlinable
        public mutating func next() -> Element? {
            guard slot < roster.count else { return nil }
            defer { slot += 1 }
            return roster.values[UInt32(slot)]
        }
    }
}

extension List: RandomAccessCollection {
    /// 0. Complexity: O(1).
    public var startIndex: Int { 0 }

    /// How many elements there are. Complexity: as of ``count``.
    public var endIndex: Int { count }

    /// Walks the elements of a list as it was. Complexity: O(n) to begin.
    public func makeIterator() -> IndexingIterator<[Element]> { elements.makeIterator() }
}

extension GSet: ExpressibleByArrayLiteral {
    /// A set of these elements. Complexity: O(n).
    @inlinable
    public init(_ elements: some Sequence<Element>) {
        self.init()
        for element in elements { roster.insert(element) }
    }

    /// A set of these elements. Complexity: O(n).
    @inlinable
    public init(arrayLiteral elements: Element...) { self.init(elements) }
}

extension LWWMap: Sequence {
    /// Walks keys and values in the order of ``forEach(_:)``. Complexity: O(1).
    @inlinable
    public func makeIterator() -> Iterator { Iterator(walk: KeyWalk(causal.store)) }

    /// Walks keys and values of a map as it was.
    public struct Iterator: IteratorProtocol {
        @usableFromInline var walk: KeyWalk<Key, DotFun<Write>>

        @inlinable init(walk: KeyWalk<Key, DotFun<Write>>) { self.walk = walk }

        /// The next key and its value, nil after the last. Complexity: O(1) amortised, and O(keys removed).
        @inlinable
        public mutating func next() -> (key: Key, value: Value)? {
            while let (key, writes) = walk.next() {
                if let value = LWWMap.winner(of: writes)?.value { return (key, value) }
            }
            return nil
        }
    }
}

extension ORMap: Sequence {
    /// Walks keys and states in the order of ``forEach(_:)``. Complexity: O(1).
    @inlinable
    public func makeIterator() -> Iterator { Iterator(causal) }

    /// How many keys there are. Complexity: O(1).
    @inlinable public var underestimatedCount: Int { count }

    /// Walks keys and states of a map as it was.
    public struct Iterator: IteratorProtocol {
        @usableFromInline let context: CausalContext
        @usableFromInline var walk: KeyWalk<Key, State.Store>

        @inlinable init(_ causal: Causal<Store>) {
            context = causal.context
            walk = KeyWalk(causal.store)
        }

        /// The next key and its state, nil after the last. Complexity: O(1) amortised, and O(dots of the key).
        @inlinable
        public mutating func next() -> (key: Key, state: State)? {
            walk.next().map { ($0, State(Causal(store: $1, seen: context))) }
        }
    }
}

/// Walks keys and their stores in the order of the keys' least dots.
@usableFromInline
struct KeyWalk<Key: Hashable & Sendable, Store: DotStore> {
    @usableFromInline var only: (key: Key, store: Store)?
    @usableFromInline let many: ManyKeys<Key, Store>?
    @usableFromInline var slots: SlotWalk
    @usableFromInline var visited: Set<UInt32> = []

    @inlinable init(_ map: DotMap<Key, Store>) {
        only = map.only
        many = map.many
        slots = SlotWalk(map.many?.columns ?? DotColumns())
    }

    @inlinable mutating func next() -> (Key, Store)? {
        if let (key, store) = only {
            only = nil
            return (key, store)
        }
        guard let many else { return nil }
        while let slot = slots.next() {
            guard visited.insert(slot).inserted else { continue }
            return (many.keys[slot], many.stores[Int(slot)])
        }
        return nil
    }
}
