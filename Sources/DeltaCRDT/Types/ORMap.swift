/// A map from keys to replicated states of any causal type, maps among them.
///
/// Removing a key removes what was seen of its state; what somebody else did to it at the same time stays, and with it the key.
/// All the states under the keys share the map's context.
///
/// ```swift
/// var trips = ORMap<String, AddWinsSet<String>>()
/// let delta = trips.update("Lisbon") { $0.add("tent", by: jie) }
/// ```
public struct ORMap<Key: Hashable & Sendable, State: CausalState>: CausalState {
    public typealias Store = DotMap<Key, State.Store>
    public typealias Change = MapChange<Key>

    public var causal: Causal<Store>

    public init(_ causal: Causal<Store>) {
        self.causal = causal
    }

    public var isEmpty: Bool { causal.store.isEmpty }

    /// How many keys have something alive.
    public var count: Int { causal.store.count }

    /// Whether the key has something alive. Complexity: O(1), and O(n) once.
    public func contains(_ key: Key) -> Bool { causal.store.contains(key) }

    /// The keys in the order of their least dots: the same on every replica with the same state.
    public var keys: [Key] { causal.store.liveKeys }

    /// The state under a key; an empty one if the key is not there.
    ///
    /// It has the map's context, and no life of its own: what is done to it is not done to the map. Use
    /// ``update(_:_:)``.
    public subscript(key: Key) -> State { State(Causal(store: causal.store[key], seen: context)) }

    /// Visits keys and states in the order of the keys' least dots.
    public func forEach(_ body: (Key, State) -> Void) {
        causal.store.forEach { body($0, State(Causal(store: $1, seen: context))) }
    }

    /// Acts on the state under a key, which is made if it is not there, and returns the delta for the map.
    ///
    /// - Parameter mutate: calls mutators of the state and returns what they returned, joined if they were several. What it does
    ///   not return does not happen.
    @discardableResult
    public mutating func update(_ key: Key, _ mutate: (inout State) -> State) -> ORMap {
        var state = self[key]
        let delta = mutate(&state).causal
        return apply(DotMap(key, delta.store), delta.context)
    }

    /// Removes a key with all of its state that was seen, and returns the delta.
    ///
    /// - Parameter past: what the author of the removal had seen; by default what this map has seen.
    @discardableResult
    public mutating func remove(_ key: Key, past: CausalContext? = nil) -> ORMap {
        apply(DotMap(), causal.store[key].dots(in: past))
    }
}
