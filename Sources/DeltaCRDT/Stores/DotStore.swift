/// What is alive in a causal state: every piece of it is held up by a dot, and falls when the dot is covered.
///
/// A dot in a context but not in the store that belongs to it was overwritten or removed. Several stores can share one
/// context: merge each of them with both contexts first, and the contexts last.
///
/// ```swift
/// struct Board: Hashable {
///     var names = DotMap<String, DotFun<String>>()
///     var pins = DotSet()
///     var context = CausalContext()
///
///     mutating func merge(_ other: Board) {
///         names.merge(other.names, context: context, otherContext: other.context)
///         pins.merge(other.pins, context: context, otherContext: other.context)
///         context.merge(other.context)
///     }
/// }
/// ```
///
/// In one store a dot stands in one place with one content, and it is in the context that belongs to the store.
public protocol DotStore: Hashable, Sendable {
    /// Nothing alive.
    init()

    /// Whether nothing is alive.
    var isEmpty: Bool { get }

    /// Visits every dot that holds something up, in no promised order.
    func forEachDot(_ body: (Dot) -> Void)

    /// Joins another state's store: what both have, and what one has and the other has not yet seen.
    ///
    /// A small delta costs in its own size and that of its context, not in the size of this store.
    ///
    /// - Parameters:
    ///   - context: what this state has seen, not yet joined with the other's.
    ///   - otherContext: what the other state has seen.
    /// - Returns: whether this store changed.
    @discardableResult
    mutating func merge(_ other: Self, context: CausalContext, otherContext: CausalContext) -> Bool

    /// The part of the store that stands on dots of `dots`.
    func restricted(to dots: CausalContext) -> Self
}

extension DotStore {
    /// The dots that hold this store up, as a context. With `past`, only those that it has seen.
    ///
    /// This is what an overwrite or a removal covers: with no past given, all that is here; with one, what the writer
    /// had seen, which is the same on every replica that has at least that past.
    public func dots(in past: CausalContext? = nil) -> CausalContext {
        var found: [Dot] = []
        forEachDot { dot in
            if past?.contains(dot) ?? true { found.append(dot) }
        }
        return CausalContext(found)
    }
}
