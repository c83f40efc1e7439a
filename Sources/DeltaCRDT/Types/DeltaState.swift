/// A replicated state whose changes travel as small states of the same type.
///
/// `merge` is a join: associative, commutative and idempotent. A mutator changes the state and returns its delta, the
/// least state that brings the change to others: merging a delta and merging a whole state is the same operation, and any
/// number of deltas may be merged into one before they are sent.
public protocol DeltaState: Hashable, Sendable {
    /// The least state: merged into any other, it changes nothing.
    init()

    /// Joins another state or a delta; says whether this state changed.
    @discardableResult
    mutating func merge(_ other: Self) -> Bool

    /// The least part of this state that, merged into `other`, gives the join of both.
    func delta(for other: Self) -> Self

    /// The parts of this state that cannot be split further. Merged in any order they give the state again, and none of
    /// them can be left out (Enes et al., 2019).
    func decomposed() -> [Self]
}

extension DeltaState {
    /// The join of both.
    public func merging(_ other: Self) -> Self {
        var joined = self
        joined.merge(other)
        return joined
    }
}
