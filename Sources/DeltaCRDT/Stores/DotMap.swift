/// A store for each key; a key whose store is empty is not there.
///
/// A dot stands under one key only. The map knows the key of each of its dots, so that a delta that only removes, and so
/// names no key, finds what it covers without a search.
public struct DotMap<Key: Hashable & Sendable, Store: DotStore>: DotStore {
    private var stores: [Key: Store] = [:]
    private var keys: [Dot: Key] = [:]

    public init() {}

    /// Holds one key.
    public init(_ key: Key, _ store: Store) {
        self[key] = store
    }

    public var isEmpty: Bool { stores.isEmpty }

    /// How many keys have something alive.
    public var count: Int { stores.count }

    /// The keys that have something alive, in no promised order.
    public var liveKeys: some Collection<Key> { stores.keys }

    /// The store of a key, empty if the key is not there.
    ///
    /// Complexity: O(1) to read, O(dots of the key) to write.
    public subscript(key: Key) -> Store {
        get { stores[key] ?? Store() }
        set {
            stores[key]?.forEachDot { keys[$0] = nil }
            newValue.forEachDot { dot in
                precondition(keys[dot] == nil, "a dot stands under one key")
                keys[dot] = key
            }
            stores[key] = newValue.isEmpty ? nil : newValue
        }
    }

    /// Whether the key has something alive.
    public func contains(_ key: Key) -> Bool { stores[key] != nil }

    /// The key under which a dot stands. Complexity: O(1).
    public func key(of dot: Dot) -> Key? { keys[dot] }

    /// Visits each key and its store, in no promised order.
    public func forEach(_ body: (Key, Store) -> Void) {
        for (key, store) in stores { body(key, store) }
    }

    public func forEachDot(_ body: (Dot) -> Void) {
        for dot in keys.keys { body(dot) }
    }

    @discardableResult
    public mutating func merge(_ other: DotMap, context: CausalContext, otherContext: CausalContext) -> Bool {
        var changed = false
        for key in coveredKeys(otherContext).union(other.stores.keys) {
            var store = self[key]
            if store.merge(other[key], context: context, otherContext: otherContext) {
                self[key] = store
                changed = true
            }
        }
        return changed
    }

    public func restricted(to kept: CausalContext) -> DotMap {
        var part = DotMap()
        for key in coveredKeys(kept) { part[key] = self[key].restricted(to: kept) }
        return part
    }

    /// The keys with a dot in the context. Complexity: O(min(dots of the context, dots of the map)).
    private func coveredKeys(_ context: CausalContext) -> Set<Key> {
        var covered: Set<Key> = []
        context.forEachRange { replica, range in
            if range.count <= keys.count {
                for counter in range {
                    if let key = keys[Dot(replica: replica, counter: counter)] { covered.insert(key) }
                }
            } else {
                for (dot, key) in keys where dot.replica == replica && range.contains(dot.counter) {
                    covered.insert(key)
                }
            }
        }
        return covered
    }
}
