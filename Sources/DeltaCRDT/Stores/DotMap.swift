/// A store for each key; a key whose store is empty is not there.
///
/// A dot stands under one key only. The map knows the key of each of its dots, so that a delta that only removes, and so
/// names no key, finds what it covers without a search. Keys are one when `==`, texts when their UTF-8 is the same.
public struct DotMap<Key: Hashable & Sendable, Store: DotStore>: DotStore {
    /// A key that came or went, or whose store changed.
    public typealias Change = MapChange<Key>

    @usableFromInline
    enum Storage: Sendable {
        case none
        /// A key whose store is not empty, as in a delta.
        case one(Key, Store)
        case many(ManyKeys<Key, Store>)
    }

    // Apart, for what is asked of many keys is then one reference away, and nothing else is copied for it.
    /// A key whose store is not empty, as in a delta; nil where there are columns.
    @usableFromInline var only: (key: Key, store: Store)?
    @usableFromInline var many: ManyKeys<Key, Store>?

    @inlinable var storage: Storage {
        get { many.map { .many($0) } ?? only.map { .one($0.key, $0.store) } ?? .none }
        set {
            (only, many) = (nil, nil)
            switch newValue {
            case .none: break
            case .one(let key, let store): only = (key, store)
            case .many(let many): self.many = many
            }
        }
    }

    /// No keys. Complexity: O(1).
    @inlinable public init() {}

    /// Holds one key. Complexity: O(1).
    @inlinable
    public init(_ key: Key, _ store: Store) {
        if !store.isEmpty { only = (key, store) }
    }

    /// Whether nothing is alive. Complexity: O(1).
    @inlinable public var isEmpty: Bool { count == 0 }

    /// How many keys have something alive. Complexity: O(1).
    @inlinable public var count: Int {
        many?.count ?? (only == nil ? 0 : 1)
    }

    /// How many dots hold something up. Complexity: O(1).
    @inlinable public var dotCount: Int {
        many?.columns.count ?? only?.store.dotCount ?? 0
    }

    /// The keys that have something alive, in the order of their least dots: the same on every replica with the same
    /// state. Complexity: O(dots).
    @inlinable public var liveKeys: [Key] {
        var keys: [Key] = []
        keys.reserveCapacity(count)
        forEach { key, _ in keys.append(key) }
        return keys
    }

    /// The store of a key, empty if the key is not there.
    ///
    /// A dot that stands under another key stays there. Complexity: O(1) to read, O(dots of the key) to write.
    @inlinable public subscript(key: Key) -> Store {
        get {
            if let many { return many.slot(of: key).map { many.stores[Int($0)] } ?? Store() }
            guard let only, Identity.isEqual(only.key, key) else { return Store() }
            return only.store
        }
        set {
            if many == nil, isEmpty || contains(key) {
                self = DotMap(key, newValue)
            } else {
                withMany { $0.replaceStore(of: key, with: newValue) }
            }
        }
    }

    /// Whether the key has something alive. Complexity: O(1), and O(n) once.
    @inlinable
    public func contains(_ key: Key) -> Bool {
        if let many { return many.slot(of: key) != nil }
        return only.map { Identity.isEqual($0.key, key) } ?? false
    }

    /// Whether the dot holds something up. Complexity: O(log replicas).
    @inlinable
    public func contains(_ dot: Dot) -> Bool {
        many?.columns.contains(dot) ?? only?.store.contains(dot) ?? false
    }

    /// The key under which a dot stands. Complexity: O(log replicas).
    @inlinable
    public func key(of dot: Dot) -> Key? {
        switch storage {
        case .none: nil
        case .one(let key, let store): store.contains(dot) ? key : nil
        case .many(let many): many.columns[dot].map { many.keys[$0] }
        }
    }

    /// Changes the columns in place, where no copy shares them; makes them of one key.
    @inlinable mutating func withMany<Result>(_ body: (ManyKeys<Key, Store>) -> Result) -> Result {
        body(ownMany())
    }

    /// The columns, shared with no copy; made of one key.
    @inlinable mutating func ownMany() -> ManyKeys<Key, Store> {
        if many != nil, isKnownUniquelyReferenced(&many), let many { return many }
        let own = many.map { ManyKeys(copying: $0) } ?? ManyKeys()
        if let only { own.put(only.store, under: own.makeSlot(of: only.key)) }
        (only, many) = (nil, own)
        return own
    }

