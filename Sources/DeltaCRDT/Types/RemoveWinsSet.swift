/// A set in which a remove wins over an add that had not seen it.
///
/// The set must remember removals: one mark for each element that was removed and not added again, and one more for each remove
/// that happened at the same time as another. ``forgetRemovals(through:)`` takes away those that every replica has seen.
public struct RemoveWinsSet<Element: Hashable & Sendable>: CausalState {
    /// Under each element, true for an add and false for a remove.
    public typealias Store = DotMap<Element, DotFun<Bool>>
    /// An element that came or went.
    public typealias Change = SetChange<Element>

    @usableFromInline var state: Causal<Store>
    /// How many elements are in the set; nil where the state was changed from outside, and nobody has counted since.
    @usableFromInline var shown: Int?

    /// What is alive, and what was seen. Complexity: O(1).
    @inlinable public var causal: Causal<Store> {
        get { state }
        _modify {
            shown = nil
            yield &state
        }
    }

    /// A state of what is alive and what was seen. Complexity: O(1).
    @inlinable
    public init(_ causal: Causal<Store>) {
        state = causal
        shown = causal.store.isEmpty ? 0 : nil
    }

    /// Whether nothing is in the set. Complexity: O(1); of a set that stands under a key or was made of a store, O(elements removed).
    @inlinable public var isEmpty: Bool { shown.map { $0 == 0 } ?? !state.store.contains { $0.isElement } }

    /// How many elements are in the set. Complexity: O(1), and O(n) for a set that stands under a key or was made of a store.
    @inlinable public var count: Int { shown ?? state.store.count { $0.isElement } }

    /// How many elements are remembered as removed. Complexity: as of ``count``.
    @inlinable public var removedCount: Int { state.store.count - count }

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

    /// Inserts an element in the name of a replica and returns the delta. Complexity: O(1), and O(n) once.
    @inlinable
    @discardableResult
    public mutating func insert(_ element: Element, by replica: ReplicaID) -> RemoveWinsSet {
        insert(element, dot: context.nextDot(for: replica))
    }

    /// Inserts an element with a dot that was drawn elsewhere, and returns the delta.
    ///
    /// - Parameters:
    ///   - element: the element.
    ///   - dot: the event's name.
    ///   - past: what the author of the insertion had seen; by default what this set has seen.
    ///
    /// Complexity: O(1), and O(n) once.
    @inlinable
    @discardableResult
    public mutating func insert(_ element: Element, dot: Dot, past: CausalContext? = nil) -> RemoveWinsSet {
        mark(element, true, dot, past)
    }

    /// Removes an element, there or not, in the name of a replica and returns the delta.
    ///
    /// Complexity: O(1), and O(n) once.
    @inlinable
    @discardableResult
    public mutating func remove(_ element: Element, by replica: ReplicaID) -> RemoveWinsSet {
        remove(element, dot: context.nextDot(for: replica))
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
    /// Only where deltas arrive in causal order: a delta that arrived before its past could bring back what was forgotten.
    ///
    /// - Parameter stable: events that every replica has seen, and whose concurrent events have all arrived here. It is the least, by
    ///   replica, of the vectors that all replicas last reported, once everything that these vectors cover is merged here.
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
        let count = shown
        defer { shown = count }
        return apply(Store(), CausalContext(covered))
    }

    /// Joins another state or a delta; says whether this state changed.
    ///
    /// Complexity: as the store's: of a delta, O(what comes and falls).
    @inlinable
    @discardableResult
    public mutating func merge(_ other: RemoveWinsSet) -> Bool {
        if state.context.isEmpty { shown = other.shown }
        guard shown != nil, !state.context.isEmpty else { return state.merge(other.state) }
        return merge(other) { _ in }
    }

    /// Joins, and calls with each element that came or went.
    ///
    /// Complexity: as the store's: of a delta, O(what comes and falls).
    @inlinable
    @discardableResult
    public mutating func merge(_ other: RemoveWinsSet, onChange: (SetChange<Element>) -> Void) -> Bool {
        var difference = 0
        let changed = state.merge(other.state, measuring: { $0.isElement }) { element, wasElement, after in
            switch (wasElement, after.isElement) {
            case (false, true):
                difference += 1
                onChange(.inserted(element()))
            case (true, false):
                difference -= 1
                onChange(.removed(element()))
            default: break
            }
        }
        if let shown { self.shown = shown + difference }
        return changed
    }

    @inlinable mutating func mark(_ element: Element, _ isAdd: Bool, _ dot: Dot, _ past: CausalContext?)
        -> RemoveWinsSet
    {
        let marks = state.store[element]
        var covered = marks.dots(in: past)
        covered.insert(dot)
        let before = shown
        let delta = apply(DotMap(element, DotFun(dot, isAdd)), covered)
        if let before { shown = before + (contains(element) ? 1 : 0) - (marks.isElement ? 1 : 0) }
        return delta
    }
}

extension RemoveWinsSet {
    /// Whether both have seen the same and have the same alive. Complexity: O(n).
    @inlinable
    public static func == (left: RemoveWinsSet, right: RemoveWinsSet) -> Bool { left.state == right.state }

    /// Hashes what was seen and what is alive. Complexity: O(ranges of the context + replicas).
    @inlinable
    public func hash(into hasher: inout Hasher) { hasher.combine(state) }
}

extension DotFun<Bool> {
    /// Whether there are marks, and all of them are true.
    @inlinable var isElement: Bool {
        switch few {
        case .none: false
        case .one(let entry): entry.value
        case .several(let entries): !entries.contains { !$0.value }
        }
    }
}
