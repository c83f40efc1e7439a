/// A number that people count up. It looks right, and is not.
public struct NaiveCounter: Hashable, Sendable {
    public private(set) var value = 0

    public init() {}

    public mutating func increment() { value += 1 }

    /// Joins what another replica has: the greater number knows more, or does it?
    public mutating func merge(_ other: NaiveCounter) { value = max(value, other.value) }
}
