/// A case of an enumeration to which later versions may add: one that is not known here is kept, shown as unknown, and passed on.
///
/// An enumeration that is `CanonicalCodable` by its raw value refuses a state that holds a case which it does not know. A register of an
/// `Open` one reads it.
///
/// ```swift
/// enum Color: UInt64, CaseIterable { case red = 1, green, blue }
///
/// var color = MVRegister<Open<Color>>()
/// color.set(Open(.green), by: jie)
/// color.values.map(\.known)  // [.green]: nil where a later version wrote a color that is new
/// ```
public struct Open<Known: RawRepresentable & Sendable>: Hashable, Sendable
where Known.RawValue: CanonicalCodable & Hashable & Sendable {
    /// What is written.
    public let rawValue: Known.RawValue

    /// A known case. Complexity: O(1).
    public init(_ known: Known) { rawValue = known.rawValue }

    /// Any value, which may be no case here. Complexity: O(1).
    public init(rawValue: Known.RawValue) { self.rawValue = rawValue }

    /// The case; nil where this version does not know it. Complexity: O(1).
    public var known: Known? { Known(rawValue: rawValue) }
}

extension Open: CanonicalCodable {
    /// Appends the raw value in its one form. Complexity: O(size).
    public func encode(into encoder: inout CanonicalEncoder) { rawValue.encode(into: &encoder) }

    /// Reads a raw value, whether or not it is a case here. Complexity: O(size).
    public init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        rawValue = try Known.RawValue(from: &decoder)
    }
}

extension Open: CustomStringConvertible {
    /// The case, or the raw value of one that is not known.
    public var description: String { known.map { "\($0)" } ?? "unknown(\(rawValue))" }
}
