import ChangeLog

/// A row of the table of changes, as it lies on a page of its b-tree: how long it is and its number, how long the header of its
/// record is, the types of the three columns, then the hash and the sealed change. What does not fit goes on on other pages
/// (https://sqlite.org/fileformat2.html, sections 1.6 and 2.1).
struct ChangeRow {
    /// The row's number; nil where that cannot be read.
    let position: Int64?
    let hash: Bytes32
    /// How many bytes the sealed change has.
    let size: Int
    /// Whether no bit of the beginning is another than it must be.
    let isExact: Bool
    /// Whether the page says, but for one bit, that it holds rows.
    let isOnLeaf: Bool
    /// Where the row ends on its page.
    let end: Int
    /// What of the sealed change is on the page.
    private let local: ArraySlice<UInt8>
    /// The page on which it goes on; 0 where it does not.
    private let next: Int

    /// The type of a number that is the row's own, and of a text of 32 bytes.
    private static let numberType: UInt8 = 0
    private static let hashType: UInt8 = 12 + 2 * 32
    private static let leafType: UInt8 = 0x0D
    private static let sealedBytesMax = TripStore.maximumRecordBytes + StoreSeal.overhead

    /// A row whose header begins here, as far as that can be seen: nil where more than one bit of it is another.
    init?(on page: [UInt8], at offset: Int) {
        guard offset + 4 + 32 < page.count else { return nil }
        let isHashBehind =
            (page[offset + 1] ^ Self.numberType).nonzeroBitCount
            + (page[offset + 2] ^ Self.hashType).nonzeroBitCount
        guard isHashBehind <= 1 else { return nil }
        guard let (type, typeSize) = Self.number(on: page, at: offset + 3) else { return nil }
        let headerSize = 3 + typeSize
        let wrongBits = isHashBehind + (page[offset] ^ UInt8(headerSize)).nonzeroBitCount
        guard wrongBits <= 1 else { return nil }
        isOnLeaf = (page[0] ^ Self.leafType).nonzeroBitCount <= 1
        isExact = wrongBits == 0
        guard isExact || isOnLeaf, type >= 12, type % 2 == 0 else { return nil }
        size = (type - 12) / 2
        guard size > StoreSeal.overhead, size <= Self.sealedBytesMax else { return nil }
        let start = offset + headerSize
        let length = headerSize + 32 + size
        let lengthHere = Self.localLength(of: length, pageSize: page.count)
        let isWhole = lengthHere == length
        end = offset + lengthHere + (isWhole ? 0 : 4)
        guard end <= page.count, lengthHere > headerSize + 32, let hash = Bytes32(page[start..<start + 32]) else {
            return nil
        }
        self.hash = hash
        local = page[(start + 32)..<(offset + lengthHere)]
        next = isWhole ? 0 : page[(end - 4)..<end].reduce(0) { $0 << 8 | Int($1) }
        position = Self.position(on: page, before: offset)
    }

    /// Where the length of a sealed change stands, if a row may begin here.
    static func lengthBytes(on page: [UInt8], at offset: Int) -> Range<Int>? {
        guard offset + 7 < page.count, page[offset + 1] == numberType, page[offset + 2] == hashType else { return nil }
        return offset + 3..<offset + 7
    }

    /// The sealed change; nil where a page that it goes on on is not there.
    func sealed(_ images: PageImages, usesLog: Bool) -> [UInt8]? {
        var sealed = Array(local)
        var next = next
        while sealed.count < size {
            guard let page = images.page(numbered: next, usesLog: usesLog) else { return nil }
            sealed += page[4..<min(page.count, 4 + size - sealed.count)]
            next = page[0..<4].reduce(0) { $0 << 8 | Int($1) }
        }
        return sealed
    }

    /// How much of a row of a table lies on the page of its b-tree.
    private static func localLength(of length: Int, pageSize: Int) -> Int {
        guard length > pageSize - 35 else { return length }
        let least = (pageSize - 12) * 32 / 255 - 23
        let some = least + (length - least) % (pageSize - 4)
        return some <= pageSize - 35 ? some : least
    }

    /// Seven bits a byte, the highest first; the last byte is below 128.
    private static func number(on page: [UInt8], at offset: Int) -> (value: Int, size: Int)? {
        var value = 0
        for size in 1...4 where offset + size <= page.count {
            let byte = page[offset + size - 1]
            value = value << 7 | Int(byte & 0x7F)
            if byte < 0x80 { return (value, size) }
        }
        return nil
    }

    /// The number that ends here.
    private static func position(on page: [UInt8], before offset: Int) -> Int64? {
        var start = offset - 1
        guard start >= 0, page[start] < 0x80 else { return nil }
        while start > 0, page[start - 1] >= 0x80 { start -= 1 }
        return number(on: page, at: start).map { Int64($0.value) }
    }
}
