/// One edit of a text, in the form that a causal log of operations holds: what it inserts beside which characters, and which it removes.
///
/// The deltas of a ``Text`` bring their own context; an edit leaves that to the log, and names an edit's characters by the edit and their
/// number in it. So every edit has a name of its own, which no other edit of the same text may have: for example, the first 16 bytes of a
/// hash of it. See <doc:Sequences>.
public struct TextEdit: Hashable, Sendable {
    /// A character: a Unicode scalar.
    public struct Element: Hashable, Sendable {
        /// The edit that inserted it.
        public let edit: ReplicaID
        /// How many scalars that edit inserted before it.
        public let number: Int

        /// A character by its edit and its number in that, from 0. Complexity: O(1).
        public init(edit: ReplicaID, number: Int) {
            self.edit = edit
            self.number = number
        }
    }

    /// Where characters are inserted: a side of an element in Fugue's tree, or of the text's beginning.
    public enum Place: Hashable, Sendable {
        /// At the text's beginning, as a child of that.
        case beginning
        /// After a character, as a right child of it.
        case after(Element)
        /// Before a character, as a left child of it.
        case before(Element)
    }

    /// A text, and where it is inserted.
    public struct Insertion: Hashable, Sendable {
        /// Where its first character is inserted; each other one after the one before.
        public let place: Place
        /// What is inserted.
        public let text: String

        /// A text at a place. Complexity: O(1).
        public init(_ text: String, at place: Place) {
            self.text = text
            self.place = place
        }
    }

    /// Some of the characters of one edit, by their numbers.
    public struct Removal: Hashable, Sendable {
        /// The edit that inserted them.
        public let edit: ReplicaID
        /// Their numbers in it, from 0.
        public let numbers: Range<Int>

        /// Some characters of an edit. Complexity: O(1).
        public init(_ numbers: Range<Int>, of edit: ReplicaID) {
            self.numbers = numbers
            self.edit = edit
        }
    }

    /// The scalars are numbered through all insertions, in this order.
    public let insertions: [Insertion]
    /// What is removed.
    public let removals: [Removal]

    /// An edit that inserts and removes. Complexity: O(1).
    public init(insertions: [Insertion], removals: [Removal]) {
        self.insertions = insertions
        self.removals = removals
    }
}

extension TextEdit.Element {
    init(_ dot: Dot) { self.init(edit: dot.replica, number: Int(dot.counter) - 1) }

    /// Its event; nil for a number that no character has, because anybody may write an edit.
    var dot: Dot? {
        guard number >= 0, number < Dot.maximumCounter else { return nil }
        return Dot(replica: edit, counter: UInt64(number) + 1)
    }
}

extension Text {
    /// The edit that puts texts in the place of some bytes each, which doesn't change this text: ``apply(_:as:hasSeen:)`` does.
    ///
    /// Complexity: O(n), and O(length) of the texts.
    /// - Parameters:
    ///   - replacements: ranges of bytes that don't overlap, from first to last, and the text that replaces each.
    ///   - name: the edit's own name, if it is known; else any name that no edit has.
    public func edit(
        replacing replacements: [(range: Range<Int>, text: String)], as name: ReplicaID
    ) -> TextEdit {
        var (text, insertions, removals) = (self, [TextEdit.Insertion](), [TextEdit.Removal]())
        // From the last on, so that the positions of those before stay.
        for (range, new) in replacements.reversed() {
            removals = text.removals(of: text.remove(range)) + removals
            insertions.append(contentsOf: text.insertions(of: text.insert(new, at: range.lowerBound, by: name), new))
        }
        return TextEdit(insertions: insertions, removals: removals)
    }

    /// Some characters of an edit, removed or not, in stretches between which others stand in this text, or may.
    ///
    /// Complexity: O(log n) for each stretch, and O(n) once.
    package func stretches(of edit: ReplicaID, in numbers: Range<Int>) -> [Range<Int>] {
        let index = causal.store.arranged.index
        guard let writer = index.slot(of: edit), numbers.lowerBound >= 0 else { return [] }
        var (stretches, next) = ([Range<Int>](), UInt64(numbers.lowerBound) + 1)
        let end = UInt64(numbers.upperBound) + 1
        while next < end, let place = index.place(of: next, by: writer) {
            let upper = min(end, index.tree[place].start + index.tree[place].length)
            stretches.append(Int(next) - 1..<Int(upper) - 1)
            next = upper
        }
        return stretches
    }

