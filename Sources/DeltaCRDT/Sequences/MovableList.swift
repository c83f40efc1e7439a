/// A list whose elements can be moved: a move is one write, and however many move an element at the same moment, it stands in one place.
///
/// Every insertion and every move makes a place in a sequence like ``List``'s, and lets the element's places fall that its author saw. Where
/// several are left, because several moved it at once, the one of the latest move counts: by how many events its author had seen, then
/// by its dot (Kleppmann: *Moving Elements in List CRDTs*, 2020, with the register of an element's place among the places themselves).
/// A removal takes the places that its author saw, so an element that somebody moves at that moment stays.
///
/// ```swift
/// var mine = MovableList<String>()
/// mine.insert(contentsOf: ["tent", "stove", "rope"], at: 0, by: jie)
/// var theirs = mine
///
/// mine.merge(theirs.move(from: 0, to: 2, by: noah))
/// theirs.merge(mine.move(from: 2, to: 0, by: jie))
/// mine.elements   // ["tent", "stove", "rope"]
/// mine == theirs  // true
/// ```
public struct MovableList<Element: Hashable & Sendable>: DeltaState {
    /// The elements as they are after a change.
    public typealias Change = [Element]

    /// A place: of which element, and since when. An element is named by the dot of its first place.
    struct Place: Hashable, Sendable {
        let time: UInt64
        /// Nil at the first place.
        let name: Dot?
        let element: Element
    }

    var causal: Causal<SequenceStore<ElementContent<Place>>>

    init(_ causal: Causal<SequenceStore<ElementContent<Place>>>) { self.causal = causal }

    /// No elements, and nothing seen. Complexity: O(1).
    public init() { self.init(Causal()) }

    /// The events that this list has seen: one for each insertion and move. Complexity: O(1).
    public var context: CausalContext { causal.context }

    /// How many elements there are. Complexity: O(n).
    public var count: Int { shown.count }

    /// Whether no element is in the list. Complexity: O(writers).
    public var isEmpty: Bool { causal.store.isEmpty }

    /// The elements. Complexity: O(n).
    public var elements: [Element] { shown.map { $0.place.element } }

    /// Inserts elements, so that the first has a position, in the name of a replica and returns the delta. Complexity: O(n).
    @discardableResult
    public mutating func insert(
        contentsOf elements: some Collection<Element>, at position: Int, by replica: ReplicaID
    ) -> MovableList {
        let shown = shown
        require(position, upTo: shown.count, in: "list")
        guard !elements.isEmpty else { return MovableList() }
        let places = elements.map { Place(time: time, name: nil, element: $0) }
        let target = position == 0 ? 0 : shown[position - 1].position + 1
        causal.liveStore.arrange()
        return MovableList(causal.insert(places, UInt64(places.count), at: .position(target), by: replica))
    }

    /// Moves an element, so that it has another position afterwards, in the name of a replica and returns the delta.
    ///
    /// Complexity: O(n).
    @discardableResult
    public mutating func move(from position: Int, to target: Int, by replica: ReplicaID) -> MovableList {
        let shown = shown
        require(position, upTo: shown.count - 1, in: "list")
        require(target, upTo: shown.count - 1, in: "list")
        let moved = shown[position]
        let place = Place(time: time, name: moved.name, element: moved.place.element)
        var delta = remove(moved.name)
        let rest = self.shown
        let raw = target == 0 ? 0 : rest[target - 1].position + 1
        delta.merge(MovableList(causal.insert([place], 1, at: .position(raw), by: replica)))
        return delta
    }

    /// Removes an element and returns the delta. Complexity: O(n).
    @discardableResult
    public mutating func remove(at position: Int) -> MovableList {
        let shown = shown
        require(position, upTo: shown.count - 1, in: "list")
        return remove(shown[position].name)
    }

    /// Lets all places of an element fall.
    private mutating func remove(_ name: Dot) -> MovableList {
        causal.liveStore.arrange()
        var delta = MovableList()
        for (position, _) in places.filter({ $0.name == name }).map({ ($0.position, 0) }).reversed() {
            delta.merge(MovableList(causal.remove(position..<position + 1)))
        }
        return delta
    }

    /// Later than everything seen.
    private var time: UInt64 { UInt64(context.count) }

    typealias Shown = (position: Int, name: Dot, dot: Dot, place: Place)

    /// All places in order, those that do not count among them.
    private var places: [Shown] {
        let store = causal.store.arranged
        var places: [Shown] = []
        store.index.tree.forEach { entry in
            guard entry.weight > 0, let run = store.index.run(of: entry.start, by: entry.writer) else { return }
            let replica = store.index.writers[Int(entry.writer)].replica
            for (offset, place) in store.content(of: run, by: entry.writer).enumerated() {
                let dot = Dot(replica: replica, counter: run.start + UInt64(offset))
                places.append((places.count, place.name ?? dot, dot, place))
            }
        }
        return places
    }

    /// Those that count.
    var shown: [Shown] {
        let places = places
        var latest: [Dot: Int] = [:]
        for (index, place) in places.enumerated() {
            if let other = latest[place.name],
                (place.place.time, place.dot) < (places[other].place.time, places[other].dot)
            {
                continue
            }
            latest[place.name] = index
        }
        return places.enumerated().filter { latest[$1.name] == $0 }.map { $0.element }
    }

    /// Joins, and calls with the elements as they are then, where they changed. Complexity: O(n).
    @discardableResult
    public mutating func merge(_ other: MovableList, onChange: ([Element]) -> Void) -> Bool {
        let before = elements
        let changed = causal.merge(other.causal)
        let after = elements
        if after != before { onChange(after) }
        return changed
    }
}

extension MovableList.Place: CanonicalCodable where Element: CanonicalCodable {
    func encode(into encoder: inout CanonicalEncoder) {
        encoder.encode(time)
        name.encode(into: &encoder)
        element.encode(into: &encoder)
    }

    init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        time = try decoder.decodeUInt64()
        name = try Dot?(from: &decoder)
        element = try Element(from: &decoder)
    }
}

extension MovableList: CanonicalCodable where Element: CanonicalCodable {
    /// Appends the value in its one form; see <doc:Format>. Complexity: O(n).
    public func encode(into encoder: inout CanonicalEncoder) {
        encoder.encode(SequenceKind.movableList)
        causal.store.encodeElements(into: &encoder)
    }

    /// Reads a value, and refuses every form but its only one; see <doc:Format>.
    ///
    /// Complexity: O(n log n) for n the size of the bytes read, with a bound on what they may ask for.
    public init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        try decoder.decode(SequenceKind.movableList)
        let store = try SequenceStore<ElementContent<Place>>(elementsFrom: &decoder)
        self.init(Causal(store: store, seen: store.dots))
    }
}
