/// Finds the slots of a value by its hash: open addressing with linear probing, 8 bytes for each different value.
///
/// It knows no values: its caller compares the value in a slot. Several slots may hold equal values. These are linked to one another, so
/// they never make a search longer.
@usableFromInline
final class HashTable: @unchecked Sendable {
    // Changed only by an owner that shares the table with nobody.
    /// 32 bits of hash and, in the lower half, the first slot of the value plus one; 0 is free.
    @exclusivity(unchecked) @usableFromInline private(set) var entries: UnsafeMutablePointer<UInt64>
    /// How many entries there are, less one: a power of two, less one.
    @exclusivity(unchecked) @usableFromInline private(set) var mask: Int
    /// How many entries are taken.
    @exclusivity(unchecked) private var taken = 0
    /// By slot, the slots of the same value before and after it plus one, 0 for none. Empty until a value comes twice.
    @exclusivity(unchecked) private var links: [(before: UInt32, after: UInt32)] = []
    /// How many slots hold a value that another one holds too, not counting one for each value.
    @exclusivity(unchecked) @usableFromInline private(set) var repeats = 0

    /// Makes room for `capacity` slots.
    @usableFromInline
    init(capacity: Int) {
        let size = Self.size(for: capacity)
        mask = size - 1
        entries = Self.allocate(size)
    }

    init(copying other: HashTable) {
        mask = other.mask
        entries = .allocate(capacity: mask + 1)
        entries.update(from: other.entries, count: mask + 1)
        (taken, links, repeats) = (other.taken, other.links, other.repeats)
    }

    deinit { entries.deallocate() }

    private static func allocate(_ size: Int) -> UnsafeMutablePointer<UInt64> {
        let entries = UnsafeMutablePointer<UInt64>.allocate(capacity: size)
        entries.initialize(repeating: 0, count: size)
        return entries
    }

    /// The first slot with the hash that `matches`, which then stands for all slots with the same value.
    @inlinable
    func first(_ hash: UInt32, where matches: (UInt32) -> Bool) -> UInt32? {
        let (entries, mask) = (entries, mask)
        var index = Int(truncatingIfNeeded: hash) & mask
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
    @inlinable
    func insert(_ hash: UInt32, slot: UInt32, where matches: (UInt32) -> Bool) {
        if let other = first(hash, where: matches) { link(slot, after: other) } else { insert(hash, slot: slot) }
    }

    /// Enters a slot whose value no other holds.
    @usableFromInline
    func insert(_ hash: UInt32, slot: UInt32) {
        if (taken + 1) * 16 > (mask + 1) * 13 { grow() }
        place(UInt64(hash) << 32 | UInt64(slot + 1))
        taken += 1
    }

    /// Forgets a slot.
    @usableFromInline
    func remove(_ hash: UInt32, slot: UInt32) {
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
    func move(_ hash: UInt32, from old: UInt32, to new: UInt32) {
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

    private func makeLinks(through slot: UInt32) {
        while links.count <= Int(slot) { links.append((0, 0)) }
    }

    @usableFromInline
    func link(_ slot: UInt32, after other: UInt32) {
        makeLinks(through: max(slot, other))
        let after = links[Int(other)].after
        links[Int(slot)] = (other + 1, after)
        links[Int(other)].after = slot + 1
        if after != 0 { links[Int(after) - 1].before = slot + 1 }
        repeats += 1
    }

    /// Takes a slot out of those with its value; returns one of the others plus one, nil if there is none.
    private func unlink(_ slot: UInt32) -> UInt32? {
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
        let (entries, mask) = (entries, mask)
        let wanted = UInt64(hash) << 32 | UInt64(slot + 1)
        var index = Int(truncatingIfNeeded: hash) & mask
        while entries[index] != wanted {
            if entries[index] == 0 { return nil }
            index = (index + 1) & mask
        }
        return index
    }

    /// Moves up what was pushed past an entry that is free now, so that no probe stops too early.
    private func free(_ index: Int) {
        let (entries, mask) = (entries, mask)
        var hole = index
        var next = (hole + 1) & mask
        while entries[next] != 0 {
            let home = Int(truncatingIfNeeded: entries[next] >> 32) & mask
            if (next - home) & mask >= (next - hole) & mask {
                entries[hole] = entries[next]
                hole = next
            }
            next = (next + 1) & mask
        }
        entries[hole] = 0
        taken -= 1
    }

    private func place(_ entry: UInt64) {
        let (entries, mask) = (entries, mask)
        var index = Int(truncatingIfNeeded: entry >> 32) & mask
        while entries[index] != 0 { index = (index + 1) & mask }
        entries[index] = entry
    }

    private func grow() { resize(to: (mask + 1) * 2) }

    /// Gives memory back where far fewer slots were entered than there was room made for.
    @usableFromInline
    func shrinkToFit() {
        let size = Self.size(for: taken)
        if size < mask + 1 { resize(to: size) }
    }

    private func resize(to size: Int) {
        let old = UnsafeMutableBufferPointer(start: entries, count: mask + 1)
        defer { old.deallocate() }
        mask = size - 1
        entries = Self.allocate(size)
        for entry in old where entry != 0 { place(entry) }
    }

    private static func size(for capacity: Int) -> Int {
        var size = 16
        while size * 13 < capacity * 16 { size *= 2 }
        return size
    }
}
