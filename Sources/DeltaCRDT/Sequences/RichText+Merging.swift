/// What became of a rich text: changes are told in an order in which each is true after those before it.
public enum RichTextChange: Hashable, Sendable {
    /// A text was inserted, so that it begins at a position. It has no marks until that is told.
    case inserted(String, at: Int)
    /// What lay between two positions was removed.
    case removed(Range<Int>)
    /// The mark with a name has another value between two positions; nil where it is not there any more.
    case marked(Range<Int>, name: String, value: String?)
}

extension RichText: SyncableState {
    /// Joins another state or a delta; says whether this text changed.
    ///
    /// Complexity: as of ``Text/merge(_:)``, and O(marks of both).
    @discardableResult
    public mutating func merge(_ other: RichText) -> Bool { causal.merge(other.causal) }

    /// Joins, and calls with each change that can be seen: first what came and fell, then how marks changed.
    ///
    /// Complexity: as without telling, and as of ``marks``; O(c²) for c changes of the text at once.
    @discardableResult
    public mutating func merge(_ other: RichText, onChange: (RichTextChange) -> Void) -> Bool {
        let before = causal.store.formatting
        var moves = TextMoves(length: utf8Count)
        let changed = causal.merge(other.causal) { change in
            switch change {
            case .inserted(let bytes, let position):
                moves.insert(bytes.count, at: position)
                onChange(.inserted(String(decoding: bytes, as: UTF8.self), at: position))
            case .removed(let range):
                moves.remove(range)
                onChange(.removed(range))
            }
        }
        if changed { MarkDifference.tell(from: moves.moved(before), to: causal.store.formatting, onChange) }
        return changed
    }

    /// Joins, and notes the events that were given to two contents, as ``SyncableState/merge(_:conflicts:)`` has it.
    ///
    /// Complexity: as ``merge(_:)``, and O(n) for the lesser of both.
    @discardableResult
    public mutating func merge(_ other: RichText, conflicts: inout CausalContext) -> Bool {
        causal.store.forEachConflict(with: other.causal.store) { conflicts.insert($0) }
        return merge(other)
    }

    /// Acts, and returns the one delta of all that was done by mutators and merges; see ``SyncableState/update(_:)``.
    ///
    /// Complexity: that of what is done, which is also joined to the delta.
    @discardableResult
    public mutating func update(_ act: (inout RichText) -> Void) -> RichText {
        let outer = causal.beginRecording()
        act(&self)
        return RichText(causal.endRecording(outer))
    }

    /// How far this text is; see ``SyncableState/checkpoint``. Complexity: O(1).
    public var checkpoint: StateCheckpoint { causal.checkpoint }

    /// What came and fell since a checkpoint; see ``SyncableState/delta(since:)-(StateCheckpoint)``. Complexity: as there.
    public func delta(since checkpoint: StateCheckpoint) -> RichText { RichText(causal.delta(since: checkpoint)) }

    /// The least part of this text that, merged into `other`, gives the join of both. Complexity: O(runs and marks of both).
    public func delta(for other: RichText) -> RichText { RichText(causal.delta(for: other.causal)) }

    /// One part for each scalar that was ever inserted and for each mark: what it is, or that it fell. Made one at a time.
    ///
    /// Complexity: O(ranges of the context) to begin, and then O(log n) for each.
    public func decomposed() -> some Sequence<RichText> { causal.decomposed().lazy.map { RichText($0) } }

    /// What this replica knows, for a peer to answer, as ``SyncableState/summary(within:)`` has it.
    ///
    /// Complexity: O(writers + islands), and O(n) once.
    public func summary(within limit: VersionVector? = nil) -> StateSummary { causal.summary(within: limit) }

    /// What a replica with this summary lacks, as ``SyncableState/delta(since:)-(StateSummary)`` has it. Complexity: as there.
    public func delta(since summary: StateSummary) -> RichText { RichText(causal.delta(since: summary)) }

    /// What a replica with this version vector may lack, as ``SyncableState/delta(since:)-(VersionVector)`` has it.
    ///
    /// Complexity: as there.
    public func delta(since vector: VersionVector) -> RichText { RichText(causal.delta(since: vector)) }

    /// What a replica with this summary lacks, and a question back, as ``SyncableState/answer(to:)-(StateSummary)`` has it.
    ///
    /// Complexity: as there.
    public func answer(to summary: StateSummary) -> (delta: RichText, question: RangeSummary) {
        let (delta, question) = causal.answer(to: summary)
        return (RichText(delta), question)
    }

