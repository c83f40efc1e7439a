import DeltaCRDT

/// The items of a trip in the orders in which people name them: as they were made, by number; by their digits; by title.
struct ItemIndex: Sendable {
    /// Where an item stands among all that were ever made: by its change, and in that by its operation.
    private struct Place: Comparable, Sendable {
        /// Of the change, beside it, so that most are told apart without a look at that.
        private let lamport: UInt64
        private let origin: Cause
        private let index: OperationIndex

        init(_ item: ItemState) {
            (origin, index) = (item.origin.cause, item.origin.index)
            lamport = origin.stamp.lamport
        }

        var id: ItemID { ItemID(operation: origin.operation(index)) }

        static func < (left: Place, right: Place) -> Bool {
            if left.lamport != right.lamport { return left.lamport < right.lamport }
            return left.origin === right.origin
                ? left.index < right.index : (left.origin.hash, left.index) < (right.origin.hash, right.index)
        }
    }

    private var places: SortedChunks<Place>
    private var names: SortedChunks<ItemDigits>
    private var titles: SortedChunks<TitleMark>

    /// Complexity: O(n log n).
    init(_ items: ItemTable) {
        var marks: Set<TitleMark> = []
        for item in items.all { marks.formUnion(item.titlesToFind.map { TitleMark($0.string, item.id) }) }
        places = SortedChunks(items.all.map { Place($0) }.sorted())
        names = SortedChunks(items.all.map { ItemDigits($0.id) }.sorted())
        titles = SortedChunks(marks.sorted())
    }

    /// Takes a new item.
    mutating func insert(_ item: ItemState) {
        places.insert(Place(item))
        names.insert(ItemDigits(item.id))
        retitle(item, from: [], to: item.titlesToFind)
    }

    /// Notes that an item has other titles. O(log n) for each.
    mutating func retitle(_ item: ItemState, from old: [Text], to new: [Text]) {
        guard old != new else { return }
        let id = item.id
        let (gone, come) = (Set(old.map { TitleMark($0.string, id) }), Set(new.map { TitleMark($0.string, id) }))
        for mark in gone.subtracting(come) { titles.remove(mark) }
        for mark in come.subtracting(gone) { titles.insert(mark) }
    }

    /// Traps where the orders are not of all items. O(1).
    func checkInvariants(of items: ItemTable) {
        precondition(
            places.count == items.count && names.count == items.count,
            "\(items.count) items have \(places.count) places and \(names.count) names")
    }

    /// The items that may have a title, in any case: some more may be among them, for marks are short. O(log n + n / 512),
    /// and as much for each that is found.
    func items(titled title: String) -> [ItemID] {
        let wanted = TitleMark(title, ItemID(change: ChangeHash(words: (0, 0, 0, 0)), index: 0))
        var found: [ItemID] = []
        var rank = titles.rank(of: wanted)
        while let next = titles[rank], next.hash == wanted.hash {
            found.append(next.id)
            rank += 1
        }
        return found
    }

    /// The item's place among all that were ever made, from 1.
    func number(of item: ItemState) -> Int { places.rank(of: Place(item)) + 1 }

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

    /// The item whose first 16 digits are a number: where liars made several, the lowest. O(log n + n / 512).
    func item(mixedWord: UInt64) -> ItemID? {
        guard let found = names[names.rank(of: ItemDigits(lowest: (mixedWord, 0, 0, 0)))],
            found.id.mixedWord == mixedWord
        else { return nil }
        return found.id
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
        // FNV-1a: an author of titles that collide makes a search only a little longer.
        hash = FNV1a.hash(title.lowercased().utf8)
        self.id = id
    }

    static func < (left: TitleMark, right: TitleMark) -> Bool { (left.hash, left.id) < (right.hash, right.id) }
}

/// The digits that name an item, as numbers that stand in the same order.
struct ItemDigits: Comparable, Sendable {
    /// The first 16 digits.
    private let head: UInt64
    /// What the others spell out: the hash of its change but for its first 8 bytes.
    let id: ItemID

    init(_ id: ItemID) {
        head = id.mixedWord
        self.id = id
    }

    /// What stands no higher than any item with these digits.
    init(lowest words: (UInt64, UInt64, UInt64, UInt64)) {
        head = words.0
        id = ItemID(change: ChangeHash(words: (0, words.1, words.2, words.3)), index: 0)
    }

    /// The digits, and zeros after them; nil where they are no beginning of any.
    init?(lowestBeginning digits: some StringProtocol) {
        guard digits.utf8.count <= 64,
            let padded = ChangeHash(digits + String(repeating: "0", count: 64 - digits.utf8.count))
        else { return nil }
        self.init(lowest: padded.words)
    }

    static func < (left: ItemDigits, right: ItemDigits) -> Bool {
        if left.head != right.head { return left.head < right.head }
        let (mine, others) = (left.words, right.words)
        return mine != others ? mine < others : left.id < right.id
    }

    /// How many digits two share from the first on.
    func shared(with other: ItemDigits) -> Int {
        let (mine, others) = (words, other.words)
        let differences = [mine.0 ^ others.0, mine.1 ^ others.1, mine.2 ^ others.2, mine.3 ^ others.3]
        guard let word = differences.firstIndex(where: { $0 != 0 }) else { return 64 }
        return 16 * word + differences[word].leadingZeroBitCount / 4
    }

    /// The first digits.
    func text(_ count: Int) -> String { String(ChangeHash(words: words).description.prefix(count)) }

    private var words: (UInt64, UInt64, UInt64, UInt64) {
        let words = id.operation.change.words
        return (head, words.1, words.2, words.3)
    }
}
