/// What a ``DotMap`` of many keys is made of: keys and stores in slots, and for each dot the slot of its key.
@usableFromInline
final class ManyKeys<Key: Hashable & Sendable, Store: DotStore>: @unchecked Sendable {
    // Changed only while one map alone, which is being mutated, refers to these.
    @exclusivity(unchecked) @usableFromInline var columns = DotColumns()
    /// What a free slot had stays until the slot is used again.
    @exclusivity(unchecked) @usableFromInline var keys = ValueColumn<Key>()
    @exclusivity(unchecked) @usableFromInline var isFree: ContiguousArray<Bool> = []
    @exclusivity(unchecked) @usableFromInline var stores: ContiguousArray<Store> = []
    @exclusivity(unchecked) @usableFromInline var free: [UInt32] = []
    /// From keys to slots.
    @exclusivity(unchecked) @usableFromInline var table: LazyHashTable? = LazyHashTable()

    @inlinable init() {}

    @inlinable init(copying other: ManyKeys) {
        columns = DotColumns(copying: other.columns)
        (keys, isFree, stores, free, table) = (other.keys, other.isFree, other.stores, other.free, other.table)
    }

    /// How many keys there are.
    @inlinable var count: Int { stores.count - free.count }

    /// What a map that was just filled with these keeps: no columns for one key.
    @inlinable var storage: DotMap<Key, Store>.Storage {
        if count > 1 { return .many(self) }
        return stores.isEmpty ? .none : .one(keys[0], stores[0])
    }

    // MARK: Keys

    /// Complexity: O(1), and O(n) once.
    @inlinable func slot(of key: Key) -> UInt32? { slot(of: key, hash: Identity.hash(key)) }

    @inlinable func slot(of key: Key, hash: UInt32) -> UInt32? {
        table?.first(hash, making: { makeTable() }) { keys.holds(key, at: $0) }
    }

    /// The slot of the key that another column has in a slot.
    @inlinable func slot(of other: UInt32, in column: ValueColumn<Key>, hash: UInt32) -> UInt32? {
        table?.first(hash, making: { makeTable() }) { keys.isEqual($0, to: other, of: column) }
    }

    @inlinable func makeTable() -> HashTable {
        let table = HashTable(capacity: count)
        for slot in 0..<UInt32(stores.count) where !isFree[Int(slot)] { table.insert(keys.hash(of: slot), slot: slot) }
        return table
    }

    /// Visits each key's slot, in the order of the keys' least dots.
    @inlinable func forEachSlot(_ body: (UInt32) -> Void) {
        var isVisited = ContiguousArray(repeating: false, count: stores.count)
        columns.forEachSlot { slot in
            if !isVisited[Int(slot)] {
                isVisited[Int(slot)] = true
                body(slot)
            }
        }
    }

    /// The slot of a key, which is given one if it has none.
    @inlinable func makeSlot(of key: Key) -> UInt32 {
        let hash = Identity.hash(key)
        if let slot = slot(of: key, hash: hash) { return slot }
        keys.append(key)
        return enter(hash)
    }

    /// The slot of the key that another column has in a slot; it is given one if it has none.
    @inlinable func makeSlot(of other: UInt32, in column: ValueColumn<Key>) -> UInt32 {
        let hash = column.hash(of: other)
        if let slot = slot(of: other, in: column, hash: hash) { return slot }
        keys.append(other, of: column)
        return enter(hash)
    }

    /// Gives a slot to the key appended last.
    @inlinable func enter(_ hash: UInt32) -> UInt32 {
        let slot: UInt32
        if let reused = free.popLast() {
            slot = reused
            keys.swapRemove(slot)
            isFree[Int(slot)] = false
        } else {
            slot = UInt32(stores.count)
            stores.append(Store())
            isFree.append(false)
        }
        LazyHashTable.update(&table) { $0.insert(hash, slot: slot) }
        return slot
    }

    /// Forgets a key if nothing of it is alive.
    @inlinable func freeSlotIfEmpty(_ slot: UInt32) {
        guard stores[Int(slot)].isEmpty, !isFree[Int(slot)] else { return }
        LazyHashTable.update(&table) { $0.remove(keys.hash(of: slot), slot: slot) }
        isFree[Int(slot)] = true
        stores[Int(slot)] = Store()
        free.append(slot)
    }

    /// Gives memory back once three quarters of the slots are free. All slots change.
    @inlinable func compactIfSparse() {
        guard free.count > 64, free.count > count * 3 else { return }
        let dense = ManyKeys()
        dense.keys.reserveCapacity(count)
        forEachSlot { dense.put(stores[Int($0)], under: dense.makeSlot(of: $0, in: keys)) }
        (columns, keys, isFree) = (dense.columns, dense.keys, dense.isFree)
        (stores, free, table) = (dense.stores, [], dense.table)
    }