    /// What fell in ranges that differ, and a question back, as ``SyncableState/answer(to:)-(RangeSummary)`` has it.
    ///
    /// Complexity: as there.
    public func answer(to question: RangeSummary) -> (delta: RichText, question: RangeSummary) {
        let (delta, question) = causal.answer(to: question)
        return (RichText(delta), question)
    }
}

/// Where bytes of a text are after changes: stretches of those that were there before, and new ones between them.
struct TextMoves {
    /// The first byte as it was before, nil of new ones; and how many.
    private var stretches: [(start: Int?, length: Int)]

    init(length: Int) { stretches = length > 0 ? [(0, length)] : [] }

    /// The index of the stretch that begins at a position, cut there if need be.
    private mutating func index(at position: Int) -> Int {
        var (index, rest) = (0, position)
        while rest > 0, rest >= stretches[index].length {
            rest -= stretches[index].length
            index += 1
        }
        guard rest > 0 else { return index }
        let (start, length) = stretches[index]
        stretches[index].length = rest
        stretches.insert((start.map { $0 + rest }, length - rest), at: index + 1)
        return index + 1
    }

    mutating func insert(_ count: Int, at position: Int) {
        if count > 0 { stretches.insert((nil, count), at: index(at: position)) }
    }

    mutating func remove(_ range: Range<Int>) {
        let first = index(at: range.lowerBound)
        stretches.removeSubrange(first..<index(at: range.upperBound))
    }

    /// Marks where their bytes are now, in pieces where something new lies between them.
    func moved(_ marks: [FormattingMark]) -> [FormattingMark] {
        var old: [(start: Int, end: Int, now: Int)] = []
        var position = 0
        for (start, length) in stretches {
            if let start { old.append((start, start + length, position)) }
            position += length
        }
        var moved: [FormattingMark] = []
        for mark in marks {
            var index = old.partitioningIndex { $0.end > mark.range.lowerBound }
            while index < old.count, old[index].start < mark.range.upperBound {
                let piece = mark.range.clamped(to: old[index].start..<old[index].end)
                let shift = old[index].now - old[index].start
                moved.append(
                    FormattingMark(
                        piece.lowerBound + shift..<piece.upperBound + shift, mark.name, value: mark.value))
                index += 1
            }
        }
        return moved
    }
}

/// How marks changed, name by name.
enum MarkDifference {
    /// Of marks of one name, in order.
    private struct Row {
        var old: [FormattingMark] = []
        var new: [FormattingMark] = []
    }

    static func tell(from old: [FormattingMark], to new: [FormattingMark], _ body: (RichTextChange) -> Void) {
        var rows: [[UInt8]: Row] = [:]
        for mark in old { rows[Array(mark.name.utf8), default: Row()].old.append(mark) }
        for mark in new { rows[Array(mark.name.utf8), default: Row()].new.append(mark) }
        for name in rows.keys.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            guard var row = rows[name] else { continue }
            row.old.sort { $0.range.lowerBound < $1.range.lowerBound }
            tell(row, body)
        }
    }

    private static func tell(_ row: Row, _ body: (RichTextChange) -> Void) {
        guard let name = (row.old.first ?? row.new.first)?.name else { return }
        let bounds = Set((row.old + row.new).flatMap { [$0.range.lowerBound, $0.range.upperBound] }).sorted()
        var (before, after) = (row.old[...], row.new[...])
        var open: (range: Range<Int>, value: String?)?
        for (start, end) in zip(bounds, bounds.dropFirst()) {
            while let mark = before.first, mark.range.upperBound <= start { before.removeFirst() }
            while let mark = after.first, mark.range.upperBound <= start { after.removeFirst() }
            let old = before.first.flatMap { $0.range.contains(start) ? $0.value : nil }
            let new = after.first.flatMap { $0.range.contains(start) ? $0.value : nil }
            guard old.map(Canonical.init) != new.map(Canonical.init) else { continue }
            if let last = open, last.range.upperBound == start,
                last.value.map(Canonical.init) == new.map(Canonical.init)
            {
                open = (last.range.lowerBound..<end, new)
            } else {
                if let last = open { body(.marked(last.range, name: name, value: last.value)) }
                open = (start..<end, new)
            }
        }
        if let last = open { body(.marked(last.range, name: name, value: last.value)) }
    }
}
