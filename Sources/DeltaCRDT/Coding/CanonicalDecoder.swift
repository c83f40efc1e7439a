/// What made bytes unreadable.
public enum DecodingFailure: Error, Hashable, Sendable {
    /// The bytes end in the middle of a value.
    case truncated
    /// A value is written in another form than its only one: a longer integer, a wrong order, a repetition.
    case notCanonical
    /// A count or a length is greater than the bound, or than what the remaining bytes could hold.
    case tooLarge
    /// A text that is not UTF-8.
    case invalidText
    /// A tag or a value that has no meaning here.
    case unknown
    /// A state in a version of the format that is later than this library's: an update reads it.
    case newerVersion
    /// Bytes are left after the end of the value.
    case trailingBytes
}

extension DecodingFailure: CustomStringConvertible {
    /// The case's name, in Embedded Swift too.
    public var description: String {
        switch self {
        case .truncated: "truncated"
        case .notCanonical: "notCanonical"
        case .tooLarge: "tooLarge"
        case .invalidText: "invalidText"
        case .unknown: "unknown"
        case .newerVersion: "newerVersion"
        case .trailingBytes: "trailingBytes"
        }
    }
}

/// Reads what `CanonicalEncoder` wrote, and refuses every other form of the same value.
///
/// Every count is checked against a bound and against the bytes that remain before anything is allocated for it.
public struct CanonicalDecoder: Sendable {
    private let bytes: [UInt8]
    @usableFromInline var position: Int
    private let end: Int
    private var replicas: [ReplicaID] = []
    private var knownReplicas: Set<ReplicaID> = []

    /// - Parameters:
    ///   - bytes: all of them, and no others.
    ///   - knownReplicas: what the encoder was given.
    ///
    /// Complexity: O(known replicas).
    public init(_ bytes: [UInt8], knownReplicas: [ReplicaID] = []) {
        self.bytes = bytes
        position = 0
        end = bytes.count
        for replica in knownReplicas where self.knownReplicas.insert(replica).inserted { replicas.append(replica) }
    }

    /// Reads a part of some bytes, and no others. Complexity: O(1).
    package init(_ bytes: [UInt8], in range: Range<Int>) {
        self.bytes = bytes
        position = range.lowerBound
        end = range.upperBound
    }

    /// How many bytes were read. Complexity: O(1).
    public var offset: Int { position }

    /// How many bytes are left. Complexity: O(1).
    public var remaining: Int { end - position }

    /// The bytes that are left.
    var rest: ArraySlice<UInt8> { bytes[position..<end] }

    /// Passes over bytes of the rest that were read.
    mutating func skip(_ count: Int) {
        position += count
    }

    /// Throws unless every byte was read. Complexity: O(1).
    public func finish() throws(DecodingFailure) {
        guard position == end else { throw .trailingBytes }
    }

    /// Reads one byte. Complexity: O(1).
    public mutating func decodeByte() throws(DecodingFailure) -> UInt8 {
        guard position < end else { throw .truncated }
        defer { position += 1 }
        return bytes[position]
    }

