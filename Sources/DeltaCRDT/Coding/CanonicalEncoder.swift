/// Writes values in the one form that `CanonicalDecoder` accepts.
///
/// Unsigned integers are LEB128 in their shortest form, signed ones are zigzagged first, byte strings and texts
/// are preceded by their length in bytes. Equal values give equal bytes.
public struct CanonicalEncoder: Sendable {
    /// What was written so far. Complexity: O(1).
    public private(set) var bytes: [UInt8] = []
    private var replicas: [ReplicaID: Int] = [:]

    /// - Parameters:
    ///   - capacity: how many bytes to make room for.
    ///   - knownReplicas: names that the reader knows already, such as the author named by an envelope. The decoder must
    ///     be given the same.
    ///
    /// Complexity: O(known replicas).
    public init(reservingCapacity capacity: Int = 0, knownReplicas: [ReplicaID] = []) {
        bytes.reserveCapacity(capacity)
        for replica in knownReplicas where replicas[replica] == nil { replicas[replica] = replicas.count }
    }

    /// Appends an unsigned integer: 1 byte below 128, at most 10. Complexity: O(1) amortised.
    public mutating func encode(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    /// Appends a count or a length. Traps when it is negative. Complexity: O(1) amortised.
    public mutating func encode(count: Int) {
        encode(UInt64(count))
    }

    /// Appends a signed integer: 1 byte from −64 to 63. Complexity: O(1) amortised.
    public mutating func encode(_ value: Int64) {
        encode(UInt64(bitPattern: value << 1 ^ value >> 63))
    }

    /// Appends one byte: 0 or 1. Complexity: O(1) amortised.
    public mutating func encode(_ value: Bool) {
        bytes.append(value ? 1 : 0)
    }

    /// Appends one byte. Complexity: O(1) amortised.
    public mutating func encode(byte value: UInt8) {
        bytes.append(value)
    }

    /// Appends bytes whose number the decoder knows. Complexity: O(length).
    public mutating func encode(fixed value: some Sequence<UInt8>) {
        bytes.append(contentsOf: value)
    }

    /// Appends a byte string, its length first. Complexity: O(length).
    public mutating func encode(_ value: [UInt8]) {
        encode(count: value.count)
        bytes.append(contentsOf: value)
    }

    /// Appends a text as UTF-8, its length in bytes first. Complexity: O(length).
    public mutating func encode(_ value: String) {
        let utf8 = value.utf8
        encode(count: utf8.count)
        bytes.append(contentsOf: utf8)
    }

    /// Appends the 16 bytes of a replica's name. Complexity: O(1) amortised.
    public mutating func encode(_ value: ReplicaID) {
        for word in [value.high, value.low] {
            for shift in stride(from: UInt64(56), through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: word >> shift))
            }
        }
    }

    /// Appends a replica's name in full where it is first met, and as its number from then on.
    ///
    /// Complexity: O(1) amortised.
    public mutating func encode(interned replica: ReplicaID) {
        if let number = replicas[replica] {
            encode(UInt64(number + 1))
        } else {
            encode(UInt64(0))
            encode(new: replica)
        }
    }

    /// Appends a dot, its replica interned. Complexity: O(1) amortised.
    public mutating func encode(_ dot: Dot) {
        encode(interned: dot.replica)
        encode(dot.counter)
    }

    /// Appends the first byte of a state.
    @usableFromInline
    mutating func encode(_ tag: StateTag) {
        bytes.append(tag.byte)
    }

    /// The number of a replica that the reader knows by now.
    func number(of replica: ReplicaID) -> Int? { replicas[replica] }

    /// Appends the bytes of a replica that the reader does not know, and gives it the next number.
    mutating func encode(new replica: ReplicaID) {
        replicas[replica] = replicas.count
        encode(replica)
    }
}
