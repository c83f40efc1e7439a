/// A set in which an add wins over a remove that had not seen it (the optimised observed-remove set).
///
/// A remove leaves nothing behind but the fact that the removed adds were seen: no tombstones.
public struct AddWinsSet<Element: Hashable & Sendable>: DeltaState {
    private(set) var state = Causal<DotMap<Element, DotSet>>()

    public init() {}

    init(state: Causal<DotMap<Element, DotSet>>) {
        self.state = state
    }

    /// The events that this set has seen.
    public var context: CausalContext { state.context }

    public var isEmpty: Bool { state.store.isEmpty }

    /// How many elements are in the set.
    public var count: Int { state.store.count }

    /// Complexity: O(1).
    public func contains(_ element: Element) -> Bool { state.store.contains(element) }

    /// Visits the elements, in no promised order.
    public func forEach(_ body: (Element) -> Void) {
        for element in state.store.liveKeys { body(element) }
    }

    /// Adds an element in the name of a replica and returns the delta. Adding what is there makes the add count
    /// against concurrent removes.
    @discardableResult
    public mutating func add(_ element: Element, by replica: ReplicaID) -> AddWinsSet {
        add(element, dot: context.nextDot(for: replica))
    }

    /// Adds an element with a dot that was drawn elsewhere, and returns the delta.
    ///
    /// - Parameter past: what the author of the add had seen; by default what this set has seen.
    @discardableResult
    public mutating func add(_ element: Element, dot: Dot, past: CausalContext? = nil) -> AddWinsSet {
        var covered = state.store[element].dots(in: past)
        covered.insert(dot)
        return apply(Causal(store: DotMap(element, DotSet(dot)), context: covered))
    }

    /// Removes an element as far as its adds were seen, and returns the delta: empty when the element is not there.
    ///
    /// - Parameter past: what the author of the remove had seen; by default what this set has seen.
    @discardableResult
    public mutating func remove(_ element: Element, past: CausalContext? = nil) -> AddWinsSet {
        apply(Causal(store: DotMap(), context: state.store[element].dots(in: past)))
    }

    /// Removes every element whose adds were seen, and returns the delta.
    @discardableResult
    public mutating func removeAll(past: CausalContext? = nil) -> AddWinsSet {
        apply(Causal(store: DotMap(), context: state.store.dots(in: past)))
    }

    @discardableResult
    public mutating func merge(_ other: AddWinsSet) -> Bool { state.merge(other.state) }

    public func delta(for other: AddWinsSet) -> AddWinsSet { AddWinsSet(state: state.delta(for: other.state)) }

    public func decomposed() -> [AddWinsSet] { state.decomposed().map(AddWinsSet.init(state:)) }

    private mutating func apply(_ delta: Causal<DotMap<Element, DotSet>>) -> AddWinsSet {
        state.merge(delta)
        return AddWinsSet(state: delta)
    }
}

/// The observed-remove set.
public typealias ORSet = AddWinsSet
