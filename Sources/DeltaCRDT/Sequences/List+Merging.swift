extension List: SyncableState {
    /// Joins another state or a delta; says whether this list changed. Complexity: as of ``Text/merge(_:)``.
    @discardableResult
    public mutating func merge(_ other: List) -> Bool { causal.merge(other.causal) }

    /// Joins, and notes the events that were given to two contents, as ``SyncableState/merge(_:conflicts:)`` has it.
    ///
    /// Complexity: as ``merge(_:)``, and O(n) for the lesser of both.
    @discardableResult
    public mutating func merge(_ other: List, conflicts: inout CausalContext) -> Bool {
        causal.store.forEachConflict(with: other.causal.store) { conflicts.insert($0) }
        return merge(other)
    }

    /// Acts, and returns the one delta of all that was done by mutators and merges; see ``SyncableState/update(_:)``.
    ///
    /// Complexity: that of what is done, which is also joined to the delta.
    @discardableResult
    public mutating func update(_ act: (inout List) -> Void) -> List {
        let outer = causal.beginRecording()
        act(&self)
        return List(causal.endRecording(outer))
    }

    /// How far this list is; see ``SyncableState/checkpoint``. Complexity: O(1).
    public var checkpoint: StateCheckpoint { causal.checkpoint }

    /// What came and fell since a checkpoint; see ``SyncableState/delta(since:)-(StateCheckpoint)``. Complexity: as there.
    public func delta(since checkpoint: StateCheckpoint) -> List { List(causal.delta(since: checkpoint)) }

    /// The least part of this list that, merged into `other`, gives the join of both. Complexity: O(runs of both).
    public func delta(for other: List) -> List { List(causal.delta(for: other.causal)) }

    /// One part for each element that was ever inserted: what it is, or that it was removed. Made one at a time.
    ///
    /// Complexity: O(ranges of the context) to begin, and then O(log n) for each.
    public func decomposed() -> some Sequence<List> { causal.decomposed().lazy.map { List($0) } }

    /// What this replica knows, for a peer to answer, as ``SyncableState/summary(within:)`` has it.
    ///
    /// Complexity: O(writers + islands), and O(n) once.
    public func summary(within limit: VersionVector? = nil) -> StateSummary { causal.summary(within: limit) }

    /// What a replica with this summary lacks, as ``SyncableState/delta(since:)-(StateSummary)`` has it. Complexity: as there.
    public func delta(since summary: StateSummary) -> List { List(causal.delta(since: summary)) }

    /// What a replica with this version vector may lack, as ``SyncableState/delta(since:)-(VersionVector)`` has it.
    ///
    /// Complexity: as there.
    public func delta(since vector: VersionVector) -> List { List(causal.delta(since: vector)) }

    /// What a replica with this summary lacks, and a question back, as ``SyncableState/answer(to:)-(StateSummary)`` has it.
    ///
    /// Complexity: as there.
    public func answer(to summary: StateSummary) -> (delta: List, question: RangeSummary) {
        let (delta, question) = causal.answer(to: summary)
        return (List(delta), question)
    }

    /// What fell in ranges that differ, and a question back, as ``SyncableState/answer(to:)-(RangeSummary)`` has it.
    ///
    /// Complexity: as there.
    public func answer(to question: RangeSummary) -> (delta: List, question: RangeSummary) {
        let (delta, question) = causal.answer(to: question)
        return (List(delta), question)
    }
}
