/// The items of a trip by their names, each changed where it stands.
///
/// Open addressing with linear probing, at most 13/16 full. The table holds no names: the items know theirs.
struct ItemTable: Sendable {
    /// 32 bits of hash and, in the lower half, the item's slot plus one; 0 is free.
    private var entries: [UInt64] = []
    private var states: ContiguousArray<ItemState> = []

    var count: Int { states.count }
    /// In no particular order.
    var all: some RandomAccessCollection<ItemState> { states }

    /// O(1).
    subscript(id: ItemID) -> ItemState? { slot(of: id).map { states[$0] } }

    func contains(_ id: ItemID) -> Bool { slot(of: id) != nil }

    /// Changes an item where it stands; nil where there is none. O(1).
    mutating func update<Result>(_ id: ItemID, _ body: (inout ItemState) -> Result) -> Result? {
        slot(of: id).map { body(&states[$0]) }
    }

    /// Takes a new item. Amortised O(1).
    mutating func insert(_ state: ItemState) {
        // By a quarter at a time: these are most of what a trip holds.
        if states.count == states.capacity { states.reserveCapacity(max(4, states.count + states.count / 4)) }
        states.append(state)
        if states.count * 16 > entries.count * 13 { rehash() } else { enter(states.count - 1) }
        #if CHECK_INVARIANTS
        // Each time that there are twice as many, so that an item's share stays the same.
        if states.count.nonzeroBitCount == 1 { checkInvariants() }
        #endif
    }

    private func slot(of id: ItemID) -> Int? {
        guard !entries.isEmpty else { return nil }
        let hash = Self.hash(id)
        let mask = entries.count - 1
        var index = Int(hash) & mask
        while entries[index] != 0 {
            let slot = Int(entries[index] & 0xffff_ffff) - 1
            if entries[index] >> 32 == hash, states[slot].origin.index == id.operation.index,
                states[slot].origin.cause.hash == id.operation.change
            {
                return slot
            }
            index = (index + 1) & mask
        }
        return nil
    }

    private mutating func enter(_ slot: Int) {
        let hash = Self.hash(states[slot].id)
        let mask = entries.count - 1
        var index = Int(hash) & mask
        while entries[index] != 0 { index = (index + 1) & mask }
        entries[index] = hash << 32 | UInt64(slot + 1)
    }

    private mutating func rehash() {
        entries = Array(repeating: 0, count: max(16, entries.count * 2))
        for slot in states.indices { enter(slot) }
    }

    /// Traps where an item is not found by its name. O(n).
    func checkInvariants() {
        let taken = entries.count { $0 != 0 }
        precondition(
            taken == states.count && taken * 16 <= entries.count * 13 && entries.count.nonzeroBitCount <= 1,
            "\(taken) of \(entries.count) entries are taken, for \(states.count) items")
        for (index, state) in states.enumerated() {
            let found = slot(of: state.id)
            precondition(found == index, "item \(index) of \(states.count) is found as \(found ?? -1)")
        }
    }

    /// Under a key that this process alone knows, so that nobody can choose names that fall together.
    private static func hash(_ id: ItemID) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(id)
        return UInt64(UInt32(truncatingIfNeeded: hasher.finalize()))
    }
}

extension ItemTable: Hashable {
    static func == (left: ItemTable, right: ItemTable) -> Bool {
        left.count == right.count && left.states.allSatisfy { right[$0.id] == $0 }
    }

    func hash(into hasher: inout Hasher) { hasher.combine(count) }
}
