/// The runs of one writer in the order of their counters, in blocks of bounded size: finding, splitting and inserting cost
/// O(log n) however many there are.
struct RunColumn: Sendable {
    /// Where a run stands.
    struct Index: Equatable {
        var block: Int
        var slot: Int
    }

    static let most = 128

    /// All blocks but the last, and the first counter of each.
    private var blocks: ContiguousArray<ContiguousArray<SequenceRun>> = []
    private var firsts: ContiguousArray<UInt64> = []
    /// The last block, to which the writer's own runs are appended.
    private var tail: ContiguousArray<SequenceRun> = []
    private(set) var count = 0

    init() {}

    init(_ runs: ContiguousArray<SequenceRun>) {
        count = runs.count
        guard count > Self.most else {
            tail = runs
            return
        }
        var begin = 0
        while begin < count {
            let end = min(begin + Self.most * 3 / 4, count)
            if end == count {
                tail = ContiguousArray(runs[begin..<end])
            } else {
                blocks.append(ContiguousArray(runs[begin..<end]))
                firsts.append(runs[begin].start)
            }
            begin = end
        }
    }

    var isEmpty: Bool { count == 0 }
    var last: SequenceRun? { tail.last }
    var lastIndex: Index { Index(block: blocks.count, slot: tail.count - 1) }

    subscript(index: Index) -> SequenceRun {
        @inline(__always) get { index.block < blocks.count ? blocks[index.block][index.slot] : tail[index.slot] }
    }

    /// Changes a run.
    @inline(__always)
    mutating func update(_ index: Index, _ change: (inout SequenceRun) -> Void) {
        if index.block < blocks.count { change(&blocks[index.block][index.slot]) } else { change(&tail[index.slot]) }
    }

    /// Whether there is a run at an index.
    func contains(_ index: Index) -> Bool {
        index.block < blocks.count || index.block == blocks.count && index.slot < tail.count
    }

    func index(after index: Index) -> Index {
        let next = Index(block: index.block, slot: index.slot + 1)
        guard next.block < blocks.count, next.slot == blocks[next.block].count else { return next }
        return Index(block: next.block + 1, slot: 0)
    }

    func index(before index: Index) -> Index? {
        if index.slot > 0 { return Index(block: index.block, slot: index.slot - 1) }
        return index.block > 0 ? Index(block: index.block - 1, slot: blocks[index.block - 1].count - 1) : nil
    }

    /// The index of the first run that ends after a counter; past the end where there is none.
    func firstIndex(endingAfter counter: UInt64) -> Index {
        if blocks.isEmpty || (tail.first.map { $0.start <= counter } ?? false) {
            return Index(block: blocks.count, slot: Self.slot(in: tail, counter))
        }
        let block = max(0, firsts.partitioningIndex { $0 > counter } - 1)
        let slot = Self.slot(in: blocks[block], counter)
        return slot < blocks[block].count ? Index(block: block, slot: slot) : Index(block: block + 1, slot: 0)
    }

    private static func slot(in runs: ContiguousArray<SequenceRun>, _ counter: UInt64) -> Int {
        var (low, high) = (0, runs.count)
        while low < high {
            let middle = (low + high) >> 1
            if runs[middle].end > counter { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// The index of the run that has a counter.
    func index(of counter: UInt64) -> Index? {
        let index = firstIndex(endingAfter: counter)
        return contains(index) && self[index].start <= counter ? index : nil
    }

    mutating func append(_ run: SequenceRun) {
        if tail.count == Self.most { split(blocks.count) }
        tail.append(run)
        count += 1
    }

    /// Inserts a run before an index.
    mutating func insert(_ run: SequenceRun, at index: Index) {
        var index = index
        let size = index.block < blocks.count ? blocks[index.block].count : tail.count
        if size == Self.most {
            split(index.block)
            let half = blocks[index.block].count
            if index.slot > half { index = Index(block: index.block + 1, slot: index.slot - half) }
        }
        if index.block < blocks.count {
            blocks[index.block].insert(run, at: index.slot)
            if index.slot == 0 { firsts[index.block] = run.start }
        } else {
            tail.insert(run, at: index.slot)
        }
        count += 1
    }

    /// Moves the upper half of a block to one of its own.
    private mutating func split(_ block: Int) {
        if block == blocks.count {
            // The writer appends: its full block stays full.
            let half = Self.most * 7 / 8
            let upper = ContiguousArray(tail[half...])
            tail.removeSubrange(half...)
            firsts.append(tail[0].start)
            blocks.append(tail)
            tail = upper
            tail.reserveCapacity(Self.most)
        } else {
            let half = blocks[block].count / 2
            let upper = ContiguousArray(blocks[block][half...])
            blocks[block].removeSubrange(half...)
            firsts.insert(upper[0].start, at: block + 1)
            blocks.insert(upper, at: block + 1)
        }
    }

    /// Removes a run whose elements another one has taken.
    mutating func remove(at index: Index) {
        count -= 1
        guard index.block < blocks.count else {
            tail.remove(at: index.slot)
            if tail.isEmpty, let last = blocks.popLast() {
                tail = last
                firsts.removeLast()
            }
            return
        }
        blocks[index.block].remove(at: index.slot)
        if blocks[index.block].isEmpty {
            blocks.remove(at: index.block)
            firsts.remove(at: index.block)
        } else if index.slot == 0 {
            firsts[index.block] = blocks[index.block][0].start
        }
    }

    /// Visits the runs in order.
    @inline(__always)
    func forEach(_ body: (SequenceRun) -> Void) {
        for block in blocks { for run in block { body(run) } }
        for run in tail { body(run) }
    }
}
