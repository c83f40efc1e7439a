/// Where something is inserted.
enum SequencePlace {
    /// Behind the unit before a position.
    case position(Int)
    /// Behind an element that has a place, removed or not.
    case after(counter: UInt64, writer: UInt32)
}

extension SequenceIndex {
    /// Inserts elements of a writer, who has inserted others up to the counter before; returns the run, as a delta brings it.
    /// O(log n), where the tree is here.
    mutating func insert(
        at target: SequencePlace, by writer: UInt32, _ start: UInt64, length: UInt64, weight: UInt32, offset: UInt32,
        _ measure: Measure
    ) -> SequenceRun {
        var run = SequenceRun(
            start: start, origin: .beginning, weight: weight, length: length, offset: offset,
            leaf: SequenceRun.unplaced)
        noteAdded(start..<start + length, by: writer)
        var entry = RunTree.Entry(start: start, length: length, writer: writer, weight: weight)
        var place: RunTree.Place
        if let (before, elements) = find(target, measure) {
            let left = tree[before]
            if elements < left.length {
                place = cut(before, after: elements, measure)
                run.origin = .init(leftOf: left.start + elements, by: left.writer)
            } else if left.hasRight, let next = tree.place(after: before) {
                place = next
                run.origin = .init(leftOf: tree[next].start, by: tree[next].writer)
            } else {
                run.origin = .init(rightOf: left.last, by: left.writer)
                if extend(before, by: run, of: writer) { return run }
                tree.update(before) { $0.hasRight = true }
                place = .init(leaf: before.leaf, slot: before.slot + 1)
            }
        } else if let first = tree.first {
            place = first
            run.origin = .init(leftOf: tree[first].start, by: tree[first].writer)
        } else {
            place = .init(leaf: 0, slot: 0)
        }
        if run.origin.isLeft { tree.update(place) { $0.hasLeft = true } }
        entry.hasRight = false
        run.leaf = insertEntry(entry, at: place).leaf
        append(run, by: writer)
        run.leaf = SequenceRun.unplaced
        return run
    }

    /// The run behind whose first elements something is inserted, and how many these are; nil at the beginning.
    private func find(_ target: SequencePlace, _ measure: Measure) -> (place: RunTree.Place, elements: UInt64)? {
        switch target {
        case .position(let position):
            guard position > 0 else { return nil }
            let (place, units) = tree.place(ofUnitEndingAt: position)
            let left = tree[place]
            return (place, units < left.weight ? elements(of: left, in: UInt32(units), measure) : left.length)
        case .after(let counter, let writer):
            return place(of: counter, by: writer).map { ($0, counter - tree[$0].start + 1) }
        }
    }

    /// Where what is inserted right behind an element belongs in Fugue's tree, as `insert` has it; nil where the element has no place.
    /// O(log n).
    func origin(behind counter: UInt64, by writer: UInt32) -> SequenceOrigin? {
        guard let place = place(of: counter, by: writer) else { return nil }
        let entry = tree[place]
        if counter < entry.last { return SequenceOrigin(leftOf: counter + 1, by: writer) }
        guard entry.hasRight, let next = tree.place(after: place) else {
            return SequenceOrigin(rightOf: counter, by: writer)
        }
        return SequenceOrigin(leftOf: tree[next].start, by: tree[next].writer)
    }

    /// Lets the run at a place grow by one that goes on with it, if it does.
    private mutating func extend(_ place: RunTree.Place, by run: SequenceRun, of writer: UInt32) -> Bool {
        guard run.isContinuation(of: writer), !writers[Int(writer)].runs.isEmpty else { return false }
        let index = writers[Int(writer)].runs.lastIndex
        let last = writers[Int(writer)].runs[index]
        guard last.end == run.start, !last.isRemoved, last.canTake(run) else { return false }
        writers[Int(writer)].runs.update(index) { $0.take(run) }
        tree.update(place) {
            $0.length += run.length
            $0.weight += run.weight
        }
        return true
    }

    /// Adds a run to its column, after all others of its writer or among them.
    mutating func append(_ run: SequenceRun, by writer: UInt32) {
        if let last = writers[Int(writer)].runs.last, last.end > run.start {
            writers[Int(writer)].runs.insert(run, at: writers[Int(writer)].runs.firstIndex(endingAfter: run.start))
        } else {
            writers[Int(writer)].runs.append(run)
        }
    }

    /// How many elements of an entry take so many units, from its beginning.
    func elements(of entry: RunTree.Entry, in units: UInt32, _ measure: Measure) -> UInt64 {
        guard entry.weight != entry.length, let index = writers[Int(entry.writer)].runs.index(of: entry.start) else {
            return UInt64(units)
        }
        // Runs of elements that take several units are short.
        let offset = writers[Int(entry.writer)].runs[index].offset
        var (low, high): (UInt64, UInt64) = (0, entry.length)
        while low < high {
            let middle = (low + high + 1) / 2
            if measure(entry.writer, offset, middle) <= units { low = middle } else { high = middle - 1 }
        }
        require(measure(entry.writer, offset, low) == units, "a position lies between elements")
        return low
    }

    /// Removes the elements whose units lie in a range of positions; calls with each run that fell, as it is now. O(log n) for each.
    mutating func remove(
        _ range: Range<Int>, _ measure: Measure, _ body: (_ run: SequenceRun, _ writer: UInt32) -> Void
    ) {
        var rest = range.count
        while rest > 0 {
            let (found, ending) = tree.place(ofUnitEndingAt: range.lowerBound + 1)
            var place = found
            if ending > 1 {
                let before = elements(of: tree[place], in: UInt32(ending - 1), measure)
                if before > 0 { place = cut(place, after: before, measure) }
            }
            if Int(tree[place].weight) > rest {
                let taken = elements(of: tree[place], in: UInt32(rest), measure)
                let second = cut(place, after: taken, measure)
                place = tree.place(before: second) ?? place
            }
            rest -= Int(tree[place].weight)
            fall(place, body)
        }
    }

    /// Lets the run at a place fall.
    mutating func fall(_ place: RunTree.Place, _ body: (_ run: SequenceRun, _ writer: UInt32) -> Void) {
        let entry = tree[place]
        guard let index = writers[Int(entry.writer)].runs.index(of: entry.start) else { return }
        writers[Int(entry.writer)].runs.update(index) { $0.weight = 0 }
        tree.update(place) { $0.weight = 0 }
        noteRemoved(entry.start..<entry.start + entry.length, by: entry.writer)
        body(writers[Int(entry.writer)].runs[index], entry.writer)
        if let next = tree.place(after: place), next.leaf == place.leaf { joinWithPrevious(next) }
        joinWithPrevious(place)
    }
}
