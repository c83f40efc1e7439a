/// Who inserted what where: the runs of each writer by counter, and once somebody has to know it, all of them in order.
///
/// A delta is runs alone. The tree is made of them when something is read or written by its position, kept up to date from then on, and
/// made again where that is cheaper; it is no part of the value.
struct SequenceIndex: Sendable {
    /// What one writer inserted.
    struct Writer: Sendable {
        let replica: ReplicaID
        var runs = RunColumn()
        /// How many elements are alive.
        var alive = 0
        /// The sum of the live elements' fingerprints, once it was asked for.
        var fingerprint: UInt64?
    }

    /// Tells how many units of a writer's content, from an offset on, so many elements take; asked only where an element may take several.
    typealias Measure = (_ writer: UInt32, _ offset: UInt32, _ elements: UInt64) -> UInt32

    var writers: [Writer] = []
    private var slots: [ReplicaID: UInt32] = [:]
    var tree = RunTree()
    /// Whether the tree is what the runs say.
    var isArranged = false
    /// How many runs are not in the tree, because their origin is not, and the first of them.
    var unplaced = 0
    var waiting: [(start: UInt64, writer: UInt32)] = []

    /// How many runs are still added before all are put in order again. More than 0 only where so many stood at one place that it took long.
    var runsToArrangement = 0
    /// The steps that may be taken to find places where these runs are joined to others, besides some for each of them; nil for as many as
    /// there are others.
    var stepsMax: Int?

    static let mostWaiting = 64

    init() {}

    // MARK: Writers

    /// The slot of a writer.
    func slot(of replica: ReplicaID) -> UInt32? {
        if writers.count > 8 { return slots[replica] }
        return writers.firstIndex { $0.replica == replica }.map { UInt32($0) }
    }

    mutating func makeSlot(of replica: ReplicaID) -> UInt32 {
        if let slot = slot(of: replica) { return slot }
        writers.append(Writer(replica: replica))
        if writers.count == 9 {
            for (slot, writer) in writers.enumerated() { slots[writer.replica] = UInt32(slot) }
        } else if writers.count > 9 {
            slots[replica] = UInt32(writers.count - 1)
        }
        return UInt32(writers.count - 1)
    }

    /// The slots in the order of the replicas.
    var sortedSlots: [Int] {
        // Most deltas are of one writer.
        writers.count == 1 ? [0] : writers.indices.sorted { [writers] in writers[$0].replica < writers[$1].replica }
    }

    /// How many elements are alive.
    var alive: Int { writers.reduce(0) { $0 + $1.alive } }

    var runCount: Int { writers.reduce(0) { $0 + $1.runs.count } }

    /// Whether one element's dot is less than another's.
    func isOrdered(_ counter: UInt64, by writer: UInt32, before other: UInt64, by otherWriter: UInt32) -> Bool {
        writer == otherWriter
            ? counter < other : writers[Int(writer)].replica < writers[Int(otherWriter)].replica
    }

    // MARK: Counting

    mutating func noteAdded(_ counters: Range<UInt64>, by writer: UInt32) {
        writers[Int(writer)].alive += counters.count
        if let sum = writers[Int(writer)].fingerprint {
            writers[Int(writer)].fingerprint = sum &+ fingerprint(of: counters, by: writer)
        }
    }

    mutating func noteRemoved(_ counters: Range<UInt64>, by writer: UInt32) {
        writers[Int(writer)].alive -= counters.count
        if let sum = writers[Int(writer)].fingerprint {
            writers[Int(writer)].fingerprint = sum &- fingerprint(of: counters, by: writer)
        }
    }

    func fingerprint(of counters: Range<UInt64>, by writer: UInt32) -> UInt64 {
        let salt = writers[Int(writer)].replica.fingerprintSalt
        var sum: UInt64 = 0
        for counter in counters { sum &+= Dot.fingerprint(salt: salt, counter: counter) }
        return sum
    }

    // MARK: Runs

    /// How many units the first elements of a run take.
    @inline(__always)
    func units(of run: SequenceRun, first elements: UInt64, by writer: UInt32, _ measure: Measure) -> UInt32 {
        if run.isRemoved { return 0 }
        return run.weight == run.length ? UInt32(elements) : measure(writer, run.offset, elements)
    }

    /// Cuts a run of a column in two where the tree cuts it too.
    mutating func cutColumn(_ writer: UInt32, at counter: UInt64, units: UInt32) {
        guard let index = writers[Int(writer)].runs.index(of: counter) else { return }
        let run = writers[Int(writer)].runs[index]
        let length = counter - run.start
        let rest = run.suffix(from: length, units: units, of: writer)
        writers[Int(writer)].runs.update(index) { $0 = run.prefix(length, units: units) }
        writers[Int(writer)].runs.insert(rest, at: .init(block: index.block, slot: index.slot + 1))
    }

    /// Notes in which leaf a run stands.
    mutating func setLeaf(_ leaf: UInt32, of counter: UInt64, by writer: UInt32) {
        guard let index = writers[Int(writer)].runs.index(of: counter) else { return }
        writers[Int(writer)].runs.update(index) { $0.leaf = leaf }
    }

    /// Where an element stands in the tree; nil where it is not known, or not placed.
    func place(of counter: UInt64, by writer: UInt32) -> RunTree.Place? {
        guard let index = writers[Int(writer)].runs.index(of: counter) else { return nil }
        let leaf = writers[Int(writer)].runs[index].leaf
        return leaf == SequenceRun.unplaced ? nil : tree.place(of: counter, by: writer, in: leaf)
    }
}
