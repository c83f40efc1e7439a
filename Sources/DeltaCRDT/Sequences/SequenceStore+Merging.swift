extension SequenceStore {
    typealias Tell = (SequenceChange<ArraySlice<Content.Unit>>) -> Void

    /// The steps that are taken to place runs one by one, or as many as there are runs; beyond, the tree is made again.
    private static var most: Int { 1 << 12 }

    private static var mostUnarranged: Int { 32 }

    /// Joins another state's store, and tells of what can be seen; says whether anything changed.
    mutating func join(_ other: SequenceStore, _ fallen: inout FallenDots, _ tell: Tell?) -> Bool {
        // A state that keeps growing is a document, and not a delta on its way: it is kept in order.
        let isDue = index.runsToArrangement <= 0 && !index.isArranged && index.runCount > Self.mostUnarranged
        if isDue || tell != nil && !index.isArranged { arrange() }
        // Writers are named here as they are there, or the runs that come would stand on others.
        let slots = other.index.writers.map { makeSlot(of: $0.replica) }
        var falls: [(UInt32, Range<UInt64>)] = []
        let fresh = insertRuns(of: other, slots, &falls)
        index.runsToArrangement -= min(index.runsToArrangement, fresh.count)
        if !fresh.isEmpty { place(fresh, tell, stepsMax: other.index.stepsMax) }
        for (writer, counters) in falls {
            fallen.append(index.writers[Int(writer)].replica, counters.lowerBound...counters.upperBound - 1)
            fall(counters, of: writer, tell)
        }
        return !fresh.isEmpty || !falls.isEmpty
    }

    // MARK: Runs

    /// Adds to the columns what is new, and notes what fell.
    private mutating func insertRuns(
        of other: SequenceStore, _ slots: [UInt32], _ falls: inout [(UInt32, Range<UInt64>)]
    ) -> [(start: UInt64, writer: UInt32)] {
        var fresh: [(start: UInt64, writer: UInt32)] = []
        for (slot, writer) in other.index.writers.enumerated() {
            let mine = slots[slot]
            writer.runs.forEach { run in
                var start = run.start
                while start < run.end {
                    let known = index.writers[Int(mine)].runs.known(from: start, before: run.end)
                    if start < known.lowerBound {
                        insertRun(other, run, UInt32(slot), start..<known.lowerBound, slots)
                        fresh.append((start, mine))
                    }
                    if run.isRemoved { noteFalls(in: known, by: mine, &falls) }
                    start = known.upperBound
                }
            }
        }
        return fresh
    }

    private func noteFalls(in counters: Range<UInt64>, by writer: UInt32, _ falls: inout [(UInt32, Range<UInt64>)]) {
        index.forEachRun(in: counters, by: writer) { run in
            if !run.isRemoved {
                falls.append((writer, max(run.start, counters.lowerBound)..<min(run.end, counters.upperBound)))
            }
        }
    }

    private mutating func insertRun(
        _ other: SequenceStore, _ run: SequenceRun, _ slot: UInt32, _ counters: Range<UInt64>, _ slots: [UInt32]
    ) {
        let writer = slots[Int(slot)]
        let (part, content) = other.part(run, slot, counters)
        var new = part
        new.origin.writer = part.origin.isBeginning ? 0 : slots[Int(part.origin.writer)]
        new.leaf = SequenceRun.unplaced
        new.offset = UInt32(contents[Int(writer)].count)
        contents[Int(writer)].append(contentsOf: content)
        if !new.isRemoved { index.noteAdded(counters, by: writer) }
        if !index.isArranged, index.extendColumn(of: writer, by: new) { return }
        index.append(new, by: writer)
    }

    /// A part of a run, and its content.
    func part(
        _ run: SequenceRun, _ writer: UInt32, _ counters: Range<UInt64>
    ) -> (run: SequenceRun, content: ArraySlice<Content.Unit>) {
        let measure = Self.measure(contents)
        var part = run
        if counters.upperBound < part.end {
            let length = counters.upperBound - part.start
            part = part.prefix(length, units: index.units(of: part, first: length, by: writer, measure))
        }
        if counters.lowerBound > part.start {
            let length = counters.lowerBound - part.start
            let units = index.units(of: part, first: length, by: writer, measure)
            part = part.suffix(from: length, units: units, of: writer)
        }
        return (part, content(of: part, by: writer))
    }

    // MARK: Places

    /// Places what is new, and what waited for it.
    mutating func place(_ fresh: [(start: UInt64, writer: UInt32)], _ tell: Tell?, stepsMax: Int? = nil) {
        guard index.isArranged else { return }
        var fresh = fresh
        var isLong = fresh.count > index.tree.count / 8 + 16 || index.unplaced > SequenceIndex.mostWaiting
        if !isLong, index.unplaced > 0 {
            fresh += index.waiting
            (index.waiting, index.unplaced) = ([], 0)
        }
        if !isLong, !placeEach(fresh, tell, stepsMax) {
            isLong = true
            index.runsToArrangement = index.runCount
        }
        if isLong { rearrange(tell) }
    }

    /// Places runs one by one, each after its origin; false where that takes too long.
    private mutating func placeEach(
        _ fresh: [(start: UInt64, writer: UInt32)], _ tell: Tell?, _ stepsMax: Int?
    ) -> Bool {
        var budget = stepsMax.map { $0 + 16 * fresh.count } ?? max(Self.most, index.tree.count)
        var rest = Array(fresh.reversed())
        var asked: Set<Dot> = []
        while let (start, writer) = rest.last {
            guard index.place(of: start, by: writer) == nil, let run = index.run(of: start, by: writer) else {
                rest.removeLast()
                continue
            }
            let origin = run.origin
            if !origin.isBeginning, index.place(of: origin.counter, by: origin.writer) == nil {
                // The origin is to come, or is not known.
                let dot = Dot(replica: index.writers[Int(writer)].replica, counter: start)
                if let parent = index.run(of: origin.counter, by: origin.writer), asked.insert(dot).inserted {
                    rest.append((parent.start, origin.writer))
                } else {
                    index.noteUnplaced(start, by: writer)
                    rest.removeLast()
                }
                continue
            }
            guard let place = index.place(start, by: writer, budget: &budget, Self.measure(contents)) else {
                return false
            }
            rest.removeLast()
            if let tell, !run.isRemoved {
                tell(.inserted(content(of: run, by: writer), at: index.tree.weight(before: place)))
            }
            index.joinWithPrevious(place)
        }
        return true
    }

    /// Makes the tree again, and tells what can be seen that could not.
    private mutating func rearrange(_ tell: Tell?) {
        let before = index
        index.isArranged = false
        guard let tell else { return }
        arrange()
        tellDifference(from: before, tell)
    }

    /// Walks what was to be seen and what is: of elements that are in both, the order is the same.
    private func tellDifference(from before: SequenceIndex, _ tell: Tell) {
        var position = 0
        var old: [(start: UInt64, end: UInt64, writer: UInt32)] = []
        before.tree.forEach { if $0.weight > 0 { old.append(($0.start, $0.start + $0.length, $0.writer)) } }
        var next = 0
        index.tree.forEach { entry in
            guard entry.weight > 0, let run = index.run(of: entry.start, by: entry.writer) else { return }
            var start = entry.start
            while start < run.end {
                var end = run.end
                var isOld = false
                if next < old.count, old[next].writer == entry.writer, old[next].start == start {
                    isOld = true
                    end = min(end, old[next].end)
                    old[next].start = end
                    if old[next].start == old[next].end { next += 1 }
                } else if next < old.count, old[next].writer == entry.writer, (start..<end).contains(old[next].start) {
                    end = old[next].start
                }
                let content = part(run, entry.writer, start..<end).content
                if !isOld { tell(.inserted(content, at: position)) }
                position += content.count
                start = end
            }
        }
    }

    /// Lets elements fall that are alive here.
    private mutating func fall(_ counters: Range<UInt64>, of writer: UInt32, _ tell: Tell?) {
        let measure = Self.measure(contents)
        var start = counters.lowerBound
        while start < counters.upperBound, var run = index.run(of: start, by: writer) {
            guard index.isArranged, var place = index.place(of: start, by: writer) else {
                start = index.fallUnplaced(start..<min(counters.upperBound, run.end), by: writer, measure)
                continue
            }
            if start > run.start { place = index.cut(place, after: start - run.start, measure) }
            if counters.upperBound < run.end {
                let second = index.cut(place, after: counters.upperBound - start, measure)
                place = index.tree.place(before: second) ?? place
            }
            run = index.run(of: start, by: writer) ?? run
            start = run.end
            if let tell {
                let position = index.tree.weight(before: place)
                tell(.removed(position..<position + Int(run.weight)))
            }
            index.fall(place) { _, _ in }
        }
    }
}

