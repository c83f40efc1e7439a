/// A place in a sequence that stays where it is meant, whatever others insert and remove: before or after an element, or at an end.
///
/// Made and resolved by the sequence; the same on every replica, so a cursor may be sent to others.
public struct SequenceAnchor: Hashable, Sendable {
    /// To which side an anchor holds.
    public enum Side: UInt8, Sendable {
        /// It stays after the element before it: what is inserted there comes after it.
        case after = 0
        /// It stays before the element after it: what is inserted there comes before it.
        case before = 1
    }

    let side: Side
    /// Nil at the beginning, for one that stays after, and at the end, for one that stays before.
    let element: Dot?

    /// Always at the beginning. Complexity: O(1).
    public static var beginning: SequenceAnchor { SequenceAnchor(side: .after, element: nil) }
    /// Always at the end. Complexity: O(1).
    public static var end: SequenceAnchor { SequenceAnchor(side: .before, element: nil) }
}

extension SequenceAnchor: CanonicalCodable {
    /// Appends the value in its one form; see <doc:Format>. Complexity: O(1).
    public func encode(into encoder: inout CanonicalEncoder) {
        encoder.encode(byte: side.rawValue)
        element.encode(into: &encoder)
    }

    /// Reads a value, and refuses every form but its only one; see <doc:Format>. Complexity: O(1).
    public init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        guard let side = Side(rawValue: try decoder.decodeByte()) else { throw .notCanonical }
        self.side = side
        element = try Dot?(from: &decoder)
    }
}

extension SequenceStore {
    /// The anchor at a position of an arranged store.
    func anchor(at position: Int, _ side: SequenceAnchor.Side) -> SequenceAnchor {
        guard side == .after ? position > 0 : position < index.tree.weight else {
            return SequenceAnchor(side: side, element: nil)
        }
        let (place, units) = index.tree.place(ofUnitEndingAt: side == .after ? position : position + 1)
        let entry = index.tree[place]
        let passed = index.elements(of: entry, in: UInt32(units - (side == .after ? 0 : 1)), Self.measure(contents))
        let counter = entry.start + (side == .after ? passed - 1 : passed)
        return SequenceAnchor(
            side: side, element: Dot(replica: index.writers[Int(entry.writer)].replica, counter: counter))
    }

    /// The position of an anchor in an arranged store; nil where its element was not seen, or what that stands beside.
    func position(of anchor: SequenceAnchor) -> Int? {
        guard let dot = anchor.element else { return anchor.side == .after ? 0 : index.tree.weight }
        guard let writer = index.slot(of: dot.replica), let run = index.run(of: dot.counter, by: writer),
            let place = index.place(of: dot.counter, by: writer)
        else { return nil }
        let passed = dot.counter - run.start + (anchor.side == .after ? 1 : 0)
        return index.tree.weight(before: place)
            + Int(index.units(of: run, first: passed, by: writer, Self.measure(contents)))
    }

    /// Where an anchor lies among all elements, removed ones too.
    enum AnchorPlace {
        case beginning
        /// In a run, before or after one of its elements: twice its number there, plus 1 after it.
        case inside(RunTree.Place, UInt64)
        case end
    }

    /// Where an anchor of an arranged store lies; nil where its element was not seen, or what that stands beside.
    func place(of anchor: SequenceAnchor) -> AnchorPlace? {
        guard let dot = anchor.element else { return anchor.side == .after ? .beginning : .end }
        guard let writer = index.slot(of: dot.replica), let place = index.place(of: dot.counter, by: writer) else {
            return nil
        }
        return .inside(place, (dot.counter - index.tree[place].start) << 1 | (anchor.side == .after ? 1 : 0))
    }

    /// Whether a place lies before another or is the same: the same answer on every replica, for elements keep their places.
    func isOrdered(_ left: AnchorPlace, notAfter right: AnchorPlace) -> Bool {
        switch (left, right) {
        case (.beginning, _), (_, .end): true
        case (_, .beginning), (.end, _): false
        case (.inside(let place, let offset), .inside(let other, let otherOffset)):
            place == other ? offset <= otherOffset : index.tree.isOrdered(place, before: other)
        }
    }
}
