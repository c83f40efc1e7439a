/// What the elements of a sequence are made of.
protocol SequenceContent: SendableMetatype {
    associatedtype Unit: Hashable & Sendable

    /// How many units so many elements take, from an offset on.
    static func units(in content: [Unit], from offset: Int, of elements: UInt64) -> Int
}

/// Elements in Fugue's order: of those alive their content, of those removed where they stood.
///
/// An element that was seen keeps its place for ever, for others may have been inserted beside it. So the dots of the runs here
/// are those of the context, and what a join lets fall is what is removed on either side: every part of a state brings the places of
/// all that it tells of.
struct SequenceStore<Content: SequenceContent>: Sendable {
    var index = SequenceIndex()
    /// What each writer's elements are made of, in the order in which they came here; that of removed ones stays until the state is
    /// read from bytes again.
    var contents: [[Content.Unit]] = []

    init() {}

    /// The slot of a writer, new or not.
    mutating func makeSlot(of replica: ReplicaID) -> UInt32 {
        let slot = index.makeSlot(of: replica)
        while contents.count < index.writers.count { contents.append([]) }
        return slot
    }

    static func measure(_ contents: [[Content.Unit]]) -> SequenceIndex.Measure {
        { writer, offset, elements in
            UInt32(Content.units(in: contents[Int(writer)], from: Int(offset), of: elements))
        }
    }

    mutating func arrange() {
        if !index.isArranged { index.arrange(Self.measure(contents)) }
    }

    /// This store, arranged.
    var arranged: SequenceStore {
        var store = self
        store.arrange()
        return store
    }

    func content(of run: SequenceRun, by writer: UInt32) -> ArraySlice<Content.Unit> {
        contents[Int(writer)][Int(run.offset)..<Int(run.offset) + Int(run.weight)]
    }

    /// Visits the content in order, stretch by stretch; the store must be arranged.
    func forEachStretch(_ body: (ArraySlice<Content.Unit>) -> Void) {
        index.tree.forEach { entry in
            guard entry.weight > 0, let found = index.writers[Int(entry.writer)].runs.index(of: entry.start) else {
                return
            }
            body(content(of: index.writers[Int(entry.writer)].runs[found], by: entry.writer))
        }
    }

    // MARK: Editing

    /// Inserts elements in the name of a replica, which has inserted others up to the counter before.
    mutating func insert(
        _ units: some Collection<Content.Unit>, elements: UInt64, at target: SequencePlace, by replica: ReplicaID,
        from start: UInt64
    ) -> SequenceStore {
        arrange()
        let writer = makeSlot(of: replica)
        var delta = SequenceStore()
        let offset = contents[Int(writer)].count
        require(UInt64(offset + units.count) < 1 << 32, "one writer's content is smaller than 4 GiB")
        contents[Int(writer)].append(contentsOf: units)
        let run = index.insert(
            at: target, by: writer, start, length: elements, weight: UInt32(units.count), offset: UInt32(offset),
            Self.measure(contents))
        delta.append(run, by: writer, content: contents[Int(writer)][offset...], of: index.writers)
        // Somebody waits for what was only now inserted where a writer's own events were forged, or lost.
        if index.unplaced > 0 { place([], nil) }
        return delta
    }

    /// Removes what lies in a range of positions.
    mutating func remove(_ range: Range<Int>, _ fallen: inout FallenDots) -> SequenceStore {
        arrange()
        var fell: [(SequenceRun, UInt32)] = []
        index.remove(range, Self.measure(contents)) { fell.append(($0, $1)) }
        fell.sort { ($0.1, $0.0.start) < ($1.1, $1.0.start) }
        var delta = SequenceStore()
        for (run, writer) in fell {
            fallen.append(index.writers[Int(writer)].replica, run.start...run.last)
            delta.append(run, by: writer, content: [], of: index.writers)
        }
        return delta
    }

    /// Adds a run of another store. Its writer's runs must be added in their order.
    mutating func append(
        _ run: SequenceRun, by writer: UInt32, content: ArraySlice<Content.Unit>, of writers: [SequenceIndex.Writer]
    ) {
        let slot = makeSlot(of: writers[Int(writer)].replica)
        var run = run
        if !run.origin.isBeginning, run.origin.writer != writer {
            run.origin.writer = makeSlot(of: writers[Int(run.origin.writer)].replica)
        } else {
            run.origin.writer = run.origin.isBeginning ? 0 : slot
        }
        run.offset = UInt32(contents[Int(slot)].count)
        run.leaf = SequenceRun.unplaced
        contents[Int(slot)].append(contentsOf: content)
        if run.weight > 0 { index.noteAdded(run.start..<run.end, by: slot) }
        if !index.extendColumn(of: slot, by: run) { index.writers[Int(slot)].runs.append(run) }
    }
}
