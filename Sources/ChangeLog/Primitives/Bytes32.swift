package import DeltaCRDT

/// 32 bytes: a hash, a key or a secret. Ordered by its bytes, first byte first.
package struct Bytes32: Hashable, Sendable {
    /// The bytes as four big-endian words.
    package let words: (UInt64, UInt64, UInt64, UInt64)

    /// Reads 32 bytes; nil for any other number of them.
    package init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == 32 else { return nil }
        let words =
            bytes.withContiguousStorageIfAvailable(Self.words) ?? Array(bytes).withUnsafeBufferPointer(Self.words)
        self.words = words
    }

    /// The four big-endian words of 32 bytes.
    private static func words(_ bytes: UnsafeBufferPointer<UInt8>) -> (UInt64, UInt64, UInt64, UInt64) {
        let raw = UnsafeRawBufferPointer(bytes)
        func word(_ index: Int) -> UInt64 {
            UInt64(bigEndian: raw.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self))
        }
        return (word(0), word(1), word(2), word(3))
    }

    /// Draws 32 bytes from a generator, which must be a cryptographic one where the bytes are a secret.
    package static func random(using generator: inout some RandomNumberGenerator) -> Bytes32 {
        Bytes32(words: (generator.next(), generator.next(), generator.next(), generator.next()))
    }

    package init(words: (UInt64, UInt64, UInt64, UInt64)) {
        self.words = words
    }

    package var bytes: [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
            let raw = UnsafeMutableRawBufferPointer(buffer)
            raw.storeBytes(of: words.0.bigEndian, toByteOffset: 0, as: UInt64.self)
            raw.storeBytes(of: words.1.bigEndian, toByteOffset: 8, as: UInt64.self)
            raw.storeBytes(of: words.2.bigEndian, toByteOffset: 16, as: UInt64.self)
            raw.storeBytes(of: words.3.bigEndian, toByteOffset: 24, as: UInt64.self)
            count = 32
        }
    }

    /// Appends the bytes, without an array of their own.
    func append(to bytes: inout [UInt8]) {
        withUnsafeBytes(of: (words.0.bigEndian, words.1.bigEndian, words.2.bigEndian, words.3.bigEndian)) {
            bytes.append(contentsOf: $0)
        }
    }

    /// The first 16 bytes, as the name of a writer.
    package var replicaID: ReplicaID { ReplicaID(high: words.0, low: words.1) }

    /// The first 16 bytes.
    package var prefix16: Bytes16 { Bytes16(high: words.0, low: words.1) }

    package static func == (left: Bytes32, right: Bytes32) -> Bool { left.words == right.words }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(words.0)
        hasher.combine(words.1)
    }
}

extension Bytes32: Comparable {
    package static func < (left: Bytes32, right: Bytes32) -> Bool { left.words < right.words }
}

extension Bytes32: CustomStringConvertible {
    /// 64 lowercase hexadecimal digits.
    package var description: String {
        replicaID.description + ReplicaID(high: words.2, low: words.3).description
    }
}

extension CanonicalDecoder {
    package mutating func decodeBytes32() throws(DecodingFailure) -> Bytes32 {
        guard let bytes = Bytes32(try decodeFixed(32)) else { throw .truncated }
        return bytes
    }
}