    /// Reads an unsigned integer in its shortest form. Complexity: O(1).
    public mutating func decodeUInt64() throws(DecodingFailure) -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            let byte = try decodeByte()
            let part = UInt64(byte & 0x7F)
            if shift == 63, part > 1 { throw .notCanonical }
            value |= part << shift
            if byte < 0x80 {
                if byte == 0, shift > 0 { throw .notCanonical }
                return value
            }
            shift += 7
            if shift > 63 { throw .notCanonical }
        }
    }

    /// Reads a signed integer. Complexity: O(1).
    public mutating func decodeInt64() throws(DecodingFailure) -> Int64 {
        let zigzag = try decodeUInt64()
        return Int64(bitPattern: zigzag >> 1) ^ -Int64(bitPattern: zigzag & 1)
    }

    /// Reads a byte that is 0 or 1. Complexity: O(1).
    public mutating func decodeBool() throws(DecodingFailure) -> Bool {
        switch try decodeByte() {
        case 0: return false
        case 1: return true
        default: throw .notCanonical
        }
    }

    /// Reads a count of things that take at least `minimumSize` bytes each, and are at most `limit`. Complexity: O(1).
    public mutating func decodeCount(limit: Int, minimumSize: Int = 1) throws(DecodingFailure) -> Int {
        let value = try decodeUInt64()
        guard value <= UInt64(limit), value <= UInt64(remaining / max(1, minimumSize)) else { throw .tooLarge }
        return Int(value)
    }

    /// Reads `count` bytes. Complexity: O(1).
    public mutating func decodeFixed(_ count: Int) throws(DecodingFailure) -> ArraySlice<UInt8> {
        guard count <= remaining else { throw .truncated }
        defer { position += count }
        return bytes[position..<position + count]
    }

    /// Reads a byte string of at most `limit` bytes. Complexity: O(length).
    public mutating func decodeBytes(limit: Int) throws(DecodingFailure) -> [UInt8] {
        let count = try decodeCount(limit: limit)
        return Array(try decodeFixed(count))
    }

    /// Passes over a byte string, and returns a decoder of it, which has met nothing before. Complexity: O(1).
    mutating func decodePart() throws(DecodingFailure) -> CanonicalDecoder {
        let count = try decodeCount(limit: .max)
        defer { position += count }
        return CanonicalDecoder(bytes, in: position..<position + count)
    }

    /// Reads a text of at most `limit` bytes of UTF-8. Complexity: O(length).
    public mutating func decodeString(limit: Int) throws(DecodingFailure) -> String {
        let count = try decodeCount(limit: limit)
        guard let text = String(validating: try decodeFixed(count), as: UTF8.self) else { throw .invalidText }
        return text
    }

    /// Reads `count` texts, each preceded by its length, and returns the bytes of them all, lengths included; calls with
    /// where each begins among these.
    mutating func decodeTexts(
        count: Int, _ body: (_ start: Int) -> Void
    ) throws(DecodingFailure) -> ArraySlice<UInt8> {
        let begin = position
        var areShort = true
        for _ in 0..<count {
            body(position - begin)
            let length = try decodeCount(limit: .max)
            if length >= 0x80 { areShort = false }
            position += length
        }
        let region = bytes[begin..<position]
        if areShort {
            // Each length is then a character of ASCII, and no text can end within a character: one check does for all.
            guard UTF8Validation.isValid(region) else { throw .invalidText }
        } else {
            position = begin
            for _ in 0..<count {
                let length = try decodeCount(limit: .max)
                guard UTF8Validation.isValid(try decodeFixed(length)) else { throw .invalidText }
            }
        }
        return region
    }

    /// Reads the 16 bytes of a replica's name. Complexity: O(1).
    public mutating func decodeReplicaID() throws(DecodingFailure) -> ReplicaID {
        guard let replica = ReplicaID(bytes: try decodeFixed(16)) else { throw .truncated }
        return replica
    }

    /// Reads what `encode(interned:)` wrote. Complexity: O(1).
    public mutating func decodeInternedReplica() throws(DecodingFailure) -> ReplicaID {
        let number = try decodeUInt64()
        return number == 0 ? try decodeNewReplica() : try knownReplica(number - 1)
    }

    /// Reads a replica that was not met before, and gives it the next number.
    mutating func decodeNewReplica() throws(DecodingFailure) -> ReplicaID {
        let replica = try decodeReplicaID()
        guard knownReplicas.insert(replica).inserted else { throw .notCanonical }
        replicas.append(replica)
        return replica
    }

    /// The replica that was met before under a number.
    func knownReplica(_ number: UInt64) throws(DecodingFailure) -> ReplicaID {
        guard number < UInt64(replicas.count) else { throw .unknown }
        return replicas[Int(number)]
    }

    /// Reads a dot whose replica is interned; its counter is from 1 to `Dot.maximumCounter`. Complexity: O(1).
    public mutating func decodeDot() throws(DecodingFailure) -> Dot {
        let replica = try decodeInternedReplica()
        return Dot(replica: replica, counter: try decodeCounter())
    }

    /// Reads an event's number: from 1 to `Dot.maximumCounter`. Complexity: O(1).
    public mutating func decodeCounter() throws(DecodingFailure) -> UInt64 {
        let counter = try decodeUInt64()
        guard counter > 0 else { throw .notCanonical }
        guard counter <= Dot.maximumCounter else { throw .tooLarge }
        return counter
    }

    /// Reads the first byte of a state, which must be this.
    @usableFromInline
    mutating func decode(_ tag: StateTag) throws(DecodingFailure) {
        let byte = try decodeByte()
        guard byte >> 4 <= StateTag.version else { throw .newerVersion }
        guard byte == tag.byte else { throw .unknown }
    }
}
