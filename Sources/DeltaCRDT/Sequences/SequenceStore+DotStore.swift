extension SequenceStore: DotStore {
    typealias Change = SequenceChange<ArraySlice<Content.Unit>>

    var isEmpty: Bool { index.alive == 0 }

    var dotCount: Int { index.alive }

    func forEachDot(_ body: (Dot) -> Void) {
        forEachRun { replica, counters in
            for counter in counters { body(Dot(replica: replica, counter: counter)) }
        }
    }

    func forEachRun(_ body: (ReplicaID, ClosedRange<UInt64>) -> Void) {
        for slot in index.sortedSlots {
            var open: ClosedRange<UInt64>?
            index.writers[slot].runs.forEach { run in
                guard !run.isRemoved else { return }
                if let range = open, range.upperBound + 1 == run.start {
                    open = range.lowerBound...run.last
                } else {
                    if let range = open { body(index.writers[slot].replica, range) }
                    open = run.start...run.last
                }
            }
            if let range = open { body(index.writers[slot].replica, range) }
        }
    }

    func forEachDot(in context: CausalContext, _ body: (Dot) -> Void) {
        forEachRun(in: context) { writer, run, counters in
            guard !run.isRemoved else { return }
            for counter in counters { body(Dot(replica: index.writers[Int(writer)].replica, counter: counter)) }
        }
    }

    /// Visits the parts of runs, removed or not, that a context has seen.
    func forEachRun(in context: CausalContext, _ body: (UInt32, SequenceRun, Range<UInt64>) -> Void) {
        context.forEachRange { replica, range in
            guard let writer = index.slot(of: replica) else { return }
            index.forEachRun(in: range.lowerBound..<range.upperBound + 1, by: writer) { run in
                body(writer, run, max(range.lowerBound, run.start)..<min(range.upperBound + 1, run.end))
            }
        }
    }

    func contains(_ dot: Dot) -> Bool {
        guard let writer = index.slot(of: dot.replica), let run = index.run(of: dot.counter, by: writer) else {
            return false
        }
        return !run.isRemoved
    }

    func dots(in past: CausalContext?) -> CausalContext {
        var dots = CausalContext()
        guard let past else {
            forEachRun { dots.insert(replica: $0, counters: $1) }
            return dots
        }
        forEachRun(in: past) { writer, run, counters in
            guard !run.isRemoved else { return }
            dots.insert(
                replica: index.writers[Int(writer)].replica, counters: counters.lowerBound...counters.upperBound - 1)
        }
        return dots
    }

    func dotsMissing(of other: SequenceStore, in context: CausalContext) -> CausalContext {
        let there = other.dots(in: context)
        return there.subtracting(dots(in: there))
    }

    mutating func merge(
        _ other: SequenceStore, context: CausalContext, otherContext: CausalContext, fallen: inout FallenDots,
        onChange: (Change) -> Void
    ) -> Bool {
        withoutActuallyEscaping(onChange) { join(other, &fallen, $0) }
    }

    mutating func merge(
        _ other: SequenceStore, context: CausalContext, otherContext: CausalContext, fallen: inout FallenDots
    ) -> Bool {
        join(other, &fallen, nil)
    }

    /// The places of all that the dots name, and the content of what is alive of it.
    func restricted(to dots: CausalContext) -> SequenceStore {
        var part = SequenceStore()
        forEachRun(in: dots) { writer, run, counters in
            let (run, content) = self.part(run, writer, counters)
            part.append(run, by: writer, content: content, of: index.writers)
        }
        return part
    }

    func fingerprint(of replica: ReplicaID) -> UInt64 {
        guard let writer = index.slot(of: replica) else { return 0 }
        return index.writers[Int(writer)].fingerprint ?? fingerprint(of: writer, in: 1..<Dot.maximumCounter + 1)
    }

    func fingerprint(of replica: ReplicaID, in counters: ClosedRange<UInt64>) -> UInt64 {
        guard let writer = index.slot(of: replica) else { return 0 }
        if counters.lowerBound == 1, counters.upperBound == Dot.maximumCounter { return fingerprint(of: replica) }
        return fingerprint(of: writer, in: counters.lowerBound..<counters.upperBound + 1)
    }

    private func fingerprint(of writer: UInt32, in counters: Range<UInt64>) -> UInt64 {
        var sum: UInt64 = 0
        index.forEachRun(in: counters, by: writer) { run in
            if !run.isRemoved { sum &+= index.fingerprint(of: (run.start..<run.end).clamped(to: counters), by: writer) }
        }
        return sum
    }
}

extension SequenceStore {
    /// A stretch of one writer's events: of those not seen, of removed elements, or of live ones that were inserted in a row.
    struct Stretch: Hashable {
        enum Kind: UInt64 { case gap, removed, alive }

        var kind: Kind
        var length: UInt64
        /// Where the first element was inserted, and its author; nil where that is after the event before.
        var origin: UInt64?
        var origins: ReplicaID?
    }

    /// The longest stretches of one writer's events: the same, however its runs are cut.
    func stretches(of writer: Int) -> [Stretch] {
        var stretches: [Stretch] = []
        var end: UInt64 = 1
        index.writers[writer].runs.forEach { run in
            if run.start > end { stretches.append(.init(kind: .gap, length: run.start - end)) }
            let kind: Stretch.Kind = run.isRemoved ? .removed : .alive
            let goesOn = run.isContinuation(of: UInt32(writer))
            if goesOn, let last = stretches.last, last.kind == kind {
                stretches[stretches.count - 1].length += run.length
            } else {
                var stretch = Stretch(kind: kind, length: run.length)
                if !goesOn {
                    stretch.origin = run.origin.word
                    if !run.origin.isBeginning {
                        stretch.origins = index.writers[Int(run.origin.writer)].replica
                    }
                }
                stretches.append(stretch)
            }
            end = run.end
        }
        return stretches
    }

    /// The content of a writer's live elements in the order of their events.
    func content(of writer: Int) -> [Content.Unit] {
        var units: [Content.Unit] = []
        index.writers[writer].runs.forEach { units.append(contentsOf: content(of: $0, by: UInt32(writer))) }
        return units
    }

    /// The slots of those who inserted something, in the order of the replicas.
    var authors: [Int] { index.sortedSlots.filter { !index.writers[$0].runs.isEmpty } }

    static func == (left: SequenceStore, right: SequenceStore) -> Bool {
        let (mine, theirs) = (left.authors, right.authors)
        guard mine.count == theirs.count else { return false }
        return zip(mine, theirs).allSatisfy { own, other in
            left.index.writers[own].replica == right.index.writers[other].replica
                && left.index.writers[own].alive == right.index.writers[other].alive
                && left.stretches(of: own) == right.stretches(of: other)
                && left.content(of: own) == right.content(of: other)
        }
    }

    func hash(into hasher: inout Hasher) { hasher.combine(index.alive) }
}