    // MARK: Stores

    /// Puts a store whose dots are not here under a slot that has none.
    @inlinable func put(_ store: Store, under slot: UInt32) {
        stores[Int(slot)] = store
        if store.dotCount > 8 {
            var dots: [Dot] = []
            store.forEachDot { dots.append($0) }
            columns.insert(dots, slot: slot)
        } else {
            store.forEachDot { columns.insert($0, slot: slot) }
        }
    }

    /// Gives a key another store. A dot that stands under another key stays there.
    @inlinable func replaceStore(of key: Key, with store: Store) {
        let slot = makeSlot(of: key)
        stores[Int(slot)].forEachDot { columns.remove($0) }
        var taken = CausalContext()
        store.forEachDot { if columns.contains($0) { taken.insert($0) } }
        put(taken.isEmpty ? store : store.restricted(to: store.dots().subtracting(taken)), under: slot)
        freeSlotIfEmpty(slot)
        compactIfSparse()
    }

    /// What stands on some dots. Each store is asked for its own among them, once they are sorted by key. Complexity: O(ranges of
    /// the dots · log n + what is found).
    @inlinable func restricted(to dots: CausalContext) -> ManyKeys {
        var kept: [UInt32] = []
        var counts: [UInt32: Int] = [:]
        columns.forEach(in: dots) { _, slot in
            if counts[slot, default: 0] == 0 { kept.append(slot) }
            counts[slot, default: 0] += 1
        }
        // A store that is kept whole need not be asked.
        counts = counts.filter { $0.value < stores[Int($0.key)].dotCount }
        var parts: [UInt32: CausalContext] = [:]
        if !counts.isEmpty {
            columns.forEach(in: dots) { dot, slot in
                if counts[slot] != nil { parts[slot, default: CausalContext()].insert(dot) }
            }
        }
        let part = ManyKeys()
        for slot in kept {
            let store = stores[Int(slot)]
            part.put(parts[slot].map { store.restricted(to: $0) } ?? store, under: part.makeSlot(of: slot, in: keys))
        }
        return part
    }

    // MARK: Joining

    /// A key whose store is to be joined, and what of the two contexts concerns it: to look through the whole contexts for each key
    /// would cost the product of both.
    @usableFromInline
    struct Touched {
        @usableFromInline let slot: UInt32
        /// The slot of the other's store for the same key, if it has one.
        @usableFromInline let theirs: UInt32?
        /// How many dots of the other's store are new here.
        @usableFromInline var added = 0
        /// How many dots of the own store the other has seen fall; whether they are all, so that nothing is left of the store; and if
        /// not, which.
        @usableFromInline var fallen = 0
        @usableFromInline var fallsWhole = false
        @usableFromInline var removed = CausalContext()

        @inlinable init(slot: UInt32, theirs: UInt32?) {
            self.slot = slot
            self.theirs = theirs
        }
    }

    /// Joins another map. Of each key whose dots come or fall, `measure` tells what is to be kept of its store before; `body` is
    /// called with that and with the slot, where its store is now.
    @inlinable func merge<Measure>(
        _ other: DotMap<Key, Store>, _ context: CausalContext, _ otherContext: CausalContext,
        _ fallen: inout FallenDots, measuring measure: (Store) -> Measure, _ body: (ManyKeys, UInt32, Measure) -> Void
    ) -> Bool {
        let touched = moveDots(other, context, otherContext, &fallen)
        let added = other.newParts(touched, context)
        let (none, nothing) = (Store(), CausalContext())
        // The columns have told of what falls.
        var told = FallenDots()
        for index in touched.indices {
            let slot = Int(touched[index].slot)
            let before = measure(stores[slot])
            if touched[index].fallsWhole {
                stores[slot] = added.isEmpty ? none : added[index]
            } else {
                // All that is left of the other's store is new.
                _ = stores[slot].merge(
                    added.isEmpty ? none : added[index], context: nothing, otherContext: touched[index].removed,
                    fallen: &told)
            }
            body(self, touched[index].slot, before)
            freeSlotIfEmpty(touched[index].slot)
        }
        compactIfSparse()
        return !touched.isEmpty
    }

