/// A text with formatting that several write and format at once: bold, links, comments, or any marks that an application names.
///
/// The text is a ``Text``, and the marks follow Peritext (Litt, Lim, Kleppmann, van Hardenberg: *Peritext: A CRDT for Collaborative Rich
/// Text Editing*, 2022). A mark has a name, a value, and a stretch of text that is held by anchors before or after characters, removed
/// or not, so it stays on what it was put on. ``MarkExpansion`` says whether text that somebody types at an edge gets the mark. Marks with
/// different names overlap freely. Where marks with one name overlap, the latest counts at each character: by how many events its author
/// had seen, then by its dot. To take a mark off is to write one without a value.
///
/// A mark that another one with its name covers whole, by somebody who had seen it, is forgotten. Marks on text that was removed stay,
/// for somebody may have typed within.
///
/// ```swift
/// var mine = RichText()
/// mine.insert("The fox jumped.", at: 0, by: jie)
/// var theirs = mine
///
/// let bold = mine.mark(0..<7, "bold", by: jie)
/// let word = theirs.insert("quick ", at: 4, by: noah)
///
/// mine.merge(word)
/// theirs.merge(bold)
/// mine.string     // "The quick fox jumped."
/// mine.marks      // [FormattingMark(0..<13, "bold")]
/// mine == theirs  // true
/// ```
public struct RichText: DeltaState {
    /// What was inserted, removed or formatted.
    public typealias Change = RichTextChange

    var causal: Causal<RichTextStore>

    init(_ causal: Causal<RichTextStore>) { self.causal = causal }

    /// Nothing written, and nothing seen. Complexity: O(1).
    public init() { self.init(Causal()) }

    /// The events that this text has seen: one for each scalar that was ever inserted, and for each mark. Complexity: O(1).
    public var context: CausalContext { causal.context }

    /// Whether no character is in the text. Complexity: O(writers).
    public var isEmpty: Bool { causal.store.text.isEmpty }

    /// How many bytes of UTF-8 the text has. Complexity: O(1), and O(n) once.
    public var utf8Count: Int { causal.store.text.arranged.index.tree.weight }

    /// The text without formatting, as a string. Complexity: O(n).
    public var string: String { Text(Causal(store: causal.store.text, seen: CausalContext())).string }

    /// The text without formatting, for all that a ``Text`` tells: lines, characters, positions. Complexity: O(runs).
    public var text: Text { Text(Causal(store: causal.store.text, seen: causal.store.text.dots)) }

    // MARK: Editing

    /// Inserts a text at a position in the name of a replica and returns the delta. It gets the marks that its place has; behind removed
    /// characters, if a mark ends there that does not expand.
    ///
    /// Complexity: O(length + log n), O(marks · log n) more where characters were removed at the position, and O(n) once.
    @discardableResult
    public mutating func insert(_ text: String, at position: Int, by replica: ReplicaID) -> RichText {
        causal.liveStore.text.arrange()
        require(position, upTo: causal.store.text.index.tree.weight, in: "text")
        let dot = causal.store.lastEdge(at: position)
        return edit {
            if let dot {
                _ = $0.insert(Array(text.utf8), after: dot, by: replica)
            } else {
                $0.insert(text, at: position, by: replica)
            }
        }
    }

    /// Removes the bytes between two positions and returns the delta. Complexity: O(log n) for each run that falls, and O(n) once.
    @discardableResult
    public mutating func remove(_ range: Range<Int>) -> RichText { edit { $0.remove(range) } }

    /// Puts a text in the place of the bytes between two positions and returns the one delta. Complexity: as of both.
    @discardableResult
    public mutating func replace(_ range: Range<Int>, with text: String, by replica: ReplicaID) -> RichText {
        var delta = remove(range)
        delta.merge(insert(text, at: range.lowerBound, by: replica))
        return delta
    }

    /// Edits the text by what acts on a ``Text``, such as a merge with one, and returns the one delta.
    ///
    /// What is inserted by ``Text/insert(_:at:by:)`` stands before removed characters, even where a mark ends at one of them. An
    /// ``UndoStack`` edits a rich text itself, and undoes its formatting too.
    ///
    /// ```swift
    /// var note = RichText()
    /// var heard = Text()
    /// heard.insert("Lisbon", at: 0, by: jie)
    /// note.edit { $0.merge(heard) }
    /// note.string  // "Lisbon"
    /// ```
    ///
    /// Complexity: that of what is done, and O(ranges of its context · log marks).
    @discardableResult
    public mutating func edit(_ act: (inout Text) -> Void) -> RichText {
        var lent = Text()
        swap(&lent.causal.liveStore, &causal.liveStore.text)
        swap(&lent.causal.seen, &causal.seen)
        swap(&lent.causal.removals, &causal.removals)
        let outer = lent.causal.beginRecording()
        act(&lent)
        let part = lent.causal.endRecording(outer)
        swap(&lent.causal.liveStore, &causal.liveStore.text)
        swap(&lent.causal.seen, &causal.seen)
        swap(&lent.causal.removals, &causal.removals)
        // Somebody forged an event that is a mark here.
        var forged: [Dot] = []
        causal.store.marks.forEachDot(in: part.seen) { forged.append($0) }
        if !forged.isEmpty { causal.liveStore.marks.forget(forged) }
        let delta = Causal(store: RichTextStore(text: part.store), seen: part.seen)
        causal.record(delta)
        return RichText(delta)
    }

    // MARK: Places

    /// An anchor at a position. Complexity: O(log n), and O(n) once.
    public func anchor(at position: Int, staying side: SequenceAnchor.Side) -> SequenceAnchor {
        let store = causal.store.text.arranged
        require(position, upTo: store.index.tree.weight, in: "text")
        return store.anchor(at: position, side)
    }

    /// The position of an anchor: where its character is, or was; nil where it is not known here yet.
    ///
    /// Complexity: O(log n), and O(n) once.
    public func position(of anchor: SequenceAnchor) -> Int? { causal.store.text.arranged.position(of: anchor) }
}

extension RichText: CustomStringConvertible {
    /// The text without formatting.
    public var description: String { string }
}

extension RichTextStore {
    /// The last removed character at a position behind which an edge of a mark lies that stays after it: what is typed there must come
    /// after that edge, or a link would grow whose last character was removed (Peritext). Nil where there is none.
    fileprivate func lastEdge(at position: Int) -> Dot? {
        guard !marks.isEmpty, hasRemoved(at: position) else { return nil }
        var last: (dot: Dot, place: SequenceStore<TextContent>.AnchorPlace)?
        marks.forEach { _, mark in
            for anchor in [mark.start, mark.end] where anchor.side == .after {
                guard let dot = anchor.element, !text.contains(dot), text.position(of: anchor) == position,
                    let place = text.place(of: anchor)
                else { continue }
                if let other = last, text.isOrdered(place, notAfter: other.place) { continue }
                last = (dot, place)
            }
        }
        return last?.dot
    }

    /// Whether a removed character stands right behind the one before a position of the arranged text.
    private func hasRemoved(at position: Int) -> Bool {
        let tree = text.index.tree
        if position == 0 { return tree.first.map { tree[$0].weight == 0 } ?? false }
        let (place, units) = tree.place(ofUnitEndingAt: position)
        guard units == tree[place].weight else { return false }
        return tree.place(after: place).map { tree[$0].weight == 0 } ?? false
    }
}
