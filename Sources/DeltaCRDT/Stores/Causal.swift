/// A store and the events that it has seen: a causal delta CRDT (Almeida, Shoker, Baquero, 2018, section 7).
///
/// Every dot of the store is in the context.
public struct Causal<Store: DotStore>: DeltaState {
    public private(set) var store: Store
    public private(set) var context: CausalContext
    private(set) var removals = RecentRemovals()

    public init() {
        store = Store()
        context = CausalContext()
    }

    /// A store with its context; the store's own dots are counted as seen.
    public init(store: Store, context: CausalContext) {
        self.init(store: store, seen: context)
        store.forEachRun { self.context.insert(replica: $0, counters: $1) }
    }

    /// A store all of whose dots the context has seen.
    init(store: Store, seen context: CausalContext) {
        self.store = store
        self.context = context
    }

    @discardableResult
    public mutating func merge(_ other: Causal) -> Bool {
        if context.isEmpty {
            self = other
            return !context.isEmpty
        }
        var fallen = FallenDots(collecting: true)
        let changed = store.merge(other.store, context: context, otherContext: other.context, fallen: &fallen)
        return seal(other, fallen) || changed
    }

    @discardableResult
    public mutating func merge(_ other: Causal, onChange: (Store.Change) -> Void) -> Bool {
        var fallen = FallenDots(collecting: true)
        let changed = store.merge(
            other.store, context: context, otherContext: other.context, fallen: &fallen, onChange: onChange)
        return seal(other, fallen) || changed
    }

    /// Joins, and calls with each key of a map whose store changed, its store before and its store now.
    @discardableResult
    mutating func merge<Key, Value>(
        _ other: Causal, comparing body: (Key, _ before: Value, _ after: Value) -> Void
    ) -> Bool where Store == DotMap<Key, Value> {
        var fallen = FallenDots(collecting: true)
        let changed = store.merge(
            other.store, context: context, otherContext: other.context, fallen: &fallen, comparing: body)
        return seal(other, fallen) || changed
    }

    private mutating func seal(_ other: Causal, _ fallen: FallenDots) -> Bool {
        if !fallen.dots.isEmpty { removals.append(fallen.dots, alive: store.dotCount) }
        return context.merge(other.context)
    }

    public func delta(for other: Causal) -> Causal {
        var dots = context.subtracting(other.context)
        // What the other still holds up, and this state has seen fall.
        other.store.forEachDot(in: context) { dot in
            if !store.contains(dot) { dots.insert(dot) }
        }
        return part(dots)
    }

    /// What stands on these dots, and that the others among them fell.
    func part(_ dots: CausalContext) -> Causal {
        Causal(store: store.restricted(to: dots), seen: dots)
    }

    /// One part for each event seen: what it holds up, or that it fell.
    public func decomposed() -> CausalParts<Store> { CausalParts(state: self) }

    public static func == (left: Causal, right: Causal) -> Bool {
        left.context == right.context && left.store == right.store
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(context)
        hasher.combine(store)
    }
}

/// The parts of a causal state, one for each event that it has seen.
public struct CausalParts<Store: DotStore>: Sequence {
    let state: Causal<Store>

    public func makeIterator() -> Iterator {
        var ranges: [Iterator.Rest] = []
        state.context.forEachRange { ranges.append(.init(replica: $0, range: $1)) }
        return Iterator(state: state, ranges: ranges.reversed())
    }

    public struct Iterator: IteratorProtocol {
        struct Rest {
            let replica: ReplicaID
            var range: ClosedRange<UInt64>
        }

        let state: Causal<Store>
        /// What is still to come, last first.
        var ranges: [Rest]

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
