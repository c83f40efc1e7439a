/// A replicated state whose changes travel as small states of the same type.
///
/// `merge` is a join: associative, commutative and idempotent. A mutator changes the state and returns its delta, the
/// least state that brings the change to others: merging a delta and merging a whole state is the same operation, and any
/// number of deltas may be merged into one before they are sent.
public protocol DeltaState: Hashable, Sendable {
    /// What a merge can tell about what it did, for a view to follow.
    associatedtype Change: Sendable
    /// What ``decomposed()`` returns.
    associatedtype Parts: Sequence<Self>

    /// The least state: merged into any other, it changes nothing. Complexity: O(1).
    init()

    /// Joins another state or a delta; says whether this state changed.
    ///
    /// Complexity: of the library's types, O(what comes and falls) for a delta.
    @discardableResult
    mutating func merge(_ other: Self) -> Bool

    /// Joins another state or a delta, calls with each change that can be seen, and says whether this state changed: it may
    /// change unseen, when it learns only that others know the same.
    ///
    /// Complexity: as without telling.
    @discardableResult
    mutating func merge(_ other: Self, onChange: (Change) -> Void) -> Bool

    /// The least part of this state that, merged into `other`, gives the join of both.
    ///
    /// Complexity: of the library's types, O(n) for the greater of both.
    func delta(for other: Self) -> Self

    /// The parts of this state that cannot be split further. Merged in any order they give the state again, and none of
    /// them can be left out (Enes et al., 2019).
    ///
    /// They are made one at a time, as the sequence is walked: a context of a few bytes can stand for a great many.
    ///
    /// Complexity: O(parts) to walk them all.
    func decomposed() -> Parts
}

extension DeltaState {
    /// The join of both. Complexity: O(n), for this state is copied.
    public func merging(_ other: Self) -> Self {
        var joined = self
        joined.merge(other)
        return joined
    }
}
