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
        let item: ItemID
    }

    /// Ascending by number, each once.
    private var entries: [Entry] = []

    package init() {}

    package var isEmpty: Bool { entries.isEmpty }

    /// A list was shown: its numbers mean its items, and no number means anything else any more. O(n log n).
    package mutating func showed(list items: some Sequence<ItemView>) {
        var seen: Set<Int> = []
        entries = items.filter { (1...Self.numberMax).contains($0.number) && seen.insert($0.number).inserted }
            .map { Entry(number: $0.number, item: $0.id) }
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
        if entries.count == Self.countMax { entries.removeLast() }
        entries.insert(Entry(number: number, item: item), at: min(place, entries.count))
    }

    /// Takes in what was shown since, as `showed(_:_:)` does with each.
    package mutating func showed(_ others: ShownNumbers) {
        for entry in others.entries { showed(entry.number, entry.item) }
    }

    /// How many numbers are remembered.
    package var count: Int { entries.count }

    /// The greatest number that was shown; 0 where none was.
    package var greatest: Int { entries.last?.number ?? 0 }

    /// The item that a number was shown with. O(log n).
    package func item(numbered number: Int) -> ItemID? {
        let place = position(of: number)
        return place < entries.count && entries[place].number == number ? entries[place].item : nil
    }

    /// The lowest number that an item was shown with. O(n).
    package func number(of item: ItemID) -> Int? { entries.first { $0.item == item }?.number }

    /// The first place whose number is not below one.
    private func position(of number: Int) -> Int {
        entries.partitioningIndex { $0.number >= number }
    }
}

extension ShownNumbers {
    private static let version: UInt8 = 1

    /// One form for each value, to keep between commands: a version, then by number how much each is above the last one,
    /// the item's replica, and how far its operation is from that replica's last; then a checksum. About 4 bytes an entry.
    package var bytes: [UInt8] {
        var encoder = CanonicalEncoder()
        encoder.encode(fixed: [Self.version])
        encoder.encode(count: entries.count)
        var counters: [ReplicaID: UInt64] = [:]
        var last = 0
        for entry in entries {
            let dot = entry.item.dot
            encoder.encode(UInt64(entry.number - last))
            encoder.encode(interned: dot.replica)
            encoder.encode(Int64(bitPattern: dot.counter &- (counters[dot.replica] ?? 0)))
            counters[dot.replica] = dot.counter
            last = entry.number
        }
        return encoder.bytes + Self.checksum(encoder.bytes[...])
    }

    /// What `bytes` wrote. Where it is anything else, nothing is remembered: a number then means what it means at present.
    package init(bytes: [UInt8]) {
        let content = bytes.dropLast(8)
        guard Self.checksum(content).elementsEqual(bytes.suffix(8)) else { return }
        var decoder = CanonicalDecoder(Array(content))
        entries = (try? Self.read(&decoder)) ?? []
    }

    private static func read(_ decoder: inout CanonicalDecoder) throws -> [Entry] {
        guard try decoder.decodeByte() == version else { throw DecodingFailure.unknown }
        let count = try decoder.decodeCount(limit: countMax, minimumSize: 3)
        var entries: [Entry] = []
        var counters: [ReplicaID: UInt64] = [:]
        for _ in 0..<count {
            let step = try decoder.decodeUInt64()
            guard (1...UInt64(numberMax)).contains(step) else { throw DecodingFailure.tooLarge }
            let number = (entries.last?.number ?? 0) + Int(step)
            let replica = try decoder.decodeInternedReplica()
            let counter = (counters[replica] ?? 0) &+ UInt64(bitPattern: try decoder.decodeInt64())
            guard number <= numberMax, (1...Dot.maximumCounter).contains(counter) else {
                throw DecodingFailure.tooLarge
            }
            counters[replica] = counter
            entries.append(Entry(number: number, item: ItemID(dot: Dot(replica: replica, counter: counter))))
        }
        try decoder.finish()
        return entries
    }

    /// FNV-1a in 64 bits (Fowler, Noll, Vo): against a disk's accidents, and nothing else.
    private static func checksum(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return (0..<8).map { UInt8(truncatingIfNeeded: hash >> (8 * $0)) }
    }
}
