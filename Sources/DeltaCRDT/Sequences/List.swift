/// A list that several edit at once: what two inserted at the same place at the same moment stands there whole, one after the other.
///
/// The order is that of ``Text``, with an element for a character. An element stays what it is: to change one is to remove it and to insert
/// another, which two may do at the same moment. Elements that are moved belong in a ``MovableList``.
///
/// ```swift
/// var mine = List<String>()
/// mine.append("tent", by: jie)
/// mine.append("rope", by: jie)
/// var theirs = mine
///
/// let removal = mine.remove(at: 0)
/// let insertion = theirs.insert("stove", at: 1, by: noah)
///
/// mine.merge(insertion)
/// theirs.merge(removal)
/// mine.elements   // ["stove", "rope"]
/// mine == theirs  // true
/// ```
public struct List<Element: Hashable & Sendable>: DeltaState {
    /// What was inserted, or which positions were removed.
    public typealias Change = SequenceChange<[Element]>

    var causal: Causal<SequenceStore<ElementContent<Element>>>

    init(_ causal: Causal<SequenceStore<ElementContent<Element>>>) { self.causal = causal }

    /// No elements, and nothing seen. Complexity: O(1).
    public init() { self.init(Causal()) }

    /// The events that this list has seen: one for each element that was ever inserted. Complexity: O(1).
    public var context: CausalContext { causal.context }

    /// How many elements there are. Complexity: O(1), and O(n) once.
    public var count: Int { causal.store.arranged.index.tree.weight }

    /// Whether no element is in the list. Complexity: as of ``count``.
    public var isEmpty: Bool { count == 0 }

    /// The elements. Complexity: O(n).
    public var elements: [Element] {
        var elements: [Element] = []
        causal.store.arranged.forEachStretch { elements.append(contentsOf: $0) }
        return elements
    }

    /// The element at a position, which must be one. Complexity: O(log n), and O(n) once.
    public subscript(position: Int) -> Element {
        let store = causal.store.arranged
        require(position, upTo: store.index.tree.weight - 1, in: "list")
        return store.unit(at: position)
    }

    /// Inserts elements at a position in the name of a replica and returns the delta.
    ///
    /// Complexity: O(inserted + log n), and O(n) once.
    @discardableResult
    public mutating func insert(contentsOf elements: some Collection<Element>, at position: Int, by replica: ReplicaID)
        -> List
    {
        causal.liveStore.arrange()
        require(position, upTo: causal.store.index.tree.weight, in: "list")
        return elements.isEmpty
            ? List() : List(causal.insert(elements, UInt64(elements.count), at: .position(position), by: replica))
    }

    /// Inserts an element at a position in the name of a replica and returns the delta.
    ///
    /// Complexity: O(log n), and O(n) once.
    @discardableResult
    public mutating func insert(_ element: Element, at position: Int, by replica: ReplicaID) -> List {
        insert(contentsOf: CollectionOfOne(element), at: position, by: replica)
    }

    /// Inserts an element at the end in the name of a replica and returns the delta.
    ///
    /// Complexity: O(log n), and O(n) once.
    @discardableResult
    public mutating func append(_ element: Element, by replica: ReplicaID) -> List {
        insert(element, at: count, by: replica)
    }

    /// Removes the element at a position and returns the delta. Complexity: O(log n), and O(n) once.
    @discardableResult
    public mutating func remove(at position: Int) -> List { removeSubrange(position..<position + 1) }

    /// Removes the elements at some positions and returns the delta.
    ///
    /// Complexity: O(log n) for each run that falls, and O(n) once.
    @discardableResult
    public mutating func removeSubrange(_ range: Range<Int>) -> List {
        causal.liveStore.arrange()
        require(range, upTo: causal.store.index.tree.weight, in: "list")
        return List(causal.remove(range))
    }

    /// An anchor at a position. Complexity: O(log n), and O(n) once.
    public func anchor(at position: Int, staying side: SequenceAnchor.Side) -> SequenceAnchor {
        let store = causal.store.arranged
        require(position, upTo: store.index.tree.weight, in: "list")
        return store.anchor(at: position, side)
    }

    /// The position of an anchor: where its element is, or was; nil where it is not known here yet.
    ///
    /// Complexity: O(log n), and O(n) once.
    public func position(of anchor: SequenceAnchor) -> Int? { causal.store.arranged.position(of: anchor) }

    /// Joins, and calls with each change that can be seen. Complexity: as of ``Text/merge(_:onChange:)``.
    @discardableResult
    public mutating func merge(_ other: List, onChange: (SequenceChange<[Element]>) -> Void) -> Bool {
        causal.merge(other.causal) { change in
            switch change {
            case .inserted(let elements, let position): onChange(.inserted(Array(elements), at: position))
            case .removed(let range): onChange(.removed(range))
            }
        }
    }
}

/// A unit an element.
enum ElementContent<Element: Hashable & Sendable>: SequenceContent {
    typealias Unit = Element

    static func units(in content: [Element], from offset: Int, of elements: UInt64) -> Int { Int(elements) }
}

extension List: CanonicalCodable where Element: CanonicalCodable {
    /// Appends the value in its one form; see <doc:Format>. Complexity: O(n).
    public func encode(into encoder: inout CanonicalEncoder) {
        encoder.encode(SequenceKind.list)
        causal.store.encodeElements(into: &encoder)
    }

    /// Reads a value, and refuses every form but its only one; see <doc:Format>.
    ///
    /// Complexity: O(n log n) for n the size of the bytes read, with a bound on what they may ask for.
    public init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        try decoder.decode(SequenceKind.list)
        let store = try SequenceStore<ElementContent<Element>>(elementsFrom: &decoder)
        self.init(Causal(store: store, seen: store.dots))
    }
}

extension SequenceStore {
    /// The unit at a position of an arranged store.
    func unit(at position: Int) -> Content.Unit {
        let (place, units) = index.tree.place(ofUnitEndingAt: position + 1)
        let entry = index.tree[place]
        let offset = index.run(of: entry.start, by: entry.writer).map { Int($0.offset) } ?? 0
        return contents[Int(entry.writer)][offset + units - 1]
    }

    /// Appends places, and then each live element.
    func encodeElements<Element: CanonicalCodable>(
        into encoder: inout CanonicalEncoder
    ) where Content == ElementContent<Element> {
        let store = arranged
        store.encodePlaces(into: &encoder)
        store.forEachLiveRun { run, writer in
            for element in store.content(of: run, by: writer) { element.encode(into: &encoder) }
        }
    }

    /// Reads what ``encodeElements(into:)`` wrote.
    init<Element: CanonicalCodable>(
        elementsFrom decoder: inout CanonicalDecoder
    ) throws(DecodingFailure) where Content == ElementContent<Element> {
        let limit = decoder.remaining
        try self.init(placesFrom: &decoder, alive: limit)
        var elements: [Element] = []
        for _ in 0..<index.alive { elements.append(try Element(from: &decoder)) }
        arrange()
        setContent(elements)
    }
}
