/// Finds the slots of a value by its hash: open addressing with linear probing, 8 bytes for each different value.
///
/// It knows no values. Whoever asks compares the value in a slot. Several slots may hold equal values: these are linked to
/// one another, so that no number of them makes the search for any longer.
@usableFromInline
struct HashTable: Sendable {
    /// 32 bits of hash and, in the lower half, the first slot of the value plus one; 0 is free.
    private var entries: [UInt64]
    /// How many entries are taken.
    private var taken = 0
    /// By slot, the slots of the same value before and after it plus one, 0 for none. Empty until a value comes twice.
    private var links: [(before: UInt32, after: UInt32)] = []
    /// How many slots hold a value that another one holds too, not counting one for each value.
    private(set) var repeats = 0

    /// Makes room for `capacity` slots.
    @usableFromInline
    init(capacity: Int) {
        var size = 16
        while size * 13 < capacity * 16 { size *= 2 }
        entries = Array(repeating: 0, count: size)
    }

    /// The first slot with the hash that `matches`, which then stands for all slots with the same value.
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

    /// The slot after this one with the same value.
    @usableFromInline
    func next(after slot: UInt32) -> UInt32? {
        guard Int(slot) < links.count, links[Int(slot)].after != 0 else { return nil }
        return links[Int(slot)].after - 1
    }

    /// Enters a slot; `matches` says which others hold its value.
    @usableFromInline
    mutating func insert(_ hash: UInt32, slot: UInt32, where matches: (UInt32) -> Bool) {
        if (taken + 1) * 16 > entries.count * 13 { grow() }
        let mask = entries.count - 1
        var index = Int(hash) & mask
        while entries[index] != 0 {
            let entry = entries[index]
            if entry >> 32 == UInt64(hash), matches(UInt32(truncatingIfNeeded: entry) - 1) {
                return link(slot, after: UInt32(truncatingIfNeeded: entry) - 1)
            }
            index = (index + 1) & mask
        }
        entries[index] = UInt64(hash) << 32 | UInt64(slot + 1)
        taken += 1
    }

    /// Forgets a slot.
    @usableFromInline
    mutating func remove(_ hash: UInt32, slot: UInt32) {
        let index = index(of: hash, slot: slot)
        if repeats > 0, let next = unlink(slot) {
            if let index { entries[index] = UInt64(hash) << 32 | UInt64(next) }
            repeats -= 1
        } else if let index {
            free(index)
        }
    }

    /// Gives what stands under a slot another slot.
    @usableFromInline
    mutating func move(_ hash: UInt32, from old: UInt32, to new: UInt32) {
        if let index = index(of: hash, slot: old) { entries[index] = UInt64(hash) << 32 | UInt64(new + 1) }
        guard Int(old) < links.count else { return }
        let link = links[Int(old)]
        guard link.before != 0 || link.after != 0 else { return }
        makeLinks(through: new)
        links[Int(old)] = (0, 0)
        links[Int(new)] = link
        if link.before != 0 { links[Int(link.before) - 1].after = new + 1 }
        if link.after != 0 { links[Int(link.after) - 1].before = new + 1 }
    }

    // MARK: Equal values

    private mutating func makeLinks(through slot: UInt32) {
        while links.count <= Int(slot) { links.append((0, 0)) }
    }

    private mutating func link(_ slot: UInt32, after other: UInt32) {
        makeLinks(through: max(slot, other))
        let after = links[Int(other)].after
        links[Int(slot)] = (other + 1, after)
        links[Int(other)].after = slot + 1
        if after != 0 { links[Int(after) - 1].before = slot + 1 }
        repeats += 1
    }

    /// Takes a slot out of those with its value; returns one of the others plus one, nil if there is none.
    private mutating func unlink(_ slot: UInt32) -> UInt32? {
        guard Int(slot) < links.count else { return nil }
        let (before, after) = links[Int(slot)]
        guard before != 0 || after != 0 else { return nil }
        links[Int(slot)] = (0, 0)
        if before != 0 { links[Int(before) - 1].after = after }
        if after != 0 { links[Int(after) - 1].before = before }
        return after != 0 ? after : before
    }

    // MARK: Entries

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

    /// Moves up what was pushed past an entry that is free now, so that no probe stops too early.
    private mutating func free(_ index: Int) {
        let mask = entries.count - 1
        var hole = index
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
        taken -= 1
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