    /// Takes the store of a key out, so that it can be changed without a copy. Its dots stay until it is given back.
    @inlinable mutating func takeStore(of key: Key, into store: inout Store) -> UInt32 {
        withMany { many in
            let slot = many.makeSlot(of: key)
            store = Store()
            swap(&store, &many.stores[Int(slot)])
            return slot
        }
    }

    /// Puts back a store that `takeStore(of:into:)` took, and to which a delta was joined meanwhile.
    @inlinable mutating func giveBack(
        _ store: Store, to slot: UInt32, _ delta: Causal<Store>, _ fallen: inout FallenDots
    ) {
        let elsewhere = withMany { many in
            many.stores[Int(slot)] = store
            var gone: [Dot] = []
            many.columns.forEach(in: delta.seen) { dot, _ in if !delta.liveStore.contains(dot) { gone.append(dot) } }
            var elsewhere: [Dot] = []
            for dot in gone {
                if many.columns[dot] == slot {
                    many.columns.remove(dot)
                    fallen.append(dot)
                } else {
                    elsewhere.append(dot)
                }
            }
            delta.liveStore.forEachDot { dot in
                if store.contains(dot) { many.columns.insert(dot, slot: slot) }
            }
            many.freeSlotIfEmpty(slot)
            many.compactIfSparse()
            return elsewhere
        }
        // What a state from elsewhere has seen fall under other keys falls there too.
        guard !elsewhere.isEmpty else { return }
        _ = merge(
            DotMap(), context: CausalContext(), otherContext: CausalContext(elsewhere), fallen: &fallen)
    }

    // MARK: Walking

    /// Visits each key and its store, in the order of the keys' least dots. Complexity: O(dots).
    @inlinable
    public func forEach(_ body: (Key, Store) -> Void) {
        switch storage {
        case .none: break
        case .one(let key, let store): body(key, store)
        case .many(let many):
            let (keys, stores) = (many.keys, many.stores)
            many.forEachSlot { body(keys[$0], stores[Int($0)]) }
        }
    }

    /// How many keys have such a store, which no empty one is. Complexity: O(keys).
    @inlinable func count(where isCounted: (Store) -> Bool) -> Int {
        switch storage {
        case .none: 0
        case .one(_, let store): isCounted(store) ? 1 : 0
        case .many(let many): many.stores.count { isCounted($0) }
        }
    }

    /// Whether a key has such a store, which no empty one is. Complexity: O(keys until it is found).
    @inlinable func contains(where isFound: (Store) -> Bool) -> Bool {
        switch storage {
        case .none: false
        case .one(_, let store): isFound(store)
        case .many(let many): many.stores.contains { isFound($0) }
        }
    }

    /// Visits every dot that holds something up, upwards. Complexity: O(n).
    @inlinable
    public func forEachDot(_ body: (Dot) -> Void) {
        switch storage {
        case .none: break
        case .one(_, let store): store.forEachDot(body)
        case .many(let many): many.columns.forEach { dot, _ in body(dot) }
        }
    }

    /// Visits the dots that hold something up as maximal ranges, upwards. Complexity: O(n / 32 + runs).
    @inlinable
    public func forEachRun(_ body: (ReplicaID, ClosedRange<UInt64>) -> Void) {
        switch storage {
        case .none: break
        case .one(_, let store): store.forEachRun(body)
        case .many(let many): many.columns.forEachRun(body)
        }
    }

    /// Visits the dots that a context has seen, upwards. Complexity: O(ranges of the context · log n + dots found).
    @inlinable
    public func forEachDot(in context: CausalContext, _ body: (Dot) -> Void) {
        switch storage {
        case .none: break
        case .one(_, let store): store.forEachDot(in: context, body)
        case .many(let many): many.columns.forEach(in: context) { dot, _ in body(dot) }
        }
    }

    /// The sum of the fingerprints of one replica's dots. Complexity: O(log replicas).
    @inlinable
    public func fingerprint(of replica: ReplicaID) -> UInt64 {
        switch storage {
        case .none: 0
        case .one(_, let store): store.fingerprint(of: replica)
        case .many(let many): many.columns.fingerprint(of: replica)
        }
    }

    /// The part of the store that stands on some dots. Complexity: O(ranges of the dots · log n + what is found).
    @inlinable
    public func restricted(to dots: CausalContext) -> DotMap {
        var part = DotMap()
        switch storage {
        case .none: break
        case .one(let key, let store): part = DotMap(key, store.restricted(to: dots))
        case .many(let many):
            part.storage = many.restricted(to: dots).storage
        }
        return part
    }
}
