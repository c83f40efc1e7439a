/// An element for each dot, found from either side: the store of sets, made for many dots.
///
/// Dots lie in a column for each replica, elements in one beside them, texts packed into one buffer. The table from
/// elements to dots is made when somebody first asks for an element; joining, coding and passing on never hash one.
///
/// An element that was added twice at the same time stands on two dots. Elements are one when `==`, texts when their
/// UTF-8 is the same.
public struct DotTable<Element: Hashable & Sendable>: DotStore {
    private(set) var columns = DotColumns()
    private(set) var elements = ValueColumn<Element>()
    /// The dot of each slot, its replica by number.
    private var numbers: ContiguousArray<UInt32> = []
    private var counters: ContiguousArray<UInt64> = []
    /// From elements to slots; nil while there are so few that a search is as quick.
    private var table: LazyHashTable?

    private static var fewest: Int { 8 }

    public init() {}

    /// Holds one element.
    public init(_ dot: Dot, _ element: Element) {
        insert(dot, element)
    }

    /// Holds an element for each dot, in the same order.
    init(_ dots: LiveDots, _ elements: ValueColumn<Element>) {
        self.elements = elements
        numbers.reserveCapacity(dots.count)
        counters.reserveCapacity(dots.count)
        for run in dots.runs {
            let number = columns.makeColumn(of: run.replica)
            columns.append(number: number, run.counters, firstSlot: UInt32(numbers.count))
            numbers.append(contentsOf: repeatElement(UInt32(number), count: run.counters.count))
            counters.append(contentsOf: run.counters)
        }
        if numbers.count > Self.fewest { table = LazyHashTable() }
    }

    public var isEmpty: Bool { columns.count == 0 }

    /// How many dots there are.
    public var dotCount: Int { columns.count }

    /// Whether some dot holds up the element. Complexity: O(1), and O(n) once.
    public func contains(_ element: Element) -> Bool {
        firstSlot(of: element) { _ in true } != nil
    }

    public func contains(_ dot: Dot) -> Bool { columns.contains(dot) }

    /// What a dot holds up.
    public subscript(dot: Dot) -> Element? { columns[dot].map { elements[$0] } }

    /// The dots that hold up an element; with `past`, only those that it has seen. Complexity: O(dots of the element).
    public func dots(of element: Element, in past: CausalContext? = nil) -> CausalContext {
        var found = CausalContext()
        _ = firstSlot(of: element) { slot in
            let dot = dot(of: slot)
            if past?.contains(dot) ?? true { found.insert(dot) }
            return false
        }
        return found
    }

    /// Puts an element under a dot; does nothing if the dot already holds something up. Complexity: O(1) amortised where
    /// dots come in order.
    public mutating func insert(_ dot: Dot, _ element: Element) {
        guard !columns.contains(dot) else { return }
        elements.append(element)
        appended(number: columns.makeColumn(of: dot.replica), counter: dot.counter)
    }

    /// Visits dots and elements in the order of the dots.
    public func forEach(_ body: (Dot, Element) -> Void) {
        columns.forEach { body($0, elements[$1]) }
    }

    /// Visits each element once, in the order of its least dot: the same on every replica with the same state.
    @_specialize(where Element == String)
    public func forEachElement(_ body: (Element) -> Void) {
        guard elementCount < dotCount else { return columns.forEach { body(elements[$1]) } }
        columns.forEach { dot, slot in
            let hasLesser = firstSlot(matching: slot, of: elements) { self.dot(of: $0) < dot } != nil
            if !hasLesser { body(elements[slot]) }
        }
    }

    /// How many different elements there are. Complexity: O(1), and O(n) once.
    public var elementCount: Int {
        if let table { return dotCount - table.read(makeTable) { $0.repeats } }
        var count = 0
        for slot in numbers.indices.lazy.map(UInt32.init) {
            if firstSlot(matching: slot, of: elements, where: { $0 < slot }) == nil { count += 1 }
        }
        return count
    }

    public func forEachDot(_ body: (Dot) -> Void) {
        columns.forEach { dot, _ in body(dot) }
    }

    public func forEachRun(_ body: (ReplicaID, ClosedRange<UInt64>) -> Void) { columns.forEachRun(body) }

    public func forEachDot(in context: CausalContext, _ body: (Dot) -> Void) {
        columns.forEach(in: context) { dot, _ in body(dot) }
    }

    public func fingerprint(of replica: ReplicaID) -> UInt64 { columns.fingerprint(of: replica) }

    public func restricted(to dots: CausalContext) -> DotTable {
        var part = DotTable()
        columns.forEach(in: dots) { dot, slot in
            part.elements.append(slot, of: elements)
            part.appended(number: part.columns.makeColumn(of: dot.replica), counter: dot.counter)
        }
        return part
    }

    // MARK: Slots

    private func dot(of slot: UInt32) -> Dot {
        Dot(replica: columns.replicas[Int(numbers[Int(slot)])], counter: counters[Int(slot)])
    }

    /// The first slot with the element for which `isWanted`.
    private func firstSlot(of element: Element, where isWanted: (UInt32) -> Bool) -> UInt32? {
        guard let table else {
            return numbers.indices.lazy.map(UInt32.init).first { elements.holds(element, at: $0) && isWanted($0) }
        }
        let hash = Identity.hash(element)
        return table.read(makeTable) { table in
            table.first(hash) { elements.holds(element, at: $0) && isWanted($0) }
        }
    }

