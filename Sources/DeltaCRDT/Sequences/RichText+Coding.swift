/// A text as ``Text`` has it, and then who saw what, and the marks.
extension RichText: CanonicalCodable {
    /// Appends the value in its one form; see <doc:Format>. Complexity: O(n).
    public func encode(into encoder: inout CanonicalEncoder) {
        encoder.encode(SequenceKind.richText)
        causal.store.text.encodeText(into: &encoder)
        CausalRuns.encode(causal.seen, causal.store.marks.liveDots, into: &encoder)
        causal.store.marks.encodeContents(into: &encoder)
    }

    /// Reads a value, and refuses every form but its only one; see <doc:Format>.
    ///
    /// Complexity: O(n log n) for n the size of the bytes read, with a bound on what they may ask for.
    public init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        try decoder.decode(SequenceKind.richText)
        let text = try SequenceStore<TextContent>(textFrom: &decoder)
        let runs = try CausalRuns(from: &decoder)
        let marks = try DotFun<MarkWrite>.decode(runs.alive, from: &decoder)
        // Every event is seen, and inserted a character or wrote a mark.
        let characters = text.dots
        guard characters.isSubset(of: runs.context), marks.dots(in: characters).isEmpty else { throw .notCanonical }
        self.init(Causal(store: RichTextStore(text: text, marks: marks), seen: runs.context))
    }

    /// The characters alone of a rich text in its form as bytes: what ``string`` is of that text, without reading who wrote what.
    ///
    /// Complexity: O(n), a small part of what reading the text takes.
    public static func string(decoding bytes: [UInt8]) throws(DecodingFailure) -> String {
        var decoder = CanonicalDecoder(bytes)
        try decoder.decode(SequenceKind.richText)
        return try SequenceStore<TextContent>.string(from: &decoder)
    }
}
