public import DeltaCRDT

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The 16 bytes.
extension UUID: CanonicalCodable {
    /// Appends the value in its one form. Complexity: O(1).
    public func encode(into encoder: inout CanonicalEncoder) {
        withUnsafeBytes(of: uuid) { encoder.encode(fixed: $0) }
    }

    /// Reads a value. Complexity: O(1).
    public init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        let bytes = Array(try decoder.decodeFixed(16))
        var uuid: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        withUnsafeMutableBytes(of: &uuid) { $0.copyBytes(from: bytes) }
        self.init(uuid: uuid)
    }
}

/// The seconds since 1 January 2001, 00:00 UTC, as a `Double`.
extension Date: CanonicalCodable {
    /// Appends the value in its one form. Complexity: O(1).
    public func encode(into encoder: inout CanonicalEncoder) { timeIntervalSinceReferenceDate.encode(into: &encoder) }

    /// Reads a value, and refuses every form but its only one. Complexity: O(1).
    public init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        self.init(timeIntervalSinceReferenceDate: try Double(from: &decoder))
    }
}

/// The length, and the bytes.
extension Data: CanonicalCodable {
    /// Appends the value in its one form. Complexity: O(length).
    public func encode(into encoder: inout CanonicalEncoder) {
        encoder.encode(count: count)
        encoder.encode(fixed: self)
    }

    /// Reads a value. Complexity: O(length), with a bound on what the bytes may ask for.
    public init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        self.init(try decoder.decodeFixed(try decoder.decodeCount(limit: .max)))
    }
}
