import DeltaCRDT

/// A text that several write at once, of an item or of the trip: `DeltaCRDT.Text` in its operation-based form, whose edits are operations.
struct Note: Sendable {
    private(set) var text = DeltaCRDT.Text()
    /// The operations that inserted something, by the names under which they did.
    private var writings: [ReplicaID: LoggedOperation] = [:]
    /// Those of them that no write of the whole text removed.
    private var standing = StandingEdits()
    /// The highest operation that wrote.
    private(set) var last: LoggedOperation?

    /// Where the change stands in the log that wrote here last.
    private var latest: UInt32?

    var isWritten: Bool { last != nil }

    /// Whether a change wrote here already. Of several edits by one change, which no honest one has, the first is told.
    func isWritten(by act: FoldedOperation) -> Bool { latest == act.changeIndex }

    /// What people read, no longer than `Limits.noteShown` and without white space at its ends; nil where there is nothing.
    var shown: String? {
        let shown = TextClasses.trimmed(String(text.string.unicodeScalars.prefix(Limits.noteShown)))
        return shown.unicodeScalars.contains { !TextClasses.isInvisible($0) } ? shown : nil
    }

    /// Does an edit. Where its change counts no more and is upheld, what it inserted stays alone.
    mutating func apply(_ edit: NoteEdit, by act: FoldedOperation) {
        let own = act.id.operation
        var (insertions, removals) = ([TextEdit.Insertion](), [TextEdit.Removal]())
        for insertion in edit.insertions {
            var place = TextEdit.Place.beginning
            if let neighbor = insertion.place.element,
                let name = writer(act.operation(neighbor.operation), for: own)
            {
                let element = TextEdit.Element(edit: name, number: Int(neighbor.number))
                if case .before = insertion.place { place = .before(element) } else { place = .after(element) }
            }
            insertions.append(.init(insertion.text.string, at: place))
        }
        for removal in edit.removals where !act.isUpheld {
            guard let name = writer(act.operation(removal.operation), for: own) else { continue }
            removals.append(.init(Int(removal.numbers.lowerBound)..<Int(removal.numbers.upperBound), of: name))
        }
        apply(TextEdit(insertions: insertions, removals: removals), by: act)
    }

    /// The name under which an operation wrote here, or writes now. A part of a hash may be made up: the whole of it names an operation.
    private func writer(_ operation: OperationID, for own: OperationID) -> ReplicaID? {
        let name = ReplicaID(operation)
        return operation == own || writings[name]?.operation == operation ? name : nil
    }

    /// Writes the whole text, as a field is written: in place of what lies in the past, but for what the write leaves alone.
    mutating func write(_ write: FieldWrite, by act: FoldedOperation) {
        guard write.value != .unknown else { return }
        let replaced =
            standing
            .removeSeen(by: act, except: act.operations(write.siblings), ofChange: act.changeIndex)
            .map { ReplicaID($0.operation) }
        let removals = replaced.sorted().map { TextEdit.Removal(0..<Int(Limits.noteShown), of: $0) }
        var insertions: [TextEdit.Insertion] = []
        if case .text(let text) = write.value { insertions = [.init(text.string, at: .beginning)] }
        apply(TextEdit(insertions: insertions, removals: removals), by: act)
    }

    /// Begins with what an item was made with.
    mutating func begin(with first: Written) {
        last = first.id
        guard let words = first.text else { return }
        let name = ReplicaID(first.operation)
        writings[name] = first.id
        standing.insert(first.id, ofBranch: StandingEdits.unknownBranch)
        text.apply(TextEdit(insertions: [.init(words.string, at: .beginning)], removals: []), as: name) { _ in true }
    }

    private mutating func apply(_ edit: TextEdit, by act: FoldedOperation) {
        let (id, name) = (act.id, ReplicaID(act.id.operation))
        text.apply(edit, as: name) { [writings] in writings[$0].map { act.hasSeen($0) } ?? false }
        if !edit.insertions.isEmpty {
            writings[name] = id
            standing.insert(id, ofBranch: act.branch)
        }
        latest = act.changeIndex
        last = max(last ?? id, id)
    }

    /// Anybody's change is compared, and quickly.
    private static let linesTold = 256

    /// What an edit inserted and removed, each no longer than `Limits.noteTold`, with the blanks at their ends, by which typing is put
    /// together; nil where that is the same. Equal words of others stay out of it, wherever they are.
    /// - Parameter after: what the edit made of this note.
    func difference(to after: Note) -> (added: String, removed: String)? {
        var (added, removed) = ([String](), [String]())
        for edit in text.edits(until: after.text) {
            let bytes = Array(edit.removed.utf8)
            // Who writes a whole text again often changed a few words of it.
            let parts = TextDifference.replacements(from: edit.removed, to: edit.inserted, most: Self.linesTold)
            added += parts.map(\.text)
            removed += parts.map { String(decoding: bytes[$0.range], as: UTF8.self) }
        }
        let told = { (parts: [String]) in
            String(parts.filter { !$0.isEmpty }.joined(separator: " … ").unicodeScalars.prefix(Limits.noteTold))
        }
        return added.isEmpty ? nil : (told(added), told(removed))
    }

    // MARK: - Writing

