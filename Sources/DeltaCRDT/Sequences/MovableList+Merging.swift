extension MovableList: SyncableState {
    /// Joins another state or a delta; says whether this list changed. Complexity: as of ``Text/merge(_:)``.
    @discardableResult
    public mutating func merge(_ other: MovableList) -> Bool { causal.merge(other.causal) }

    /// Joins, and notes the events that were given to two contents, as ``SyncableState/merge(_:conflicts:)`` has it.
    ///
    /// Complexity: as ``merge(_:)``, and O(n) for the lesser of both.
    @discardableResult
    public mutating func merge(_ other: MovableList, conflicts: inout CausalContext) -> Bool {
        causal.store.forEachConflict(with: other.causal.store) { conflicts.insert($0) }
        return merge(other)
    }

    /// Acts, and returns the one delta of all that was done by mutators and merges; see ``SyncableState/update(_:)``.
    ///
    /// Complexity: that of what is done, which is also joined to the delta.
    @discardableResult
    public mutating func update(_ act: (inout MovableList) -> Void) -> MovableList {
        let outer = causal.beginRecording()
        act(&self)
        return MovableList(causal.endRecording(outer))
    }

    /// How far this list is; see ``SyncableState/checkpoint``. Complexity: O(1).
    public var checkpoint: StateCheckpoint { causal.checkpoint }

    /// What came and fell since a checkpoint; see ``SyncableState/delta(since:)-(StateCheckpoint)``. Complexity: as there.
    public func delta(since checkpoint: StateCheckpoint) -> MovableList { MovableList(causal.delta(since: checkpoint)) }

    /// The least part of this list that, merged into `other`, gives the join of both. Complexity: O(runs of both).
    public func delta(for other: MovableList) -> MovableList { MovableList(causal.delta(for: other.causal)) }

    /// One part for each insertion and move: the place that it made, or that it fell. Made one at a time.
    ///
    /// Complexity: O(ranges of the context) to begin, and then O(log n) for each.
    public func decomposed() -> some Sequence<MovableList> { causal.decomposed().lazy.map { MovableList($0) } }

    /// What this replica knows, for a peer to answer, as ``SyncableState/summary(within:)`` has it.
    ///
    /// Complexity: O(writers + islands), and O(n) once.
    public func summary(within limit: VersionVector? = nil) -> StateSummary { causal.summary(within: limit) }

    /// What a replica with this summary lacks, as ``SyncableState/delta(since:)-(StateSummary)`` has it. Complexity: as there.
    public func delta(since summary: StateSummary) -> MovableList { MovableList(causal.delta(since: summary)) }

    /// What a replica with this version vector may lack, as ``SyncableState/delta(since:)-(VersionVector)`` has it.
    ///
    /// Complexity: as there.
    public func delta(since vector: VersionVector) -> MovableList { MovableList(causal.delta(since: vector)) }

    /// What a replica with this summary lacks, and a question back, as ``SyncableState/answer(to:)-(StateSummary)`` has it.
    ///
    /// Complexity: as there.
    public func answer(to summary: StateSummary) -> (delta: MovableList, question: RangeSummary) {
        let (delta, question) = causal.answer(to: summary)
        return (MovableList(delta), question)
    }

    /// What fell in ranges that differ, and a question back, as ``SyncableState/answer(to:)-(RangeSummary)`` has it.
    ///
    /// Complexity: as there.
    public func answer(to question: RangeSummary) -> (delta: MovableList, question: RangeSummary) {
        let (delta, question) = causal.answer(to: question)
        return (MovableList(delta), question)
    }
}
