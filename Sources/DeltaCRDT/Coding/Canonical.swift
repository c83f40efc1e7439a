/// A value whose bytes decide what it is equal to.
///
/// Texts of a structure are `==` where they are canonically equivalent, as "é" in one scalar and in two are, and are written in
/// different bytes. Sets and maps tell single texts apart by their bytes, but cannot look into structures: replicas with equal states
/// could then write different bytes. As elements and keys of this type such structures are told apart as single texts are.
///
/// ```swift
/// var places = AddWinsSet<Canonical<[String]>>()
/// places.insert(Canonical(["caf\u{E9}", "Lisbon"]), by: jie)
/// places.insert(Canonical(["cafe\u{301}", "Lisbon"]), by: jie)
/// places.count  // 2
/// ```
public struct Canonical<Value: CanonicalCodable & Hashable & Sendable>: CanonicalCodable, Hashable, Sendable {
    /// The value.
    public var value: Value

    /// A value to be known by its bytes. Complexity: O(1).
    public init(_ value: Value) {
        self.value = value
    }

    /// Whether both are written in the same bytes. Complexity: that of `==`, and O(size) where that holds.
    public static func == (left: Canonical, right: Canonical) -> Bool {
        left.value == right.value && left.value.encoded() == right.value.encoded()
    }

    /// Hashes the value; those that are written in the same bytes are equal. Complexity: as of the value.
    public func hash(into hasher: inout Hasher) { hasher.combine(value) }

    /// Appends the value in its one form; see <doc:Format>. Complexity: O(size).
    public func encode(into encoder: inout CanonicalEncoder) { value.encode(into: &encoder) }

    /// Reads a value, and refuses every form but its only one; see <doc:Format>.
    ///
    /// Complexity: O(size of the bytes read), with a bound on what they may ask for.
    public init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        value = try Value(from: &decoder)
    }
}