    /// A name that no operation has.
    private static let own = ReplicaID(high: .max, low: .max)

    /// The edit that makes of this text another one; nil where it is that already.
    /// - Parameter base: what its writer was shown: what others wrote since stays. Nil where the new text replaces all that is there.
    func edit(to new: String, from base: String?) -> NoteEdit? {
        let current = text.string
        let replacements =
            if let base {
                TextDifference.replacements(from: base, to: new, in: current)
            } else {
                new == shown ?? "" ? [] : [(range: 0..<current.utf8.count, text: new)]
            }
        guard !replacements.isEmpty else { return nil }
        return named(text.edit(replacing: replacements, as: Self.own))
    }

    /// This note, put in order once for many questions about places in it.
    var arranged: Note {
        var note = self
        note.text = text.arranged
        return note
    }

    /// Some characters of an operation, removed or not, in stretches between which others may stand.
    func stretches(of characters: NoteEdit.Removal) -> [NoteEdit.Removal] {
        guard case .there(let operation) = characters.operation else { return [] }
        let numbers = Int(characters.numbers.lowerBound)..<Int(characters.numbers.upperBound)
        return text.stretches(of: ReplicaID(operation), in: numbers).map { stretch in
            .init(operation: characters.operation, numbers: UInt32(stretch.lowerBound)..<UInt32(stretch.upperBound))
        }
    }

    /// The insertion of words right after a character, which may be removed; nil where that is not known.
    func insertion(of words: String, after element: NoteEdit.Element) -> NoteEdit.Insertion? {
        guard case .there(let operation) = element.operation else { return nil }
        let element = TextEdit.Element(edit: ReplicaID(operation), number: Int(element.number))
        return text.insertion(of: words, after: element).map(named)
    }

    /// What is left of some characters of an operation of another change.
    func words(_ characters: NoteEdit.Removal) -> String {
        guard case .there(let operation) = characters.operation else { return "" }
        let numbers = Int(characters.numbers.lowerBound)..<Int(characters.numbers.upperBound)
        return text.remainder(of: ReplicaID(operation), in: numbers)
    }

    private func named(_ edit: TextEdit) -> NoteEdit {
        NoteEdit(
            insertions: edit.insertions.map(named),
            removals: edit.removals.compactMap { removal in
                writings[removal.edit].map {
                    .init(
                        operation: .there($0.operation),
                        numbers: UInt32(removal.numbers.lowerBound)..<UInt32(removal.numbers.upperBound))
                }
            })
    }

    private func named(_ insertion: TextEdit.Insertion) -> NoteEdit.Insertion {
        let place: NoteEdit.Place? =
            switch insertion.place {
            case .beginning: nil
            case .after(let neighbor): named(neighbor).map { .after($0) }
            case .before(let neighbor): named(neighbor).map { .before($0) }
            }
        return .init(place: place ?? .beginning, text: Text(insertion.text))
    }

    private func named(_ element: TextEdit.Element) -> NoteEdit.Element? {
        writings[element.edit].map { .init(operation: .there($0.operation), number: UInt32(element.number)) }
    }

    // MARK: - Carets

    /// The character before a place in a text that was shown; nil at the beginning.
    ///
    /// Complexity: O(n).
    /// - Parameter offset: counted in units of UTF-16, as pages count.
    func element(before offset: Int, in shown: String) -> NoteEdit.Element? {
        var place = shown.bytes(before: offset)
        for (range, new) in TextDifference.replacements(from: shown, to: self.shown ?? "").reversed()
        where range.lowerBound < place {
            place = range.upperBound <= place ? place + new.utf8.count - range.count : range.lowerBound
        }
        return text.element(before: min(startOfShown + place, text.utf8Count)).flatMap { named($0) }
    }

    /// Where in the text that is shown the places behind characters are, in units of UTF-16; nil for each that isn't known yet.
    ///
    /// Complexity: O(n), and O(log n) for each: the text is made once, however many write there.
    func offsets(behind elements: [NoteEdit.Element?]) -> [Int?] {
        let note = arranged
        let string = note.text.string
        let start = string.unicodeScalars.firstIndex { !TextClasses.isSpace($0) } ?? string.endIndex
        let end = note.shown?.utf16.count ?? 0
        return elements.map { element -> Int? in
            guard let element else { return 0 }
            guard case .there(let operation) = element.operation else { return nil }
            let name = ReplicaID(operation)
            guard writings[name]?.operation == operation,
                let bytes = note.text.position(behind: .init(edit: name, number: Int(element.number)))
            else { return nil }
            let place = string.utf8.index(string.startIndex, offsetBy: bytes)
            return min(max(0, string.utf16.distance(from: start, to: place)), end)
        }
    }

    /// How many bytes of white space come before what is shown.
    private var startOfShown: Int {
        text.string.unicodeScalars.prefix(while: TextClasses.isSpace).reduce(0) { $0 + UTF8.width($1) }
    }
}

/// Equal on all nodes: where changes stand in the log is each node's own.
extension Note: Hashable {
    static func == (left: Note, right: Note) -> Bool {
        left.text == right.text && left.last == right.last
    }

    func hash(into hasher: inout Hasher) { hasher.combine(last) }
}
