import DeltaCRDT

/// The bytes of a file as chunks of 64 KiB, each named by its hash; the last one may be shorter. A node with this list can check every
/// chunk as it arrives, from any sender.
package struct Blob: Hashable, Sendable {
    /// In bytes, from 1 to `sizeMax`.
    package let size: Int
    /// As many as the size says.
    package let chunks: [BlobHash]

    package static let chunkSize = 64 << 10
    package static let sizeMax = 16 << 20
    package static let chunksMax = sizeMax / chunkSize

    /// - Returns: nil for no bytes, or more than `sizeMax`.
    package init?(_ bytes: [UInt8], hash: ([UInt8]) -> BlobHash) {
        guard (1...Self.sizeMax).contains(bytes.count) else { return nil }
        size = bytes.count
        chunks = Self.split(bytes).map { hash(Array($0)) }
    }

    private init(size: Int, chunks: [BlobHash]) {
        (self.size, self.chunks) = (size, chunks)
    }

    /// The bytes of a file, chunk by chunk.
    package static func split(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        stride(from: 0, to: bytes.count, by: chunkSize).map { bytes[$0..<min($0 + chunkSize, bytes.count)] }
    }

    /// How many bytes a chunk has.
    package func size(ofChunk index: Int) -> Int {
        index < chunks.count - 1 ? Self.chunkSize : size - (chunks.count - 1) * Self.chunkSize
    }
}

// MARK: - Coding

extension CanonicalEncoder {
    /// Appends the size, and the hashes: as many as the size says.
    mutating func encode(_ blob: Blob) {
        encode(UInt64(blob.size))
        for chunk in blob.chunks { encode(chunk) }
    }
}

extension Blob {
    /// - Parameter chunksMax: more are refused before anything is read of them.
    static func decode(
        from decoder: inout CanonicalDecoder, chunksMax: Int = Blob.chunksMax
    ) throws(DecodingFailure) -> Blob {
        let size = try decoder.decodeUInt64()
        guard size > 0 else { throw .notCanonical }
        guard size <= chunksMax * chunkSize else { throw .tooLarge }
        let count = (Int(size) + chunkSize - 1) / chunkSize
        var chunks: [BlobHash] = []
        chunks.reserveCapacity(min(count, decoder.remaining / 32))
        for _ in 0..<count { chunks.append(try decoder.decodeBlobHash()) }
        return Blob(size: Int(size), chunks: chunks)
    }
}
