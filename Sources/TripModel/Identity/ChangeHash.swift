import DeltaCRDT

/// The name of a change: BLAKE2b-256 of its encoding, which is another for every change. Ordered by its bytes, first byte
/// first.
package struct ChangeHash: Sendable {
    /// The bytes as four big-endian words.
    package let words: (UInt64, UInt64, UInt64, UInt64)

    package init(words: (UInt64, UInt64, UInt64, UInt64)) {
        self.words = words
    }

    /// Reads 32 bytes; nil for any other number of them.
    package init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 32, let first = ReplicaID(bytes: bytes.prefix(16)),
            let second = ReplicaID(bytes: bytes.dropFirst(16))
        else { return nil }
        words = (first.high, first.low, second.high, second.low)
    }

    /// The 32 bytes.
    package var bytes: [UInt8] { halves.first.bytes + halves.second.bytes }

    /// The first 16 bytes and the others.
    var halves: (first: ReplicaID, second: ReplicaID) {
        (ReplicaID(high: words.0, low: words.1), ReplicaID(high: words.2, low: words.3))
    }
}

extension ChangeHash: Hashable {
    package static func == (left: ChangeHash, right: ChangeHash) -> Bool { left.words == right.words }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(words.0)
        hasher.combine(words.1)
    }
}

extension ChangeHash: Comparable {
    package static func < (left: ChangeHash, right: ChangeHash) -> Bool { left.words < right.words }
}

extension CanonicalEncoder {
    mutating func encode(_ hash: ChangeHash) {
        encode(hash.halves.first)
        encode(hash.halves.second)
    }

    /// Appends 32 bytes and an index.
    mutating func encode(_ operation: OperationID) {
        encode(operation.change)
        encode(UInt64(operation.index))
    }
}

extension CanonicalDecoder {
    mutating func decodeChangeHash() throws(DecodingFailure) -> ChangeHash {
        guard let hash = ChangeHash(bytes: try decodeFixed(32)) else { throw .truncated }
        return hash
    }

    mutating func decodeOperationID() throws(DecodingFailure) -> OperationID {
        let change = try decodeChangeHash()
        guard let index = OperationIndex(exactly: try decodeUInt64()) else { throw .tooLarge }
        return OperationID(change: change, index: index)
    }
}
