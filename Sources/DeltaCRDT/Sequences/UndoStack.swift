/// Undoes and redoes what one person wrote and removed in a text, and nothing that others did.
///
/// Edit the text through the stack, and send the deltas. To undo an insertion removes what is still there of it; what others wrote in
/// between stays. To undo a removal inserts the removed text again where it stood, in the name of this stack's replica. Where two
/// removed the same text and both undo that, it comes back twice. Cursors of the removed text don't return to it: they stay where the
/// text around it is.
///
/// A stack belongs to one text, and is not sent. It can be kept while the text is written and read again.
///
/// ```swift
/// var text = Text()
/// var stack = UndoStack(by: jie)
/// stack.insert("Lisbon", at: 0, in: &text)
/// text.insert(" in June", at: 6, by: noah)
///
/// stack.undo(in: &text)
/// text.string     // " in June"
/// stack.redo(in: &text)
/// text.string     // "Lisbon in June"
/// ```
public struct UndoStack: Sendable {
    /// What was done, by elements: a position would not be the same when others have written.
    private enum Act: Sendable {
        case inserted([Span])
        case removed([Piece])
    }

    private struct Piece: Sendable {
        let span: Span
        let bytes: [UInt8]
    }

    /// Elements that one writer inserted in a row.
    private struct Span: Sendable {
        let replica: ReplicaID
        let counters: Range<UInt64>
    }

    /// The steps that can be undone, and those that can be redone; the acts of a step in their order.
    private var done: [[Act]] = []
    private var undone: [[Act]] = []
    private let replica: ReplicaID
    private let limit: Int

    /// Nothing to undo. Of the steps of `replica` the last `limit` are kept, with the text that they removed. Complexity: O(1).
    public init(by replica: ReplicaID, limit: Int = 100) {
        require(limit > 0, "a stack keeps a step")
        (self.replica, self.limit) = (replica, limit)
    }

    /// Whether there is a step to undo. Complexity: O(1).
    public var canUndo: Bool { !done.isEmpty }
    /// Whether there is a step to redo. Complexity: O(1).
    public var canRedo: Bool { !undone.isEmpty }

    // MARK: Editing

    /// Inserts a text at a position and returns the delta; `joining` it to the step before, it is undone with that.
    ///
    /// Complexity: as of ``Text/insert(_:at:by:)``.
    @discardableResult
    public mutating func insert(
        _ string: String, at position: Int, in text: inout Text, joining isJoined: Bool = false
    ) -> Text {
        let delta = text.insert(string, at: position, by: replica)
        note([.inserted(Self.spans(of: delta))], isJoined)
        return delta
    }

    /// Removes the bytes between two positions and returns the delta; `joining` it to the step before, it is undone with that.
    ///
    /// Complexity: as of ``Text/remove(_:)``, and O(length).
    @discardableResult
    public mutating func remove(_ range: Range<Int>, in text: inout Text, joining isJoined: Bool = false) -> Text {
        text.arrange()
        require(range, upTo: text.utf8Count, in: "text")
        let pieces = Self.pieces(in: range, of: text)
        let delta = text.remove(range)
        note([.removed(pieces)], isJoined)
        return delta
    }

    /// Puts a text in the place of the bytes between two positions, as one step, and returns the delta. Complexity: as of both.
    @discardableResult
    public mutating func replace(
        _ range: Range<Int>, with string: String, in text: inout Text, joining isJoined: Bool = false
    ) -> Text {
        let delta = remove(range, in: &text, joining: isJoined)
        return delta.merging(insert(string, at: range.lowerBound, in: &text, joining: true))
    }

    private mutating func note(_ acts: [Act], _ isJoined: Bool) {
        undone = []
        if isJoined, let last = done.popLast() {
            done.append(last + acts)
        } else {
            done.append(acts)
        }
        if done.count > limit { done.removeFirst() }
    }

    // MARK: Undoing

    /// Undoes the last step of which something is left, and returns the delta; nil where nothing is left of any.
    ///
    /// Complexity: as of the edits that it takes, and O(steps) for each removal undone.
    @discardableResult
    public mutating func undo(in text: inout Text) -> Text? {
        while !done.isEmpty {
            var (delta, inverse) = (Text(), [Act]())
            while let act = done[done.count - 1].popLast() { inverse += revert(act, in: &text, &delta) }
            done.removeLast()
            guard !inverse.isEmpty else { continue }
            undone.append(inverse)
            return delta
        }
        return nil
    }

    /// Redoes the last step that was undone, and returns the delta; nil where there is none. An edit in between forgets what could be
    /// redone.
    ///
    /// Complexity: as of ``undo(in:)``.
    @discardableResult
    public mutating func redo(in text: inout Text) -> Text? {
        while !undone.isEmpty {
            var (delta, inverse) = (Text(), [Act]())
            while let act = undone[undone.count - 1].popLast() { inverse += revert(act, in: &text, &delta) }
            undone.removeLast()
            guard !inverse.isEmpty else { continue }
            done.append(inverse)
            return delta
        }
        return nil
    }

