/// A store for each key; a key whose store is empty is not there.
///
/// A dot stands under one key only. The map knows the key of each of its dots, so that a delta that only removes, and so
/// names no key, finds what it covers without a search. Keys are one when `==`, texts when their UTF-8 is the same.
public struct DotMap<Key: Hashable & Sendable, Store: DotStore>: DotStore {
    /// The slot of each dot is that of its key.
    private(set) var columns = DotColumns()
    private var keys: ContiguousArray<Key?> = []
    private(set) var stores: ContiguousArray<Store> = []
    private var free: [UInt32] = []
    /// From keys to slots; nil while there are so few that a search is as quick.
    private var table: LazyHashTable?

    private static var fewest: Int { 8 }

    public init() {}

    /// Holds one key.
    public init(_ key: Key, _ store: Store) {
        self[key] = store
    }

    public var isEmpty: Bool { count == 0 }

    /// How many keys have something alive.
    public var count: Int { keys.count - free.count }

    public var dotCount: Int { columns.count }

    /// The keys that have something alive, in the order of their least dots: the same on every replica with the same
    /// state. Complexity: O(dots).
    public var liveKeys: [Key] {
        var keys: [Key] = []
        keys.reserveCapacity(count)
        forEach { key, _ in keys.append(key) }
        return keys
    }

    /// The store of a key, empty if the key is not there.
    ///
    /// A dot that stands under another key stays there. Complexity: O(1) to read, O(dots of the key) to write.
    public subscript(key: Key) -> Store {
        get { slot(of: key).map { stores[Int($0)] } ?? Store() }
        set { replaceStore(of: key, with: newValue) }
    }

    /// Whether the key has something alive. Complexity: O(1), and O(n) once.
    public func contains(_ key: Key) -> Bool { slot(of: key) != nil }

    public func contains(_ dot: Dot) -> Bool { columns.contains(dot) }

    /// The key under which a dot stands. Complexity: O(log replicas).
    public func key(of dot: Dot) -> Key? { columns[dot].flatMap { keys[Int($0)] } }

    /// Visits each key and its store, in the order of the keys' least dots.
    public func forEach(_ body: (Key, Store) -> Void) {
        var isVisited = Array(repeating: false, count: keys.count)
        columns.forEach { _, slot in
            if !isVisited[Int(slot)], let key = keys[Int(slot)] {
                isVisited[Int(slot)] = true
                body(key, stores[Int(slot)])
            }
        }
    }

    public func forEachDot(_ body: (Dot) -> Void) {
        columns.forEach { dot, _ in body(dot) }
    }

    public func forEachRun(_ body: (ReplicaID, ClosedRange<UInt64>) -> Void) { columns.forEachRun(body) }

    public func forEachDot(in context: CausalContext, _ body: (Dot) -> Void) {
        columns.forEach(in: context) { dot, _ in body(dot) }
    }

    public func fingerprint(of replica: ReplicaID) -> UInt64 { columns.fingerprint(of: replica) }

    public func restricted(to dots: CausalContext) -> DotMap {
        var part = DotMap()
        var isVisited: Set<UInt32> = []
        columns.forEach(in: dots) { _, slot in
            if isVisited.insert(slot).inserted, let key = keys[Int(slot)] {
                part[key] = stores[Int(slot)].restricted(to: dots)
            }
        }
        return part
    }

    // MARK: Slots

    /// Puts a dot that is not here under a slot, and reads what it holds up in the slot's store.
    mutating func place(
        _ dot: Dot, _ slot: UInt32, from decoder: inout CanonicalDecoder, _ coding: inout Store.Coding
    ) throws(DecodingFailure) where Store: CodableDotStore {
        columns.insert(dot, slot: slot)
        try stores[Int(slot)].decodeContent(of: dot, from: &decoder, &coding)
    }

    func key(at slot: UInt32) -> Key? { keys[Int(slot)] }

    func slot(of key: Key) -> UInt32? {
        guard let table else {
            return keys.indices.first { keys[$0].map { Identity.isEqual($0, key) } ?? false }.map(UInt32.init)
        }
        return table.read(makeTable) { $0.first(Identity.hash(key)) { self.holds(key, at: $0) } }
    }

    private func holds(_ key: Key, at slot: UInt32) -> Bool {
        keys[Int(slot)].map { Identity.isEqual($0, key) } ?? false
    }

    private func makeTable() -> HashTable {
        var table = HashTable(capacity: count)
        for (slot, key) in keys.enumerated() {
            if let key { table.insert(Identity.hash(key), slot: UInt32(slot)) { _ in false } }
        }
        return table
    }

    /// The slot of a key, which is given one if it has none.
    mutating func makeSlot(of key: Key) -> UInt32 {
        if let slot = slot(of: key) { return slot }
        let slot: UInt32
        if let reused = free.popLast() {
            slot = reused
            keys[Int(slot)] = key
        } else {
            slot = UInt32(keys.count)
            keys.append(key)
            stores.append(Store())
        }
        if table != nil {
            LazyHashTable.update(&table) { $0.insert(Identity.hash(key), slot: slot) { _ in false } }
        } else if keys.count > Self.fewest {
            table = LazyHashTable()
        }
        return slot
    }

    /// Forgets a key with nothing alive.
    private mutating func freeSlot(_ slot: UInt32) {
        guard let key = keys[Int(slot)] else { return }
        LazyHashTable.update(&table) { $0.remove(Identity.hash(key), slot: slot) { _ in false } }
        keys[Int(slot)] = nil
        stores[Int(slot)] = Store()
        free.append(slot)
    }

