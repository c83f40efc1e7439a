/// A flag, off at first, in which enabling wins over a disabling that had not seen it.
public struct EnableWinsFlag: CausalState {
    /// The enablings that survive.
    public typealias Store = DotSet
    /// Whether the flag is on now.
    public typealias Change = Bool

    /// What is alive, and what was seen.
    public var causal: Causal<DotSet>

    /// A state of what is alive and what was seen. Complexity: O(1).
    @inlinable
    public init(_ causal: Causal<DotSet>) {
        self.causal = causal
    }

    /// Whether the flag is on. Complexity: O(1).
    @inlinable public var isEnabled: Bool { !causal.store.isEmpty }

    /// Turns the flag on in the name of a replica and returns the delta. Complexity: O(surviving enablings).
    @inlinable
    @discardableResult
    public mutating func enable(by replica: ReplicaID) -> EnableWinsFlag {
        enable(dot: context.nextDot(for: replica))
    }

    /// Turns the flag on with a dot that was drawn elsewhere, and returns the delta.
    ///
    /// - Parameters:
    ///   - dot: the event's name.
    ///   - past: what the author had seen; by default what this flag has seen.
    ///
    /// Complexity: O(surviving enablings).
    @inlinable
    @discardableResult
    public mutating func enable(dot: Dot, past: CausalContext? = nil) -> EnableWinsFlag {
        var covered = causal.store.dots(in: past)
        covered.insert(dot)
        return apply(DotSet(dot), covered)
    }

    /// Turns the flag off as far as its enablings were seen, and returns the delta.
    ///
    /// - Parameter past: what the author had seen; by default what this flag has seen.
    ///
    /// Complexity: O(surviving enablings).
    @inlinable
    @discardableResult
    public mutating func disable(past: CausalContext? = nil) -> EnableWinsFlag {
        apply(DotSet(), causal.store.dots(in: past))
    }
}

/// A flag, off at first, in which disabling wins over an enabling that had not seen it.
///
/// It remembers the disablings that nothing has overwritten: at most as many as there were at the same time.
public struct DisableWinsFlag: CausalState {
    /// The enablings and disablings that survive.
    public typealias Store = DotFun<Bool>
    /// Whether the flag is on now.
    public typealias Change = Bool

    /// What is alive, and what was seen.
    public var causal: Causal<DotFun<Bool>>

    /// A state of what is alive and what was seen. Complexity: O(1).
    @inlinable
    public init(_ causal: Causal<DotFun<Bool>>) {
        self.causal = causal
    }

    /// Whether the flag is on. Complexity: O(surviving writes).
    @inlinable public var isEnabled: Bool { causal.store.isElement }

    /// Turns the flag on in the name of a replica and returns the delta. Complexity: O(surviving writes).
    @inlinable
    @discardableResult
    public mutating func enable(by replica: ReplicaID) -> DisableWinsFlag {
        set(true, dot: context.nextDot(for: replica))
    }

    /// Turns the flag off in the name of a replica and returns the delta. Complexity: O(surviving writes).
    @inlinable
    @discardableResult
    public mutating func disable(by replica: ReplicaID) -> DisableWinsFlag {
        set(false, dot: context.nextDot(for: replica))
    }

    /// Turns the flag on or off with a dot that was drawn elsewhere, and returns the delta.
    ///
    /// - Parameters:
    ///   - isEnabled: whether it is to be on.
    ///   - dot: the event's name.
    ///   - past: what the author had seen; by default what this flag has seen.
    ///
    /// Complexity: O(surviving writes).
    @inlinable
    @discardableResult
    public mutating func set(_ isEnabled: Bool, dot: Dot, past: CausalContext? = nil) -> DisableWinsFlag {
        var covered = causal.store.dots(in: past)
        covered.insert(dot)
        return apply(DotFun(dot, isEnabled), covered)
    }

    /// Joins, and calls with whether the flag is on if that changed.
    ///
    /// Complexity: as the store's: of a delta, O(what comes and falls).
    @inlinable
    @discardableResult
    public mutating func merge(_ other: DisableWinsFlag, onChange: (Bool) -> Void) -> Bool {
        let before = isEnabled
        let changed = merge(other)
        if isEnabled != before { onChange(isEnabled) }
        return changed
    }
}
