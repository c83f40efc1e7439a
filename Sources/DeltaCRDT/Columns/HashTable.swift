/// Finds the slot of a value by its hash: open addressing with linear probing, 8 bytes an entry.
///
/// It knows no values. Whoever asks compares the value in a slot; several slots may hold equal values.
@usableFromInline
struct HashTable: Sendable {
    /// 32 bits of hash and, in the lower half, the slot plus one; 0 is free.
    private var entries: [UInt64]
    /// How many slots are entered.
    private(set) var count = 0
    /// How many of them hold a value that another one holds too, not counting one for each value.
    private(set) var repeats = 0

    /// Makes room for `capacity` slots.
    @usableFromInline
    init(capacity: Int) {
        var size = 16
        while size * 13 < capacity * 16 { size *= 2 }
        entries = Array(repeating: 0, count: size)
    }

    /// The first slot with the hash that `matches`.
    @usableFromInline
    func first(_ hash: UInt32, where matches: (UInt32) -> Bool) -> UInt32? {
        let mask = entries.count - 1
        var index = Int(hash) & mask
        while entries[index] != 0 {
            let entry = entries[index]
            if entry >> 32 == UInt64(hash) {
                let slot = UInt32(truncatingIfNeeded: entry) - 1
                if matches(slot) { return slot }
            }
            index = (index + 1) & mask
        }
        return nil
    }

    /// Enters a slot; `matches` says which others hold its value.
    @usableFromInline
    mutating func insert(_ hash: UInt32, slot: UInt32, where matches: (UInt32) -> Bool) {
        if (count + 1) * 16 > entries.count * 13 { grow() }
        let mask = entries.count - 1
        var index = Int(hash) & mask
        var isRepeat = false
        while entries[index] != 0 {
            let entry = entries[index]
            if !isRepeat, entry >> 32 == UInt64(hash), matches(UInt32(truncatingIfNeeded: entry) - 1) {
                isRepeat = true
            }
            index = (index + 1) & mask
        }
        entries[index] = UInt64(hash) << 32 | UInt64(slot + 1)
        count += 1
        if isRepeat { repeats += 1 }
    }

    /// Forgets a slot; `matches` says which others hold its value.
    @usableFromInline
    mutating func remove(_ hash: UInt32, slot: UInt32, where matches: (UInt32) -> Bool) {
        let mask = entries.count - 1
        guard var hole = index(of: hash, slot: slot) else { return }
        // Move up what was pushed past the hole, so that no probe stops too early.
        var next = (hole + 1) & mask
        while entries[next] != 0 {
            let home = Int(entries[next] >> 32) & mask
            if (next - home) & mask >= (next - hole) & mask {
                entries[hole] = entries[next]
                hole = next
            }
            next = (next + 1) & mask
        }
        entries[hole] = 0
        count -= 1
        if repeats > 0, first(hash, where: matches) != nil { repeats -= 1 }
    }

    /// Gives what stands under a slot another slot.
    @usableFromInline
    mutating func move(_ hash: UInt32, from old: UInt32, to new: UInt32) {
        guard let index = index(of: hash, slot: old) else { return }
        entries[index] = UInt64(hash) << 32 | UInt64(new + 1)
    }

    private func index(of hash: UInt32, slot: UInt32) -> Int? {
        let mask = entries.count - 1
        let wanted = UInt64(hash) << 32 | UInt64(slot + 1)
        var index = Int(hash) & mask
        while entries[index] != wanted {
            if entries[index] == 0 { return nil }
            index = (index + 1) & mask
        }
        return index
    }

    private mutating func place(_ entry: UInt64) {
        let mask = entries.count - 1
        var index = Int(entry >> 32) & mask
        while entries[index] != 0 { index = (index + 1) & mask }
        entries[index] = entry
    }

    private mutating func grow() {
        let old = entries
        entries = Array(repeating: 0, count: old.count * 2)
        for entry in old where entry != 0 { place(entry) }
    }
}