extension SequenceIndex {
    /// The run that has an element.
    func run(of counter: UInt64, by writer: UInt32) -> SequenceRun? {
        writers[Int(writer)].runs.index(of: counter).map { writers[Int(writer)].runs[$0] }
    }

    /// Lets the last run of a column grow by one that goes on with it, if it does.
    mutating func extendColumn(of writer: UInt32, by run: SequenceRun) -> Bool {
        guard let last = writers[Int(writer)].runs.last, last.end == run.start, run.isContinuation(of: writer),
            last.isRemoved == run.isRemoved, last.canTake(run)
        else { return false }
        writers[Int(writer)].runs.update(writers[Int(writer)].runs.lastIndex) { $0.take(run) }
        return true
    }

    /// Visits the runs that have elements of a range.
    @inline(__always)
    func forEachRun(in counters: Range<UInt64>, by writer: UInt32, _ body: (SequenceRun) -> Void) {
        let runs = writers[Int(writer)].runs
        var next = runs.firstIndex(endingAfter: counters.lowerBound)
        while runs.contains(next), runs[next].start < counters.upperBound {
            body(runs[next])
            next = runs.index(after: next)
        }
    }

    /// Notes that a run is not in the tree, for its origin is not.
    mutating func noteUnplaced(_ start: UInt64, by writer: UInt32) {
        unplaced += 1
        if unplaced <= Self.mostWaiting { waiting.append((start, writer)) }
    }

    /// Lets elements of one run fall that are in no tree; returns the counter after them.
    mutating func fallUnplaced(_ counters: Range<UInt64>, by writer: UInt32, _ measure: Measure) -> UInt64 {
        guard var run = run(of: counters.lowerBound, by: writer) else { return counters.upperBound }
        for bound in [counters.lowerBound, counters.upperBound] where bound > run.start && bound < run.end {
            cutColumn(writer, at: bound, units: units(of: run, first: bound - run.start, by: writer, measure))
            noteUnplaced(bound, by: writer)
            run = self.run(of: counters.lowerBound, by: writer) ?? run
        }
        guard let index = writers[Int(writer)].runs.index(of: counters.lowerBound) else { return counters.upperBound }
        writers[Int(writer)].runs.update(index) { $0.weight = 0 }
        noteRemoved(counters, by: writer)
        return counters.upperBound
    }
}
