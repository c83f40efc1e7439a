/// A replicated type made of a dot store and its context.
///
/// A type that says what its store is gets joining, deltas and decomposition from here, coding where the store has it, and can
/// stand under the keys of an ``ORMap``.
public protocol CausalState: DeltaState {
    associatedtype Store: DotStore

    /// The store and what it has seen.
    var causal: Causal<Store> { get set }

    init(_ causal: Causal<Store>)
}

extension CausalState {
    @inlinable public init() { self.init(Causal()) }

    /// The events that this state has seen.
    @inlinable public var context: CausalContext { causal.context }

    @inlinable
    @discardableResult
    public mutating func merge(_ other: Self) -> Bool { causal.merge(other.causal) }

    @inlinable
    public func delta(for other: Self) -> Self { Self(causal.delta(for: other.causal)) }

    /// What this replica knows, for a peer to answer; see ``Causal/summary(within:)``.
    public func summary(within limit: VersionVector? = nil) -> StateSummary { causal.summary(within: limit) }

    /// What a replica with this summary lacks; see ``Causal/delta(since:)-(StateSummary)``.
    public func delta(since summary: StateSummary) -> Self { Self(causal.delta(since: summary)) }

    /// What a replica with this version vector may lack; see ``Causal/delta(since:)-(VersionVector)``.
    public func delta(since vector: VersionVector) -> Self { Self(causal.delta(since: vector)) }

    public func decomposed() -> LazyMapSequence<CausalParts<Store>, Self> {
        causal.decomposed().lazy.map { Self($0) }
    }

    /// Joins a delta that a mutator made, and returns it.
    @inlinable mutating func apply(_ store: Store, _ context: CausalContext) -> Self {
        let delta = Causal(store: store, seen: context)
        causal.merge(delta)
        return Self(delta)
    }
}

extension CausalState where Change == Store.Change {
    @inlinable
    @discardableResult
    public mutating func merge(_ other: Self, onChange: (Change) -> Void) -> Bool {
        causal.merge(other.causal, onChange: onChange)
    }
}
