/// A text, and the marks that were written on it and not overwritten: each event inserted a character, or wrote a mark.
///
/// Characters join without regard to contexts, as in ``SequenceStore``, and marks as in every ``DotFun``. Where somebody forged an event
/// that is a mark here and a character there, the character stays: it is in the context, and so the mark falls.
struct RichTextStore: DotStore {
    /// What became of the text; that marks changed is not told.
    typealias Change = SequenceChange<ArraySlice<UInt8>>

    var text = SequenceStore<TextContent>()
    var marks = DotFun<MarkWrite>()

    var isEmpty: Bool { text.isEmpty && marks.isEmpty }

    var dotCount: Int { text.dotCount + marks.dotCount }

    func forEachDot(_ body: (Dot) -> Void) {
        forEachRun { replica, counters in for counter in counters { body(Dot(replica: replica, counter: counter)) } }
    }

    func forEachRun(_ body: (ReplicaID, ClosedRange<UInt64>) -> Void) {
        guard !marks.isEmpty else { return text.forEachRun(body) }
        var runs: [(replica: ReplicaID, counters: ClosedRange<UInt64>)] = []
        text.forEachRun { runs.append(($0, $1)) }
        marks.forEachRun { runs.append(($0, $1)) }
        runs.sort { ($0.replica, $0.counters.lowerBound) < ($1.replica, $1.counters.lowerBound) }
        var dots = LiveDots()
        for run in runs { dots.append(run.replica, run.counters) }
        dots.forEachRun(body)
    }

    func forEachDot(in context: CausalContext, _ body: (Dot) -> Void) {
        dots(in: context).forEachRange { replica, counters in
            for counter in counters { body(Dot(replica: replica, counter: counter)) }
        }
    }

    func contains(_ dot: Dot) -> Bool { text.contains(dot) || marks.contains(dot) }

    func dots(in past: CausalContext?) -> CausalContext {
        var dots = text.dots(in: past)
        dots.merge(marks.dots(in: past))
        return dots
    }

    func dotsMissing(of other: RichTextStore, in context: CausalContext) -> CausalContext {
        let there = other.dots(in: context)
        return there.subtracting(dots(in: there))
    }

    mutating func merge(
        _ other: RichTextStore, context: CausalContext, otherContext: CausalContext, fallen: inout FallenDots,
        onChange: (Change) -> Void
    ) -> Bool {
        let changed = text.merge(
            other.text, context: context, otherContext: otherContext, fallen: &fallen, onChange: onChange)
        return mergeMarks(other, context, otherContext, &fallen) || changed
    }

    mutating func merge(
        _ other: RichTextStore, context: CausalContext, otherContext: CausalContext, fallen: inout FallenDots
    ) -> Bool {
        let changed = text.merge(other.text, context: context, otherContext: otherContext, fallen: &fallen)
        return mergeMarks(other, context, otherContext, &fallen) || changed
    }

    private mutating func mergeMarks(
        _ other: RichTextStore, _ context: CausalContext, _ otherContext: CausalContext, _ fallen: inout FallenDots
    ) -> Bool {
        marks.merge(other.marks, context: context, otherContext: otherContext, fallen: &fallen)
    }

    func forEachConflict(with other: RichTextStore, _ body: (Dot) -> Void) {
        text.forEachConflict(with: other.text, body)
        marks.forEachConflict(with: other.marks, body)
        marks.forEachDot { if other.text.contains($0) { body($0) } }
        other.marks.forEachDot { if text.contains($0) { body($0) } }
    }

    func restricted(to dots: CausalContext) -> RichTextStore {
        RichTextStore(text: text.restricted(to: dots), marks: marks.restricted(to: dots))
    }

    func fingerprint(of replica: ReplicaID) -> UInt64 {
        text.fingerprint(of: replica) &+ marks.fingerprint(of: replica)
    }

    func fingerprint(of replica: ReplicaID, in counters: ClosedRange<UInt64>) -> UInt64 {
        text.fingerprint(of: replica, in: counters) &+ marks.fingerprint(of: replica, in: counters)
    }
}

/// A mark that was put on a stretch of text, or taken off it.
struct MarkWrite: Hashable, Sendable {
    /// How many events the author had seen, or one more than the latest mark that it had. A mark that undo writes again keeps its own.
    let time: UInt64
    let name: Canonical<String>
    /// Nil where the mark is taken off.
    let value: Canonical<String>?
    let start: SequenceAnchor
    let end: SequenceAnchor
}

extension MarkWrite: CanonicalCodable {
    func encode(into encoder: inout CanonicalEncoder) {
        encoder.encode(time)
        name.encode(into: &encoder)
        value.encode(into: &encoder)
        start.encode(into: &encoder)
        end.encode(into: &encoder)
    }

    init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        time = try decoder.decodeUInt64()
        name = try Canonical(from: &decoder)
        value = try Canonical<String>?(from: &decoder)
        start = try SequenceAnchor(from: &decoder)
        end = try SequenceAnchor(from: &decoder)
    }
}
