/// A replicated state that names the events that it has seen, and so can tell what a peer lacks: every ``CausalState``, and ``Text``,
/// ``RichText``, ``List`` and ``MovableList``.
///
/// ``SyncSession`` keeps two of them alike, ``Writer`` acts in the name of one replica, and `DocumentFile` and `ObservedState` of
/// `DeltaCRDTFoundation` save and show them.
public protocol SyncableState: DeltaState {
    /// The events that this state has seen. Complexity: to be O(1).
    var context: CausalContext { get }

    /// What this replica knows, for a peer to answer; see ``Causal/summary(within:)``. Complexity: as there.
    func summary(within limit: VersionVector?) -> StateSummary

    /// What a replica with this summary lacks; see ``Causal/delta(since:)-(StateSummary)``. Complexity: as there.
    func delta(since summary: StateSummary) -> Self

    /// What a replica with this version vector may lack; see ``Causal/delta(since:)-(VersionVector)``. Complexity: as there.
    func delta(since vector: VersionVector) -> Self

    /// What a replica with this summary lacks, and a question back; see ``Causal/answer(to:)-(StateSummary)``. Complexity: as there.
    func answer(to summary: StateSummary) -> (delta: Self, question: RangeSummary)

    /// What fell in ranges that differ, and a question back; see ``Causal/answer(to:)-(RangeSummary)``. Complexity: as there.
    func answer(to question: RangeSummary) -> (delta: Self, question: RangeSummary)

    /// Joins, and notes the events that were given to two contents; see ``SyncableState/merge(_:conflicts:)``. Complexity: as there.
    @discardableResult
    mutating func merge(_ other: Self, conflicts: inout CausalContext) -> Bool

    /// Acts, and returns the one delta of all that was done by mutators and merges; see ``SyncableState/update(_:)``.
    ///
    /// Complexity: that of what is done, which is also joined to the delta.
    @discardableResult
    mutating func update(_ act: (inout Self) -> Void) -> Self

    /// How far this state is, for ``delta(since:)-(StateCheckpoint)`` to tell later what was done in between. Complexity: O(1).
    var checkpoint: StateCheckpoint { get }

    /// What came and fell since a checkpoint of this very state or of one that it was copied from.
    ///
    /// Complexity: O(ranges of the context + what came and fell), or O(live dots) where more fell than is remembered.
    func delta(since checkpoint: StateCheckpoint) -> Self
}

/// How far a state was: what ``SyncableState/delta(since:)-(StateCheckpoint)`` counts from. It is kept in memory beside its state, and
/// means nothing to another.
public struct StateCheckpoint: Hashable, Sendable {
    let context: CausalContext
    let removals: UInt64
}

extension Causal {
    var checkpoint: StateCheckpoint { StateCheckpoint(context: seen, removals: removals.count) }

    /// What came and fell since a checkpoint of this very state; all that fell, where it is forgotten what fell last.
    ///
    /// Complexity: O(ranges + what came and fell), or O(live dots).
    func delta(since checkpoint: StateCheckpoint) -> Causal {
        var dots = seen.subtracting(checkpoint.context)
        if let fallen = removals.since(checkpoint.removals) {
            dots.merge(CausalContext(fallen))
        } else {
            dots.merge(seen.subtracting(store.dots()))
        }
        return part(dots)
    }

    /// Begins to note all that is joined; returns what was noted before, to be given back.
    mutating func beginRecording() -> [Causal] {
        let outer = recording
        recording = [Causal()]
        return outer
    }

    /// Notes what was done without a merge, if anyone wants to know.
    mutating func record(_ delta: Causal) {
        if !recording.isEmpty { recording[0].merge(delta) }
    }

    /// Ends what was begun, and returns all that was joined in between.
    mutating func endRecording(_ outer: [Causal]) -> Causal {
        require(!recording.isEmpty, "a state is changed by its mutators, not replaced")
        let delta = recording[0]
        recording = outer
        if !outer.isEmpty { recording[0].merge(delta) }
        return delta
    }
}
