/// A store and the events that it has seen: a causal delta CRDT (Almeida, Shoker, Baquero, 2018, section 7).
///
/// Every dot of the store is in the context.
public struct Causal<Store: DotStore>: DeltaState {
    public private(set) var store: Store
    public private(set) var context: CausalContext

    public init() {
        store = Store()
        context = CausalContext()
    }

    /// A store with its context; the store's own dots are counted as seen.
    public init(store: Store, context: CausalContext) {
        self.store = store
        self.context = context
        self.context.merge(store.dots())
    }

    @discardableResult
    public mutating func merge(_ other: Causal) -> Bool {
        let storeChanged = store.merge(other.store, context: context, otherContext: other.context)
        let contextGrew = context.merge(other.context)
        return storeChanged || contextGrew
    }

    public func delta(for other: Causal) -> Causal {
        var dots = context.subtracting(other.context)
        // What the other still holds up, and this state has seen fall.
        let alive = store.dots()
        other.store.forEachDot { dot in
            if context.contains(dot), !alive.contains(dot) { dots.insert(dot) }
        }
        return Causal(store: store.restricted(to: dots), context: dots)
    }

    public func decomposed() -> [Causal] {
        var parts: [Causal] = []
        context.forEachRange { replica, range in
            for counter in range {
                let dot = CausalContext(Dot(replica: replica, counter: counter))
                parts.append(Causal(store: store.restricted(to: dot), context: dot))
            }
        }
        return parts
    }
}
