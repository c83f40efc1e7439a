/// A replicated type made of a dot store and its context.
///
/// A type that says what its store is gets joining, deltas and decomposition from here, coding where the store has it, and can
/// stand under the keys of an ``ORMap``.
public protocol CausalState: SyncableState {
    /// What holds up that which is alive.
    associatedtype Store: DotStore

    /// The store and what it has seen. Complexity: O(1).
    var causal: Causal<Store> { get set }

    /// A state of what is alive and what was seen. Complexity: O(1).
    init(_ causal: Causal<Store>)
}

extension CausalState {
    /// The least state: nothing alive, and nothing seen. Complexity: O(1).
    @inlinable public init() { self.init(Causal()) }

    /// The events that this state has seen. Complexity: O(1).
    @inlinable public var context: CausalContext { causal.context }

    /// Joins another state or a delta; says whether this state changed.
    ///
    /// Complexity: as the store's: of a delta, O(what comes and falls).
    @inlinable
    @discardableResult
    public mutating func merge(_ other: Self) -> Bool { causal.merge(other.causal) }

    /// Joins another state or a delta, and notes conflicts: events with one content here and another there.
    ///
    /// A conflict arises only if two writers share a name, or one was restored from a backup and wrote on. Each side keeps its own
    /// content, and no later merge makes them equal. A replica that finds a conflict gives the writer a new name, takes over the whole
    /// state of a peer, and writes again what was lost.
    ///
    /// Only content that is alive on both sides is compared. If one of the two was removed or overwritten, the conflict is not found.
    ///
    /// Complexity: as `merge(_:)`, and O(m log n) for the m live dots of the lesser state.
    @inlinable
    @discardableResult
    public mutating func merge(_ other: Self, conflicts: inout CausalContext) -> Bool {
        causal.store.forEachConflict(with: other.causal.store) { conflicts.insert($0) }
        return merge(other)
    }

    /// The least part of this state that, merged into `other`, gives the join of both.
    ///
    /// Complexity: O(ranges of both contexts + live dots of the other).
    @inlinable
    public func delta(for other: Self) -> Self { Self(causal.delta(for: other.causal)) }

    /// What this replica knows, for a peer to answer; see ``Causal/summary(within:)``. Complexity: as there.
    @inlinable
    public func summary(within limit: VersionVector? = nil) -> StateSummary { causal.summary(within: limit) }

    /// What a replica with this summary lacks; see ``Causal/delta(since:)-(StateSummary)``. Complexity: as there.
    @inlinable
    public func delta(since summary: StateSummary) -> Self { Self(causal.delta(since: summary)) }

    /// What a replica with this summary lacks, and a question back; see ``Causal/answer(to:)-(StateSummary)``. Complexity: as there.
    @inlinable
    public func answer(to summary: StateSummary) -> (delta: Self, question: RangeSummary) {
        let (delta, question) = causal.answer(to: summary)
        return (Self(delta), question)
    }

    /// What fell in ranges that differ, and a question back; see ``Causal/answer(to:)-(RangeSummary)``. Complexity: as there.
    @inlinable
    public func answer(to question: RangeSummary) -> (delta: Self, question: RangeSummary) {
        let (delta, question) = causal.answer(to: question)
        return (Self(delta), question)
    }

    /// Forgets writers who are gone and have nothing alive here, so that neither states nor questions name them; returns those.
    ///
    /// Call it only if every replica has seen all that these writers wrote and what removed it, and no state, delta or backup from before
    /// that will be merged again, because that would bring back what was removed. Never use a forgotten name again. A peer that has not
    /// forgotten yet brings back the names, and nothing else. After a merge with such a peer, forget again.
    ///
    /// Complexity: O(n), and O(log replicas) for each writer.
    @discardableResult
    public mutating func forgetWriters(_ writers: some Sequence<ReplicaID>) -> [ReplicaID] {
        require(causal.recording.isEmpty, "writers are not forgotten in an update, for nothing tells others of it")
        var alive: Set<ReplicaID> = []
        causal.store.forEachRun { replica, _ in alive.insert(replica) }
        var forgotten: [ReplicaID] = []
        for writer in writers where !alive.contains(writer) && causal.seen.versionVector[writer] > 0 {
            guard causal.seen.ranges(of: writer).isEmpty else { continue }
            causal.seen.forget(writer)
            causal.removals.forget(writer)
            forgotten.append(writer)
        }
        return forgotten
    }

    /// What a replica with this version vector may lack; see ``Causal/delta(since:)-(VersionVector)``.
    ///
    /// Complexity: as there.
    @inlinable
    public func delta(since vector: VersionVector) -> Self { Self(causal.delta(since: vector)) }

    /// One part for each event seen: what it holds up, or that it fell. Made one at a time.
    ///
    /// Complexity: O(ranges of the context) to begin, and then O(log n) for each part and its dots.
    public func decomposed() -> LazyMapSequence<CausalParts<Store>, Self> {
        causal.decomposed().lazy.map { Self($0) }
    }

    /// Acts, and returns the one delta of all that was done.
    ///
    /// What `act` does by mutators and by merging makes up the delta. It must not put another state in this one's place.
    ///
    /// Complexity: that of what is done, which is also joined to the delta.
    @discardableResult
    public mutating func update(_ act: (inout Self) -> Void) -> Self {
        let outer = causal.beginRecording()
        act(&self)
        return Self(causal.endRecording(outer))
    }

    /// How far this state is; see ``SyncableState/checkpoint``. Complexity: O(1).
    public var checkpoint: StateCheckpoint { causal.checkpoint }

    /// What came and fell since a checkpoint; see ``SyncableState/delta(since:)-(StateCheckpoint)``. Complexity: as there.
    public func delta(since checkpoint: StateCheckpoint) -> Self { Self(causal.delta(since: checkpoint)) }

    /// Joins a delta that a mutator made, and returns it.
    @inlinable mutating func apply(_ store: Store, _ context: CausalContext) -> Self {
        let delta = Causal(store: store, seen: context)
        causal.merge(delta)
        return Self(delta)
    }
}

extension CausalState where Change == Store.Change {
    /// Joins, and calls with each change that the store tells.
    ///
    /// Complexity: as the store's: of a delta, O(what comes and falls).
    @inlinable
    @discardableResult
    public mutating func merge(_ other: Self, onChange: (Change) -> Void) -> Bool {
        causal.merge(other.causal, onChange: onChange)
    }
}
