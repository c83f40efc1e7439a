/// An element for each dot, found from either side: the store of sets, made for many dots.
///
/// Dots lie in a column for each replica, elements in one beside them, texts packed into one buffer. The table from
/// elements to dots is made when somebody first asks for an element; joining, coding and passing on never hash one. A few dots,
/// as in a delta, are a sorted list.
///
/// An element that was added twice at the same time stands on two dots. Elements are one when `==`, texts when their
/// UTF-8 is the same.
public struct DotTable<Element: Hashable & Sendable>: DotStore {
    /// An element that came or went.
    public typealias Change = SetChange<Element>

    @usableFromInline
    enum Storage: Sendable {
        case few(FewDots<Element>)
        case many(ManyDots<Element>)
    }

    // Two references and no enumeration of both: a set of at most six words is taken apart by the compiler, so that to ask it
    // something copies one of them. Greater ones are copied whole.
    /// The dots in their order while they are few; none where there are columns.
    @usableFromInline var few: [FewDots<Element>.Entry] = []
    @usableFromInline var many: ManyDots<Element>?

    @inlinable var storage: Storage {
        get { many.map { .many($0) } ?? .few(FewDots(sorted: few)) }
        set {
            switch newValue {
            case .few(let few): (self.few, many) = (few.entries, nil)
            case .many(let many): (few, self.many) = ([], many)
            }
        }
    }

    @inlinable static var fewest: Int { 8 }

    /// No elements. Complexity: O(1).
    @inlinable public init() {}

    /// Holds one element. Complexity: O(1).
    @inlinable
    public init(_ dot: Dot, _ element: Element) {
        few = [.init(dot: dot, value: element)]
    }

    /// Whether nothing is alive. Complexity: O(1).
    @inlinable public var isEmpty: Bool { dotCount == 0 }

    /// How many dots there are. Complexity: O(1).
    @inlinable public var dotCount: Int { many?.columns.count ?? few.count }

    /// Whether some dot holds up the element. Complexity: O(1), and O(n) once.
    @inlinable
    public func contains(_ element: Element) -> Bool {
        if let many { return many.slot(of: element) != nil }
        return few.contains { Identity.isEqual($0.value, element) }
    }

    /// The hash of an element that is not among many others; nil where it is, or where there are few.
    @inlinable func hashIfAbsent(_ element: Element) -> UInt32? {
        guard let many else { return nil }
        let hash = Identity.hash(element)
        return many.slot(of: element, hash: hash) == nil ? hash : nil
    }

    /// Whether the dot holds something up. Complexity: O(log replicas).
    @inlinable
    public func contains(_ dot: Dot) -> Bool {
        many?.columns.contains(dot) ?? few.contains { $0.dot == dot }
    }

    /// What a dot holds up. Complexity: O(log replicas).
    @inlinable public subscript(dot: Dot) -> Element? {
        switch storage {
        case .few(let few): few[dot]
        case .many(let many): many.columns[dot].map { many.elements[$0] }
        }
    }

    /// The dots that hold up an element; with `past`, only those that it has seen. Complexity: O(d log d) for the d dots of the
    /// element.
    @inlinable
    public func dots(of element: Element, in past: CausalContext? = nil) -> CausalContext {
        if let many { return many.dots(of: element, in: past) }
        var found = CausalContext()
        few.forEach { entry in
            if Identity.isEqual(entry.value, element), past?.contains(entry.dot) ?? true { found.insert(entry.dot) }
        }
        return found
    }

    /// Puts an element under a dot; does nothing if the dot already holds something up. Complexity: O(1) amortised where dots are
    /// inserted in order.
    @inlinable
    public mutating func insert(_ dot: Dot, _ element: Element) {
        if many == nil, few.count < Self.fewest {
            let index = FewDots.position(of: dot, in: few)
            guard index == few.count || few[index].dot != dot else { return }
            few.insert(.init(dot: dot, value: element), at: index)
        } else {
            withMany { $0.insert(dot, element) }
        }
    }

    @inlinable mutating func remove(_ dot: Dot) {
        if many == nil { few.removeAll { $0.dot == dot } } else { withMany { $0.remove(dot) } }
    }

