import DeltaCRDT

/// What numbers mean to the people at one device: a number that was shown with an item means that item until a list is
/// shown again, whatever other devices add in between.
package struct ShownNumbers: Hashable, Sendable {
    /// The most numbers that are remembered; what a longer list shows beyond them means what it means at present.
    package static let countMax = 100_000
    /// The greatest number.
    package static let numberMax = 999_999_999

    private struct Entry: Hashable, Sendable {
        let number: Int
        /// The first 16 digits of the item's name: those who lie to make two that begin alike gain nothing by it.
        let item: UInt64
    }

    /// Ascending by number, each once.
    private var entries: [Entry] = []

    package init() {}

    package var isEmpty: Bool { entries.isEmpty }

    /// A list was shown: its numbers mean its items, and no number means anything else any more. O(n log n).
    package mutating func showed(list items: some Sequence<ItemView>) {
        var seen: Set<Int> = []
        entries = items.filter { (1...Self.numberMax).contains($0.number) && seen.insert($0.number).inserted }
            .map { Entry(number: $0.number, item: $0.id.mixedWord) }
            .sorted { $0.number < $1.number }
        if entries.count > Self.countMax { entries.removeLast(entries.count - Self.countMax) }
    }

    /// A number was shown with an item. One that means an item already goes on meaning it: whoever shows numbers takes
    /// them from `LiveTrip.number(of:shown:)`, which gives none of those. O(log n), O(n) for a new one.
    package mutating func showed(_ number: Int, _ item: ItemID) {
        let place = position(of: number)
        guard (1...Self.numberMax).contains(number), place == entries.count || entries[place].number != number else {
            return
        }
        insert(Entry(number: number, item: item.mixedWord), at: place)
    }

    /// Takes in what was shown since, as `showed(_:_:)` does with each.
    package mutating func showed(_ others: ShownNumbers) {
        for entry in others.entries {
            let place = position(of: entry.number)
            if place == entries.count || entries[place].number != entry.number { insert(entry, at: place) }
        }
    }

    private mutating func insert(_ entry: Entry, at place: Int) {
        if entries.count == Self.countMax { entries.removeLast() }
        entries.insert(entry, at: min(place, entries.count))
    }

    /// How many numbers are remembered.
    package var count: Int { entries.count }

    /// The greatest number that was shown; 0 where none was.
    package var greatest: Int { entries.last?.number ?? 0 }

    /// The first 16 digits of the item that a number was shown with. O(log n).
    package func item(numbered number: Int) -> UInt64? {
        let place = position(of: number)
        return place < entries.count && entries[place].number == number ? entries[place].item : nil
    }

    /// Whether a number was shown with an item. O(log n).
    package func isShown(_ number: Int, with item: ItemID) -> Bool {
        self.item(numbered: number).map { $0 == item.mixedWord } ?? false
    }

    /// The lowest number that an item was shown with. O(n).
    package func number(of item: ItemID) -> Int? {
        let wanted = item.mixedWord
        return entries.first { $0.item == wanted }?.number
    }

    /// The first place whose number is not below one.
    private func position(of number: Int) -> Int {
        entries.partitioningIndex { $0.number >= number }
    }
}

extension ShownNumbers {
    private static let version: UInt8 = 2

    /// One form for each value, to keep between commands: a version, then by number how much each is above the last one,
    /// and the item's first 16 digits; then a checksum. 9 bytes an entry, where the numbers of a list follow each other.
    package var bytes: [UInt8] {
        var encoder = CanonicalEncoder()
        encoder.encode(byte: Self.version)
        encoder.encode(count: entries.count)
        var last = 0
        for entry in entries {
            encoder.encode(UInt64(entry.number - last))
            encoder.encode(fixed: Self.bytes(of: entry.item))
            last = entry.number
        }
        return encoder.bytes + Self.bytes(of: Self.checksum(encoder.bytes[...]))
    }

    /// What `bytes` wrote. Where it is anything else, nothing is remembered: a number then means what it means at present.
    package init(bytes: [UInt8]) {
        let content = bytes.dropLast(8)
        guard Self.bytes(of: Self.checksum(content)).elementsEqual(bytes.suffix(8)) else { return }
        var decoder = CanonicalDecoder(Array(content))
        entries = (try? Self.read(&decoder)) ?? []
    }

    private static func read(_ decoder: inout CanonicalDecoder) throws -> [Entry] {
        guard try decoder.decodeByte() == version else { throw DecodingFailure.unknown }
        let count = try decoder.decodeCount(limit: countMax, minimumSize: 9)
        var entries: [Entry] = []
        for _ in 0..<count {
            let step = try decoder.decodeUInt64()
            guard (1...UInt64(numberMax)).contains(step) else { throw DecodingFailure.tooLarge }
            let number = (entries.last?.number ?? 0) + Int(step)
            guard number <= numberMax else { throw DecodingFailure.tooLarge }
            let item = try decoder.decodeFixed(8).reduce(0) { $0 << 8 | UInt64($1) }
            entries.append(Entry(number: number, item: item))
        }
        try decoder.finish()
        return entries
    }

    /// FNV-1a in 64 bits (Fowler, Noll, Vo): against a disk's accidents, and nothing else.
    private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    /// Big-endian.
    private static func bytes(of word: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) }
    }
}