    /// The first slot with the element of another column's slot for which `isWanted`.
    private func firstSlot(
        matching slot: UInt32, of column: ValueColumn<Element>, where isWanted: (UInt32) -> Bool
    ) -> UInt32? {
        guard let table else {
            return numbers.indices.lazy.map(UInt32.init).first {
                isWanted($0) && elements.isEqual($0, to: slot, of: column)
            }
        }
        let hash = column.hash(of: slot)
        return table.read(makeTable) { table in
            table.first(hash) { elements.isEqual($0, to: slot, of: column) && isWanted($0) }
        }
    }

    @_specialize(where Element == String)
    private func makeTable() -> HashTable {
        var table = HashTable(capacity: elements.count)
        for slot in 0..<UInt32(elements.count) {
            table.insert(elements.hash(of: slot), slot: slot) { elements.isEqual($0, to: slot, of: elements) }
        }
        return table
    }

    /// Puts the element appended last under a dot that was not alive.
    private mutating func appended(number: Int, counter: UInt64) {
        let slot = UInt32(numbers.count)
        columns.insert(number: number, counter: counter, slot: slot)
        numbers.append(UInt32(number))
        counters.append(counter)
        entered(slot)
    }

    private mutating func entered(_ slot: UInt32) {
        if table != nil {
            updateTable { elements, table in
                table.insert(elements.hash(of: slot), slot: slot) { elements.isEqual($0, to: slot, of: elements) }
            }
        } else if numbers.count > Self.fewest {
            table = LazyHashTable()
        }
    }

    /// Changes the table, if it was made. It is taken out meanwhile, so that the elements are not copied for the closure.
    private mutating func updateTable(_ body: (ValueColumn<Element>, inout HashTable) -> Void) {
        var table = table.take()
        LazyHashTable.update(&table) { body(elements, &$0) }
        self.table = table
    }

    /// Forgets a live dot and its element, and moves the last slot into its place.
    private mutating func remove(number: Int, counter: UInt64) {
        guard let slot = columns.remove(number: number, counter: counter) else { return }
        let last = UInt32(numbers.count - 1)
        if table != nil {
            updateTable { elements, table in
                let hash = elements.hash(of: slot)
                table.remove(hash, slot: slot) { elements.isEqual($0, to: slot, of: elements) }
                if last != slot { table.move(elements.hash(of: last), from: last, to: slot) }
            }
        }
        elements.swapRemove(slot)
        if last != slot {
            numbers[Int(slot)] = numbers[Int(last)]
            counters[Int(slot)] = counters[Int(last)]
            columns.insert(number: Int(numbers[Int(slot)]), counter: counters[Int(slot)], slot: slot)
        }
        numbers.removeLast()
        counters.removeLast()
    }
}

// MARK: Joining

/// What a merge did to a set, as far as it can be seen.
public enum SetChange<Element: Sendable>: Sendable {
    case inserted(Element)
    case removed(Element)
}

extension SetChange: Equatable where Element: Equatable {}
extension SetChange: Hashable where Element: Hashable {}

extension DotTable {
    public mutating func merge(
        _ other: DotTable, context: CausalContext, otherContext: CausalContext, fallen: inout FallenDots
    ) -> Bool {
        let removed = columns.removed(by: other.columns, otherContext)
        for each in removed {
            fallen.append(Dot(replica: columns.replicas[each.number], counter: each.counter))
            remove(number: each.number, counter: each.counter)
        }
        let before = dotCount
        add(other, notIn: context)
        return !removed.isEmpty || dotCount > before
    }

    /// Joins, and calls with each element that is in the table now and was not, or was and is not now.
    ///
    /// Complexity: as without, and O(1) for each dot that comes or falls.
    public mutating func merge(
        _ other: DotTable, context: CausalContext, otherContext: CausalContext, fallen: inout FallenDots,
        onChange: (SetChange<Element>) -> Void
    ) -> Bool {
        var gone = DotTable()
        for each in columns.removed(by: other.columns, otherContext) {
            gone.insert(dot(of: each.slot), elements[each.slot])
        }
        var come = DotTable()
        other.columns.forEach(notIn: context) { number, counter, slot in
            if firstSlot(matching: slot, of: other.elements, where: { _ in true }) == nil {
                come.insert(Dot(replica: other.columns.replicas[number], counter: counter), other.elements[slot])
            }
        }
        let changed = merge(other, context: context, otherContext: otherContext, fallen: &fallen)
        gone.forEachElement { if !contains($0) { onChange(.removed($0)) } }
        come.forEachElement { onChange(.inserted($0)) }
        return changed
    }

    private mutating func add(_ other: DotTable, notIn context: CausalContext) {
        if isEmpty, context.isEmpty {
            self = other
            return
        }
        var mine: [Int?] = Array(repeating: nil, count: other.columns.replicas.count)
        other.columns.forEach(notIn: context) { number, counter, slot in
            let mineNumber = mine[number] ?? columns.makeColumn(of: other.columns.replicas[number])
            mine[number] = mineNumber
            guard !columns.columns[mineNumber].contains(counter) else { return }
            elements.append(slot, of: other.elements)
            appended(number: mineNumber, counter: counter)
        }
    }
}

extension DotTable {
    public static func == (left: DotTable, right: DotTable) -> Bool {
        guard left.columns.hasSameDots(as: right.columns) else { return false }
        var isEqual = true
        left.columns.forEach { dot, slot in
            if isEqual, let other = right.columns[dot] {
                isEqual = left.elements.isEqual(slot, to: other, of: right.elements)
            }
        }
        return isEqual
    }

    public func hash(into hasher: inout Hasher) { columns.hash(into: &hasher) }
}