    /// Changes the columns in place, where no copy shares them; makes them of a few dots.
    @inlinable mutating func withMany(_ body: (ManyDots<Element>) -> Void) {
        if many == nil {
            let made = ManyDots<Element>()
            few.forEach { made.insert($0.dot, $0.value) }
            (few, many) = ([], made)
        } else if !isKnownUniquelyReferenced(&many) {
            many = many.map { ManyDots(copying: $0) }
        }
        many.map(body)
    }

    // MARK: Walking

    /// Visits dots and elements in the order of the dots. Complexity: O(n).
    @inlinable
    public func forEach(_ body: (Dot, Element) -> Void) {
        switch storage {
        case .few(let few): few.forEach { body($0.dot, $0.value) }
        case .many(let many): many.columns.forEach { body($0, many.elements[$1]) }
        }
    }

    /// Visits each element once, in the order of its least dot: the same on every replica with the same state.
    ///
    /// Complexity: O(n).
    @inlinable
    public func forEachElement(_ body: (Element) -> Void) {
        switch storage {
        case .few(let few):
            few.forEach { entry in
                var hasLesser = false
                few.forEach { other in
                    if other.dot < entry.dot, Identity.isEqual(other.value, entry.value) { hasLesser = true }
                }
                if !hasLesser { body(entry.value) }
            }
        case .many(let many): many.forEachElement(body)
        }
    }

    /// How many different elements there are. Complexity: O(1), and O(n) once.
    @inlinable public var elementCount: Int {
        switch storage {
        case .few:
            var count = 0
            forEachElement { _ in count += 1 }
            return count
        case .many(let many): return dotCount - many.repeats
        }
    }

    /// Visits the dots that hold up one element here and another there.
    ///
    /// Complexity: O(m log replicas) for the m dots of the lesser one.
    @inlinable
    public func forEachConflict(with other: DotTable, _ body: (Dot) -> Void) {
        let (lesser, greater) = dotCount < other.dotCount ? (self, other) : (other, self)
        lesser.forEach { dot, element in
            if let known = greater[dot], !Identity.isEqual(known, element) { body(dot) }
        }
    }

    /// Visits every dot that holds something up, upwards. Complexity: O(n).
    @inlinable
    public func forEachDot(_ body: (Dot) -> Void) {
        switch storage {
        case .few(let few): few.forEach { body($0.dot) }
        case .many(let many): many.columns.forEach { dot, _ in body(dot) }
        }
    }

    /// Visits the dots that hold something up as maximal ranges, upwards. Complexity: O(n / 32 + runs).
    @inlinable
    public func forEachRun(_ body: (ReplicaID, ClosedRange<UInt64>) -> Void) {
        switch storage {
        case .few(let few):
            var runs = LiveDots()
            few.forEach { runs.append($0.dot) }
            runs.forEachRun(body)
        case .many(let many): many.columns.forEachRun(body)
        }
    }

    /// Visits the dots that a context has seen, upwards. Complexity: O(ranges of the context · log n + dots found).
    @inlinable
    public func forEachDot(in context: CausalContext, _ body: (Dot) -> Void) {
        switch storage {
        case .few(let few): few.forEach(in: context) { body($0.dot) }
        case .many(let many): many.columns.forEach(in: context) { dot, _ in body(dot) }
        }
    }

    /// The sum of the fingerprints of one replica's dots. Complexity: O(log replicas).
    @inlinable
    public func fingerprint(of replica: ReplicaID) -> UInt64 {
        switch storage {
        case .few(let few): few.fingerprint(of: replica)
        case .many(let many): many.columns.fingerprint(of: replica)
        }
    }

    /// The part of the store that stands on some dots. Complexity: O(ranges of the dots · log n + what is found).
    @inlinable
    public func restricted(to dots: CausalContext) -> DotTable {
        var part = DotTable()
        switch storage {
        case .few(let few): part.storage = .few(few.restricted(to: dots))
        case .many(let many):
            var count = 0
            many.columns.forEach(in: dots) { _, _ in count += 1 }
            if count > Self.fewest {
                part.storage = .many(many.restricted(to: dots))
            } else {
                many.columns.forEach(in: dots) { part.insert($0, many.elements[$1]) }
            }
        }
        return part
    }
}
