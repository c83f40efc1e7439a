/// The live dots of a store in columns, one for each replica.
///
/// Replicas are numbered as they come, and a number stays; `order` lists the numbers in the order of the names.
@usableFromInline
final class DotColumns: @unchecked Sendable {
    // Changed only while one store alone, which is being mutated, refers to the columns.
    @exclusivity(unchecked) private(set) var replicas: [ReplicaID] = []
    @exclusivity(unchecked) private(set) var columns: [DotColumn] = []
    @exclusivity(unchecked) private(set) var order: [UInt32] = []
    /// How many dots are alive.
    @exclusivity(unchecked) @usableFromInline private(set) var count = 0

    @usableFromInline
    init() {}

    @usableFromInline
    init(copying other: DotColumns) {
        (replicas, columns, order, count) = (other.replicas, other.columns, other.order, other.count)
    }

    @usableFromInline var replicaCount: Int { replicas.count }

    @usableFromInline
    func replica(_ number: Int) -> ReplicaID { replicas[number] }

    /// The sum of the live dots' fingerprints.
    @usableFromInline var fingerprint: UInt64 { columns.reduce(0) { $0 &+ $1.fingerprint } }

    @usableFromInline
    subscript(dot: Dot) -> UInt32? {
        guard let number = number(of: dot.replica) else { return nil }
        return columns[number][dot.counter]
    }

    @usableFromInline
    func contains(_ dot: Dot) -> Bool {
        guard let number = number(of: dot.replica) else { return false }
        return columns[number].contains(dot.counter)
    }

    @usableFromInline
    func contains(number: Int, counter: UInt64) -> Bool { columns[number].contains(counter) }

    /// The number of a replica that has a column. Complexity: O(log replicas).
    @usableFromInline
    func number(of replica: ReplicaID) -> Int? {
        let place = place(of: replica)
        guard place < order.count, replicas[Int(order[place])] == replica else { return nil }
        return Int(order[place])
    }

    /// The number of a replica, which is given a column if it has none.
    @usableFromInline
    func makeColumn(of replica: ReplicaID) -> Int {
        let place = place(of: replica)
        if place < order.count, replicas[Int(order[place])] == replica { return Int(order[place]) }
        order.insert(UInt32(replicas.count), at: place)
        replicas.append(replica)
        columns.append(DotColumn(replica: replica))
        return replicas.count - 1
    }

    /// Makes a dot alive, or gives a live one another slot.
    @usableFromInline
    func insert(_ dot: Dot, slot: UInt32) {
        insert(number: makeColumn(of: dot.replica), counter: dot.counter, slot: slot)
    }

    /// Makes dots alive, which ascend, with one slot. Where they are many, those that are here make room for all of them at once.
    @usableFromInline
    func insert(_ dots: [Dot], slot: UInt32) {
        guard dots.count > 8 else {
            for dot in dots { insert(dot, slot: slot) }
            return
        }
        var first = 0
        while first < dots.count {
            let replica = dots[first].replica
            let number = makeColumn(of: replica)
            let end = dots[first...].firstIndex { $0.replica != replica } ?? dots.count
            if end - first > 8 {
                var column = DotColumn(replica: replica)
                for dot in dots[first..<end] { column.insert(dot.counter, slot: slot) }
                columns[number].makeRoom(for: column)
            }
            for dot in dots[first..<end] { insert(number: number, counter: dot.counter, slot: slot) }
            first = end
        }
    }

    @usableFromInline
    func insert(number: Int, counter: UInt64, slot: UInt32) {
        if columns[number].insert(counter, slot: slot) { count += 1 }
    }

    /// Makes room for another's live dots of a replica, which has a column in both.
    @usableFromInline
    func makeRoom(number: Int, for other: DotColumns, _ theirs: Int) {
        columns[number].makeRoom(for: other.columns[theirs])
    }

    /// Makes dots alive that come after all others of their replica, in slots that count up.
    @usableFromInline
    func append(number: Int, _ range: ClosedRange<UInt64>, firstSlot: UInt32) {
        let before = columns[number].count
        columns[number].append(range, firstSlot: firstSlot)
        count += columns[number].count - before
    }

