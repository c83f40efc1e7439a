/// Finds the place of a change by its hash, in 10 to 20 bytes a change. It holds no hashes: whoever asks compares.
///
/// Two tables, for many nodes in one process alone: copies share the older one, and as long as they do, what is new
/// goes into a small one, which is joined to the other when it has grown to half of it.
package struct PlaceIndex: Sendable {
    package init() {}

    private var settled = Table(capacity: 0)
    private var recent = Table(capacity: 0)

    private static let recentMin = 256

    /// The place of the hash, among those for which `matches` may be asked.
    package func place(of hash: Bytes32, where matches: (Int) -> Bool) -> Int? {
        let key = PlaceIndex.key(of: hash)
        return recent.first(key, where: matches) ?? settled.first(key, where: matches)
    }

    /// Enters a hash that is not there yet. Amortised O(1).
    package mutating func insert(_ hash: Bytes32, place: Int) {
        let entry = PlaceIndex.key(of: hash) << 32 | UInt64(place + 1)
        if settled.count >= PlaceIndex.recentMin, settled.isUnshared() {
            if recent.count > 0 { settle() }
            return settled.insert(entry)
        }
        recent.insert(entry)
        if recent.count >= max(PlaceIndex.recentMin, settled.count / 2) { settle() }
    }

    private mutating func settle() {
        settled.insert(contentsOf: recent)
        recent = Table(capacity: 0)
    }

    /// Two numbers that only this process knows.
    private static let secret: (UInt64, UInt64) = {
        var hasher = Hasher()
        hasher.combine("place index")
        let first = UInt64(truncatingIfNeeded: hasher.finalize())
        return (first, UInt64(truncatingIfNeeded: first.hashValue) | 1)
    }()

    /// Mixed with the process's own secret, so that nobody can choose hashes that fall together: a multiplication of
    /// what depends on it by what depends on it, folded.
    private static func key(of hash: Bytes32) -> UInt64 {
        let (words, secret) = (hash.words, secret)
        let product = (words.0 ^ secret.0).multipliedFullWidth(by: words.1 ^ secret.1)
        let folded = (product.high ^ product.low) &* secret.1
        return folded >> 32
    }
}

/// Open addressing with linear probing; at most 3/4 full.
private struct Table: Sendable {
    /// Tells whether another copy has the entries too.
    private final class Owner: Sendable {}

    private var owner = Owner()
    /// 32 bits of hash and, in the lower half, the place plus one; 0 is free.
    private var entries: [UInt64]
    private(set) var count = 0

    init(capacity: Int) {
        entries = capacity == 0 ? [] : Array(repeating: 0, count: Table.size(for: capacity))
    }

    /// Whether no copy has the same entries, so that to change them copies none.
    mutating func isUnshared() -> Bool { isKnownUniquelyReferenced(&owner) }

    private static func size(for capacity: Int) -> Int {
        var size = 16
        while size * 3 < capacity * 4 { size *= 2 }
        return size
    }

    func first(_ key: UInt64, where matches: (Int) -> Bool) -> Int? {
        guard count > 0 else { return nil }
        return entries.withUnsafeBufferPointer { entries in
            let mask = entries.count - 1
            var index = Int(key) & mask
            while entries[index] != 0 {
                let place = Int(entries[index] & 0xffff_ffff) - 1
                if entries[index] >> 32 == key, matches(place) { return place }
                index = (index + 1) & mask
            }
            return nil
        }
    }

    mutating func insert(_ entry: UInt64) {
        if Table.size(for: count + 1) > entries.count { grow(to: count + 1) }
        put(entry)
        count += 1
    }

    mutating func insert(contentsOf other: Table) {
        if Table.size(for: count + other.count) > entries.count { grow(to: count + other.count) }
        for entry in other.entries where entry != 0 { put(entry) }
        count += other.count
        // What was shared was copied for this.
        if !isUnshared() { owner = Owner() }
    }

    private mutating func put(_ entry: UInt64) {
        let mask = entries.count - 1
        var index = Int(entry >> 32) & mask
        while entries[index] != 0 { index = (index + 1) & mask }
        entries[index] = entry
    }

    private mutating func grow(to capacity: Int) {
        let old = entries
        entries = Array(repeating: 0, count: Table.size(for: capacity))
        for entry in old where entry != 0 { put(entry) }
    }
}
