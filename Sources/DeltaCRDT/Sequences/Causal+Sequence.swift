extension Causal {
    /// Inserts elements in the name of a replica; returns the delta. The store must be arranged.
    mutating func insert<Content>(
        _ units: some Collection<Content.Unit>, _ elements: UInt64, at target: SequencePlace, by replica: ReplicaID
    ) -> Causal where Store == SequenceStore<Content> {
        let dot = seen.nextDots(for: replica, count: elements)
        let store = liveStore.insert(units, elements: elements, at: target, by: dot.replica, from: dot.counter)
        let counters = dot.counter...dot.counter + elements - 1
        seen.insert(replica: dot.replica, counters: counters)
        var delta = Causal(store: store, seen: CausalContext())
        delta.seen.insert(replica: dot.replica, counters: counters)
        record(delta)
        return delta
    }

    /// Removes what lies in a range of positions; returns the delta. The store must be arranged.
    mutating func remove<Content>(_ range: Range<Int>) -> Causal where Store == SequenceStore<Content> {
        var fallen = FallenDots(collecting: true)
        let store = liveStore.remove(range, &fallen)
        if !fallen.isEmpty { removals.append(fallen, alive: liveStore.dotCount) }
        let dots = store.dots
        let delta = Causal(store: store, seen: dots)
        record(delta)
        return delta
    }
}