    /// Takes the dots of another map that this one has not seen, lets go of those that the other saw fall, and tells whose stores
    /// are to be joined for it.
    @inlinable func moveDots(
        _ other: DotMap<Key, Store>, _ context: CausalContext, _ otherContext: CausalContext,
        _ fallen: inout FallenDots
    ) -> [Touched] {
        var removed: [(dot: Dot, slot: UInt32)] = []
        forEach(removedBy: other, otherContext) { removed.append(($0, $1)) }
        var touched: [Touched] =
            switch other.storage {
            case .none: []
            case .one(let key, let store): takeDots(of: key, store, context)
            case .many(let many): takeDots(many, context)
            }
        guard !removed.isEmpty else { return touched }
        var indices: [UInt32: Int] = [:]
        for index in touched.indices { indices[touched[index].slot] = index }
        for (place, (dot, slot)) in removed.enumerated() {
            fallen.append(dot)
            columns.remove(dot)
            var index = touched.count
            if let known = indices[slot] {
                index = known
            } else {
                indices[slot] = index
                touched.append(Touched(slot: slot, theirs: other.slot(of: slot, in: keys)))
            }
            touched[index].fallen += 1
            removed[place].slot = UInt32(index)
        }
        for index in touched.indices where touched[index].fallen > 0 {
            if touched[index].fallen == stores[Int(touched[index].slot)].dotCount { touched[index].fallsWhole = true }
        }
        for (dot, index) in removed where !touched[Int(index)].fallsWhole {
            touched[Int(index)].removed.insert(dot)
        }
        return touched
    }

    @inlinable func forEach(
        removedBy other: DotMap<Key, Store>, _ otherContext: CausalContext, _ body: (Dot, _ slot: UInt32) -> Void
    ) {
        if case .many(let many) = other.storage {
            columns.forEach(removedBy: many.columns, otherContext, body)
        } else {
            columns.forEach(in: otherContext) { if !other.contains($0) { body($0, $1) } }
        }
    }

    @inlinable func takeDots(of key: Key, _ store: Store, _ context: CausalContext) -> [Touched] {
        var new: [Dot] = []
        store.forEachDot { if !context.contains($0) { new.append($0) } }
        guard !new.isEmpty else { return [] }
        var touched = Touched(slot: makeSlot(of: key), theirs: 0)
        touched.added = new.count
        columns.insert(new, slot: touched.slot)
        return [touched]
    }

    @inlinable func takeDots(_ other: ManyKeys, _ context: CausalContext) -> [Touched] {
        var touched: [Touched] = []
        // By the other's slot where it stands in `touched`, and by the other's number of a replica the own one.
        var mine = ContiguousArray(repeating: -1, count: other.stores.count)
        let theirKeys = other.keys
        var numbers = ContiguousArray(repeating: -1, count: other.columns.replicaCount)
        other.columns.forEach(notIn: context) { number, counter, slot in
            if mine[Int(slot)] < 0 {
                mine[Int(slot)] = touched.count
                touched.append(Touched(slot: makeSlot(of: slot, in: theirKeys), theirs: slot))
            }
            if numbers[number] < 0 {
                numbers[number] = columns.makeColumn(of: other.columns.replica(number))
                columns.makeRoom(number: numbers[number], for: other.columns, number)
            }
            touched[mine[Int(slot)]].added += 1
            columns.insert(number: numbers[number], counter: counter, slot: touched[mine[Int(slot)]].slot)
        }
        return touched
    }
}

extension DotMap {
    /// Of each key that is to be joined, what of the store here is new there; empty where nothing is. Complexity: O(keys), and O(new dots) where some store
    /// is new in part only.
    @inlinable func newParts(_ touched: [ManyKeys<Key, Store>.Touched], _ context: CausalContext) -> [Store] {
        guard touched.contains(where: { $0.added > 0 }) else { return [] }
        let none = Store()
        var parts: [Store] = []
        parts.reserveCapacity(touched.count)
        var indices: [UInt32: Int] = [:]
        for index in touched.indices {
            guard let slot = touched[index].theirs, touched[index].added > 0 else {
                parts.append(none)
                continue
            }
            let store = many.map { $0.stores[Int(slot)] } ?? only?.store ?? none
            parts.append(store)
            if touched[index].added < store.dotCount { indices[slot] = index }
        }
        guard !indices.isEmpty else { return parts }
        var new = [UInt32: CausalContext]()
        let note = { (dot: Dot, slot: UInt32) in
            if indices[slot] != nil { new[slot, default: CausalContext()].insert(dot) }
        }
        if let many {
            many.columns.forEach(notIn: context) { note(Dot(replica: many.columns.replica($0), counter: $1), $2) }
        } else {
            only?.store.forEachDot { if !context.contains($0) { note($0, 0) } }
        }
        for (slot, index) in indices {
            if let dots = new[slot] { parts[index] = parts[index].restricted(to: dots) }
        }
        return parts
    }
}
