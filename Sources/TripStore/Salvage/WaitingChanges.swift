import ChangeLog
import DeltaCRDT
import LibC

/// Changes that stand on others which this disk lost: intact and signed, and no part of the trip until those are back. Sealed, in
/// the file `waiting` beside the database.
package enum WaitingChanges {
    private static let changesMax = 1 << 20
    private static let bytesMax = 256 << 20

    /// What waits in a folder. What cannot be read is as if it were not there.
    package static func read(in folder: String, _ seal: StoreSeal) -> [StoredChange] {
        guard let file = try? PrivateFile(reading: path(in: folder)), let size = try? file.size, size <= bytesMax,
            let bytes = try? file.read(size, at: 0)
        else { return [] }
        var decoder = CanonicalDecoder(bytes)
        var changes: [StoredChange] = []
        do {
            for _ in 0..<(try decoder.decodeCount(limit: changesMax, minimumSize: 32)) {
                let hash = try decoder.decodeBytes32()
                let sealed = try decoder.decodeBytes(limit: TripStore.maximumRecordBytes + StoreSeal.overhead)
                if let change = seal.open(sealed, of: hash) { changes.append(change) }
            }
        } catch {}
        return changes
    }

    /// Makes these all that waits in a folder, durably.
    package static func write(_ changes: [StoredChange], to folder: String, _ seal: StoreSeal) throws(StoreError) {
        var encoder = CanonicalEncoder()
        encoder.encode(count: changes.count)
        for change in changes {
            encoder.encode(fixed: change.hash.bytes)
            encoder.encode(seal.seal(change))
        }
        let file = try PrivateFile(path: path(in: folder))
        try file.replaceContents(with: encoder.bytes)
        try file.synchronize()
    }

    /// Removes the file, once nothing waits any more.
    package static func remove(in folder: String) { unlink(path(in: folder)) }

    private static func path(in folder: String) -> String { folder + "/waiting" }
}
