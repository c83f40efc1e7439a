/// What a ``DotTable`` of many dots is made of: the dots in a column for each replica, their elements in a column beside them.
@usableFromInline
final class ManyDots<Element: Hashable & Sendable>: @unchecked Sendable {
    // Changed only while one table alone, which is being mutated, refers to these.
    @usableFromInline let columns: DotColumns
    @exclusivity(unchecked) @usableFromInline var elements = ValueColumn<Element>()
    /// The dot of each slot, its replica by number.
    @exclusivity(unchecked) @usableFromInline var numbers: ContiguousArray<UInt32> = []
    @exclusivity(unchecked) @usableFromInline var counters: ContiguousArray<UInt64> = []
    /// From elements to slots.
    @exclusivity(unchecked) @usableFromInline var table: LazyHashTable? = LazyHashTable()

    @inlinable init() { columns = DotColumns() }

    @inlinable init(copying other: ManyDots) {
        columns = DotColumns(copying: other.columns)
        (elements, numbers, counters, table) = (other.elements, other.numbers, other.counters, other.table)
    }

    /// Holds an element for each dot, in the same order.
    @inlinable
    init(_ dots: LiveDots, _ elements: ValueColumn<Element>) {
        columns = DotColumns()
        self.elements = elements
        // A table that was read is often added to next; room that is never used is never touched.
        let room = dots.count + dots.count / 8
        numbers.reserveCapacity(room)
        counters.reserveCapacity(room)
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

    /// The slot that stands for all slots with the element, whose hash may be known.
    @inlinable func slot(of element: Element, hash: UInt32? = nil) -> UInt32? {
        table?.first(hash ?? Identity.hash(element), making: { makeTable() }) { elements.holds(element, at: $0) }
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
        let elements = elements
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
    @inlinable func insert(_ dot: Dot, _ element: Element) {
        guard !columns.contains(dot) else { return }
        elements.append(element)
        appended(number: columns.makeColumn(of: dot.replica), counter: dot.counter)
    }

    /// Puts an element that is not here, by its hash, under a dot that is not alive.
    @inlinable func append(_ dot: Dot, _ element: Element, hash: UInt32) {
        let slot = UInt32(numbers.count)
        let number = columns.makeColumn(of: dot.replica)
        elements.append(element)
        columns.insert(number: number, counter: dot.counter, slot: slot)
        numbers.append(UInt32(number))
        counters.append(dot.counter)
        LazyHashTable.update(&table) { $0.insert(hash, slot: slot) }
    }

    /// Puts the elements of another table's dots that a context has not seen under the same dots.
    @inlinable func insert(_ other: ManyDots, notIn context: CausalContext) {
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
    @inlinable func appended(number: Int, counter: UInt64) {
        let slot = UInt32(numbers.count)
        columns.insert(number: number, counter: counter, slot: slot)
        numbers.append(UInt32(number))
        counters.append(counter)
        LazyHashTable.update(&table) { table in
            table.insert(elements.hash(of: slot), slot: slot) { elements.isEqual($0, to: slot, of: elements) }
        }
    }

    /// Forgets a live dot and its element, and moves the last slot into its place.
    @inlinable func remove(_ dot: Dot) {
        guard let slot = columns.remove(dot) else { return }
        let last = UInt32(numbers.count - 1)
        LazyHashTable.update(&table) { table in
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

    @inlinable func restricted(to dots: CausalContext) -> ManyDots {
        let part = ManyDots()
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
