extension KeyFile {
    /// The longest file that is mended, in bytes: that takes a try for each bit, and each reads the whole file.
    private static let mendableBytesMax = 8_192

    /// As `stored(in:)`; where one bit of the file was flipped, as it was before.
    package static func salvaged(in folder: String) throws(StoreError) -> (stored: Stored, isMended: Bool) {
        do {
            return (try stored(in: folder), false)
        } catch {
            guard let mended = try mended(in: folder) else { throw error }
            return (mended, true)
        }
    }

    private static func mended(in folder: String) throws(StoreError) -> Stored? {
        let path = path(in: folder)
        guard let file = try PrivateFile(reading: path) else { return nil }
        let size = try file.size
        guard size <= mendableBytesMax else { return nil }
        var bytes = try file.read(size, at: 0)
        defer { wipe(&bytes) }
        for byte in bytes.indices {
            for bit in 0..<8 {
                bytes[byte] ^= 1 << bit
                if let stored = try? stored(as: bytes, path) { return stored }
                bytes[byte] ^= 1 << bit
            }
        }
        return nil
    }
}
