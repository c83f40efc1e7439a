/// Texts one after the other in one buffer, each preceded by its length as the encoder writes it.
///
/// So a column that was decoded is the bytes that came, and encoding is copying. A text is its UTF-8: texts that Swift
/// calls equal but whose scalars differ are different here.
@usableFromInline
struct TextColumn: Sendable {
    var bytes: [UInt8] = []
    /// Where in `bytes` each slot's text begins, at its length.
    var starts: [Int] = []
    /// How many of `bytes` belong to removed texts.
    private var wasted = 0

    @usableFromInline
    init() {}

    @usableFromInline var count: Int { starts.count }

    @usableFromInline
    subscript(slot: Int) -> String {
        withUTF8(slot) { String(decoding: $0, as: UTF8.self) }
    }

    @usableFromInline
    mutating func append(_ text: String) {
        starts.append(bytes.count)
        var text = text
        text.withUTF8 { utf8 in
            appendLength(utf8.count)
            bytes.append(contentsOf: utf8)
        }
    }

    /// Appends the text of another column's slot.
    @usableFromInline
    mutating func append(_ slot: Int, of other: TextColumn) {
        starts.append(bytes.count)
        bytes.append(contentsOf: other.bytes[other.starts[slot]..<other.extent(slot).upperBound])
    }

    /// Forgets the text of a slot, which the last slot's text takes over.
    @usableFromInline
    mutating func swapRemove(_ slot: Int) {
        wasted += extent(slot).upperBound - starts[slot]
        starts[slot] = starts[starts.count - 1]
        starts.removeLast()
        if wasted > 1024, wasted * 2 > bytes.count { compact() }
    }

    @usableFromInline
    func holds(_ utf8: UnsafeBufferPointer<UInt8>, at slot: Int) -> Bool {
        withUTF8(slot) { TextHash.areEqual(UnsafeRawBufferPointer($0), UnsafeRawBufferPointer(utf8)) }
    }

    @usableFromInline
    func isEqual(_ slot: Int, to otherSlot: Int, of other: TextColumn) -> Bool {
        other.withUTF8(otherSlot) { holds($0, at: slot) }
    }

    /// Calls with the UTF-8 of a slot's text.
    @usableFromInline
    func withUTF8<Result>(_ slot: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        let extent = extent(slot)
        return bytes.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[extent])) }
    }

    @usableFromInline
    func hash(of slot: Int) -> UInt32 {
        withUTF8(slot) { Identity<String>.hash(utf8: $0) }
    }

    /// The slots of another column's texts among these, which are all different; those that are not here are appended.
    @usableFromInline
    mutating func insert(
        contentsOf other: TextColumn, _ table: inout LazyHashTable?
    ) -> [UInt32] {
        var slots: [UInt32] = []
        slots.reserveCapacity(other.count)
        LazyHashTable.update(&table, making: { makeTable() }) { table in
            for slot in 0..<other.count {
                let hash = other.hash(of: slot)
                if let found = table.first(hash, where: { isEqual(Int($0), to: slot, of: other) }) {
                    slots.append(found)
                } else {
                    slots.append(UInt32(count))
                    table.insert(hash, slot: UInt32(count))
                    append(slot, of: other)
                }
            }
        }
        return slots
    }

    /// A table from the texts to their slots.
    @usableFromInline
    func makeTable() -> HashTable {
        let table = HashTable(capacity: count)
        for slot in 0..<count {
            table.insert(hash(of: slot), slot: UInt32(slot)) { isEqual(Int($0), to: slot, of: self) }
        }
        return table
    }

    @usableFromInline
    func encode(_ slot: Int, into encoder: inout CanonicalEncoder) {
        encoder.encode(fixed: bytes[starts[slot]..<extent(slot).upperBound])
    }

    @usableFromInline
    mutating func reserveCapacity(_ count: Int) {
        starts.reserveCapacity(count)
    }

    /// Where the text itself lies.
    private func extent(_ slot: Int) -> Range<Int> {
        var position = starts[slot]
        var length = 0
        var shift = 0
        while bytes[position] >= 0x80 {
            length |= Int(bytes[position] & 0x7F) << shift
            shift += 7
            position += 1
        }
        length |= Int(bytes[position]) << shift
        return position + 1..<position + 1 + length
    }

    mutating func appendLength(_ length: Int) {
        var rest = length
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    private mutating func compact() {
        var kept: [UInt8] = []
        kept.reserveCapacity(bytes.count - wasted)
        for slot in starts.indices {
            let end = extent(slot).upperBound
            let start = kept.count
            kept.append(contentsOf: bytes[starts[slot]..<end])
            starts[slot] = start
        }
        bytes = kept
        wasted = 0
    }
}
