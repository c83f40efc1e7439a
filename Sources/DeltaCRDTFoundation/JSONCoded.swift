public import DeltaCRDT

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A value that is `Codable`, in a replicated state: written as JSON with sorted keys.
///
/// For values whose type is not one's own to change. It takes more bytes and time than a form of the type's own, and stands on
/// every replica writing numbers alike. Two are equal when their JSON is.
///
/// ```swift
/// var place = MVRegister<JSONCoded<Place>>()
/// place.set(try JSONCoded(Place(name: "hut")), by: jie)
/// ```
public struct JSONCoded<Value: Codable & Sendable>: CanonicalCodable, Hashable, Sendable {
    /// The value.
    public let value: Value
    /// The value as JSON, in UTF-8.
    public let json: [UInt8]

    /// A value to be written as JSON. Complexity: O(size).
    ///
    /// - Throws: `EncodingError` where the value has no JSON, as infinity has none.
    public init(_ value: Value) throws {
        self.value = value
        json = try Self.json(of: value)
    }

    private static func json(of value: Value) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(value))
    }

    /// Whether both have the same JSON. Complexity: O(size).
    public static func == (left: JSONCoded, right: JSONCoded) -> Bool { left.json == right.json }

    /// Hashes the JSON. Complexity: O(size).
    public func hash(into hasher: inout Hasher) { hasher.combine(json) }

    /// Appends the JSON, its length first. Complexity: O(size).
    public func encode(into encoder: inout CanonicalEncoder) { encoder.encode(json) }

    /// Reads a value, and refuses JSON that would be written otherwise.
    ///
    /// Complexity: O(size of the bytes read), with a bound on what they may ask for.
    public init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        json = try decoder.decodeBytes(limit: .max)
        guard let value = try? JSONDecoder().decode(Value.self, from: Data(json)) else { throw .unknown }
        guard let again = try? Self.json(of: value), again == json else { throw .notCanonical }
        self.value = value
    }
}