    /// The insertion of a text right after a character, removed or not, and so before all that follows it in this text; nil where the
    /// character is not known.
    ///
    /// So an undo puts words back where they were. ``TextEdit/Place/after(_:)`` the last of them would leave to the edits' names whether
    /// they stand before what follows.
    ///
    /// Complexity: O(log n), and O(n) where the text isn't ``arranged``.
    /// - Parameter text: not empty.
    package func insertion(of text: String, after element: TextEdit.Element) -> TextEdit.Insertion? {
        let index = causal.store.arranged.index
        guard let dot = element.dot, let writer = index.slot(of: dot.replica),
            let origin = index.origin(behind: dot.counter, by: writer)
        else { return nil }
        return TextEdit.Insertion(text, at: Self.place(of: origin, in: index))
    }

    /// Does an edit, whatever it says: of what it names, it reaches only what is known here and in its past.
    ///
    /// Edits that are applied in any order in which each comes after its past give equal texts. An insertion beside an unknown character
    /// goes to the beginning. Removing twice is removing once. An edit whose name was applied before must not be applied again.
    ///
    /// Complexity: O(log n) for each insertion and each run that is removed, and O(n) once.
    /// - Parameters:
    ///   - edit: what is inserted and removed.
    ///   - name: the edit's name.
    ///   - hasSeen: whether the edit with this name is in this one's past.
    public mutating func apply(_ edit: TextEdit, as name: ReplicaID, hasSeen: (ReplicaID) -> Bool) {
        var removed = CausalContext()
        // Upwards: before others each would move those.
        let removals = edit.removals.sorted { ($0.edit, $0.numbers.lowerBound) < ($1.edit, $1.numbers.lowerBound) }
        for removal in removals where removal.edit != name && !removal.numbers.isEmpty && hasSeen(removal.edit) {
            let last = UInt64(removal.numbers.upperBound)
            guard removal.numbers.lowerBound >= 0, last <= Dot.maximumCounter else { continue }
            removed.insert(replica: removal.edit, counters: UInt64(removal.numbers.lowerBound) + 1...last)
        }
        if !removed.isEmpty {
            let store = causal.store.removing(removed)
            causal.merge(Causal(store: store, seen: store.dots))
        }
        var (inserted, start) = (SequenceStore<TextContent>(), UInt64(1))
        inserted.index.stepsMax = Self.stepsOfEdits
        for insertion in edit.insertions where !insertion.text.isEmpty {
            let place = known(insertion.place, in: name, before: start, hasSeen)
            inserted.insert(insertion.text, at: place, by: name, from: start)
            start += UInt64(insertion.text.unicodeScalars.count)
        }
        guard start > 1 else { return }
        causal.merge(Causal(store: inserted, seen: inserted.dots))
    }

    /// What edits removed from this text and inserted since, place by place: what both show lies between.
    ///
    /// Complexity: O(n) for the runs, and O(n log n) where a text isn't ``arranged``.
    /// - Parameter later: what edits made of a copy of this text.
    package func edits(until later: Text) -> [(removed: String, inserted: String)] {
        let (old, new) = (causal.store.arranged.index, later.causal.store.arranged.index)
        var (edits, isOpen) = ([(removed: String, inserted: String)](), false)
        // The next elements of this text: later ones stand among these, which keep their order and their writers' slots.
        var (next, passed) = (old.tree.first, UInt64(0))
        new.tree.forEach { entry in
            var (start, end) = (entry.start, entry.start + entry.length)
            while start < end {
                var wasShown = false
                if let place = next, old.tree[place].writer == entry.writer {
                    let known = old.tree[place]
                    let first = known.start + passed
                    if first == start {
                        end = min(end, known.start + known.length)
                        wasShown = known.weight > 0
                        passed += end - start
                        if passed == known.length { (next, passed) = (old.tree.place(after: place), 0) }
                    } else if first > start {
                        end = min(end, first)
                    }
                }
                let isShown = entry.weight > 0
                if wasShown, isShown { isOpen = false }
                if wasShown != isShown {
                    if !isOpen { edits.append(("", "")) }
                    isOpen = true
                    let (edit, numbers) = (new.writers[Int(entry.writer)].replica, Int(start) - 1..<Int(end) - 1)
                    if wasShown {
                        edits[edits.count - 1].removed += remainder(of: edit, in: numbers)
                    } else {
                        edits[edits.count - 1].inserted += later.remainder(of: edit, in: numbers)
                    }
                }
                (start, end) = (end, entry.start + entry.length)
            }
        }
        return edits
    }

