/// A store and the events that it has seen: a causal delta CRDT (Almeida, Shoker, Baquero, 2018, section 7).
///
/// Every dot of the store is in the context.
public struct Causal<Store: DotStore>: DeltaState {
    /// What the store tells.
    public typealias Change = Store.Change

    @usableFromInline var liveStore: Store
    @usableFromInline var seen: CausalContext
    @usableFromInline var removals = RecentRemovals()
    /// All that was joined since recording began, in one element; empty while nothing is recorded.
    @usableFromInline var recording: [Causal] = []

    /// What is alive. Complexity: O(1).
    @inlinable public var store: Store { liveStore }

    /// The events seen. Complexity: O(1).
    @inlinable public var context: CausalContext { seen }

    /// Nothing alive, and nothing seen. Complexity: O(1).
    @inlinable
    public init() {
        liveStore = Store()
        seen = CausalContext()
    }

    /// A store with its context; the store's own dots are counted as seen.
    ///
    /// Complexity: O(runs of the store's dots · log replicas).
    @inlinable
    public init(store: Store, context: CausalContext) {
        self.init(store: store, seen: context)
        store.forEachRun { seen.insert(replica: $0, counters: $1) }
    }

    /// A store all of whose dots the context has seen.
    @inlinable init(store: Store, seen: CausalContext) {
        liveStore = store
        self.seen = seen
    }

    /// Joins another state or a delta; says whether this state changed.
    ///
    /// Complexity: as the store's: of a delta, O(what comes and falls).
    @inlinable
    @discardableResult
    public mutating func merge(_ other: Causal) -> Bool {
        if !recording.isEmpty { recording[0].merge(other) }
        if seen.isEmpty {
            liveStore = other.liveStore
            seen = other.seen
            removals = other.removals
            return !seen.isEmpty
        }
        var fallen = FallenDots(collecting: true)
        let changed = liveStore.merge(other.liveStore, context: seen, otherContext: other.seen, fallen: &fallen)
        return seal(other, fallen) || changed
    }

    /// Joins, and calls with each change that the store tells.
    ///
    /// Complexity: as the store's: of a delta, O(what comes and falls).
    @inlinable
    @discardableResult
    public mutating func merge(_ other: Causal, onChange: (Store.Change) -> Void) -> Bool {
        if !recording.isEmpty { recording[0].merge(other) }
        var fallen = FallenDots(collecting: true)
        let changed = liveStore.merge(
            other.liveStore, context: seen, otherContext: other.seen, fallen: &fallen, onChange: onChange)
        return seal(other, fallen) || changed
    }

    /// Joins, and calls with each key of a map whose store changed, what `measure` told of its store before, and its store now.
    @inlinable
    @discardableResult
    mutating func merge<Key, Value, Measure>(
        _ other: Causal, measuring measure: (Value) -> Measure,
        _ body: (_ key: () -> Key, _ before: Measure, _ after: Value) -> Void
    ) -> Bool where Store == DotMap<Key, Value> {
        if !recording.isEmpty { recording[0].merge(other) }
        var fallen = FallenDots(collecting: true)
        let changed = liveStore.merge(
            other.liveStore, context: seen, otherContext: other.seen, fallen: &fallen, measuring: measure, body)
        return seal(other, fallen) || changed
    }

    /// Lends the store under a key of a map, with the map's context, which is empty until it is given back.
    @inlinable
    mutating func lend<Key, Value>(_ key: Key, _ slot: inout UInt32) -> Causal<Value>
    where Store == DotMap<Key, Value> {
        var lent = Causal<Value>()
        slot = liveStore.takeStore(of: key, into: &lent.liveStore)
        swap(&lent.seen, &seen)
        lent.recording = [Causal<Value>()]
        return lent
    }

