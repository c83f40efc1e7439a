/// A text that several write at once, character by character: what two typed at the same moment stands there whole, one after the other.
///
/// Positions are counted in bytes of UTF-8 and lie between scalars; ``position(ofCharacter:)`` finds that of a character. A
/// ``SequenceAnchor`` stays with its character whatever others write.
///
/// The order is that of Fugue (Weidner, Gentle, Kleppmann: *The Art of the Fugue: Minimizing Interleaving in Collaborative Text
/// Editing*, 2023): what was typed in a row, forwards or backwards, is not mixed with what others typed there. An element is a
/// Unicode scalar; those typed in a row are kept as one run. Of a removed one the place is kept, for others may have written beside it,
/// and not the character.
///
/// ```swift
/// var mine = Text()
/// mine.insert("Lisbon", at: 0, by: jie)
/// var theirs = mine
///
/// let lead = mine.insert("To ", at: 0, by: jie)
/// let tail = theirs.insert(" in June", at: 6, by: noah)
///
/// mine.merge(tail)
/// theirs.merge(lead)
/// mine.string     // "To Lisbon in June"
/// mine == theirs  // true
/// ```
public struct Text: DeltaState {
    /// What was inserted, or which bytes were removed.
    public typealias Change = SequenceChange<String>

    var causal: Causal<SequenceStore<TextContent>>

    init(_ causal: Causal<SequenceStore<TextContent>>) { self.causal = causal }

    /// Nothing written, and nothing seen. Complexity: O(1).
    public init() { self.init(Causal()) }

    /// The events that this text has seen: one for each scalar that was ever inserted. Complexity: O(1).
    public var context: CausalContext { causal.context }

    /// Whether no character is in the text. Complexity: O(writers).
    public var isEmpty: Bool { causal.store.isEmpty }

    /// How many bytes of UTF-8 the text has. Complexity: O(1), and O(n) once.
    public var utf8Count: Int { causal.store.arranged.index.tree.weight }

    /// The text. Complexity: O(n).
    public var string: String {
        let store = causal.store.arranged
        return String(unsafeUninitializedCapacity: store.index.tree.weight) { buffer in
            var end = 0
            store.forEachStretch { stretch in
                stretch.withUnsafeBytes { bytes in
                    UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[end...]).copyMemory(
                        from: bytes)
                    end += bytes.count
                }
            }
            return end
        }
    }

    // MARK: Editing

    /// Inserts a text at a position in the name of a replica and returns the delta.
    ///
    /// Complexity: O(length + log n), and O(n) once.
    @discardableResult
    public mutating func insert(_ text: String, at position: Int, by replica: ReplicaID) -> Text {
        arrange()
        require(position, upTo: causal.store.index.tree.weight, in: "text")
        var text = text
        return text.withUTF8 { insert($0, at: .position(position), by: replica) }
    }

    /// Inserts a text behind an element, removed or not, where that has a place.
    mutating func insert(_ bytes: [UInt8], after dot: Dot, by replica: ReplicaID) -> Text {
        arrange()
        guard let writer = causal.store.index.slot(of: dot.replica),
            causal.store.index.place(of: dot.counter, by: writer) != nil
        else { return Text() }
        return bytes.withUnsafeBufferPointer {
            insert($0, at: .after(counter: dot.counter, writer: writer), by: replica)
        }
    }

    private mutating func insert(
        _ bytes: UnsafeBufferPointer<UInt8>, at place: SequencePlace, by replica: ReplicaID
    ) -> Text {
        guard !bytes.isEmpty else { return Text() }
        let (end, elements) = TextContent.stretch(of: bytes, from: 0)
        let first = UnsafeBufferPointer(rebasing: bytes[..<end])
        var delta = Text(causal.insert(first, elements, at: place, by: replica))
        if end < bytes.count { insert(UnsafeBufferPointer(rebasing: bytes[end...]), behind: &delta, by: replica) }
        return delta
    }

    /// Inserts a text behind what a delta has just inserted, and joins it to that.
    private mutating func insert(
        _ bytes: UnsafeBufferPointer<UInt8>, behind delta: inout Text, by replica: ReplicaID
    ) {
        var (part, begin) = (delta, 0)
        while begin < bytes.count {
            let author = part.causal.store.index.writers[0]
            guard let last = author.runs.last?.last, let writer = causal.store.index.slot(of: author.replica) else {
                return
            }
            let (end, elements) = TextContent.stretch(of: bytes, from: begin)
            let stretch = UnsafeBufferPointer(rebasing: bytes[begin..<end])
            let place = SequencePlace.after(counter: last, writer: writer)
            part.causal = causal.insert(stretch, elements, at: place, by: replica)
            delta.causal.merge(part.causal)
            begin = end
        }
    }

    /// Removes the bytes between two positions and returns the delta. Complexity: O(log n) for each run that falls, and O(n) once.
    @discardableResult
    public mutating func remove(_ range: Range<Int>) -> Text {
        arrange()
        require(range, upTo: causal.store.index.tree.weight, in: "text")
        return Text(causal.remove(range))
    }

    /// Puts a text in the place of the bytes between two positions and returns the one delta. Complexity: as of both.
    @discardableResult
    public mutating func replace(_ range: Range<Int>, with text: String, by replica: ReplicaID) -> Text {
        var delta = remove(range)
        delta.merge(insert(text, at: range.lowerBound, by: replica))
        return delta
    }

    /// This text, put in order once for many questions about places in it. Complexity: O(n), and O(1) where it is in order.
    package var arranged: Text {
        var text = self
        text.arrange()
        return text
    }

    mutating func arrange() {
        if !causal.store.index.isArranged { causal.liveStore.arrange() }
    }
}

/// The bytes of scalars.
enum TextContent: SequenceContent {
    typealias Unit = UInt8

    static func units(in content: [UInt8], from offset: Int, of elements: UInt64) -> Int {
        content.withUnsafeBufferPointer { bytes in
            var end = offset
            for _ in 0..<elements { end += length(bytes[end]) }
            return end - offset
        }
    }

    /// How many bytes a scalar has, by its first.
    @inline(__always)
    static func length(_ first: UInt8) -> Int { first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4 }

    /// How many scalars there are.
    static func elements(of bytes: UnsafeBufferPointer<UInt8>) -> Int {
        var elements = 0
        for byte in bytes where byte & 0xC0 != 0x80 { elements += 1 }
        return elements
    }

    /// The end of a stretch that one run holds: of ASCII as long as it goes on, of others no more than are quickly counted.
    static func stretch(of bytes: UnsafeBufferPointer<UInt8>, from begin: Int) -> (end: Int, elements: UInt64) {
        var end = begin
        while end < bytes.count, bytes[end] < 0x80 { end += 1 }
        if end == bytes.count || end - begin > Int(SequenceRun.mostWide) { return (end, UInt64(end - begin)) }
        var elements = UInt64(end - begin)
        while end < bytes.count, elements < SequenceRun.mostWide {
            end += length(bytes[end])
            elements += 1
        }
        return (end, elements)
    }
}
