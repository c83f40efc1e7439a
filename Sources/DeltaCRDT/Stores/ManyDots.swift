/// What a ``DotTable`` of many dots is made of: the dots in a column for each replica, their elements in a column beside them.
@usableFromInline
struct ManyDots<Element: Hashable & Sendable>: Sendable {
    @usableFromInline var columns = DotColumns()
    @usableFromInline var elements = ValueColumn<Element>()
    /// The dot of each slot, its replica by number.
    @usableFromInline var numbers: ContiguousArray<UInt32> = []
    @usableFromInline var counters: ContiguousArray<UInt64> = []
    /// From elements to slots.
    @usableFromInline var table: LazyHashTable? = LazyHashTable()

    @inlinable init() {}

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
    }

    @inlinable func dot(of slot: UInt32) -> Dot {
        Dot(replica: columns.replica(Int(numbers[Int(slot)])), counter: counters[Int(slot)])
    }

    // MARK: Elements

    /// The slot that stands for all slots with the element.
    @inlinable func slot(of element: Element) -> UInt32? {
        table?.first(Identity.hash(element), making: { makeTable() }) { elements.holds(element, at: $0) }
    }

    /// The slot that stands for all slots with a slot's element.
    @inlinable func slot(withElementOf slot: UInt32) -> UInt32? {
        table?.first(elements.hash(of: slot), making: { makeTable() }) {
            elements.isEqual($0, to: slot, of: elements)
        }
    }

    /// The dots that hold up an element, of those that `past` has seen.
    @inlinable func dots(of element: Element, in past: CausalContext?) -> CausalContext {
        var found = CausalContext()
        guard let first = slot(of: element) else { return found }
        if past?.contains(dot(of: first)) ?? true { found.insert(dot(of: first)) }
        guard repeats > 0 else { return found }
        var others: [Dot] = []
        _ = table?.next(after: first) { slot in
            if past?.contains(dot(of: slot)) ?? true { others.append(dot(of: slot)) }
            return false
        }
        if !others.isEmpty { found.merge(CausalContext(others)) }
        return found
    }

    /// How many slots hold an element that another one holds too, not counting one for each element.
    @inlinable var repeats: Int { table?.repeats { makeTable() } ?? 0 }

    @inlinable func makeTable() -> HashTable {
        elements.makeTable()
    }

    /// Visits each element once, in the order of its least dot.
    @inlinable func forEachElement(_ body: (Element) -> Void) {
        guard repeats > 0 else { return columns.forEachSlot { body(elements[$0]) } }
        var isVisited = ContiguousArray(repeating: false, count: numbers.count)
        columns.forEachSlot { slot in
            guard let first = self.slot(withElementOf: slot), !isVisited[Int(first)] else { return }
            isVisited[Int(first)] = true
            body(elements[slot])
        }
    }

    // MARK: Changes

    /// Puts an element under a dot; does nothing if the dot already holds something up.
    @inlinable mutating func insert(_ dot: Dot, _ element: Element) {
        guard !columns.contains(dot) else { return }
        elements.append(element)
        appended(number: columns.makeColumn(of: dot.replica), counter: dot.counter)
    }

    /// Puts the elements of another table's dots that a context has not seen under the same dots.
    @inlinable mutating func insert(_ other: ManyDots, notIn context: CausalContext) {
        var mine: [Int?] = Array(repeating: nil, count: other.columns.replicaCount)
        other.columns.forEach(notIn: context) { number, counter, slot in
            let mineNumber: Int
            if let known = mine[number] {
                mineNumber = known
            } else {
                mineNumber = columns.makeColumn(of: other.columns.replica(number))
                mine[number] = mineNumber
                columns.makeRoom(number: mineNumber, for: other.columns, number)
            }
            guard !columns.contains(number: mineNumber, counter: counter) else { return }
            elements.append(slot, of: other.elements)
            appended(number: mineNumber, counter: counter)
        }
    }

    /// Puts the element appended last under a dot that was not alive.
    @inlinable mutating func appended(number: Int, counter: UInt64) {
        let slot = UInt32(numbers.count)
        columns.insert(number: number, counter: counter, slot: slot)
        numbers.append(UInt32(number))
        counters.append(counter)
        updateTable { elements, table in
            table.insert(elements.hash(of: slot), slot: slot) { elements.isEqual($0, to: slot, of: elements) }
        }
    }

    /// Forgets a live dot and its element, and moves the last slot into its place.
    @inlinable mutating func remove(_ dot: Dot) {
        guard let slot = columns.remove(dot) else { return }
        let last = UInt32(numbers.count - 1)
        updateTable { elements, table in
            let hash = elements.hash(of: slot)
            table.remove(hash, slot: slot)
            if last != slot { table.move(elements.hash(of: last), from: last, to: slot) }
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

    /// Changes the table, if it was made. It is taken out meanwhile, so that the elements are not copied for the closure.
    @inlinable mutating func updateTable(_ body: (ValueColumn<Element>, inout HashTable) -> Void) {
        var table = table.take()
        LazyHashTable.update(&table) { body(elements, &$0) }
        self.table = table
    }

    @inlinable func restricted(to dots: CausalContext) -> ManyDots {
        var part = ManyDots()
        columns.forEach(in: dots) { dot, slot in
            part.elements.append(slot, of: elements)
            part.appended(number: part.columns.makeColumn(of: dot.replica), counter: dot.counter)
        }
        return part
    }

    @inlinable static func == (left: ManyDots, right: ManyDots) -> Bool {
        guard left.columns.hasSameDots(as: right.columns) else { return false }
        var isEqual = true
        left.columns.forEach { dot, slot in
            if isEqual, let other = right.columns[dot] {
                isEqual = left.elements.isEqual(slot, to: other, of: right.elements)
            }
        }
        return isEqual
    }
}

/// Shares the columns between copies of a table, so that to pass a table on is to count one reference.
@usableFromInline
final class ManyDotsBox<Element: Hashable & Sendable>: @unchecked Sendable {
    // Changed only while one table alone, which is being mutated, refers to the box.
    @exclusivity(unchecked) @usableFromInline var many: ManyDots<Element>

    @inlinable init(_ many: ManyDots<Element>) { self.many = many }
}
