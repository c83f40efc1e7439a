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
    @usableFromInline var standing = SortedParts<Entry>()

    /// An empty set. Complexity: O(1).
    @inlinable
    public init() {}

    /// The elements with their adds, ascending by element, texts by their UTF-8. Complexity: O(n), and O(1) up to 256.
    @inlinable public var entries: [Entry] { standing.all }

    /// The elements, ascending, texts by their UTF-8. Complexity: O(n).
    @inlinable public var elements: [Element] { standing.all.map { $0.element } }

    /// Whether an element is in the set. Complexity: O(log n).
    @inlinable
    public func contains(_ element: Element) -> Bool { place(of: element).isHere }

    /// Adds an element, in place of its adds that the event has seen. Complexity: O(log n), and n / 256 steps to move what is behind it.
    @inlinable
    public mutating func insert(_ element: Element, by event: some LoggedEvent<ID>) {
        let (place, isHere) = self.place(of: element)
        if isHere {
            standing.parts[place.part][place.index].standing.enable(by: event)
        } else {
            var entry = Entry(element)
            entry.standing.enable(by: event)
            standing.insert(entry, at: place)
        }
    }

    /// Removes an element as far as the event has seen its adds. Complexity: as of an addition.
    @inlinable
    public mutating func remove(_ element: Element, by event: some LoggedEvent<ID>) {
        let (place, isHere) = self.place(of: element)
        guard isHere else { return }
        standing.parts[place.part][place.index].standing.disable(by: event)
        if !standing.parts[place.part][place.index].standing.isEnabled { standing.remove(at: place) }
    }

    @inlinable func place(of element: Element) -> (place: (part: Int, index: Int), isHere: Bool) {
        let place = standing.place { !Identity.precedes($0.element, element) }
        return (place, standing.element(at: place).map { Identity.isEqual($0.element, element) } ?? false)
    }
}
