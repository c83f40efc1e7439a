/// A counter that goes up and down and can be put back to 0, and so can stand under a key of an ``ORMap`` and in a ``Record``.
///
/// Each replica has one surviving entry at most, its own total, which its next step overwrites (the causal counter of Almeida,
/// Shoker and Baquero, 2018). A reset covers the totals that were seen. Who counts at the same moment as a reset brings their own
/// whole total back, and not only the last step; nobody else's (Baquero, Almeida and Lerche, 2016). ``PNCounter`` is for what
/// is never reset.
public struct CausalCounter: CausalState {
    /// A total for each replica.
    public typealias Store = DotFun<Int64>
    /// The value now.
    public typealias Change = Int64

    /// What is alive, and what was seen.
    public var causal: Causal<Store>

    /// A state of what is alive and what was seen. Complexity: O(1).
    public init(_ causal: Causal<Store>) {
        self.causal = causal
    }

    /// The sum of the surviving totals. Overflow wraps around, the same on every replica. Complexity: O(replicas).
    public var value: Int64 {
        var sum: Int64 = 0
        causal.store.forEach { sum &+= $1 }
        return sum
    }

    /// Adds an amount, which may be negative, for a replica and returns the delta: that replica's new total. Complexity: O(replicas).
    @discardableResult
    public mutating func add(_ amount: Int64, by replica: ReplicaID) -> CausalCounter {
        add(amount, dot: context.nextDot(for: replica))
    }

    /// Adds an amount with a dot that was drawn elsewhere, and returns the delta; an amount of 0 changes nothing.
    ///
    /// - Parameters:
    ///   - amount: what to add, or to take where it is negative.
    ///   - dot: the event's name.
    ///   - past: what the author had seen; by default what this counter has seen.
    ///
    /// Complexity: O(replicas).
    @discardableResult
    public mutating func add(_ amount: Int64, dot: Dot, past: CausalContext? = nil) -> CausalCounter {
        guard amount != 0 else { return CausalCounter() }
        var total = amount
        var covered = CausalContext(dot)
        causal.store.forEach { entry, earlier in
            guard entry.replica == dot.replica, past?.contains(entry) ?? true else { return }
            total &+= earlier
            covered.insert(entry)
        }
        return apply(DotFun(dot, total), covered)
    }

    /// Puts the counter back to 0 as far as its steps were seen, and returns the delta.
    ///
    /// - Parameter past: what the author had seen; by default what this counter has seen.
    ///
    /// Complexity: O(replicas).
    @discardableResult
    public mutating func reset(past: CausalContext? = nil) -> CausalCounter {
        apply(DotFun(), causal.store.dots(in: past))
    }

    /// Joins, and calls with the value if it changed. Complexity: O(replicas of both).
    @discardableResult
    public mutating func merge(_ other: CausalCounter, onChange: (Int64) -> Void) -> Bool {
        let before = value
        let changed = merge(other)
        if value != before { onChange(value) }
        return changed
    }
}
