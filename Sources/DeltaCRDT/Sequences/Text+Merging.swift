extension Text: SyncableState {
    /// Joins another state or a delta; says whether this text changed.
    ///
    /// Complexity: O(log n) for each run that comes or falls, and O(log n) more for each that somebody else inserted at the same
    /// place; where much comes at once, or what others stood on, O(n).
    @discardableResult
    public mutating func merge(_ other: Text) -> Bool { causal.merge(other.causal) }

    /// Joins, and calls with each change that can be seen. Complexity: as without telling, and O(n) once.
    @discardableResult
    public mutating func merge(_ other: Text, onChange: (SequenceChange<String>) -> Void) -> Bool {
        causal.merge(other.causal) { change in
            switch change {
            case .inserted(let bytes, let position):
                onChange(.inserted(String(decoding: bytes, as: UTF8.self), at: position))
            case .removed(let range): onChange(.removed(range))
            }
        }
    }

    /// Joins, and notes the events that were given to two contents, as ``SyncableState/merge(_:conflicts:)`` has it.
    ///
    /// Complexity: as ``merge(_:)``, and O(n) for the lesser of both.
    @discardableResult
    public mutating func merge(_ other: Text, conflicts: inout CausalContext) -> Bool {
        causal.store.forEachConflict(with: other.causal.store) { conflicts.insert($0) }
        return merge(other)
    }

    /// Acts, and returns the one delta of all that was done by mutators and merges; see ``SyncableState/update(_:)``.
    ///
    /// Complexity: that of what is done, which is also joined to the delta.
    @discardableResult
    public mutating func update(_ act: (inout Text) -> Void) -> Text {
        let outer = causal.beginRecording()
        act(&self)
        return Text(causal.endRecording(outer))
    }

    /// How far this text is; see ``SyncableState/checkpoint``. Complexity: O(1).
    public var checkpoint: StateCheckpoint { causal.checkpoint }

    /// What came and fell since a checkpoint; see ``SyncableState/delta(since:)-(StateCheckpoint)``. Complexity: as there.
    public func delta(since checkpoint: StateCheckpoint) -> Text { Text(causal.delta(since: checkpoint)) }

    /// The least part of this text that, merged into `other`, gives the join of both. Complexity: O(runs of both).
    public func delta(for other: Text) -> Text { Text(causal.delta(for: other.causal)) }

    /// One part for each scalar that was ever inserted: what it is, or that it was removed. Made one at a time.
    ///
    /// Complexity: O(ranges of the context) to begin, and then O(log n) for each.
    public func decomposed() -> some Sequence<Text> { causal.decomposed().lazy.map { Text($0) } }

    /// What this replica knows, for a peer to answer, as ``SyncableState/summary(within:)`` has it.
    ///
    /// Complexity: O(writers + islands), and O(n) once.
    public func summary(within limit: VersionVector? = nil) -> StateSummary { causal.summary(within: limit) }

    /// What a replica with this summary lacks, as ``SyncableState/delta(since:)-(StateSummary)`` has it. Complexity: as there.
    public func delta(since summary: StateSummary) -> Text { Text(causal.delta(since: summary)) }

    /// What a replica with this summary lacks, and a question back, as ``SyncableState/answer(to:)-(StateSummary)`` has it.
    ///
    /// Complexity: as there.
    public func answer(to summary: StateSummary) -> (delta: Text, question: RangeSummary) {
        let (delta, question) = causal.answer(to: summary)
        return (Text(delta), question)
    }

    /// What fell in ranges that differ, and a question back, as ``SyncableState/answer(to:)-(RangeSummary)`` has it.
    ///
    /// Complexity: as there.
    public func answer(to question: RangeSummary) -> (delta: Text, question: RangeSummary) {
        let (delta, question) = causal.answer(to: question)
        return (Text(delta), question)
    }

    /// What a replica with this version vector may lack, as ``SyncableState/delta(since:)-(VersionVector)`` has it.
    ///
    /// Complexity: as there.
    public func delta(since vector: VersionVector) -> Text { Text(causal.delta(since: vector)) }
}

extension CausalContext {
    /// The first of so many events in a row that a replica makes next; see ``nextDot(for:)``.
    func nextDots(for replica: ReplicaID, count: UInt64) -> Dot {
        var writer = replica
        while true {
            let last = lastCounter(of: writer)
            if last <= Dot.maximumCounter - count { return Dot(replica: writer, counter: last + 1) }
            writer = writer.successor
        }
    }
}
