/// A map from keys to replicated states of any causal type, maps among them.
///
/// Removing a key removes what was seen of its state; what somebody else did to it at the same time stays, and with it the key.
/// All the states under the keys share the map's context.
///
/// ```swift
/// var trips = ORMap<String, AddWinsSet<String>>()
/// let delta = trips.updateValue(forKey: "Lisbon") { $0.insert("tent", by: jie) }
/// ```
public struct ORMap<Key: Hashable & Sendable, State: CausalState>: CausalState {
    /// A store of the states' kind for each key.
    public typealias Store = DotMap<Key, State.Store>
    /// A key that came or went, or whose state changed.
    public typealias Change = MapChange<Key>

    /// What is alive, and what was seen.
    public var causal: Causal<Store>

    /// A state of what is alive and what was seen. Complexity: O(1).
    @inlinable
    public init(_ causal: Causal<Store>) {
        self.causal = causal
    }

    /// Whether no key has anything alive. Complexity: O(1).
    @inlinable public var isEmpty: Bool { causal.store.isEmpty }

    /// How many keys have something alive. Complexity: O(1).
    @inlinable public var count: Int { causal.store.count }

    /// Whether the key has something alive. Complexity: O(1), and O(n) once.
    @inlinable
    public func contains(_ key: Key) -> Bool { causal.store.contains(key) }

    /// The keys in the order of their least dots: the same on every replica with the same state. Complexity: O(dots).
    @inlinable public var keys: [Key] { causal.store.liveKeys }

    /// The state under a key; an empty one if the key is not there.
    ///
    /// It is changed in place, by its mutators and by merging, and not replaced by another. What its mutators return are deltas of the
    /// state; ``SyncableState/update(_:)`` and ``updateValue(forKey:_:)`` return the map's. Arguments may read the same map:
    ///
    /// ```swift
    /// let delta = trips.update { $0["Porto"].formUnion($0["Lisbon"].elements, by: jie) }
    /// ```
    ///
    /// A copy has the map's context, and no life of its own: what is done to it is not done to the map.
    ///
    /// Complexity: O(1), and O(n) once.
    @inlinable
    public subscript(key: Key) -> State {
        get { State(Causal(store: causal.store[key], seen: context)) }
        _modify {
            var slot: UInt32 = 0
            var state = State(causal.lend(key, &slot))
            defer { _ = causal.takeBack(state.causal, key, slot) }
            yield &state
        }
    }

    /// Visits keys and states in the order of the keys' least dots. Complexity: O(dots).
    @inlinable
    public func forEach(_ body: (Key, State) -> Void) {
        causal.store.forEach { body($0, State(Causal(store: $1, seen: context))) }
    }

    /// Acts on the state under a key, which is made if it is not there, and returns the delta for the map.
    ///
    /// The state is the map's own for the time of the call, so that nothing is copied; what `body` does to it by its mutators and
    /// by merging is done to the map, and makes up the delta. It must not put another state in its place. `body` cannot read the map
    /// itself: read before, or change the state by the subscript.
    ///
    /// Complexity: that of what is done to the state, and O(1), and O(n) once.
    @inlinable
    @discardableResult
    public mutating func updateValue(forKey key: Key, _ body: (inout State) -> Void) -> ORMap {
        var slot: UInt32 = 0
        var state = State(causal.lend(key, &slot))
        body(&state)
        return ORMap(causal.takeBack(state.causal, key, slot))
    }

    /// Removes a key with all of its state that was seen, and returns the delta.
    ///
    /// - Parameters:
    ///   - key: the key.
    ///   - past: what the author of the removal had seen; by default what this map has seen.
    ///
    /// Complexity: O(dots of the key), and O(n) once.
    @inlinable
    @discardableResult
    public mutating func removeValue(forKey key: Key, past: CausalContext? = nil) -> ORMap {
        apply(DotMap(), causal.store[key].dots(in: past))
    }

    /// Joins, and calls with each key whose state changed, with what `measure` told of the state before and with the state now: for a
    /// view of what is under the keys, which need not read all of it again. Measure what is shown of a state, as its text and its
    /// count; a whole state that is kept would be copied when it changes.
    ///
    /// Complexity: as ``DeltaState/merge(_:)``, and that of `measure` for each key that changes.
    @inlinable
    @discardableResult
    public mutating func merge<Measure>(
        _ other: ORMap, measuring measure: (State) -> Measure,
        onUpdate body: (_ key: Key, _ before: Measure, _ after: State) -> Void
    ) -> Bool {
        let none = CausalContext()
        return causal.merge(
            other.causal, measuring: { measure(State(Causal(store: $0, seen: none))) },
            { body($0(), $1, State(Causal(store: $2, seen: none))) })
    }
}
