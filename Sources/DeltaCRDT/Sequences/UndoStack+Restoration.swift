extension UndoStack {
    /// Elements that were inserted again for removed ones. Acts and marks that name those are to name these.
    struct Restoration: Sendable {
        let old: Span
        let new: [Span]

        init(of old: Span, as new: [Span]) { (self.old, self.new) = (old, new) }

        func renamed(_ act: Act) -> Act {
            switch act {
            case .inserted(let spans): .inserted(spans.flatMap(renamed))
            // What these removed can't have come back by another act.
            case .removed: act
            case .marked(let mark, let covered): .marked(renamed(mark), over: covered.map(renamed))
            case .unmarked(let mark, let covered): .unmarked(renamed(mark), over: covered.map(renamed))
            }
        }

        private func renamed(_ mark: Mark) -> Mark { Mark(dot: mark.dot, write: renamed(mark.write)) }

        func renamed(_ write: MarkWrite) -> MarkWrite {
            MarkWrite(
                time: write.time, name: write.name, value: write.value, start: renamed(write.start),
                end: renamed(write.end))
        }

        private func renamed(_ anchor: SequenceAnchor) -> SequenceAnchor {
            guard let dot = anchor.element, dot.replica == old.replica, old.counters.contains(dot.counter),
                let span = renamed(Span(replica: dot.replica, counters: dot.counter..<dot.counter + 1)).first
            else { return anchor }
            return SequenceAnchor(
                side: anchor.side, element: Dot(replica: span.replica, counter: span.counters.lowerBound))
        }

        private func renamed(_ span: Span) -> [Span] {
            let both = span.counters.clamped(to: old.counters)
            guard span.replica == old.replica, !both.isEmpty else { return [span] }
            var parts = [Span(replica: span.replica, counters: span.counters.lowerBound..<both.lowerBound)]
            var passed = old.counters.lowerBound
            for part in new {
                let length = UInt64(part.counters.count)
                let here = both.clamped(to: passed..<passed + length)
                let start = part.counters.lowerBound
                let counters = start + (here.lowerBound - passed)..<start + (here.upperBound - passed)
                if !here.isEmpty { parts.append(Span(replica: part.replica, counters: counters)) }
                passed += length
            }
            parts.append(Span(replica: span.replica, counters: both.upperBound..<span.counters.upperBound))
            return parts.filter { !$0.counters.isEmpty }
        }
    }
}