    @usableFromInline
    @discardableResult
    func remove(_ dot: Dot) -> UInt32? {
        guard let number = number(of: dot.replica) else { return nil }
        return remove(number: number, counter: dot.counter)
    }

    @discardableResult
    func remove(number: Int, counter: UInt64) -> UInt32? {
        guard let slot = columns[number].remove(counter) else { return nil }
        count -= 1
        return slot
    }

    /// Visits the live dots in their order.
    @usableFromInline
    func forEach(_ body: (Dot, _ slot: UInt32) -> Void) {
        for number in order {
            let replica = replicas[Int(number)]
            columns[Int(number)].forEach(in: 1...UInt64.max >> 1) { body(Dot(replica: replica, counter: $0), $1) }
        }
    }

    /// Visits the live dots as maximal runs, in their order.
    @usableFromInline
    func forEachRun(_ body: (ReplicaID, ClosedRange<UInt64>) -> Void) {
        for number in order {
            let replica = replicas[Int(number)]
            columns[Int(number)].forEachRun { body(replica, $0) }
        }
    }

    /// Visits the live dots that a context has seen, in their order. Complexity: O(ranges of the context · log pages +
    /// dots found).
    @usableFromInline
    func forEach(in context: CausalContext, _ body: (Dot, _ slot: UInt32) -> Void) {
        let columns = columns
        context.forEachReplica { replica, known, islands in
            guard let number = number(of: replica) else { return }
            columns[number].forEach(upTo: known, and: islands) { body(Dot(replica: replica, counter: $0), $1) }
        }
    }

    /// Visits the live dots that a context has not seen, in their order. Complexity: O(replicas + ranges of the context +
    /// dots found).
    @usableFromInline
    func forEach(notIn context: CausalContext, _ body: (_ number: Int, _ counter: UInt64, _ slot: UInt32) -> Void) {
        let columns = columns
        for number in order.lazy.map(Int.init) {
            var low = context.versionVector[replicas[number]] + 1
            for island in context.ranges(of: replicas[number]) {
                columns[number].forEach(in: low...island.counters.lowerBound - 1) { body(number, $0, $1) }
                low = island.counters.upperBound + 1
            }
            columns[number].forEach(in: low...UInt64.max >> 1) { body(number, $0, $1) }
        }
    }

    /// Visits the live dots that `otherContext` has seen but that are not alive in `other`: what a join removes from here.
    @usableFromInline
    func forEach(removedBy other: DotColumns, _ otherContext: CausalContext, _ body: (Dot, _ slot: UInt32) -> Void) {
        guard count > 0 else { return }
        let columns = columns
        otherContext.forEachReplica { replica, known, islands in
            guard let number = number(of: replica) else { return }
            if let theirs = other.number(of: replica) {
                columns[number].forEach(upTo: known, and: islands, notIn: other.columns[theirs]) {
                    body(Dot(replica: replica, counter: $0), $1)
                }
            } else {
                columns[number].forEach(upTo: known, and: islands) { body(Dot(replica: replica, counter: $0), $1) }
            }
        }
    }

    /// Visits the slots of the live dots in their order.
    @usableFromInline
    func forEachSlot(_ body: (_ slot: UInt32) -> Void) {
        for number in order { columns[Int(number)].forEach(in: 1...UInt64.max >> 1) { _, slot in body(slot) } }
    }

    @usableFromInline
    func fingerprint(of replica: ReplicaID) -> UInt64 {
        number(of: replica).map { columns[$0].fingerprint } ?? 0
    }

    /// Whether the same dots are alive in both. Complexity: O(pages).
    @usableFromInline
    func hasSameDots(as other: DotColumns) -> Bool {
        guard count == other.count else { return false }
        for (number, replica) in replicas.enumerated() where columns[number].count > 0 {
            guard let theirs = other.number(of: replica) else { return false }
            guard columns[number].hasSameDots(as: other.columns[theirs]) else { return false }
        }
        return true
    }

    /// Where a replica stands in `order`, or would.
    private func place(of replica: ReplicaID) -> Int {
        // Names are mostly inserted in ascending order, as when decoded.
        if let last = order.last, replicas[Int(last)] < replica { return order.count }
        return order.partitioningIndex { replicas[Int($0)] >= replica }
    }
}
