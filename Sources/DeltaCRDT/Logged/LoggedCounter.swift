/// A counter over a log, which goes up and down: a ``PNCounter`` for events of a causal log.
///
/// A log hands over each event once, so the sum of the steps is all that has to be kept (Baquero, Almeida and Shoker, 2017). It also tells a
/// sum of 0 from a counter on which nothing was counted, or on which every step was withdrawn.
public struct LoggedCounter: Hashable, Sendable {
    /// The sum of the steps that stand. Overflow wraps around, the same on every replica. Complexity: O(1).
    public private(set) var value: Int64 = 0
    /// The steps that stand: those that were added, less those that were withdrawn. Complexity: O(1).
    public private(set) var steps: Int32 = 0

    /// A counter on which nothing was counted. Complexity: O(1).
    public init() {}

    /// Adds a step, which may be negative. Complexity: O(1).
    public mutating func add(_ amount: Int64) {
        value &+= amount
        steps &+= 1
    }

    /// Withdraws a step: an event that undoes it. Complexity: O(1).
    public mutating func withdraw(_ amount: Int64) {
        value &-= amount
        steps &-= 1
    }
}
