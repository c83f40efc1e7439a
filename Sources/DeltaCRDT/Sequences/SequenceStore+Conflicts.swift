extension SequenceStore {
    /// Visits the elements that are alive on both sides and are one thing here and another there, by content or by place.
    ///
    /// Complexity: O(n) for the lesser of both, and O(log n) for each run.
    func forEachConflict(with other: SequenceStore, _ body: (Dot) -> Void) {
        guard index.runCount >= other.index.runCount else { return other.forEachConflict(with: self, body) }
        for (slot, writer) in other.index.writers.enumerated() {
            guard let mine = index.slot(of: writer.replica) else { continue }
            writer.runs.forEach { theirs in
                guard !theirs.isRemoved else { return }
                index.forEachRun(in: theirs.start..<theirs.end, by: mine) { run in
                    guard !run.isRemoved else { return }
                    let counters = (run.start..<run.end).clamped(to: theirs.start..<theirs.end)
                    let here = Part(store: self, run, mine, counters)
                    let there = Part(store: other, theirs, UInt32(slot), counters)
                    here.forEachConflict(with: there) { body(Dot(replica: writer.replica, counter: $0)) }
                }
            }
        }
    }

    /// Elements that one writer inserted in a row, and what they hold.
    private struct Part {
        let run: SequenceRun
        let content: ArraySlice<Content.Unit>
        /// The content of all that the writer inserted, in which the part's begins at the run's offset.
        let whole: [Content.Unit]
        /// Where the first one was inserted, as any store names it.
        let origin: UInt64
        let originWriter: ReplicaID?

        init(store: SequenceStore, _ run: SequenceRun, _ writer: UInt32, _ counters: Range<UInt64>) {
            (self.run, content) = store.part(run, writer, counters)
            whole = store.contents[Int(writer)]
            origin = self.run.origin.word
            originWriter =
                self.run.origin.isBeginning ? nil : store.index.writers[Int(self.run.origin.writer)].replica
        }

        /// Visits the counters of those that differ from the same ones there.
        func forEachConflict(with other: Part, _ body: (UInt64) -> Void) {
            let isMoved = origin != other.origin || originWriter != other.originWriter
            if isMoved { body(run.start) }
            guard content != other.content else { return }
            var (here, there) = (Int(run.offset), Int(other.run.offset))
            for counter in run.start..<run.end {
                let end = here + Content.units(in: whole, from: here, of: 1)
                let otherEnd = there + Content.units(in: other.whole, from: there, of: 1)
                let isOther = whole[here..<end] != other.whole[there..<otherEnd]
                if isOther, !isMoved || counter > run.start { body(counter) }
                (here, there) = (end, otherEnd)
            }
        }
    }
}
