import DeltaCRDT

/// What numbers mean to the people at one device: a number that was shown with an item means that item until a list is
/// shown again, whatever other devices add in between. Rows of other lists are known by marks as items are (`ShownLists`).
package struct ShownNumbers: Codable, Hashable, Sendable {
    /// The most numbers that are remembered; what a longer list shows beyond them means what it means at present.
    package static let countMax = 100_000
    /// The greatest number.
    package static let numberMax = 999_999_999

    private struct Entry: Codable, Hashable, Sendable {
        let number: Int
        /// Of an item the first 16 digits of its name: those who lie to make two that begin alike gain nothing by it.
        let mark: UInt64
    }

    /// Ascending by number, each once.
    private var entries: [Entry] = []

    package init() {}

    package var isEmpty: Bool { entries.isEmpty }

    /// A list was shown: its numbers mean its items, and no number means anything else any more. O(n log n).
    package mutating func showed(list items: some Sequence<ItemView>) {
        showed(rows: items.lazy.map { ($0.number, $0.id.mixedWord) })
    }

    /// The same of rows that are known by marks. O(n log n).
    mutating func showed(rows: some Sequence<(number: Int, mark: UInt64)>) {
        var seen: Set<Int> = []
        entries = rows.filter { (1...Self.numberMax).contains($0.number) && seen.insert($0.number).inserted }
            .map { Entry(number: $0.number, mark: $0.mark) }
            .sorted { $0.number < $1.number }
        if entries.count > Self.countMax { entries.removeLast(entries.count - Self.countMax) }
    }

    /// A number was shown with an item. If the number already means another item, it keeps that meaning. `LiveTrip.number(of:shown:)`
    /// gives the numbers to show, and never one that is taken. O(log n), O(n) for a new one.
    package mutating func showed(_ number: Int, _ item: ItemID) { showed(number, mark: item.mixedWord) }

    mutating func showed(_ number: Int, mark: UInt64) {
        let place = position(of: number)
        guard (1...Self.numberMax).contains(number), place == entries.count || entries[place].number != number else {
            return
        }
        insert(Entry(number: number, mark: mark), at: place)
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
        let place = min(place, entries.count)
        entries.insert(entry, at: place)
        #if CHECK_INVARIANTS
        let around = entries[max(0, place - 1)..<min(entries.count, place + 2)]
        precondition(
            entries.count <= Self.countMax && zip(around, around.dropFirst()).allSatisfy { $0.number < $1.number },
            "number \(entry.number) is out of order at place \(place) of \(entries.count)")
        #endif
    }

    /// How many numbers are remembered.
    package var count: Int { entries.count }

    /// The greatest number that was shown; 0 where none was.
    package var greatest: Int { entries.last?.number ?? 0 }

    /// The first 16 digits of the item that a number was shown with. O(log n).
    package func item(numbered number: Int) -> UInt64? { mark(numbered: number) }

    func mark(numbered number: Int) -> UInt64? {
        let place = position(of: number)
        return place < entries.count && entries[place].number == number ? entries[place].mark : nil
    }

    /// Whether a number was shown with an item. O(log n).
    package func isShown(_ number: Int, with item: ItemID) -> Bool {
        self.item(numbered: number).map { $0 == item.mixedWord } ?? false
    }

    /// The lowest number that an item was shown with. O(n).
    package func number(of item: ItemID) -> Int? { number(ofMark: item.mixedWord) }

    func number(ofMark mark: UInt64) -> Int? { entries.first { $0.mark == mark }?.number }

    /// Part of a list is shown: each row has the number that it was shown with, or its place, or, where that was shown with
    /// another row, one that was not shown yet. Those numbers go on meaning these rows. O(rows · log n) where each has its place as its
    /// number, else O(n), and O(n) for each new one.
    /// - Parameter rows: marks, and places from 1.
    /// - Returns: a number for each row.
    package mutating func show(part rows: [(mark: UInt64, place: Int)]) -> [Int] {
        let sought = Set(rows.filter { mark(numbered: $0.place) != $0.mark }.map(\.mark))
        var known: [UInt64: Int] = [:]
        if sought.count <= Self.soughtSinglyMax {
            for mark in sought { known[mark] = number(ofMark: mark) }
        } else {
            for entry in entries where known[entry.mark] == nil && sought.contains(entry.mark) {
                known[entry.mark] = entry.number
            }
        }
        return rows.map { mark, place in
            if let number = known[mark] { return number }
            let present = self.mark(numbered: place)
            if present == mark { return place }
            let number = present == nil ? place : max(greatest, place) + 1
            showed(number, mark: mark)
            known[mark] = number
            return number
        }
    }

    /// So few rows are cheaper to look for one by one than by their hashes.
    private static let soughtSinglyMax = 8

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
            encoder.encode(fixed: Self.bytes(of: entry.mark))
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
            let mark = try decoder.decodeFixed(8).reduce(0) { $0 << 8 | UInt64($1) }
            entries.append(Entry(number: number, mark: mark))
        }
        try decoder.finish()
        return entries
    }

    /// Against a disk's accidents, and nothing else.
    private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt64 { FNV1a.hash(bytes) }

    /// Big-endian.
    private static func bytes(of word: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) }
    }
}
