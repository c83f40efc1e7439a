/// A set over a log in which an add wins over a remove that had not seen it: an ``AddWinsSet`` for events of a causal log.
///
/// It keeps the adds that no add or remove of the same element has seen; a removed element leaves nothing behind (Baquero, Almeida and
/// Shoker, 2017). Elements are one when `==`, texts when their UTF-8 is the same.
public struct LoggedSet<Element: Comparable & Hashable & Sendable, ID>: Hashable, Sendable
where ID: Comparable & Hashable & Sendable {
    /// An element that is in the set, and its adds.
    public struct Entry: Hashable, Sendable {
        /// The element.
        public let element: Element
        @usableFromInline var standing = LoggedFlag<ID>()

        @inlinable init(_ element: Element) { self.element = element }

        /// Its adds that stand, the greatest first. Complexity: O(1), with an allocation where there is one.
        @inlinable public var adds: [ID] { standing.enablings }
    }

    /// Ascending by element.
    @usableFromInline var standing: [Entry] = []

    /// An empty set. Complexity: O(1).
    @inlinable
    public init() {}

    /// The elements with their adds, ascending by element, texts by their UTF-8. Complexity: O(1).
    @inlinable public var entries: [Entry] { standing }

    /// The elements, ascending, texts by their UTF-8. Complexity: O(n).
    @inlinable public var elements: [Element] { standing.map { $0.element } }

    /// Whether an element is in the set. Complexity: O(log n).
    @inlinable
    public func contains(_ element: Element) -> Bool { place(of: element).isHere }

    /// Adds an element, in place of its adds that the event has seen. Complexity: O(n).
    @inlinable
    public mutating func insert(_ element: Element, by event: some LoggedEvent<ID>) {
        let (index, isHere) = place(of: element)
        if !isHere { standing.insert(Entry(element), at: index) }
        standing[index].standing.enable(by: event)
    }

    /// Removes an element as far as the event has seen its adds. Complexity: O(n).
    @inlinable
    public mutating func remove(_ element: Element, by event: some LoggedEvent<ID>) {
        let (index, isHere) = place(of: element)
        guard isHere else { return }
        standing[index].standing.disable(by: event)
        if !standing[index].standing.isEnabled { standing.remove(at: index) }
    }

    @inlinable func place(of element: Element) -> (index: Int, isHere: Bool) {
        let index = standing.partitioningIndex { !Identity.precedes($0.element, element) }
        return (index, index < standing.count && Identity.isEqual(standing[index].element, element))
    }
}