    /// What is left of some characters of an edit. Complexity: O(length), and O(log n) for each run of it.
    public func remainder(of edit: ReplicaID, in numbers: Range<Int>) -> String {
        guard let writer = causal.store.index.slot(of: edit), !numbers.isEmpty, numbers.lowerBound >= 0 else {
            return ""
        }
        let counters = UInt64(numbers.lowerBound) + 1..<UInt64(numbers.upperBound) + 1
        var bytes: [UInt8] = []
        causal.store.index.forEachRun(in: counters, by: writer) { run in
            guard !run.isRemoved else { return }
            let range = max(run.start, counters.lowerBound)..<min(run.end, counters.upperBound)
            bytes.append(contentsOf: causal.store.part(run, writer, range).content)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Edits come from a log, whose writers may all name one place.
    private static let stepsOfEdits = 256

    /// The character before a position; nil at the beginning. Complexity: O(log n), and O(n) once.
    package func element(before position: Int) -> TextEdit.Element? {
        anchor(at: position, staying: .after).element.map { TextEdit.Element($0) }
    }

    /// The position behind a character, or behind where it was; nil where it isn't known here. Complexity: O(log n), and O(n) once.
    package func position(behind element: TextEdit.Element) -> Int? {
        element.dot.flatMap { position(of: SequenceAnchor(side: .after, element: $0)) }
    }

    /// A place, if its element is known here and was seen.
    private func known(
        _ place: TextEdit.Place, in name: ReplicaID, before start: UInt64, _ hasSeen: (ReplicaID) -> Bool
    ) -> TextEdit.Place {
        switch place {
        case .beginning: return place
        case .after(let element), .before(let element):
            guard let dot = element.dot else { return .beginning }
            if element.edit == name { return dot.counter < start ? place : .beginning }
            guard hasSeen(element.edit), let writer = causal.store.index.slot(of: element.edit),
                causal.store.index.run(of: dot.counter, by: writer) != nil
            else { return .beginning }
            return place
        }
    }

    /// What a delta that removes says.
    private func removals(of delta: Text) -> [TextEdit.Removal] {
        var removals: [TextEdit.Removal] = []
        let index = delta.causal.store.index
        for slot in index.sortedSlots {
            index.writers[slot].runs.forEach { run in
                let numbers = Int(run.start) - 1..<Int(run.end) - 1
                let edit = index.writers[slot].replica
                if let last = removals.last, last.edit == edit, last.numbers.upperBound == numbers.lowerBound {
                    removals[removals.count - 1] = .init(last.numbers.lowerBound..<numbers.upperBound, of: edit)
                } else {
                    removals.append(.init(numbers, of: edit))
                }
            }
        }
        return removals
    }

    /// What a delta that inserts one text says: its runs go on one with the other.
    private func insertions(of delta: Text, _ text: String) -> [TextEdit.Insertion] {
        let index = delta.causal.store.index
        guard let writer = index.writers.first(where: { !$0.runs.isEmpty }) else { return [] }
        var first: SequenceOrigin?
        writer.runs.forEach { if first == nil { first = $0.origin } }
        return [.init(text, at: first.map { Self.place(of: $0, in: index) } ?? .beginning)]
    }

    private static func place(of origin: SequenceOrigin, in index: SequenceIndex) -> TextEdit.Place {
        guard !origin.isBeginning else { return .beginning }
        let parent = TextEdit.Element(
            Dot(replica: index.writers[Int(origin.writer)].replica, counter: origin.counter))
        return origin.isLeft ? .before(parent) : .after(parent)
    }
}

extension SequenceStore {
    /// What removes those of some dots that are alive.
    fileprivate func removing(_ dots: CausalContext) -> SequenceStore {
        var removed = SequenceStore()
        forEachRun(in: dots) { writer, run, counters in
            guard !run.isRemoved else { return }
            var part = self.part(run, writer, counters).run
            part.weight = 0
            removed.append(part, by: writer, content: [], of: index.writers)
        }
        return removed
    }
}

extension SequenceStore<TextContent> {
    /// Adds scalars in the name of a replica, in a row, to a delta.
    fileprivate mutating func insert(
        _ text: String, at place: TextEdit.Place, by replica: ReplicaID, from start: UInt64
    ) {
        let writer = makeSlot(of: replica)
        var origin: SequenceOrigin
        switch place {
        case .beginning: origin = .beginning
        case .after(let element):
            origin = SequenceOrigin(rightOf: UInt64(element.number) + 1, by: makeSlot(of: element.edit))
        case .before(let element):
            origin = SequenceOrigin(leftOf: UInt64(element.number) + 1, by: makeSlot(of: element.edit))
        }
        var (begin, start, text) = (0, start, text)
        text.withUTF8 { bytes in
            while begin < bytes.count {
                let (end, elements) = TextContent.stretch(of: bytes, from: begin)
                let run = SequenceRun(
                    start: start, origin: origin, weight: UInt32(end - begin), length: elements,
                    offset: UInt32(contents[Int(writer)].count), leaf: SequenceRun.unplaced)
                contents[Int(writer)].append(contentsOf: bytes[begin..<end])
                index.noteAdded(run.start..<run.end, by: writer)
                index.writers[Int(writer)].runs.append(run)
                origin = SequenceOrigin(rightOf: run.last, by: writer)
                (begin, start) = (end, run.end)
            }
        }
    }
}