    /// Does the opposite of an act; returns what was done, or nothing.
    private mutating func revert(_ act: Act, in text: inout Text, _ delta: inout Text) -> [Act] {
        switch act {
        case .inserted(let spans):
            let pieces = spans.flatMap { Self.pieces(of: $0, in: text) }
            for piece in pieces {
                let first = Dot(replica: piece.span.replica, counter: piece.span.counters.lowerBound)
                guard let position = text.position(of: SequenceAnchor(side: .before, element: first)) else { continue }
                delta.merge(text.remove(position..<position + piece.bytes.count))
            }
            return pieces.isEmpty ? [] : [.removed(pieces)]
        case .removed(let pieces):
            var restored: [Span] = []
            for piece in Self.inOrder(pieces, in: text) {
                // Behind where it stood, and not at a position, where others may have stood that come back later.
                let last = Dot(replica: piece.span.replica, counter: piece.span.counters.upperBound - 1)
                let part = text.insert(piece.bytes, after: last, by: replica)
                delta.merge(part)
                let spans = Self.spans(of: part)
                rename(piece.span, to: spans)
                restored += spans
            }
            return restored.isEmpty ? [] : [.inserted(restored)]
        }
    }

    /// Takes restored elements for those that they restore, wherever a step names these.
    private mutating func rename(_ old: Span, to new: [Span]) {
        func renamed(_ act: Act) -> Act {
            guard case .inserted(let spans) = act else { return act }
            return .inserted(
                spans.flatMap { span -> [Span] in
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
                })
        }
        done = done.map { $0.map(renamed) }
        undone = undone.map { $0.map(renamed) }
    }

    // MARK: Elements

    /// The elements that a delta tells of.
    private static func spans(of delta: Text) -> [Span] {
        var spans: [Span] = []
        delta.context.forEachRange { replica, counters in
            spans.append(Span(replica: replica, counters: counters.lowerBound..<counters.upperBound + 1))
        }
        return spans
    }

    /// Those of some elements that are alive, with what they hold.
    private static func pieces(of span: Span, in text: Text) -> [Piece] {
        let store = text.causal.store
        guard let writer = store.index.slot(of: span.replica) else { return [] }
        var pieces: [Piece] = []
        store.index.forEachRun(in: span.counters, by: writer) { run in
            guard !run.isRemoved else { return }
            let counters = span.counters.clamped(to: run.start..<run.end)
            let bytes = Array(store.part(run, writer, counters).content)
            pieces.append(Piece(span: Span(replica: span.replica, counters: counters), bytes: bytes))
        }
        return pieces
    }

    /// What lies between two positions of an arranged text.
    private static func pieces(in range: Range<Int>, of text: Text) -> [Piece] {
        guard !range.isEmpty else { return [] }
        let store = text.causal.store
        let measure = SequenceStore<TextContent>.measure(store.contents)
        let (first, ending) = store.index.tree.place(ofUnitEndingAt: range.lowerBound + 1)
        var (next, skipped, rest): (RunTree.Place?, Int, Int) = (first, ending - 1, range.count)
        var pieces: [Piece] = []
        while rest > 0, let place = next,
            let run = store.index.run(of: store.index.tree[place].start, by: store.index.tree[place].writer)
        {
            let entry = store.index.tree[place]
            let units = min(Int(entry.weight) - skipped, rest)
            if units > 0 {
                let start = entry.start + store.index.elements(of: entry, in: UInt32(skipped), measure)
                let end = entry.start + store.index.elements(of: entry, in: UInt32(skipped + units), measure)
                let span = Span(replica: store.index.writers[Int(entry.writer)].replica, counters: start..<end)
                pieces.append(Piece(span: span, bytes: Array(store.part(run, entry.writer, start..<end).content)))
            }
            (next, skipped, rest) = (store.index.tree.place(after: place), 0, rest - units)
        }
        return pieces
    }

    /// Removed pieces, cut where others have written in between, in the order of the text.
    private static func inOrder(_ pieces: [Piece], in text: Text) -> [Piece] {
        let store = text.causal.store.arranged
        var parts: [(place: RunTree.Place, piece: Piece)] = []
        for piece in pieces {
            guard let writer = store.index.slot(of: piece.span.replica) else { continue }
            var passed = 0
            store.index.forEachRun(in: piece.span.counters, by: writer) { run in
                let counters = piece.span.counters.clamped(to: run.start..<run.end)
                let length = TextContent.units(in: piece.bytes, from: passed, of: UInt64(counters.count))
                let bytes = Array(piece.bytes[passed..<passed + length])
                passed += length
                guard let place = store.index.place(of: counters.lowerBound, by: writer) else { return }
                let span = Span(replica: piece.span.replica, counters: counters)
                parts.append((place, Piece(span: span, bytes: bytes)))
            }
        }
        parts.sort { left, right in
            left.place == right.place
                ? left.piece.span.counters.lowerBound < right.piece.span.counters.lowerBound
                : store.index.tree.isOrdered(left.place, before: right.place)
        }
        return parts.map(\.piece)
    }
}
