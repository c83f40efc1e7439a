extension SequenceIndex {
    // MARK: Making

    /// Makes the tree, where it is not what the runs say: a walk of Fugue's tree from the beginning, in which every node stands after its left children
    /// and before its right ones, and children of one side stand in the order of their dots. O(n) for n runs and O(log n) for each run's
    /// parent.
    mutating func arrange(_ measure: Measure) {
        guard !isArranged else { return }
        isArranged = true
        cutAtOrigins(measure)
        let order = sortedSlots
        var bases = [Int](repeating: 0, count: writers.count)
        var runs: ContiguousArray<SequenceRun> = []
        var owners: ContiguousArray<UInt32> = []
        runs.reserveCapacity(runCount)
        owners.reserveCapacity(runCount)
        for slot in order {
            bases[slot] = runs.count
            writers[slot].runs.forEach {
                runs.append($0)
                owners.append(UInt32(slot))
            }
        }
        let family = Family(runs, owners, bases, writers.map { $0.runs.count })
        let sequence = family.walk()
        var entries: ContiguousArray<RunTree.Entry> = []
        entries.reserveCapacity(sequence.count)
        for run in sequence {
            entries.append(
                RunTree.Entry(
                    start: runs[run].start, length: runs[run].length, writer: owners[run], weight: runs[run].weight,
                    hasLeft: family.hasLeft(run), hasRight: family.hasRight(run)))
        }
        for run in runs.indices { runs[run].leaf = SequenceRun.unplaced }
        var position = 0
        tree = RunTree(entries) { _, leaf in
            runs[sequence[position]].leaf = leaf
            position += 1
        }
        unplaced = 0
        waiting = []
        if runs.count > sequence.count {
            for (run, writer) in zip(runs, owners) where run.leaf == SequenceRun.unplaced {
                noteUnplaced(run.start, by: writer)
            }
        }
        for slot in writers.indices {
            let end = bases[slot] + writers[slot].runs.count
            writers[slot].runs = RunColumn(ContiguousArray(runs[bases[slot]..<end]))
        }
    }

    /// Cuts every run at the elements that others were inserted beside, so that each origin is the first or last element of a run.
    private mutating func cutAtOrigins(_ measure: Measure) {
        var cuts = [ContiguousArray<UInt64>](repeating: [], count: writers.count)
        for (slot, writer) in writers.enumerated() {
            writer.runs.forEach { run in
                guard !run.origin.isBeginning, !run.isContinuation(of: UInt32(slot)) else { return }
                cuts[Int(run.origin.writer)].append(run.origin.counter + (run.origin.isLeft ? 0 : 1))
            }
        }
        for slot in writers.indices where !cuts[slot].isEmpty {
            cuts[slot].sort()
            let old = writers[slot].runs
            var new: ContiguousArray<SequenceRun> = []
            new.reserveCapacity(old.count + cuts[slot].count)
            var next = 0
            old.forEach { run in
                var rest = run
                while next < cuts[slot].count, cuts[slot][next] <= rest.start { next += 1 }
                while next < cuts[slot].count, cuts[slot][next] < rest.end {
                    let length = cuts[slot][next] - rest.start
                    let units = units(of: rest, first: length, by: UInt32(slot), measure)
                    new.append(rest.prefix(length, units: units))
                    rest = rest.suffix(from: length, units: units, of: UInt32(slot))
                    while next < cuts[slot].count, cuts[slot][next] <= rest.start { next += 1 }
                }
                new.append(rest)
            }
            if new.count > old.count { writers[slot].runs = RunColumn(new) }
        }
    }

    /// Every run's children, by side, in the order of their dots.
    private struct Family {
        /// By twice the run, plus 1 for right children; those of the beginning come last.
        private var starts: ContiguousArray<Int32>
        private var members: ContiguousArray<Int32>
        private let count: Int

        init(
            _ runs: ContiguousArray<SequenceRun>, _ owners: ContiguousArray<UInt32>, _ bases: [Int], _ counts: [Int]
        ) {
            count = runs.count
            var parents = ContiguousArray<Int32>(repeating: -1, count: runs.count)
            starts = ContiguousArray(repeating: 0, count: runs.count * 2 + 2)
            for (index, run) in runs.enumerated() {
                let parent = Self.parent(of: run, index, runs, owners, bases, counts)
                guard let parent else { continue }
                parents[index] = Int32(parent)
                starts[parent + 1] += 1
            }
            for index in 1..<starts.count { starts[index] += starts[index - 1] }
            members = ContiguousArray(repeating: 0, count: Int(starts[starts.count - 1]))
            // Runs are in the order of their dots, and so are the members of each family.
            var next = starts
            for (index, parent) in parents.enumerated() where parent >= 0 {
                members[Int(next[Int(parent)])] = Int32(index)
                next[Int(parent)] += 1
            }
        }

        private static func parent(
            of run: SequenceRun, _ index: Int, _ runs: ContiguousArray<SequenceRun>, _ owners: ContiguousArray<UInt32>,
            _ bases: [Int], _ counts: [Int]
        ) -> Int? {
            if run.origin.isBeginning { return run.origin.isLeft ? nil : runs.count * 2 }
            let (counter, writer) = (run.origin.counter, Int(run.origin.writer))
            if index > 0, owners[index - 1] == run.origin.writer, runs[index - 1].last == counter, !run.origin.isLeft {
                return (index - 1) * 2 + 1
            }
            let range = bases[writer]..<bases[writer] + counts[writer]
            let found = runs[range].partitioningIndex { $0.end > counter }
            guard found < range.upperBound, runs[found].start <= counter else { return nil }
            return found * 2 + (run.origin.isLeft ? 0 : 1)
        }

        func hasLeft(_ run: Int) -> Bool { starts[run * 2] < starts[run * 2 + 1] }
        func hasRight(_ run: Int) -> Bool { starts[run * 2 + 1] < starts[run * 2 + 2] }

        /// The runs that hang together from the beginning on, in the order of the sequence.
        func walk() -> ContiguousArray<Int> {
            var sequence: ContiguousArray<Int> = []
            sequence.reserveCapacity(count)
            // A run, or its complement where its left children have come.
            var rest: ContiguousArray<Int32> = []
            func push(_ family: Int) {
                var index = starts[family + 1]
                while index > starts[family] {
                    index -= 1
                    rest.append(members[Int(index)])
                }
            }
            push(count * 2)
            while let next = rest.popLast() {
                let run = Int(next < 0 ? ~next : next)
                if next >= 0, hasLeft(run) {
                    rest.append(~next)
                    push(run * 2)
                } else {
                    sequence.append(run)
                    push(run * 2 + 1)
                }
            }
            return sequence
        }
    }

    // MARK: Changing

    /// Puts an entry into the tree, and notes in the columns what moved to another leaf.
    @discardableResult
    mutating func insertEntry(_ entry: RunTree.Entry, at place: RunTree.Place) -> RunTree.Place {
        let (inserted, newLeaf) = tree.insert(entry, at: place)
        if let newLeaf {
            for slot in 0..<tree.count(of: newLeaf) {
                let moved = tree[.init(leaf: newLeaf, slot: slot)]
                setLeaf(newLeaf, of: moved.start, by: moved.writer)
            }
        }
        return inserted
    }

    /// Cuts an entry, and the run of its column, after so many elements; returns the place of the second part.
    mutating func cut(_ place: RunTree.Place, after elements: UInt64, _ measure: Measure) -> RunTree.Place {
        let entry = tree[place]
        let counter = entry.start + elements
        var units: UInt32 = 0
        if entry.weight > 0, let index = writers[Int(entry.writer)].runs.index(of: counter) {
            units = self.units(
                of: writers[Int(entry.writer)].runs[index], first: elements, by: entry.writer, measure)
        }
        cutColumn(entry.writer, at: counter, units: units)
        tree.update(place) {
            $0.length = elements
            $0.weight = units
            $0.hasRight = true
        }
        let rest = RunTree.Entry(
            start: counter, length: entry.length - elements, writer: entry.writer,
            weight: entry.weight > 0 ? entry.weight - units : 0, hasLeft: false, hasRight: entry.hasRight)
        let second = insertEntry(rest, at: .init(leaf: place.leaf, slot: place.slot + 1))
        setLeaf(second.leaf, of: counter, by: entry.writer)
        return second
    }

    /// Joins an entry with the one before it, where both are of one run again.
    mutating func joinWithPrevious(_ place: RunTree.Place) {
        guard place.slot > 0 else { return }
        let (left, right) = (tree[.init(leaf: place.leaf, slot: place.slot - 1)], tree[place])
        guard left.writer == right.writer, left.start + left.length == right.start, !right.hasLeft,
            (left.weight == 0) == (right.weight == 0)
        else { return }
        if writers[Int(right.writer)].runs.joinWithPrevious(right.start, of: right.writer) { tree.join(place) }
    }
}

extension SequenceRun {
    /// The most elements of a run in which an element may take several units: counting them must not take long.
    static let mostWide: UInt64 = 512

    /// Grows by one that goes on with this one.
    mutating func take(_ next: SequenceRun) {
        length += next.length
        weight += next.weight
    }

    /// Whether the content of a run goes on with another's.
    func canTake(_ next: SequenceRun) -> Bool {
        if isRemoved { return true }
        let isPlain = weight == length && next.weight == next.length && length + next.length < 1 << 30
        return offset + weight == next.offset && (isPlain || length + next.length <= Self.mostWide)
    }
}
