/// Undoes and redoes what one person wrote, removed and formatted in a text, and nothing that others did.
///
/// Edit the text through the stack, and send the deltas. To undo an insertion removes what is still there of it; what others wrote in
/// between stays. To undo a removal inserts the removed text again where it stood, in the name of this stack's replica. Where two
/// removed the same text and both undo that, it comes back twice. Cursors of the removed text don't return to it: they stay where the
/// text around it is.
///
/// In a ``RichText`` a stack undoes formatting too. To undo a mark lets it fall, and writes again the marks that it had covered: below
/// all that was written since, so what others formatted meanwhile stays. Restored text has the marks that the removed text has.
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
    /// What was done, by elements and marks: a position would not be the same when others have written.
    enum Act: Sendable {
        case inserted([Span])
        case removed([Piece])
        /// A mark was written, and those that it covered fell.
        case marked(Mark, over: [Mark])
        /// A mark fell, and those that it had covered were written again.
        case unmarked(Mark, over: [Mark])
    }

    struct Piece: Sendable {
        let span: Span
        let bytes: [UInt8]
    }

    /// Elements that one writer inserted in a row.
    struct Span: Sendable {
        let replica: ReplicaID
        let counters: Range<UInt64>
    }

    /// A mark, and the event that wrote it.
    struct Mark: Sendable {
        let dot: Dot
        let write: MarkWrite
    }

    /// The steps that can be undone, and those that can be redone; the acts of a step in their order.
    private(set) var done: [[Act]] = []
    private(set) var undone: [[Act]] = []
    let replica: ReplicaID
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
        note([.inserted(Self.spans(of: delta.context))], isJoined)
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

    mutating func note(_ acts: [Act], _ isJoined: Bool) {
        undone = []
        if isJoined, let last = done.popLast() {
            done.append(last + acts)
        } else {
            done.append(acts)
        }
        if done.count > limit { done.removeFirst() }
    }

    // MARK: Undoing

    /// Undoes the last step of which something is left, and returns the delta; nil where nothing is left of any. Formatting is undone in a
    /// ``RichText`` alone, and passed over here.
    ///
    /// Complexity: as of the edits that it takes, and O(steps) for each removal undone.
    @discardableResult
    public mutating func undo(in text: inout Text) -> Text? {
        var isUndone = false
        let delta = text.update { text in
            isUndone = undoStep { stack, act in stack.revert(act, in: &text).acts }
        }
        return isUndone ? delta : nil
    }

    /// Redoes the last step that was undone, and returns the delta; nil where there is none. An edit in between forgets what could be
    /// redone.
    ///
    /// Complexity: as of an undo.
    @discardableResult
    public mutating func redo(in text: inout Text) -> Text? {
        var isRedone = false
        let delta = text.update { text in
            isRedone = redoStep { stack, act in stack.revert(act, in: &text).acts }
        }
        return isRedone ? delta : nil
    }

    /// Does the opposite of an act; returns what was done, or nothing.
    typealias Revert = (inout UndoStack, Act) -> [Act]

    /// Undoes the last step of which something is left; says whether there was one.
    mutating func undoStep(_ revert: Revert) -> Bool { revertStep(isRedo: false, revert) }

    /// Redoes the last undone step of which something is left; says whether there was one.
    mutating func redoStep(_ revert: Revert) -> Bool { revertStep(isRedo: true, revert) }

    private mutating func revertStep(isRedo: Bool, _ revert: Revert) -> Bool {
        while let step = self[isRedo].indices.last {
            let opposite = self[!isRedo].count
            self[!isRedo].append([])
            // All acts of the step lie in the stack meanwhile: an act may rename what another names.
            while let act = self[isRedo][step].popLast() {
                let acts = revert(&self, act)
                self[!isRedo][opposite] += acts
            }
            self[isRedo].removeLast()
            if !self[!isRedo][opposite].isEmpty { return true }
            self[!isRedo].removeLast()
        }
        return false
    }

    /// The steps that were undone, or those that were not, where they lie.
    private subscript(isUndone: Bool) -> [[Act]] {
        get { isUndone ? undone : done }
        _modify { if isUndone { yield &undone } else { yield &done } }
    }

    /// Does the opposite of an act on a text without marks; returns what was done, or nothing, and what was restored for it.
    mutating func revert(_ act: Act, in text: inout Text) -> (acts: [Act], restored: [Restoration]) {
        switch act {
        case .inserted(let spans):
            let pieces = spans.flatMap { Self.pieces(of: $0, in: text) }
            for piece in pieces {
                let first = Dot(replica: piece.span.replica, counter: piece.span.counters.lowerBound)
                guard let position = text.position(of: SequenceAnchor(side: .before, element: first)) else { continue }
                text.remove(position..<position + piece.bytes.count)
            }
            return (pieces.isEmpty ? [] : [.removed(pieces)], [])
        case .removed(let pieces):
            var restored: [Restoration] = []
            for piece in Self.inOrder(pieces, in: text) {
                // Behind where it stood, and not at a position, where others may have stood that come back later.
                let last = Dot(replica: piece.span.replica, counter: piece.span.counters.upperBound - 1)
                let delta = text.insert(piece.bytes, after: last, by: replica)
                let restoration = Restoration(of: piece.span, as: Self.spans(of: delta.context))
                rename(restoration.renamed)
                restored.append(restoration)
            }
            return (restored.isEmpty ? [] : [.inserted(restored.flatMap { $0.new })], restored)
        case .marked, .unmarked: return ([], [])
        }
    }

    /// Lets the acts of all steps name other elements or marks.
    mutating func rename(_ renamed: (Act) -> Act) {
        done = done.map { $0.map(renamed) }
        undone = undone.map { $0.map(renamed) }
    }

    // MARK: Elements

    /// The elements that the context of a delta tells of.
    static func spans(of context: CausalContext) -> [Span] {
        var spans: [Span] = []
        context.forEachRange { replica, counters in
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
        return parts.map { $0.piece }
    }
}
