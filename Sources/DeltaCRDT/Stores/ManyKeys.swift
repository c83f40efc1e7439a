/// What a ``DotMap`` of many keys is made of: keys and stores in slots, and for each dot the slot of its key.
@usableFromInline
struct ManyKeys<Key: Hashable & Sendable, Store: DotStore>: Sendable {
    @usableFromInline var columns = DotColumns()
    /// nil where a slot is free.
    @usableFromInline var keys: ContiguousArray<Key?> = []
    @usableFromInline var stores: ContiguousArray<Store> = []
    @usableFromInline var free: [UInt32] = []
    /// From keys to slots.
    @usableFromInline var table: LazyHashTable? = LazyHashTable()

    @inlinable init() {}

    /// How many keys there are.
    @inlinable var count: Int { keys.count - free.count }

    /// What a map that was just filled with these keeps: no columns for one key.
    @inlinable var storage: DotMap<Key, Store>.Storage {
        if count > 1 { return .many(ManyKeysBox(self)) }
        return keys.first.flatMap { $0 }.map { .one($0, stores[0]) } ?? .none
    }

    // MARK: Keys

    /// Complexity: O(1), and O(n) once.
    @inlinable func slot(of key: Key) -> UInt32? {
        table?.first(Identity.hash(key), making: { makeTable() }) { slot in
            keys[Int(slot)].map { Identity.isEqual($0, key) } ?? false
        }
    }

    @inlinable func makeTable() -> HashTable {
        var table = HashTable(capacity: count)
        for slot in keys.indices {
            if let key = keys[slot] { table.insert(Identity.hash(key), slot: UInt32(slot)) { _ in false } }
        }
        return table
    }

    /// Visits each key's slot, in the order of the keys' least dots.
    @inlinable func forEachSlot(_ body: (Int) -> Void) {
        var isVisited = ContiguousArray(repeating: false, count: keys.count)
        columns.forEachSlot { slot in
            if !isVisited[Int(slot)] {
                isVisited[Int(slot)] = true
                if keys[Int(slot)] != nil { body(Int(slot)) }
            }
        }
    }

    /// The slot of a key, which is given one if it has none.
    @inlinable mutating func makeSlot(of key: Key) -> UInt32 {
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
        LazyHashTable.update(&table) { $0.insert(Identity.hash(key), slot: slot) { _ in false } }
        return slot
    }

    /// Forgets a key if nothing of it is alive.
    @inlinable mutating func freeSlotIfEmpty(_ slot: UInt32) {
        guard stores[Int(slot)].isEmpty, let key = keys[Int(slot)] else { return }
        LazyHashTable.update(&table) { $0.remove(Identity.hash(key), slot: slot) }
        keys[Int(slot)] = nil
        stores[Int(slot)] = Store()
        free.append(slot)
    }

    /// Gives memory back once three quarters of the slots are free. All slots change.
    @inlinable mutating func compactIfSparse() {
        guard free.count > 64, free.count > count * 3 else { return }
        var dense = ManyKeys()
        dense.keys.reserveCapacity(count)
        forEachSlot { slot in
            if let key = keys[slot] { dense.put(stores[slot], under: dense.makeSlot(of: key)) }
        }
        self = dense
    }

    // MARK: Stores

    /// Puts a store whose dots are not here under a slot that has none.
    @inlinable mutating func put(_ store: Store, under slot: UInt32) {
        stores[Int(slot)] = store
        store.forEachDot { columns.insert($0, slot: slot) }
    }

    /// Gives a key another store. A dot that stands under another key stays there.
    @inlinable mutating func replaceStore(of key: Key, with store: Store) {
        let slot = makeSlot(of: key)
        stores[Int(slot)].forEachDot { columns.remove($0) }
        var taken = CausalContext()
        store.forEachDot { if columns.contains($0) { taken.insert($0) } }
        put(taken.isEmpty ? store : store.restricted(to: store.dots().subtracting(taken)), under: slot)
        freeSlotIfEmpty(slot)
        compactIfSparse()
    }

    // MARK: Joining

    /// A slot whose store is to be joined, and with what.
    @usableFromInline
    struct Touched {
        @usableFromInline let slot: UInt32
        @usableFromInline let theirs: Store