    /// Takes back what became of the store under a key, and returns the delta: all that was joined to what was lent.
    @inlinable
    mutating func takeBack<Key, Value>(_ lent: Causal<Value>, _ key: Key, _ slot: UInt32) -> Causal
    where Store == DotMap<Key, Value> {
        require(!lent.recording.isEmpty, "a state under a key is changed by its mutators, not replaced")
        let delta = lent.recording[0]
        var fallen = FallenDots(collecting: true)
        liveStore.giveBack(lent.liveStore, to: slot, delta, &fallen)
        seen = lent.seen
        if !fallen.isEmpty { removals.append(fallen, alive: liveStore.dotCount) }
        let whole = Causal(store: DotMap(key, delta.liveStore), seen: delta.seen)
        if !recording.isEmpty { recording[0].merge(whole) }
        return whole
    }

    /// Joins a new event that adds an element which is not among many others, for nothing falls then; false where it is, or where
    /// joins are recorded.
    @inlinable mutating func append<Element>(_ dot: Dot, _ element: Element) -> Bool where Store == DotTable<Element> {
        guard recording.isEmpty, let hash = liveStore.hashIfAbsent(element), seen.insert(dot) else { return false }
        liveStore.withMany { $0.append(dot, element, hash: hash) }
        return true
    }

    @inlinable mutating func seal(_ other: Causal, _ fallen: FallenDots) -> Bool {
        if !fallen.isEmpty { removals.append(fallen, alive: liveStore.dotCount) }
        return seen.merge(other.seen)
    }

    /// The least part of this state that, merged into `other`, gives the join of both.
    ///
    /// Complexity: O(ranges of both contexts + live dots of the other).
    @inlinable
    public func delta(for other: Causal) -> Causal {
        var dots = seen.subtracting(other.seen)
        // What the other still holds up, and this state has seen fall.
        dots.merge(liveStore.dotsMissing(of: other.liveStore, in: seen))
        return part(dots)
    }

    /// What stands on these dots, and that the others among them fell.
    @inlinable func part(_ dots: CausalContext) -> Causal {
        Causal(store: liveStore.restricted(to: dots), seen: dots)
    }

    /// One part for each event seen: what it holds up, or that it fell.
    ///
    /// Complexity: O(ranges of the context) to begin, and then O(log n) for each part and its dots.
    public func decomposed() -> CausalParts<Store> { CausalParts(state: self) }

    /// Whether both have seen the same and have the same alive. Complexity: O(n).
    @inlinable
    public static func == (left: Causal, right: Causal) -> Bool {
        left.seen == right.seen && left.liveStore == right.liveStore
    }

    /// Hashes what was seen and what is alive. Complexity: O(ranges of the context + replicas).
    @inlinable
    public func hash(into hasher: inout Hasher) {
        hasher.combine(seen)
        hasher.combine(liveStore)
    }
}

/// The parts of a causal state, one for each event that it has seen.
public struct CausalParts<Store: DotStore>: Sequence {
    let state: Causal<Store>

    /// Begins with the first event. Complexity: O(ranges of the context).
    public func makeIterator() -> Iterator {
        var ranges: [Iterator.Rest] = []
        state.context.forEachRange { ranges.append(.init(replica: $0, range: $1)) }
        return Iterator(state: state, ranges: ranges.reversed())
    }

    /// Makes the parts one at a time.
    public struct Iterator: IteratorProtocol {
        struct Rest {
            let replica: ReplicaID
            var range: ClosedRange<UInt64>
        }

        let state: Causal<Store>
        /// What is still to come, last first.
        var ranges: [Rest]

        /// The next part, nil after the last. Complexity: O(log n).
        public mutating func next() -> Causal<Store>? {
            guard let rest = ranges.popLast() else { return nil }
            if rest.range.lowerBound < rest.range.upperBound {
                let remaining = rest.range.lowerBound + 1...rest.range.upperBound
                ranges.append(Rest(replica: rest.replica, range: remaining))
            }
            return state.part(CausalContext(Dot(replica: rest.replica, counter: rest.range.lowerBound)))
        }
    }
}
