/// The runs of one writer in the order of their counters, in blocks of bounded size: finding, splitting and inserting cost
/// O(log n) however many there are.
struct RunColumn: Sendable {
    /// Where a run stands.
    struct Index: Equatable {
        var block: Int
        var slot: Int
    }

    static let most = 128

    private struct Block: Sendable {
        /// The first counter.
        var first: UInt64
        var runs: ContiguousArray<SequenceRun>

        init(_ runs: ContiguousArray<SequenceRun>) { (first, self.runs) = (runs[0].start, runs) }
    }

    /// All blocks but the last.
    private var blocks: ContiguousArray<Block> = []
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
                blocks.append(Block(ContiguousArray(runs[begin..<end])))
            }
            begin = end
        }
    }

    var isEmpty: Bool { count == 0 }
    var last: SequenceRun? { tail.last }
    var lastIndex: Index { Index(block: blocks.count, slot: tail.count - 1) }

    subscript(index: Index) -> SequenceRun {
        @inline(__always) get { index.block < blocks.count ? blocks[index.block].runs[index.slot] : tail[index.slot] }
    }

    /// Changes a run.
    @inline(__always)
    mutating func update(_ index: Index, _ change: (inout SequenceRun) -> Void) {
        if index.block < blocks.count {
            change(&blocks[index.block].runs[index.slot])
        } else {
            change(&tail[index.slot])
        }
    }

    /// Whether there is a run at an index.
    func contains(_ index: Index) -> Bool {
        index.block < blocks.count || index.block == blocks.count && index.slot < tail.count
    }

    func index(after index: Index) -> Index {
        let next = Index(block: index.block, slot: index.slot + 1)
        guard next.block < blocks.count, next.slot == blocks[next.block].runs.count else { return next }
        return Index(block: next.block + 1, slot: 0)
    }

    func index(before index: Index) -> Index? {
        if index.slot > 0 { return Index(block: index.block, slot: index.slot - 1) }
        return index.block > 0 ? Index(block: index.block - 1, slot: blocks[index.block - 1].runs.count - 1) : nil
    }

    /// The index of the first run that ends after a counter; past the end where there is none.
    func firstIndex(endingAfter counter: UInt64) -> Index {
        if blocks.isEmpty || (tail.first.map { $0.start <= counter } ?? false) {
            return Index(block: blocks.count, slot: Self.slot(in: tail, counter))
        }
        let block = max(0, blocks.partitioningIndex { $0.first > counter } - 1)
        let slot = Self.slot(in: blocks[block].runs, counter)
        return slot < blocks[block].runs.count ? Index(block: block, slot: slot) : Index(block: block + 1, slot: 0)
    }

    private static func slot(in runs: ContiguousArray<SequenceRun>, _ counter: UInt64) -> Int {
        var (low, high) = (0, runs.count)
        while low < high {
            let middle = (low + high) >> 1
            if runs[middle].end > counter { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// The first elements of a range that are here, as far as they are in a row; where none is, the range's end.
    func known(from start: UInt64, before end: UInt64) -> Range<UInt64> {
        if (last?.end ?? 0) <= start { return end..<end }
        var next = firstIndex(endingAfter: start)
        guard contains(next), self[next].start < end else { return end..<end }
        let first = max(start, self[next].start)
        var last = min(end, self[next].end)
        while last < end {
            next = index(after: next)
            guard contains(next), self[next].start == last else { break }
            last = min(end, self[next].end)
        }
        return first..<last
    }

    /// The index of the run that has a counter.
    func index(of counter: UInt64) -> Index? {
        let index = firstIndex(endingAfter: counter)
        return contains(index) && self[index].start <= counter ? index : nil
    }

    mutating func append(_ run: SequenceRun) {
        if tail.count == Self.most { split(blocks.count) }
        if tail.isEmpty { tail = [run] } else { tail.append(run) }
        count += 1
    }

    /// Inserts a run before an index.
    mutating func insert(_ run: SequenceRun, at index: Index) {
        var index = index
        let size = index.block < blocks.count ? blocks[index.block].runs.count : tail.count
        if size == Self.most {
            split(index.block)
            let half = blocks[index.block].runs.count
            if index.slot > half { index = Index(block: index.block + 1, slot: index.slot - half) }
        }
        if index.block < blocks.count {
            blocks[index.block].runs.insert(run, at: index.slot)
            if index.slot == 0 { blocks[index.block].first = run.start }
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
            blocks.append(Block(tail))
            tail = upper
            tail.reserveCapacity(Self.most)
        } else {
            let half = blocks[block].runs.count / 2
            let upper = Block(ContiguousArray(blocks[block].runs[half...]))
            blocks[block].runs.removeSubrange(half...)
            blocks.insert(upper, at: block + 1)
        }
    }

    /// Lets the run that begins at a counter be taken by the one before it, where both are one run again; says whether they were.
    mutating func joinWithPrevious(_ counter: UInt64, of writer: UInt32) -> Bool {
        guard let second = index(of: counter), let first = index(before: second) else { return false }
        let run = self[second]
        guard run.isContinuation(of: writer), self[first].canTake(run) else { return false }
        update(first) { $0.take(run) }
        remove(at: second)
        return true
    }

    /// Removes a run whose elements another one has taken.
    private mutating func remove(at index: Index) {
        count -= 1
        guard index.block < blocks.count else {
            tail.remove(at: index.slot)
            if tail.isEmpty, let last = blocks.popLast() {
                tail = last.runs
            }
            return
        }
        blocks[index.block].runs.remove(at: index.slot)
        if blocks[index.block].runs.isEmpty {
            blocks.remove(at: index.block)
        } else if index.slot == 0 {
            blocks[index.block].first = blocks[index.block].runs[0].start
        }
    }

    /// Visits the runs in order.
    @inline(__always)
    func forEach(_ body: (SequenceRun) -> Void) {
        for block in blocks { for run in block.runs { body(run) } }
        for run in tail { body(run) }
    }
}
