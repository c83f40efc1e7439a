package import DeltaCRDT

/// What a piece of a file is called: BLAKE2b-256 of its bytes. Ordered by its bytes, first byte first.
package struct BlobHash: Hashable, Sendable {
    private let first: ReplicaID
    private let second: ReplicaID

    /// Reads 32 bytes; nil for any other number of them.
    package init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 32, let first = ReplicaID(bytes: bytes.prefix(16)),
            let second = ReplicaID(bytes: bytes.dropFirst(16))
        else { return nil }
        (self.first, self.second) = (first, second)
    }

    /// The 32 bytes.
    package var bytes: [UInt8] { first.bytes + second.bytes }
}

extension BlobHash: Comparable {
    package static func < (left: BlobHash, right: BlobHash) -> Bool {
        left.first != right.first ? left.first < right.first : left.second < right.second
    }
}

extension BlobHash: CustomStringConvertible {
    /// 64 lowercase hexadecimal digits.
    package var description: String { "\(first)\(second)" }
}

extension CanonicalEncoder {
    package mutating func encode(_ hash: BlobHash) { encode(fixed: hash.bytes) }
}

extension CanonicalDecoder {
    package mutating func decodeBlobHash() throws(DecodingFailure) -> BlobHash {
        guard let hash = BlobHash(bytes: try decodeFixed(32)) else { throw .truncated }
        return hash
    }
}
