import DeltaCRDT

/// The items of a trip in the orders in which people name them: as they were made, by number; by their digits; by title.
struct ItemIndex: Sendable {
    /// Where an item stands among all that were ever made.
    private struct Place: Comparable, Sendable {
        let stamp: Stamp
        let id: ItemID

        static func < (left: Place, right: Place) -> Bool { (left.stamp, left.id) < (right.stamp, right.id) }
    }

    private var places: SortedChunks<Place>
    private var names: SortedChunks<ItemDigits>
    private var titles: SortedChunks<TitleMark>
    /// How many are there: made, and not removed.
    var presentCount: Int

    /// Complexity: O(n log n).
    init(_ items: ItemTable) {
        var places: [Place] = []
        var marks: Set<TitleMark> = []
        var present = 0
        items.forEach { id, item in
            if let origin = item.origin { places.append(Place(stamp: origin.stamp, id: id)) }
            marks.formUnion(item.titles.map { TitleMark($0.string, id) })
            if !item.existence.isEmpty { present += 1 }
        }
        self.places = SortedChunks(places.sorted())
        names = SortedChunks(places.map { ItemDigits($0.id) }.sorted())
        titles = SortedChunks(marks.sorted())
        presentCount = present
    }

    /// How many were ever made.
    var count: Int { places.count }

    mutating func insert(_ id: ItemID, madeAt stamp: Stamp) {
        places.insert(Place(stamp: stamp, id: id))
        names.insert(ItemDigits(id))
    }

    /// Notes that an item has other titles. O(log n) for each.
    mutating func retitle(_ id: ItemID, from old: [Text], to new: [Text]) {
        let (gone, come) = (Set(old.map { TitleMark($0.string, id) }), Set(new.map { TitleMark($0.string, id) }))
        for mark in gone.subtracting(come) { titles.remove(mark) }
        for mark in come.subtracting(gone) { titles.insert(mark) }
    }

    /// The items that may have a title, in any case: some more may be among them, for marks are short. O(log n + n / 512),
    /// and as much for each that is found.
    func items(titled title: String) -> [ItemID] {
        let wanted = TitleMark(title, ItemID(dot: Dot(replica: ReplicaID(high: 0, low: 0), counter: 0)))
        var found: [ItemID] = []
        var rank = titles.rank(of: wanted)
        while let next = titles[rank], next.hash == wanted.hash {
            found.append(next.id)
            rank += 1
        }
        return found
    }

    /// The item's place among all that were ever made, from 1.
    func number(of id: ItemID, madeAt stamp: Stamp) -> Int { places.rank(of: Place(stamp: stamp, id: id)) + 1 }

    func item(numbered number: Int) -> ItemID? { places[number - 1]?.id }

    /// Visits all, as they were made.
    func forEach(_ body: (ItemID) -> Void) { places.forEach { body($0.id) } }

    /// The item's fewest digits from `ItemID.shownDigits` up that no other item begins with: its neighbours among the
    /// digits share the most with it. O(log n).
    func shortID(of id: ItemID) -> String {
        let digits = ItemDigits(id)
        let shared = names.neighbours(of: digits).map(digits.shared).max() ?? 0
        return digits.text(max(ItemID.shownDigits, shared + 1))
    }

    /// The short ids of those that need more digits than `ItemID.shownDigits`, which are few. O(n).
    var longIDs: [ItemID: String] {
        var long: Set<ItemID> = []
        var last: ItemDigits?
        names.forEach { digits in
            if let last, last.shared(with: digits) >= ItemID.shownDigits { long.formUnion([last.id, digits.id]) }
            last = digits
        }
        return Dictionary(uniqueKeysWithValues: long.map { ($0, shortID(of: $0)) })
    }

    /// The items whose digits begin so, a few of them at most.
    func items(beginning digits: some StringProtocol, limit: Int) -> [ItemID] {
        guard let lowest = ItemDigits(lowestBeginning: digits) else { return [] }
        var found: [ItemID] = []
        var rank = names.rank(of: lowest)
        while found.count < limit, let next = names[rank], next.id.digits.utf8.starts(with: digits.utf8) {
            found.append(next.id)
            rank += 1
        }
        return found
    }
}

/// That an item has a title, whatever its case.
private struct TitleMark: Comparable, Hashable, Sendable {
    let hash: UInt64
    let id: ItemID

    init(_ title: String, _ id: ItemID) {
        // FNV-1a: whoever makes titles that collide makes a search a little longer.
        hash = title.lowercased().utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        self.id = id
    }

    static func < (left: TitleMark, right: TitleMark) -> Bool { (left.hash, left.id) < (right.hash, right.id) }
}

/// The digits that name an item, as numbers that stand in the same order.
struct ItemDigits: Comparable, Sendable {
    /// The first 16 digits.
    private let head: UInt64
    /// What the others spell out.
    let id: ItemID

    init(_ id: ItemID) {
        head = id.mixedWord
        self.id = id
    }

    /// The digits, and zeros after them; nil where they are no beginning of any.
    init?(lowestBeginning digits: some StringProtocol) {
        let bytes = digits.utf8
        guard bytes.count <= 64, bytes.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }) else {
            return nil
        }
        let text = digits + String(repeating: "0", count: 64 - bytes.count)
        var words: [UInt64] = []
        for word in 0..<4 {
            guard let value = UInt64(text.dropFirst(16 * word).prefix(16), radix: 16) else { return nil }
            words.append(value)
        }
        head = words[0]
        id = ItemID(dot: Dot(replica: ReplicaID(high: words[1], low: words[2]), counter: words[3]))
    }

    static func < (left: ItemDigits, right: ItemDigits) -> Bool {
        left.head != right.head ? left.head < right.head : left.id < right.id
    }

    /// How many digits two share from the first on.
    func shared(with other: ItemDigits) -> Int {
        if head != other.head { return (head ^ other.head).leadingZeroBitCount / 4 }
        let (mine, others) = (words, other.words)
        for (index, (left, right)) in zip(mine, others).enumerated() where left != right {
            return 16 * index + (left ^ right).leadingZeroBitCount / 4
        }
        return 64
    }

    /// The first digits.
    func text(_ count: Int) -> String {
        let words = words
        return String(unsafeUninitializedCapacity: min(count, 64)) { bytes in
            for index in bytes.indices {
                let nibble = UInt8(truncatingIfNeeded: words[index / 16] >> UInt64(60 - index % 16 * 4) & 15)
                bytes[index] = nibble < 10 ? 0x30 + nibble : 0x61 + nibble - 10
            }
            return bytes.count
        }
    }

    private var words: [UInt64] { [head, id.dot.replica.high, id.dot.replica.low, id.dot.counter] }
}
