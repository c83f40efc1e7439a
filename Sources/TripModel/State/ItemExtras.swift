import DeltaCRDT

/// What few items have: it lies apart from `ItemState`, of which a trip holds very many.
struct ItemExtras: Hashable, Sendable {
    /// Nil where it was made before there were lists, or never put into one: then it stands in none, as it was made.
    var placement: Placement?
    var claims = Ballot<Claim>()
    var attendance = Ballot<Attendance>()
    var amenities = WordSet()
    var photos = Gallery()
    /// Once somebody edits what the item was made with, which stands among its fields until then.
    var note = Note()
    var answers = Answers()
    /// Of a hidden question, in place of `answers`.
    var sealed = SealedAnswers()
    /// Of a question.
    var options = WordSet()
    /// All that were ever made.
    private(set) var comments: [Comment] = []

    /// Takes a comment at its place: by stamp, and in one change by index.
    mutating func insert(_ comment: Comment) {
        let place = comments.partitioningIndex { stands($0.cause, $0.index, above: comment.cause, comment.index) }
        comments.insert(comment, at: place)
    }

    /// Changes a comment where it stands.
    mutating func updateComment(_ operation: OperationID, _ body: (inout Comment) -> Void) {
        guard let place = comments.firstIndex(where: { $0.operation == operation }) else { return }
        body(&comments[place])
    }
}

/// That an item stands in a list: of all that were written, the one that stands highest, so an item is in one place, and a
/// move is one write.
struct Placement: Hashable, Sendable {
    let cause: Cause
    let index: OperationIndex
    /// Nil for no list.
    let list: OperationID?

    var operation: OperationID { cause.operation(index) }
}

/// What somebody says of an item. Its author's participant alone takes it away, and brings it back.
struct Comment: Hashable, Sendable {
    let cause: Cause
    let index: OperationIndex
    let text: Text
    var existence: Existence
    /// Where its change stands in the log.
    let place: UInt32

    var operation: OperationID { cause.operation(index) }

    /// Equal on all nodes: its place is this log's own.
    static func == (left: Comment, right: Comment) -> Bool {
        left.index == right.index && left.cause == right.cause && left.text == right.text
            && left.existence == right.existence
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(index)
        hasher.combine(cause)
    }
}

/// An observed-remove set of words (Shapiro and others, 2011): an add wins over a removal that had not seen it.
struct WordSet: Hashable, Sendable {
    private struct Entry: Hashable, Sendable {
        let word: Text
        var existence = Existence()
    }

    /// Ascending by word; none that is not there.
    private var entries: [Entry] = []

    /// In the order of their bytes.
    var words: [Text] { entries.map(\.word) }

    /// In the order in which they were added: by the lowest operation that holds each. O(n log n).
    var wordsAsAdded: [Text] {
        let held = entries.compactMap { entry in entry.existence.tokens.last.map { (entry.word, $0) } }
        return held.sorted { stands($1.1.cause, $1.1.index, above: $0.1.cause, $0.1.index) }.map(\.0)
    }

    func contains(_ word: Text) -> Bool { entries.contains { $0.word == word } }

    /// Takes words away, and then adds others. O(words) for each.
    mutating func change(_ added: [Text], _ removed: [Text], by change: FoldedChange, at index: OperationIndex) {
        for word in removed { remove(word, by: change) }
        for word in added { add(word, by: change, at: index) }
    }

    /// The words to add and to take away so that a change of these is undone, from what there was before and what there is now.
    static func undoing(
        _ added: [Text], _ removed: [Text], before: WordSet?, now: WordSet?
    ) -> (added: [Text], removed: [Text])? {
        let (had, has) = (before ?? WordSet(), now ?? WordSet())
        let back = removed.filter { had.contains($0) && !has.contains($0) }
        let gone = added.filter { !had.contains($0) && has.contains($0) }
        return back.isEmpty && gone.isEmpty ? nil : (back, gone)
    }

    /// O(words).
    private mutating func add(_ word: Text, by change: FoldedChange, at index: OperationIndex) {
        let place = entries.partitioningIndex { $0.word >= word }
        if place == entries.count || entries[place].word != word { entries.insert(Entry(word: word), at: place) }
        entries[place].existence.uphold(by: change, at: index)
    }

    /// Takes away what the change's author had seen of a word. O(words).
    private mutating func remove(_ word: Text, by change: FoldedChange) {
        guard let place = entries.firstIndex(where: { $0.word == word }) else { return }
        entries[place].existence.remove(by: change)
        if entries[place].existence.isEmpty { entries.remove(at: place) }
    }

    /// The operations that hold each word, highest first, by word.
    var tokens: [(word: Text, operations: [OperationID])] {
        entries.map { entry in (entry.word, entry.existence.tokens.map { $0.cause.operation($0.index) }) }
    }
}
