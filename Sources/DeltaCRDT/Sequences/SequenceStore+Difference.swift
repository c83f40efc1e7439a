extension SequenceStore {
    /// Tells what turns what is seen of this arranged store into what is seen of another, arranged too: of elements that both show,
    /// nothing is told. Each change is true after those before it, and they ascend.
    ///
    /// Complexity: O(n log n) for the runs of both.
    func forEachDifference(to other: SequenceStore, _ tell: Tell) {
        // Elements keep their order, so that of the join is that of both.
        var joined = self
        var unheard = FallenDots()
        _ = joined.join(other, &unheard, nil)
        joined.arrange()
        let mine = joined.index.writers.map { index.slot(of: $0.replica) }
        let theirs = joined.index.writers.map { other.index.slot(of: $0.replica) }
        var (position, told) = (0, PendingChange<Content.Unit>())
        joined.index.tree.forEach { entry in
            var start = entry.start
            let end = entry.start + entry.length
            while start < end {
                let here = shown(from: start, before: end, by: mine[Int(entry.writer)])
                let there = other.shown(from: start, before: here.end, by: theirs[Int(entry.writer)])
                let old = shownContent(start..<there.end, here.run, mine[Int(entry.writer)])
                let new = other.shownContent(start..<there.end, there.run, theirs[Int(entry.writer)])
                if old != new {
                    if !old.isEmpty { told.remove(old.count, at: position, tell) }
                    if !new.isEmpty { told.insert(new, at: position, tell) }
                }
                position += new.count
                start = there.end
            }
        }
        told.finish(tell)
    }

    /// The run that shows an element, nil where none does, and up to where that is so.
    private func shown(
        from start: UInt64, before end: UInt64, by writer: UInt32?
    ) -> (run: SequenceRun?, end: UInt64) {
        guard let writer else { return (nil, end) }
        let runs = index.writers[Int(writer)].runs
        let next = runs.firstIndex(endingAfter: start)
        guard runs.contains(next), runs[next].start < end else { return (nil, end) }
        let run = runs[next]
        guard run.start <= start else { return (nil, run.start) }
        return (run.isRemoved || run.leaf == SequenceRun.unplaced ? nil : run, min(end, run.end))
    }

    private func shownContent(
        _ counters: Range<UInt64>, _ run: SequenceRun?, _ writer: UInt32?
    ) -> ArraySlice<Content.Unit> {
        guard let run, let writer else { return [] }
        return part(run, writer, counters).content
    }
}

/// Changes that touch are told as one.
private struct PendingChange<Unit: Sendable> {
    private var removed = 0
    private var inserted: [Unit] = []
    /// Where the removed ones were, and the inserted ones begin.
    private var start = 0

    typealias Tell = (SequenceChange<ArraySlice<Unit>>) -> Void

    mutating func remove(_ count: Int, at position: Int, _ tell: Tell) {
        if position != start + inserted.count { finish(tell) }
        if isEmpty { start = position }
        removed += count
    }

    mutating func insert(_ units: ArraySlice<Unit>, at position: Int, _ tell: Tell) {
        if position != start + inserted.count { finish(tell) }
        if isEmpty { start = position }
        inserted.append(contentsOf: units)
    }

    private var isEmpty: Bool { removed == 0 && inserted.isEmpty }

    mutating func finish(_ tell: Tell) {
        if removed > 0 { tell(.removed(start..<start + removed)) }
        if !inserted.isEmpty { tell(.inserted(inserted[...], at: start)) }
        (removed, inserted) = (0, [])
    }
}

extension Text {
    /// What turns this version of a text into another: into a later or an earlier one, or one on another branch.
    ///
    /// A version is a copy of the text, which costs nothing until one of the two changes, or its bytes. The text itself keeps no history:
    /// what was removed is gone from it, and ``context`` names insertions alone. ``StateHistory`` keeps the versions of a state.
    ///
    /// ```swift
    /// var plan = Text()
    /// plan.insert("Lisbon in June", at: 0, by: jie)
    /// let yesterday = plan
    /// plan.replace(10..<14, with: "May", by: noah)
    ///
    /// yesterday.changes(to: plan)  // [.removed(10..<14), .inserted("May", at: 10)]
    /// plan.changes(to: yesterday)  // [.removed(10..<13), .inserted("June", at: 10)]
    /// ```
    ///
    /// - Returns: the changes, upwards; each is true after those before it. Characters that both show are not among them.
    ///
    /// Complexity: O(n log n) for the runs of both.
    public func changes(to other: Text) -> [SequenceChange<String>] {
        var changes: [SequenceChange<String>] = []
        causal.store.arranged.forEachDifference(to: other.causal.store.arranged) { change in
            switch change {
            case .inserted(let bytes, let position):
                changes.append(.inserted(String(decoding: bytes, as: UTF8.self), at: position))
            case .removed(let range): changes.append(.removed(range))
            }
        }
        return changes
    }
}

extension List {
    /// What turns this version of a list into another, as ``Text/changes(to:)`` has it. Complexity: as there.
    public func changes(to other: List) -> [SequenceChange<[Element]>] {
        var changes: [SequenceChange<[Element]>] = []
        causal.store.arranged.forEachDifference(to: other.causal.store.arranged) { change in
            switch change {
            case .inserted(let elements, let position): changes.append(.inserted(Array(elements), at: position))
            case .removed(let range): changes.append(.removed(range))
            }
        }
        return changes
    }
}

extension RichText {
    /// What turns this version of a rich text into another, as ``Text/changes(to:)`` has it: first the text, then the marks.
    ///
    /// Complexity: as there, as of ``marks``, and O(c²) for c changes of the text.
    public func changes(to other: RichText) -> [RichTextChange] {
        var (changes, moves): ([RichTextChange], TextMoves) = ([], TextMoves(length: utf8Count))
        causal.store.text.arranged.forEachDifference(to: other.causal.store.text.arranged) { change in
            switch change {
            case .inserted(let bytes, let position):
                moves.insert(bytes.count, at: position)
                changes.append(.inserted(String(decoding: bytes, as: UTF8.self), at: position))
            case .removed(let range):
                moves.remove(range)
                changes.append(.removed(range))
            }
        }
        MarkDifference.tell(from: moves.moved(causal.store.formatting), to: other.causal.store.formatting) {
            changes.append($0)
        }
        return changes
    }
}
