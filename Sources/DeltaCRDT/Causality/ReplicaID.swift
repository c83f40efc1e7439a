/// The name of one writer of dots: 128 bits, unique among the writers of one replicated state.
///
/// Ordered by its bytes, first byte first. Two writers must never share a name; nothing can repair that.
public struct ReplicaID: Hashable, Sendable {
    /// The first eight bytes, the first of them most significant.
    public let high: UInt64
    /// The last eight bytes.
    public let low: UInt64

    /// A name of 128 given bits. Complexity: O(1).
    @inlinable
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// A name drawn at random, for a new replica. Complexity: O(1).
    @inlinable
    public static func random(using generator: inout some RandomNumberGenerator) -> ReplicaID {
        ReplicaID(high: generator.next(), low: generator.next())
    }

    /// Reads 16 bytes; nil for any other number of them. Complexity: O(1).
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 16 else { return nil }
        self =
            bytes.withContiguousStorageIfAvailable(Self.init(words:))
            ?? Array(bytes).withUnsafeBufferPointer(Self.init(words:))
    }

    /// Reads two big-endian words, of 16 bytes.
    private init(words bytes: UnsafeBufferPointer<UInt8>) {
        let raw = UnsafeRawBufferPointer(bytes)
        high = UInt64(bigEndian: raw.loadUnaligned(fromByteOffset: 0, as: UInt64.self))
        low = UInt64(bigEndian: raw.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }

    /// The name under which this replica goes on where its own has no event or amount left, which happens only where somebody forged
    /// one: the same on every replica. Complexity: O(1).
    public var successor: ReplicaID {
        let high = SplitMix64.mixed(high ^ SplitMix64.mixed(low &+ SplitMix64.increment))
        return ReplicaID(high: high, low: SplitMix64.mixed(high ^ low))
    }

    /// The 16 bytes. Complexity: O(1).
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(16)
        for shift in stride(from: 56, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: high >> UInt64(shift)))
        }
        for shift in stride(from: 56, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: low >> UInt64(shift)))
        }
        return bytes
    }
}

extension ReplicaID: Comparable {
    /// By bytes, first byte first.
    @inlinable
    public static func < (left: ReplicaID, right: ReplicaID) -> Bool {
        left.high != right.high ? left.high < right.high : left.low < right.low
    }
}

extension ReplicaID: LosslessStringConvertible {
    /// Reads 32 hexadecimal digits, lowercase or uppercase; nil for any other text. Complexity: O(1).
    public init?(_ description: String) {
        guard description.utf8.count == 32, description.utf8.allSatisfy({ $0 != UInt8(ascii: "+") }),
            let high = UInt64(description.prefix(16), radix: 16), let low = UInt64(description.suffix(16), radix: 16)
        else { return nil }
        self.init(high: high, low: low)
    }

    /// 32 lowercase hexadecimal digits.
    public var description: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
