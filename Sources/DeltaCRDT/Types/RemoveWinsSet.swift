/// A set in which a remove wins over an add that had not seen it.
///
/// The set must remember removals: one mark for each element that was removed and not added again, and one more for each remove
/// that happened at the same time as another. ``forgetRemovals(through:)`` takes away those that every replica has seen.
public struct RemoveWinsSet<Element: Hashable & Sendable>: CausalState {
    /// Under each element, true for an add and false for a remove.
    public typealias Store = DotMap<Element, DotFun<Bool>>
    /// An element that came or went.
    public typealias Change = SetChange<Element>

    /// What is alive, and what was seen.
    public var causal: Causal<Store>

    /// A state of what is alive and what was seen. Complexity: O(1).
    @inlinable
    public init(_ causal: Causal<Store>) {
        self.causal = causal
    }

    /// Whether nothing is in the set. Complexity: O(n).
    @inlinable public var isEmpty: Bool { count == 0 }

    /// How many elements are in the set. Complexity: O(n).
    @inlinable public var count: Int {
        var count = 0
        forEach { _ in count += 1 }
        return count
    }

    /// How many elements are remembered as removed. Complexity: O(n).
    @inlinable public var removedCount: Int { causal.store.count - count }

    /// Complexity: O(1), and O(n) once.
    @inlinable
    public func contains(_ element: Element) -> Bool { causal.store[element].isElement }

    /// Visits the elements in the order of their dots: the same on every replica with the same state. Complexity: O(n).
    @inlinable
    public func forEach(_ body: (Element) -> Void) {
        causal.store.forEach { element, marks in
            if marks.isElement { body(element) }
        }
    }

    /// The elements in the order of ``forEach(_:)``. Complexity: O(n).
    @inlinable public var elements: [Element] {
        var elements: [Element] = []
        forEach { elements.append($0) }
        return elements
    }

    /// Adds an element in the name of a replica and returns the delta. Complexity: O(1), and O(n) once.
    @inlinable
    @discardableResult
    public mutating func add(_ element: Element, by replica: ReplicaID) -> RemoveWinsSet {
        context.nextDot(for: replica).map { add(element, dot: $0) } ?? RemoveWinsSet()
    }

    /// Adds an element with a dot that was drawn elsewhere, and returns the delta.
    ///
    /// - Parameters:
    ///   - element: the element.
    ///   - dot: the event's name.
    ///   - past: what the author of the add had seen; by default what this set has seen.
    ///
    /// Complexity: O(1), and O(n) once.
    @inlinable
    @discardableResult
    public mutating func add(_ element: Element, dot: Dot, past: CausalContext? = nil) -> RemoveWinsSet {
        mark(element, true, dot, past)
    }

    /// Removes an element, there or not, in the name of a replica and returns the delta.
    ///
    /// Complexity: O(1), and O(n) once.
    @inlinable
    @discardableResult
    public mutating func remove(_ element: Element, by replica: ReplicaID) -> RemoveWinsSet {
        context.nextDot(for: replica).map { remove(element, dot: $0) } ?? RemoveWinsSet()
    }

    /// Removes an element, there or not, with a dot that was drawn elsewhere, and returns the delta.
    ///
    /// - Parameters:
    ///   - element: the element.
    ///   - dot: the event's name.
    ///   - past: what the author of the remove had seen; by default what this set has seen.
    ///
    /// Complexity: O(1), and O(n) once.
    @inlinable
    @discardableResult
    public mutating func remove(_ element: Element, dot: Dot, past: CausalContext? = nil) -> RemoveWinsSet {
        mark(element, false, dot, past)
    }

    /// Forgets removals that nothing can contradict any more, and returns the delta.
    ///
    /// Only where deltas come in causal order: one that comes before its past could bring back what was forgotten.
    ///
    /// - Parameter stable: events that every replica has seen, and whose concurrent events have all come here. With the vectors
    ///   that all replicas last reported, and with all that they tell of merged here, it is the least of them by replica.
    ///
    /// Complexity: O(n).
    @inlinable
    @discardableResult
    public mutating func forgetRemovals(through stable: VersionVector) -> RemoveWinsSet {
        var covered: [Dot] = []
        causal.store.forEach { _, marks in
            var isForgettable = false
            marks.forEach { dot, isAdd in
                if !isAdd, stable.contains(dot) { isForgettable = true }
            }
            guard isForgettable else { return }
            // With a mark go the adds that it has beaten, or they would win now. Removes that not all have seen stay.
            marks.forEach { dot, isAdd in
                if isAdd || stable.contains(dot) { covered.append(dot) }
            }
        }
        return apply(Store(), CausalContext(covered))
    }

    /// Joins, and calls with each element that came or went.
    ///
    /// Complexity: as the store's: of a delta, O(what comes and falls).
    @inlinable
    @discardableResult
    public mutating func merge(_ other: RemoveWinsSet, onChange: (SetChange<Element>) -> Void) -> Bool {
        causal.merge(other.causal) { element, before, after in
            switch (before.isElement, after.isElement) {
            case (false, true): onChange(.inserted(element))
            case (true, false): onChange(.removed(element))
            default: break
            }
        }
    }

    @inlinable mutating func mark(_ element: Element, _ isAdd: Bool, _ dot: Dot, _ past: CausalContext?)
        -> RemoveWinsSet
    {
        var covered = causal.store[element].dots(in: past)
        covered.insert(dot)
        return apply(DotMap(element, DotFun(dot, isAdd)), covered)
    }
}

extension DotFun<Bool> {
    /// Whether there are marks, and all of them are true.
    @inlinable var isElement: Bool {
        var isElement = !isEmpty
        forEach { _, isAdd in isElement = isElement && isAdd }
        return isElement
    }
}
