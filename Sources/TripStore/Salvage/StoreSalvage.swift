import ChangeLog

/// What is intact in a store, damaged or not: every change that opens under the store's seal, wherever it lies.
///
/// Rows are known by how they begin, on whatever page, so that no damaged page hides what another holds. A row in which one bit
/// was flipped is mended: of all rows that differ in one bit, only the right one opens.
package struct StoreSalvage: Sendable {
    /// In the order in which they were appended, as far as their rows say it; each once.
    package private(set) var changes: [StoredChange] = []
    /// How many of them had one bit flipped.
    package private(set) var mended = 0
    /// How many rows are seen that do not open.
    package private(set) var unreadable = 0

    /// The longest row that is mended, in bytes: that takes a try for each bit, and each reads the whole row.
    private static let mendableBytesMax = 16_384

    /// Reads a store that this process owns. Writes nothing. O(n), in memory too.
    package init(of folder: String, _ seal: StoreSeal) throws(StoreError) {
        let path = TripStore.databasePath(in: folder)
        let images = PageImages(database: try Self.contents(of: path), log: try Self.contents(of: path + "-wal"))
        var search = Search(seal: seal)
        for index in 0..<images.count { search.look(through: images.page(at: index), of: images) }
        search.mend(images)
        changes = search.found.sorted { ($0.position ?? .max) < ($1.position ?? .max) }.map(\.change)
        mended = search.mended
        unreadable = search.unreadable
    }

    private static func contents(of path: String) throws(StoreError) -> [UInt8] {
        guard let file = try PrivateFile(reading: path) else { return [] }
        return try file.read(try file.size, at: 0)
    }

    private struct Search {
        struct Found {
            let position: Int64?
            let change: StoredChange
        }

        /// A row that did not open.
        struct Closed {
            let page: [UInt8]
            let offset: Int
            let row: ChangeRow
        }

        let seal: StoreSeal
        var found: [Found] = []
        var mended = 0
        var unreadable = 0
        private var hashes: Set<Bytes32> = []
        private var closed: [Closed] = []

        init(seal: StoreSeal) { self.seal = seal }

        mutating func look(through page: [UInt8], of images: PageImages) {
            var offset = 0
            while offset < page.count {
                guard let row = ChangeRow(on: page, at: offset) else {
                    mendLength(page, offset, images)
                    offset += 1
                    continue
                }
                if hashes.contains(row.hash) || take(row, of: images) {
                    offset = row.end
                } else {
                    closed.append(Closed(page: page, offset: offset, row: row))
                    offset += 1
                }
            }
        }

        /// Tries every flip of one bit in what did not open and is nowhere else. What a row looked like by chance counts for nothing.
        mutating func mend(_ images: PageImages) {
            var unknown: Set<Int64> = []
            var positions = Set(found.compactMap(\.position))
            for candidate in closed where !hashes.contains(candidate.row.hash) {
                if let position = candidate.row.position, positions.contains(position) { continue }
                if mend(candidate, images) {
                    if let position = found.last?.position { positions.insert(position) }
                } else if candidate.row.isExact {
                    unknown.insert(candidate.row.position ?? -Int64(unknown.count))
                }
            }
            unreadable = unknown.subtracting(positions).count
        }

        private mutating func mend(_ candidate: Closed, _ images: PageImages) -> Bool {
            guard candidate.row.size <= StoreSalvage.mendableBytesMax, candidate.row.isOnLeaf else { return false }
            return mend(candidate.page, at: candidate.offset, bytes: candidate.offset..<candidate.row.end, images)
        }

        /// A row whose length was altered may look like none: tries every flip of one bit in the length.
        private mutating func mendLength(_ page: [UInt8], _ offset: Int, _ images: PageImages) {
            guard let bytes = ChangeRow.lengthBytes(on: page, at: offset) else { return }
            _ = mend(page, at: offset, bytes: bytes, images)
        }

        /// Tries every flip of one bit in some bytes, until the row at an offset opens.
        private mutating func mend(
            _ original: [UInt8], at offset: Int, bytes: Range<Int>, _ images: PageImages
        ) -> Bool {
            var page = original
            for byte in bytes.clamped(to: page.indices) {
                for bit in 0..<8 {
                    page[byte] ^= 1 << bit
                    defer { page[byte] ^= 1 << bit }
                    guard let row = ChangeRow(on: page, at: offset), row.isExact, !hashes.contains(row.hash),
                        take(row, of: images)
                    else { continue }
                    mended += 1
                    return true
                }
            }
            return false
        }

        private mutating func take(_ row: ChangeRow, of images: PageImages) -> Bool {
            for usesLog in [true, false] {
                guard let sealed = row.sealed(images, usesLog: usesLog), let change = seal.open(sealed, of: row.hash)
                else { continue }
                if hashes.insert(change.hash).inserted { found.append(Found(position: row.position, change: change)) }
                return true
            }
            return false
        }
    }
}
