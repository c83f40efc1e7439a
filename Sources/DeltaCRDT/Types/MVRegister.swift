/// A register that keeps every value that no other write has seen: one after writes in a row, several after
/// concurrent ones.
public struct MVRegister<Value: Hashable & Sendable>: DeltaState {
    private(set) var state = Causal<DotFun<Value>>()

    public init() {}

    init(state: Causal<DotFun<Value>>) {
        self.state = state
    }

    /// The events that this register has seen.
    public var context: CausalContext { state.context }

    /// The surviving writes in the order of their dots.
    public var entries: [DotFun<Value>.Entry] { state.store.entries }

    /// The surviving values in the order of their dots; equal ones as often as they were written.
    public var values: [Value] { entries.map(\.value) }

    /// Writes a value over all that is here, in the name of a replica, and returns the delta.
    @discardableResult
    public mutating func assign(_ value: Value, by replica: ReplicaID) -> MVRegister {
        assign(value, dot: context.nextDot(for: replica))
    }

    /// Writes a value with a dot that was drawn elsewhere, and returns the delta.
    ///
    /// - Parameter past: what the author of the write had seen; by default what this register has seen.
    @discardableResult
    public mutating func assign(_ value: Value, dot: Dot, past: CausalContext? = nil) -> MVRegister {
        var covered = state.store.dots(in: past)
        covered.insert(dot)
        return apply(Causal(store: DotFun(dot, value), context: covered))
    }

    /// Empties the register as far as its writes were seen, and returns the delta.
    ///
    /// - Parameter past: what the author had seen; by default what this register has seen.
    @discardableResult
    public mutating func clear(past: CausalContext? = nil) -> MVRegister {
        apply(Causal(store: DotFun(), context: state.store.dots(in: past)))
    }

    @discardableResult
    public mutating func merge(_ other: MVRegister) -> Bool { state.merge(other.state) }

    public func delta(for other: MVRegister) -> MVRegister { MVRegister(state: state.delta(for: other.state)) }

    public func decomposed() -> [MVRegister] { state.decomposed().map(MVRegister.init(state:)) }

    private mutating func apply(_ delta: Causal<DotFun<Value>>) -> MVRegister {
        state.merge(delta)
        return MVRegister(state: delta)
    }
}