    /// Gives memory back once three quarters of the slots are free. All slots change.
    private mutating func compactIfSparse() {
        guard free.count > 64, free.count > count * 3 else { return }
        var dense = DotMap()
        dense.keys.reserveCapacity(count)
        forEach { key, store in dense[key] = store }
        self = dense
    }

    private mutating func replaceStore(of key: Key, with store: Store) {
        let slot = makeSlot(of: key)
        stores[Int(slot)].forEachDot { columns.remove($0) }
        var taken = CausalContext()
        store.forEachDot { if columns.contains($0) { taken.insert($0) } }
        stores[Int(slot)] = taken.isEmpty ? store : store.restricted(to: store.dots().subtracting(taken))
        stores[Int(slot)].forEachDot { columns.insert($0, slot: slot) }
        if stores[Int(slot)].isEmpty {
            freeSlot(slot)
            compactIfSparse()
        }
    }
}

// MARK: Joining

/// What a merge did to a map, by key.
public enum MapChange<Key: Sendable>: Sendable {
    /// The key came.
    case inserted(Key)
    /// What is under the key changed.
    case updated(Key)
    /// The key went.
    case removed(Key)
}

extension MapChange: Equatable where Key: Equatable {}
extension MapChange: Hashable where Key: Hashable {}

extension DotMap {
    public mutating func merge(
        _ other: DotMap, context: CausalContext, otherContext: CausalContext, fallen: inout FallenDots
    ) -> Bool {
        merge(other, context: context, otherContext: otherContext, fallen: &fallen) { _ in }
    }

    /// Joins, and calls with each key whose store changed. The dots tell which these are: no others are looked at.
    public mutating func merge(
        _ other: DotMap, context: CausalContext, otherContext: CausalContext, fallen: inout FallenDots,
        onChange: (MapChange<Key>) -> Void
    ) -> Bool {
        if isEmpty, context.isEmpty {
            self = other
            forEach { key, _ in onChange(.inserted(key)) }
            return !isEmpty
        }
        let touched = moveDots(other, context, otherContext, &fallen)
        for (slot, theirs) in touched {
            guard let key = keys[Int(slot)] else { continue }
            let wasEmpty = stores[Int(slot)].isEmpty
            join(slot, with: theirs, of: other, context, otherContext, &fallen)
            if stores[Int(slot)].isEmpty {
                if !wasEmpty { onChange(.removed(key)) }
            } else {
                onChange(wasEmpty ? .inserted(key) : .updated(key))
            }
        }
        compactIfSparse()
        return !touched.isEmpty
    }

    /// Joins, and calls with each key whose store changed, its store before and its store now. For small stores: the one
    /// before is copied.
    mutating func merge(
        _ other: DotMap, context: CausalContext, otherContext: CausalContext, fallen: inout FallenDots,
        comparing body: (Key, _ before: Store, _ after: Store) -> Void
    ) -> Bool {
        let touched = moveDots(other, context, otherContext, &fallen)
        for (slot, theirs) in touched {
            guard let key = keys[Int(slot)] else { continue }
            let before = stores[Int(slot)]
            join(slot, with: theirs, of: other, context, otherContext, &fallen)
            body(key, before, stores[Int(slot)])
        }
        compactIfSparse()
        return !touched.isEmpty
    }

    /// Joins the columns, and tells which slots' stores are to be joined, and with which of the other's.
    private mutating func moveDots(
        _ other: DotMap, _ context: CausalContext, _ otherContext: CausalContext, _ fallen: inout FallenDots
    ) -> [(mine: UInt32, theirs: UInt32?)] {
        var touched: [(mine: UInt32, theirs: UInt32?)] = []
        var mine: [UInt32: UInt32] = [:]
        var isTouched: Set<UInt32> = []
        let removed = columns.removed(by: other.columns, otherContext)
        var arrivals: [(dot: Dot, slot: UInt32)] = []
        other.columns.forEach(notIn: context) { number, counter, slot in
            arrivals.append((Dot(replica: other.columns.replicas[number], counter: counter), slot))
        }
        for (dot, slot) in arrivals {
            if mine[slot] == nil, let key = other.keys[Int(slot)] {
                let own = makeSlot(of: key)
                mine[slot] = own
                isTouched.insert(own)
                touched.append((own, slot))
            }
            if let own = mine[slot] { columns.insert(dot, slot: own) }
        }
        for each in removed {
            fallen.append(Dot(replica: columns.replicas[each.number], counter: each.counter))
            columns.remove(number: each.number, counter: each.counter)
            if isTouched.insert(each.slot).inserted, let key = keys[Int(each.slot)] {
                touched.append((each.slot, other.slot(of: key)))
            }
        }
        return touched
    }

    private mutating func join(
        _ slot: UInt32, with theirs: UInt32?, of other: DotMap, _ context: CausalContext, _ otherContext: CausalContext,
        _ fallen: inout FallenDots
    ) {
        let store = theirs.map { other.stores[Int($0)] } ?? Store()
        var gone = FallenDots(collecting: true)
        _ = stores[Int(slot)].merge(store, context: context, otherContext: otherContext, fallen: &gone)
        // Their columns know already, except of a dot that the other has under another key.
        for dot in gone.dots where columns.remove(dot) != nil { fallen.append(dot) }
        if stores[Int(slot)].isEmpty { freeSlot(slot) }
    }
}

extension DotMap {
    public static func == (left: DotMap, right: DotMap) -> Bool {
        guard left.count == right.count, left.columns.hasSameDots(as: right.columns) else { return false }
        var isEqual = true
        left.forEach { key, store in
            if isEqual { isEqual = right.slot(of: key).map { right.stores[Int($0)] == store } ?? false }
        }
        return isEqual
    }

    public func hash(into hasher: inout Hasher) { columns.hash(into: &hasher) }
}
