/// Elements in an order that their owner keeps, in parts, so that one more moves few: with one array, 250,000 that come in no order take
/// minutes.
@usableFromInline
struct SortedParts<Element: Hashable & Sendable>: Sendable {
    /// None is empty, or longer than `partMax`.
    @usableFromInline var parts: [[Element]] = []

    @inlinable static var partMax: Int { 256 }

    @inlinable
    init() {}

    /// All elements, in their order. O(n), and O(1) up to `partMax`.
    @inlinable var all: [Element] { parts.count == 1 ? parts[0] : Array(parts.joined()) }

    /// Where the first element that satisfies a predicate is, or would be inserted. Once true, it must stay true. O(log n).
    @inlinable
    func place(where belongsInSecondPartition: (Element) -> Bool) -> (part: Int, index: Int) {
        let part = parts.partitioningIndex { belongsInSecondPartition($0[$0.count - 1]) }
        guard part < parts.count else { return (max(0, parts.count - 1), parts.last?.count ?? 0) }
        return (part, parts[part].partitioningIndex(where: belongsInSecondPartition))
    }

    /// The element at a place; nil where none is there. O(1).
    @inlinable
    func element(at place: (part: Int, index: Int)) -> Element? {
        guard place.part < parts.count, place.index < parts[place.part].count else { return nil }
        return parts[place.part][place.index]
    }

    /// O(`partMax` + n / `partMax`).
    @inlinable
    mutating func insert(_ element: Element, at place: (part: Int, index: Int)) {
        guard !parts.isEmpty else {
            parts = [[element]]
            return
        }
        parts[place.part].insert(element, at: place.index)
        guard parts[place.part].count > Self.partMax else { return }
        let half = Self.partMax / 2
        let upper = Array(parts[place.part][half...])
        parts[place.part].removeSubrange(half...)
        parts.insert(upper, at: place.part + 1)
    }

    /// O(`partMax` + n / `partMax`).
    @inlinable
    mutating func remove(at place: (part: Int, index: Int)) {
        parts[place.part].remove(at: place.index)
        if parts[place.part].isEmpty { parts.remove(at: place.part) }
    }
}

/// Equal where the elements are, whatever their parts.
extension SortedParts: Hashable {
    @inlinable
    static func == (left: Self, right: Self) -> Bool { left.parts.joined().elementsEqual(right.parts.joined()) }

    @inlinable
    func hash(into hasher: inout Hasher) {
        for element in parts.joined() { hasher.combine(element) }
    }
}
