package import DeltaCRDT

/// 16 bytes: the opaque name of a participant, or of an epoch. Ordered by its bytes, first byte first.
package struct Bytes16: Hashable, Sendable {
    package let high: UInt64
    package let low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Reads 16 bytes; nil for any other number of them.
    package init?(_ bytes: some Collection<UInt8>) {
        guard let words = ReplicaID(bytes: bytes) else { return nil }
        self.init(high: words.high, low: words.low)
    }

    package var bytes: [UInt8] { ReplicaID(high: high, low: low).bytes }
}

extension Bytes16: Comparable {
    package static func < (left: Bytes16, right: Bytes16) -> Bool { (left.high, left.low) < (right.high, right.low) }
}

extension Bytes16: CustomStringConvertible {
    /// 32 lowercase hexadecimal digits.
    package var description: String { ReplicaID(high: high, low: low).description }
}

extension CanonicalDecoder {
    package mutating func decodeBytes16() throws(DecodingFailure) -> Bytes16 {
        guard let bytes = Bytes16(try decodeFixed(16)) else { throw .truncated }
        return bytes
    }
}
