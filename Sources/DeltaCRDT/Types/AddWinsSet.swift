/// A set in which an add wins over a remove that had not seen it (the optimised observed-remove set).
///
/// A remove leaves nothing behind but the fact that the removed adds were seen: no tombstones. Elements are one when `==`,
/// texts when their UTF-8 is the same.
public struct AddWinsSet<Element: Hashable & Sendable>: CausalState {
    /// An element for each dot.
    public typealias Store = DotTable<Element>
    /// An element that came or went.
    public typealias Change = SetChange<Element>

    /// What is alive, and what was seen.
    public var causal: Causal<DotTable<Element>>

    /// A state of what is alive and what was seen. Complexity: O(1).
    @inlinable
    public init(_ causal: Causal<DotTable<Element>>) {
        self.causal = causal
    }

    /// Whether nothing is in the set. Complexity: O(1).
    @inlinable public var isEmpty: Bool { causal.store.isEmpty }

    /// How many elements are in the set. Complexity: O(1), and O(n) once.
    @inlinable public var count: Int { causal.store.elementCount }

    /// Complexity: O(1), and O(n) once.
    @inlinable
    public func contains(_ element: Element) -> Bool { causal.store.contains(element) }

    /// Visits the elements in the order of their oldest adds by replica and number: the same on every replica with the
    /// same state.
    ///
    /// Complexity: O(n).
    @inlinable
    public func forEach(_ body: (Element) -> Void) { causal.store.forEachElement(body) }

    /// The elements in the order of ``forEach(_:)``. Complexity: O(n).
    @inlinable public var elements: [Element] {
        var elements: [Element] = []
        elements.reserveCapacity(count)
        forEach { elements.append($0) }
        return elements
    }

    /// Inserts an element in the name of a replica and returns the delta. Inserting what is there makes the new add count
    /// against concurrent removes.
    ///
    /// Complexity: O(1), and O(n) once.
    @inlinable
    @discardableResult
    public mutating func insert(_ element: Element, by replica: ReplicaID) -> AddWinsSet {
        insert(element, dot: causal.seen.nextDot(for: replica))
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
    public mutating func insert(_ element: Element, dot: Dot, past: CausalContext? = nil) -> AddWinsSet {
        causal.append(dot, element)
            ? AddWinsSet(Causal(store: DotTable(dot, element), seen: CausalContext(dot)))
            : join(element, dot, past)
    }

    @inlinable mutating func join(_ element: Element, _ dot: Dot, _ past: CausalContext?) -> AddWinsSet {
        var covered = causal.store.dots(of: element, in: past)
        covered.insert(dot)
        return apply(DotTable(dot, element), covered)
    }

    /// Inserts elements in the name of a replica and returns the one delta for all. Complexity: O(added), and O(n) once.
    @inlinable
    @discardableResult
    public mutating func formUnion(_ elements: some Sequence<Element>, by replica: ReplicaID) -> AddWinsSet {
        var delta = AddWinsSet()
        for element in elements {
            let dot = causal.seen.nextDot(for: replica)
            if causal.append(dot, element) {
                delta.causal.liveStore.insert(dot, element)
                delta.causal.seen.insert(dot)
            } else {
                delta.causal.merge(join(element, dot, nil).causal)
            }
        }
        return delta
    }

    /// Removes an element as far as its adds were seen, and returns the delta: empty when the element is not there.
    ///
    /// - Parameters:
    ///   - element: the element.
    ///   - past: what the author of the remove had seen; by default what this set has seen.
    ///
    /// Complexity: O(1), and O(n) once.
    @inlinable
    @discardableResult
    public mutating func remove(_ element: Element, past: CausalContext? = nil) -> AddWinsSet {
        apply(DotTable(), causal.store.dots(of: element, in: past))
    }

    /// Removes every element whose adds were seen, and returns the delta. Complexity: O(n).
    @inlinable
    @discardableResult
    public mutating func removeAll(past: CausalContext? = nil) -> AddWinsSet {
        apply(DotTable(), causal.store.dots(in: past))
    }
}

/// The observed-remove set.
public typealias ORSet = AddWinsSet
