extension UndoStack {
    // MARK: Editing

    /// Inserts a text at a position of a rich text and returns the delta; `joining` it to the step before, it is undone with that.
    ///
    /// Complexity: as of ``RichText/insert(_:at:by:)``.
    @discardableResult
    public mutating func insert(
        _ string: String, at position: Int, in text: inout RichText, joining isJoined: Bool = false
    ) -> RichText {
        let delta = text.insert(string, at: position, by: replica)
        note([.inserted(Self.spans(of: delta.context))], isJoined)
        return delta
    }

    /// Removes the bytes between two positions of a rich text and returns the delta; `joining` it to the step before, it is undone with
    /// that.
    ///
    /// Complexity: as of ``RichText/remove(_:)``, and O(length).
    @discardableResult
    public mutating func remove(
        _ range: Range<Int>, in text: inout RichText, joining isJoined: Bool = false
    ) -> RichText {
        text.edit { remove(range, in: &$0, joining: isJoined) }
    }

    /// Puts a text in the place of the bytes between two positions of a rich text, as one step, and returns the delta.
    ///
    /// Complexity: as of both.
    @discardableResult
    public mutating func replace(
        _ range: Range<Int>, with string: String, in text: inout RichText, joining isJoined: Bool = false
    ) -> RichText {
        let delta = remove(range, in: &text, joining: isJoined)
        return delta.merging(insert(string, at: range.lowerBound, in: &text, joining: true))
    }

    /// Puts a mark on the bytes between two positions and returns the delta; `joining` it to the step before, it is undone with that. An
    /// empty range gets none, and is no step.
    ///
    /// ```swift
    /// var note = RichText()
    /// note.insert("See the hut", at: 0, by: noah)
    /// var stack = UndoStack(by: jie)
    /// stack.mark(0..<11, "color", value: "red", in: &note)
    /// note.mark(8..<11, "color", value: "blue", by: noah)
    ///
    /// stack.undo(in: &note)
    /// note.marks  // [FormattingMark(8..<11, "color", value: "blue")]
    /// ```
    ///
    /// - Parameters: as of ``RichText/mark(_:_:value:expanding:by:)``.
    ///
    /// Complexity: as there.
    @discardableResult
    public mutating func mark(
        _ range: Range<Int>, _ name: String, value: String = "", expanding expansion: MarkExpansion = .after,
        in text: inout RichText, joining isJoined: Bool = false
    ) -> RichText {
        format(&text, isJoined) { $0.mark(range, name, value: value, expanding: expansion, by: $1) }
    }

    /// Takes a mark off the bytes between two positions and returns the delta; `joining` it to the step before, it is undone with that. An
    /// empty range loses none, and is no step.
    ///
    /// - Parameters: as of ``RichText/unmark(_:_:expanding:by:)``.
    ///
    /// Complexity: as there.
    @discardableResult
    public mutating func unmark(
        _ range: Range<Int>, _ name: String, expanding expansion: MarkExpansion = .after, in text: inout RichText,
        joining isJoined: Bool = false
    ) -> RichText {
        format(&text, isJoined) { $0.unmark(range, name, expanding: expansion, by: $1) }
    }

    private mutating func format(
        _ text: inout RichText, _ isJoined: Bool, _ write: (inout RichText, ReplicaID) -> RichText
    ) -> RichText {
        let before = text.causal.store.marks
        let delta = write(&text, replica)
        guard let entry = delta.causal.store.marks.entries.first else { return delta }
        var covered: [Mark] = []
        before.forEachDot(in: delta.context) { dot in
            if let write = before[dot] { covered.append(Mark(dot: dot, write: write)) }
        }
        note([.marked(Mark(dot: entry.dot, write: entry.value), over: Self.inOrder(covered))], isJoined)
        return delta
    }

    // MARK: Undoing

    /// Undoes the last step of which something is left, and returns the delta; nil where nothing is left of any.
    ///
    /// Nothing is left of a mark that somebody covered whole by another with its name. Where a mark falls, the marks that it had covered
    /// are written again as they were, in the name of this stack's replica; so are marks that begin or end at text that comes back.
    ///
    /// Complexity: as of the edits that it takes; O(steps) for each removal and each mark; and O(marks) for each removal.
    @discardableResult
    public mutating func undo(in text: inout RichText) -> RichText? {
        var isUndone = false
        let delta = text.update { text in
            isUndone = undoStep { stack, act in stack.revert(act, in: &text) }
        }
        return isUndone ? delta : nil
    }

    /// Redoes the last step that was undone, and returns the delta; nil where there is none. An edit in between forgets what could be
    /// redone. A mark comes back as it was, below all that others wrote since.
    ///
    /// Complexity: as of an undo.
    @discardableResult
    public mutating func redo(in text: inout RichText) -> RichText? {
        var isRedone = false
        let delta = text.update { text in
            isRedone = redoStep { stack, act in stack.revert(act, in: &text) }
        }
        return isRedone ? delta : nil
    }

    /// Does the opposite of an act; returns what was done, or nothing.
    private mutating func revert(_ act: Act, in text: inout RichText) -> [Act] {
        switch act {
        case .inserted, .removed:
            var (acts, restored): ([Act], [Restoration]) = ([], [])
            text.edit { (acts, restored) = revert(act, in: &$0) }
            carryMarks(to: restored, in: &text)
            return acts
        case .marked(let mark, let covered):
            guard text.causal.store.marks.contains(mark.dot) else { return [] }
            return [.unmarked(mark, over: rewrite([mark], as: covered, in: &text))]
        case .unmarked(let mark, let covered):
            return rewrite(covered, as: [mark], in: &text).map { .marked($0, over: covered) }
        }
    }

    /// Lets marks fall and writes others again, each with the time that it had, so that others' later marks stay above it.
    private mutating func rewrite(_ fallen: [Mark], as marks: [Mark], in text: inout RichText) -> [Mark] {
        let dots = text.rewrite(fallen.map { $0.dot }, as: marks.map { $0.write }, by: replica)
        var written: [Dot: Mark] = [:]
        for (mark, dot) in zip(marks, dots) { written[mark.dot] = Mark(dot: dot, write: mark.write) }
        func renamed(_ mark: Mark) -> Mark { written[mark.dot] ?? mark }
        rename { act in
            switch act {
            case .inserted, .removed: act
            case .marked(let mark, let covered): .marked(renamed(mark), over: covered.map(renamed))
            case .unmarked(let mark, let covered): .unmarked(renamed(mark), over: covered.map(renamed))
            }
        }
        return marks.map(renamed)
    }

    /// Lets marks begin and end at restored text where they did at the removed text: that lies outside of it, or within.
    private mutating func carryMarks(to restored: [Restoration], in text: inout RichText) {
        var moved: [Mark] = []
        text.causal.store.marks.forEach { dot, write in
            let renamed = restored.reduce(write) { $1.renamed($0) }
            if renamed != write { moved.append(Mark(dot: dot, write: renamed)) }
        }
        if !moved.isEmpty { _ = rewrite(moved, as: Self.inOrder(moved), in: &text) }
    }

    /// Marks in the order in which they count, which they keep if they get other events at the same time.
    private static func inOrder(_ marks: [Mark]) -> [Mark] {
        marks.sorted { ($0.write.time, $0.dot) < ($1.write.time, $1.dot) }
    }
}
