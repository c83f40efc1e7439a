// How the standard library's values are written. What takes no bytes of its own, like an empty structure, has no form.

extension UInt8: CanonicalCodable {
    /// Appends the value in its one form; see <doc:Format>. Complexity: O(1).
    public func encode(into encoder: inout CanonicalEncoder) { encoder.encode(byte: self) }
    /// Reads a value, and refuses every form but its only one; see <doc:Format>. Complexity: O(1).
    public init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) { self = try decoder.decodeByte() }
}

extension FixedWidthInteger {
    fileprivate init(unsigned decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        guard let value = Self(exactly: try decoder.decodeUInt64()) else { throw .tooLarge }
        self = value
    }

    fileprivate init(signed decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        guard let value = Self(exactly: try decoder.decodeInt64()) else { throw .tooLarge }
        self = value
    }
}

extension UInt16: CanonicalCodable {
    /// Appends the value in its one form; see <doc:Format>. Complexity: O(1).
    public func encode(into encoder: inout CanonicalEncoder) { encoder.encode(UInt64(self)) }
    /// Reads a value, and refuses every form but its only one; see <doc:Format>. Complexity: O(1).
    public init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) { try self.init(unsigned: &decoder) }
}

extension UInt32: CanonicalCodable {
    /// Appends the value in its one form; see <doc:Format>. Complexity: O(1).
    public func encode(into encoder: inout CanonicalEncoder) { encoder.encode(UInt64(self)) }
    /// Reads a value, and refuses every form but its only one; see <doc:Format>. Complexity: O(1).
    public init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) { try self.init(unsigned: &decoder) }
}

extension UInt: CanonicalCodable {
    /// Appends the value in its one form; see <doc:Format>. Complexity: O(1).
    public func encode(into encoder: inout CanonicalEncoder) { encoder.encode(UInt64(self)) }
    /// Reads a value, and refuses every form but its only one; see <doc:Format>. Complexity: O(1).
    public init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) { try self.init(unsigned: &decoder) }
}

extension Int8: CanonicalCodable {
    /// Appends the value in its one form; see <doc:Format>. Complexity: O(1).
    public func encode(into encoder: inout CanonicalEncoder) { encoder.encode(Int64(self)) }
    /// Reads a value, and refuses every form but its only one; see <doc:Format>. Complexity: O(1).
    public init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) { try self.init(signed: &decoder) }
}

extension Int16: CanonicalCodable {
    /// Appends the value in its one form; see <doc:Format>. Complexity: O(1).
    public func encode(into encoder: inout CanonicalEncoder) { encoder.encode(Int64(self)) }
    /// Reads a value, and refuses every form but its only one; see <doc:Format>. Complexity: O(1).
    public init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) { try self.init(signed: &decoder) }
}

extension Int32: CanonicalCodable {
    /// Appends the value in its one form; see <doc:Format>. Complexity: O(1).
    public func encode(into encoder: inout CanonicalEncoder) { encoder.encode(Int64(self)) }
    /// Reads a value, and refuses every form but its only one; see <doc:Format>. Complexity: O(1).
    public init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) { try self.init(signed: &decoder) }
}

/// As IEEE 754 has it, in 8 bytes. Both zeros are one value, and so are all that are no number: they are written as the positive
/// zero and as one quiet NaN. That one is not equal to itself, so it has no place in a set or under a map's keys.
extension Double: CanonicalCodable {
    /// Appends the value in its one form; see <doc:Format>. Complexity: O(1).
    public func encode(into encoder: inout CanonicalEncoder) {
        let pattern = isNaN ? Double.nan.bitPattern : self == 0 ? 0 : bitPattern
        for shift in stride(from: UInt64(0), to: 64, by: 8) {
            encoder.encode(byte: UInt8(truncatingIfNeeded: pattern >> shift))
        }
    }

    /// Reads a value, and refuses every form but its only one; see <doc:Format>. Complexity: O(1).
    public init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        let pattern = try decoder.decodeFixed(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        self.init(bitPattern: pattern)
        guard isNaN ? pattern == Double.nan.bitPattern : self != 0 || pattern == 0 else { throw .notCanonical }
    }
}

/// As a `Double` has it, in 4 bytes.
extension Float: CanonicalCodable {
    /// Appends the value in its one form; see <doc:Format>. Complexity: O(1).
    public func encode(into encoder: inout CanonicalEncoder) {
        let pattern = isNaN ? Float.nan.bitPattern : self == 0 ? 0 : bitPattern
        for shift in stride(from: UInt32(0), to: 32, by: 8) {
            encoder.encode(byte: UInt8(truncatingIfNeeded: pattern >> shift))
        }
    }

    /// Reads a value, and refuses every form but its only one; see <doc:Format>. Complexity: O(1).
    public init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        let pattern = try decoder.decodeFixed(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        self.init(bitPattern: pattern)
        guard isNaN ? pattern == Float.nan.bitPattern : self != 0 || pattern == 0 else { throw .notCanonical }
    }
}

/// A truth, and after 1 the value.
extension Optional: CanonicalCodable where Wrapped: CanonicalCodable {
    /// Appends the value in its one form; see <doc:Format>. Complexity: O(size).
    public func encode(into encoder: inout CanonicalEncoder) {
        encoder.encode(self != nil)
        self?.encode(into: &encoder)
    }

    /// Reads a value, and refuses every form but its only one; see <doc:Format>.
    ///
    /// Complexity: O(size of the bytes read), with a bound on what they may ask for.
    public init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        self = try decoder.decodeBool() ? try Wrapped(from: &decoder) : nil
    }
}

/// A count, and the values one after the other; of `UInt8`, these are the bytes.
extension Array: CanonicalCodable where Element: CanonicalCodable {
    /// Appends the value in its one form; see <doc:Format>. Complexity: O(size).
    public func encode(into encoder: inout CanonicalEncoder) {
        encoder.encode(count: count)
        for element in self { element.encode(into: &encoder) }
    }

    /// Reads a value, and refuses every form but its only one; see <doc:Format>.
    ///
    /// Complexity: O(size of the bytes read), with a bound on what they may ask for.
    public init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        self = []
        for _ in 0..<(try decoder.decodeCount(limit: .max)) { append(try Element(from: &decoder)) }
    }
}

extension CanonicalCodable where Self: RawRepresentable, RawValue: CanonicalCodable {
    /// Appends the raw value in its one form. Complexity: O(size).
    public func encode(into encoder: inout CanonicalEncoder) { rawValue.encode(into: &encoder) }

    /// Reads a raw value, and refuses one that means nothing here. Complexity: O(size of the bytes read).
    public init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        guard let value = Self(rawValue: try RawValue(from: &decoder)) else { throw .unknown }
        self = value
    }
}
