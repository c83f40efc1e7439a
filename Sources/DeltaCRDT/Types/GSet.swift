/// A set that only grows. Elements are one when `==`, texts when their UTF-8 is the same; of equal elements the first that came is
/// kept, so structures that hold texts stand in ``Canonical`` where replicas must write the same bytes.
public struct GSet<Element: Hashable & Sendable>: DeltaState {
    /// An element that came.
    public typealias Change = Element

    @usableFromInline var roster = ValueSlots<Element>()

    /// An empty set. Complexity: O(1).
    @inlinable public init() {}

    /// How many elements are in the set. Complexity: O(1).
    @inlinable public var count: Int { roster.count }

    /// Whether nothing is in the set. Complexity: O(1).
    @inlinable public var isEmpty: Bool { roster.count == 0 }

    /// Complexity: O(1), and O(n) once.
    @inlinable
    public func contains(_ element: Element) -> Bool { roster.slot(of: element) != nil }

    /// Visits the elements in the order in which they came here, which differs from replica to replica.
    ///
    /// Complexity: O(n).
    @inlinable
    public func forEach(_ body: (Element) -> Void) {
        for slot in 0..<UInt32(count) { body(roster.values[slot]) }
    }

    /// Adds an element and returns the delta: empty if the element is there. Complexity: O(1) amortised, and O(n) once.
    @inlinable
    @discardableResult
    public mutating func insert(_ element: Element) -> GSet {
        var delta = GSet()
        if roster.insert(element).isNew { delta.roster.insert(element) }
        return delta
    }

    /// Joins another state or a delta; says whether this state changed.
    ///
    /// Complexity: O(elements of the other), and O(n) once.
    @inlinable
    @discardableResult
    public mutating func merge(_ other: GSet) -> Bool { merge(other) { _ in } }

    /// Joins, and calls with each element that came. Complexity: O(elements of the other), and O(n) once.
    @inlinable
    @discardableResult
    public mutating func merge(_ other: GSet, onChange: (Element) -> Void) -> Bool {
        let before = count
        for slot in 0..<UInt32(other.count) where roster.insert(slot, of: other.roster).isNew {
            onChange(other.roster.values[slot])
        }
        return count > before
    }

    /// The least part of this state that, merged into `other`, gives the join of both.
    ///
    /// Complexity: O(n), and O(elements of the other) once.
    @inlinable
    public func delta(for other: GSet) -> GSet {
        var delta = GSet()
        for slot in 0..<UInt32(count) where other.roster.slot(of: slot, in: roster) == nil {
            delta.roster.insert(slot, of: roster)
        }
        return delta
    }

    /// One part for each element. Complexity: O(1), and then O(1) for each part.
    public func decomposed() -> some Sequence<GSet> {
        let roster = roster
        return (0..<UInt32(count)).lazy.map { slot in
            var part = GSet()
            part.roster.insert(slot, of: roster)
            return part
        }
    }

    /// Whether both have the same elements. Complexity: O(n).
    @inlinable
    public static func == (left: GSet, right: GSet) -> Bool {
        left.count == right.count
            && (0..<UInt32(left.count)).allSatisfy { right.roster.slot(of: $0, in: left.roster) != nil }
    }

    /// Hashes the elements, in any order. Complexity: O(n).
    @inlinable
    public func hash(into hasher: inout Hasher) {
        hasher.combine((0..<UInt32(count)).reduce(UInt64(0)) { $0 &+ UInt64(roster.values.hash(of: $1)) })
    }
}

extension GSet: CanonicalCodable where Element: CanonicalCodable {
    /// Appends the value in its one form; see <doc:Format>. Complexity: O(n log n), for the elements are sorted.
    public func encode(into encoder: inout CanonicalEncoder) {
        encoder.encode(StateTag.gSet)
        roster.encode(roster.sortedSlots(), into: &encoder)
    }

    /// Reads a value, and refuses every form but its only one; see <doc:Format>.
    ///
    /// Complexity: O(size of the bytes read), with a bound on what they may ask for.
    public init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        try decoder.decode(StateTag.gSet)
        roster = try ValueSlots(from: &decoder)
    }
}
