/// A value with one form in bytes: equal values have equal bytes, and bytes that no value has are refused.
///
/// Of a structure with texts that is no matter of course, for texts are `==` where they are canonically equivalent. Where replicas
/// must agree on bytes, such elements and keys are wrapped in ``Canonical``, or have an `==` that compares UTF-8. `Convergence`
/// finds it where they do neither, by its law `one-form`.
///
/// Every value takes at least one byte, so that a count can be checked against the bytes that are left.
public protocol CanonicalCodable {
    /// Appends the value.
    ///
    /// Complexity: of the library's own types O(size), for sets and counters that are kept in no order O(size · log
    /// size).
    func encode(into encoder: inout CanonicalEncoder)

    /// Reads a value, refusing every form but its only one, before anything is allocated that the bytes cannot fill.
    ///
    /// Complexity: O(size of the bytes read), with a bound on what they may ask for.
    init(from decoder: inout CanonicalDecoder) throws(DecodingFailure)
}

extension CanonicalCodable {
    /// The value's bytes.
    ///
    /// - Parameter knownReplicas: names that need not be written, because the reader knows them.
    ///
    /// Complexity: as ``encode(into:)``.
    @inlinable
    public func encoded(knownReplicas: [ReplicaID] = []) -> [UInt8] {
        var encoder = CanonicalEncoder(knownReplicas: knownReplicas)
        encode(into: &encoder)
        return encoder.bytes
    }

    /// Reads a value from all of the bytes.
    ///
    /// - Parameters:
    ///   - bytes: all of them, and no others.
    ///   - knownReplicas: what the writer gave.
    ///
    /// Complexity: as ``CanonicalCodable/init(from:)``.
    @inlinable
    public init(decoding bytes: [UInt8], knownReplicas: [ReplicaID] = []) throws(DecodingFailure) {
        var decoder = CanonicalDecoder(bytes, knownReplicas: knownReplicas)
        self = try Self(from: &decoder)
        try decoder.finish()
    }
}

extension Bool: CanonicalCodable {
    /// Appends the value in its one form; see <doc:Format>. Complexity: O(1).
    public func encode(into encoder: inout CanonicalEncoder) { encoder.encode(self) }
    /// Reads a value, and refuses every form but its only one; see <doc:Format>. Complexity: O(1).
    public init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) { self = try decoder.decodeBool() }
}

extension UInt64: CanonicalCodable {
    /// Appends the value in its one form; see <doc:Format>. Complexity: O(1).
    public func encode(into encoder: inout CanonicalEncoder) { encoder.encode(self) }
    /// Reads a value, and refuses every form but its only one; see <doc:Format>. Complexity: O(1).
    public init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) { self = try decoder.decodeUInt64() }
}

extension Int64: CanonicalCodable {
    /// Appends the value in its one form; see <doc:Format>. Complexity: O(1).
    public func encode(into encoder: inout CanonicalEncoder) { encoder.encode(self) }
    /// Reads a value, and refuses every form but its only one; see <doc:Format>. Complexity: O(1).
    public init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) { self = try decoder.decodeInt64() }
}

extension Int: CanonicalCodable {
    /// Appends the value in its one form; see <doc:Format>. Complexity: O(1).
    public func encode(into encoder: inout CanonicalEncoder) { encoder.encode(Int64(self)) }
    /// Reads a value, and refuses every form but its only one; see <doc:Format>. Complexity: O(1).
    public init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        guard let value = Int(exactly: try decoder.decodeInt64()) else { throw .tooLarge }
        self = value
    }
}

/// As UTF-8. Texts that Swift calls equal but whose scalars differ are told apart by their bytes.
extension String: CanonicalCodable {
    /// Appends the value in its one form; see <doc:Format>. Complexity: O(size).
    public func encode(into encoder: inout CanonicalEncoder) { encoder.encode(self) }
    /// Reads a value, and refuses every form but its only one; see <doc:Format>.
    ///
    /// Complexity: O(size of the bytes read), with a bound on what they may ask for.
    public init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        self = try decoder.decodeString(limit: .max)
    }
}

extension ReplicaID: CanonicalCodable {
    /// Appends the value in its one form; see <doc:Format>. Complexity: O(1).
    public func encode(into encoder: inout CanonicalEncoder) { encoder.encode(interned: self) }
    /// Reads a value, and refuses every form but its only one; see <doc:Format>. Complexity: O(1).
    public init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        self = try decoder.decodeInternedReplica()
    }
}

extension Dot: CanonicalCodable {
    /// Appends the value in its one form; see <doc:Format>. Complexity: O(1).
    public func encode(into encoder: inout CanonicalEncoder) { encoder.encode(self) }
    /// Reads a value, and refuses every form but its only one; see <doc:Format>. Complexity: O(1).
    public init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) { self = try decoder.decodeDot() }
}
