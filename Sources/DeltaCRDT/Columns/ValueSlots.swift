/// Values, each once, in slots by order of arrival, with a way from a value to its slot. It forgets none.
@usableFromInline
struct ValueSlots<Value: Hashable & Sendable>: Sendable {
    @usableFromInline var values = ValueColumn<Value>()
    /// nil while there are so few that a search is as quick.
    @usableFromInline var table: LazyHashTable?

    @inlinable init() {}

    @inlinable static var fewest: Int { 8 }

    @inlinable var count: Int { values.count }

    /// Complexity: O(1), and O(n) once.
    @inlinable func slot(of value: Value) -> UInt32? {
        guard let table else { return (0..<UInt32(count)).first { values.holds(value, at: $0) } }
        return table.first(Identity.hash(value), making: { values.makeTable() }) { values.holds(value, at: $0) }
    }

    /// The slot of a value of another roster.
    @inlinable func slot(of other: UInt32, in roster: ValueSlots) -> UInt32? {
        guard let table else {
            return (0..<UInt32(count)).first { values.isEqual($0, to: other, of: roster.values) }
        }
        return table.first(roster.values.hash(of: other), making: { values.makeTable() }) {
            values.isEqual($0, to: other, of: roster.values)
        }
    }

    /// The slot of a value, which is given one if it has none.
    @inlinable
    @discardableResult
    mutating func insert(_ value: Value) -> (isNew: Bool, slot: UInt32) {
        if let slot = slot(of: value) { return (false, slot) }
        values.append(value)
        return (true, entered())
    }

    /// The slot of a value of another roster, which is given one if it has none.
    @inlinable
    @discardableResult
    mutating func insert(_ other: UInt32, of roster: ValueSlots) -> (isNew: Bool, slot: UInt32) {
        if let slot = slot(of: other, in: roster) { return (false, slot) }
        values.append(other, of: roster.values)
        return (true, entered())
    }

    /// The slots of all values of another roster, which are given some if they have none.
    @inlinable mutating func insert(contentsOf other: ValueSlots) -> [UInt32] {
        if count == 0 {
            self = other
            return Array(0..<UInt32(count))
        }
        if other.count > Self.fewest, values.holdsTexts {
            return values.texts.insert(contentsOf: other.values.texts, &table)
        }
        return (0..<UInt32(other.count)).map { insert($0, of: other).slot }
    }

    @inlinable mutating func entered() -> UInt32 {
        let slot = UInt32(count - 1)
        if table != nil {
            let hash = values.hash(of: slot)
            LazyHashTable.update(&table) { $0.insert(hash, slot: slot) }
        } else if count > Self.fewest {
            table = LazyHashTable()
        }
        return slot
    }

}

/// Written in ascending order of their encodings. The first is written like any value; each of the others as how many bytes
/// its encoding alone shares with that of the one before, at most 32, how many more it has, and these.
extension ValueSlots where Value: CanonicalCodable {
    private static var mostShared: Int { TextColumn.mostShared }

    /// The slots in the order in which they are written.
    func sortedSlots() -> [(slot: UInt32, bytes: [UInt8])] {
        (0..<UInt32(count)).map { slot in
            var encoder = CanonicalEncoder()
            values.encode(slot, into: &encoder)
            return (slot, encoder.bytes)
        }.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    }

    func encode(_ sorted: [(slot: UInt32, bytes: [UInt8])], into encoder: inout CanonicalEncoder) {
        encoder.encode(count: sorted.count)
        guard let first = sorted.first else { return }
        values.encode(first.slot, into: &encoder)
        var previous = first.bytes
        for (_, bytes) in sorted.dropFirst() {
            let shared = Self.shared(previous, bytes)
            encoder.encode(count: shared)
            encoder.encode(count: bytes.count - shared)
            encoder.encode(fixed: bytes[shared...])
            previous = bytes
        }
    }

    /// Reads values, whose slots then ascend with their encodings.
    init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        let count = try decoder.decodeCount(limit: .max)
        guard count > 0 else { return }
        let first = try Value(from: &decoder)
        insert(first)
        guard count - 1 <= decoder.remaining / 2 else { throw .tooLarge }
        if values.holdsTexts {
            try values.texts.append(frontCoded: count - 1, from: &decoder)
            if count > Self.fewest { table = LazyHashTable() }
        } else {
            try append(frontCoded: count - 1, after: first.encoded(), from: &decoder)
        }
    }

    private mutating func append(
        frontCoded count: Int, after first: [UInt8], from decoder: inout CanonicalDecoder
    ) throws(DecodingFailure) {
        var previous = first
        for _ in 0..<count {
            let shared = try decoder.decodeUInt64()
            guard shared <= UInt64(min(previous.count, Self.mostShared)) else { throw .notCanonical }
            let bytes = Array(previous[..<Int(shared)] + (try decoder.decodeBytes(limit: .max)))
            guard previous.lexicographicallyPrecedes(bytes), Self.shared(previous, bytes) == Int(shared),
                insert(try Value(decoding: bytes)).isNew
            else { throw .notCanonical }
            previous = bytes
        }
    }

    private static func shared(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var shared = 0
        while shared < min(left.count, right.count, mostShared), left[shared] == right[shared] { shared += 1 }
        return shared
    }
}
