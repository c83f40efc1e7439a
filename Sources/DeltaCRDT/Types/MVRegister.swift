/// A register that keeps every value that no other write has seen: one after writes in a row, several after
/// concurrent ones.
public struct MVRegister<Value: Hashable & Sendable>: CausalState {
    /// A value for each dot.
    public typealias Store = DotFun<Value>
    /// The surviving values.
    public typealias Change = [Value]

    /// What is alive, and what was seen.
    public var causal: Causal<DotFun<Value>>

    /// A state of what is alive and what was seen. Complexity: O(1).
    @inlinable
    public init(_ causal: Causal<DotFun<Value>>) {
        self.causal = causal
    }

    /// The surviving writes in the order of their dots. Complexity: O(surviving writes).
    @inlinable public var entries: [DotFun<Value>.Entry] { causal.store.entries }

    /// The surviving values in the order of their dots; equal ones as often as they were written.
    ///
    /// Complexity: O(surviving writes).
    @inlinable public var values: [Value] { entries.map { $0.value } }

    /// Writes a value over all that is here, in the name of a replica, and returns the delta.
    ///
    /// Complexity: O(surviving writes).
    @inlinable
    @discardableResult
    public mutating func set(_ value: Value, by replica: ReplicaID) -> MVRegister {
        set(value, dot: context.nextDot(for: replica))
    }

    /// Writes a value with a dot that was drawn elsewhere, and returns the delta.
    ///
    /// - Parameters:
    ///   - value: the value.
    ///   - dot: the event's name.
    ///   - past: what the author of the write had seen; by default what this register has seen.
    ///
    /// Complexity: O(surviving writes).
    @inlinable
    @discardableResult
    public mutating func set(_ value: Value, dot: Dot, past: CausalContext? = nil) -> MVRegister {
        var covered = causal.store.dots(in: past)
        covered.insert(dot)
        return apply(DotFun(dot, value), covered)
    }

    /// Empties the register as far as its writes were seen, and returns the delta.
    ///
    /// - Parameter past: what the author had seen; by default what this register has seen.
    ///
    /// Complexity: O(surviving writes).
    @inlinable
    @discardableResult
    public mutating func clear(past: CausalContext? = nil) -> MVRegister {
        apply(DotFun(), causal.store.dots(in: past))
    }
}
