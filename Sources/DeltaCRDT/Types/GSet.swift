/// A set that only grows. Elements are one when `==`, texts when their UTF-8 is the same.
public struct GSet<Element: Hashable & Sendable>: DeltaState {
    /// An element that came.
    public typealias Change = Element

    @usableFromInline var roster = Roster<Element>()

    @inlinable public init() {}

    @inlinable public var count: Int { roster.count }

    @inlinable public var isEmpty: Bool { roster.count == 0 }

    /// Complexity: O(1), and O(n) once.
    @inlinable
    public func contains(_ element: Element) -> Bool { roster.slot(of: element) != nil }

    /// Visits the elements in the order in which they came here, which differs from replica to replica.
    @inlinable
    public func forEach(_ body: (Element) -> Void) {
        for slot in 0..<UInt32(count) { body(roster.values[slot]) }
    }

    /// Adds an element and returns the delta: empty if the element is there.
    @inlinable
    @discardableResult
    public mutating func insert(_ element: Element) -> GSet {
        var delta = GSet()
        if roster.insert(element).isNew { delta.roster.insert(element) }
        return delta
    }

    @inlinable
    @discardableResult
    public mutating func merge(_ other: GSet) -> Bool { merge(other) { _ in } }

    @inlinable
    @discardableResult
    public mutating func merge(_ other: GSet, onChange: (Element) -> Void) -> Bool {
        let before = count
        for slot in 0..<UInt32(other.count) where roster.insert(slot, of: other.roster).isNew {
            onChange(other.roster.values[slot])
        }
        return count > before
    }

    @inlinable
    public func delta(for other: GSet) -> GSet {
        var delta = GSet()
        for slot in 0..<UInt32(count) where other.roster.slot(of: slot, in: roster) == nil {
            delta.roster.insert(slot, of: roster)
        }
        return delta
    }

    public func decomposed() -> some Sequence<GSet> {
        let roster = roster
        return (0..<UInt32(count)).lazy.map { slot in
            var part = GSet()
            part.roster.insert(slot, of: roster)
            return part
        }
    }

    @inlinable
    public static func == (left: GSet, right: GSet) -> Bool {
        left.count == right.count
            && (0..<UInt32(left.count)).allSatisfy { right.roster.slot(of: $0, in: left.roster) != nil }
    }

    @inlinable
    public func hash(into hasher: inout Hasher) {
        hasher.combine((0..<UInt32(count)).reduce(UInt64(0)) { $0 &+ UInt64(roster.values.hash(of: $1)) })
    }
}

extension GSet: CanonicalCodable where Element: CanonicalCodable {
    public func encode(into encoder: inout CanonicalEncoder) {
        encoder.encode(StateTag.gSet)
        roster.encode(roster.sortedSlots(), into: &encoder)
    }

    public init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        try decoder.decode(StateTag.gSet)
        roster = try Roster(from: &decoder)
    }
}