        @inlinable init(slot: UInt32, theirs: Store) {
            self.slot = slot
            self.theirs = theirs
        }
    }

    /// Takes the dots of another map that this one has not seen, lets go of those that the other saw fall, and tells whose stores
    /// are to be joined for it.
    @inlinable mutating func moveDots(
        _ other: DotMap<Key, Store>, _ context: CausalContext, _ otherContext: CausalContext,
        _ fallen: inout FallenDots
    ) -> [Touched] {
        var removed: [Dot] = []
        var removedSlots: [UInt32] = []
        forEach(removedBy: other, otherContext) { dot, slot in
            removed.append(dot)
            removedSlots.append(slot)
        }
        var touched: [Touched] = []
        switch other.storage {
        case .none: break
        case .one(let key, let store): takeDots(of: key, store, context, &touched)
        case .many(let box): takeDots(box.many, context, &touched)
        }
        for dot in removed {
            fallen.append(dot)
            columns.remove(dot)
        }
        guard !removed.isEmpty else { return touched }
        var isTouched = Set(touched.lazy.map(\.slot))
        for slot in removedSlots where isTouched.insert(slot).inserted {
            if let key = keys[Int(slot)] { touched.append(Touched(slot: slot, theirs: other[key])) }
        }
        return touched
    }

    @inlinable func forEach(
        removedBy other: DotMap<Key, Store>, _ otherContext: CausalContext, _ body: (Dot, _ slot: UInt32) -> Void
    ) {
        if case .many(let box) = other.storage {
            columns.forEach(removedBy: box.many.columns, otherContext, body)
        } else {
            columns.forEach(in: otherContext) { if !other.contains($0) { body($0, $1) } }
        }
    }

    @inlinable mutating func takeDots(
        of key: Key, _ store: Store, _ context: CausalContext, _ touched: inout [Touched]
    ) {
        var slot: UInt32?
        store.forEachDot { dot in
            guard !context.contains(dot) else { return }
            let own = slot ?? makeSlot(of: key)
            slot = own
            columns.insert(dot, slot: own)
        }
        if let slot { touched.append(Touched(slot: slot, theirs: store)) }
    }

    @inlinable mutating func takeDots(_ other: ManyKeys, _ context: CausalContext, _ touched: inout [Touched]) {
        var mine: [UInt32: UInt32] = [:]
        var numbers: [Int?] = Array(repeating: nil, count: other.columns.replicaCount)
        other.columns.forEach(notIn: context) { number, counter, slot in
            if mine[slot] == nil, let key = other.keys[Int(slot)] {
                let own = makeSlot(of: key)
                mine[slot] = own
                touched.append(Touched(slot: own, theirs: other.stores[Int(slot)]))
            }
            guard let own = mine[slot] else { return }
            let ownNumber: Int
            if let known = numbers[number] {
                ownNumber = known
            } else {
                ownNumber = columns.makeColumn(of: other.columns.replica(number))
                numbers[number] = ownNumber
                columns.makeRoom(number: ownNumber, for: other.columns, number)
            }
            columns.insert(number: ownNumber, counter: counter, slot: own)
        }
    }

    @inlinable mutating func join(
        _ touched: Touched, _ context: CausalContext, _ otherContext: CausalContext, _ fallen: inout FallenDots
    ) {
        var gone = FallenDots(collecting: true)
        _ = stores[Int(touched.slot)].merge(
            touched.theirs, context: context, otherContext: otherContext, fallen: &gone)
        // Their columns know already, except of a dot that the other has under another key.
        for dot in gone.dots where columns.remove(dot) != nil { fallen.append(dot) }
        freeSlotIfEmpty(touched.slot)
    }
}

/// Shares the columns between copies of a map, so that to pass a map on is to count one reference.
@usableFromInline
final class ManyKeysBox<Key: Hashable & Sendable, Store: DotStore>: @unchecked Sendable {
    // Changed only while one map alone, which is being mutated, refers to the box.
    @exclusivity(unchecked) @usableFromInline var many: ManyKeys<Key, Store>

    @inlinable init(_ many: ManyKeys<Key, Store>) { self.many = many }
}
