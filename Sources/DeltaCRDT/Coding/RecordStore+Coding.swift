/// For each dot: its field's number, the length of the field's content, and the content, written alone. So a reader that does not know
/// the field can skip it, keep it, and write it again unchanged.
extension RecordStore: CodableDotStore, CanonicalCodable {
    /// Appends what a dot holds up. Complexity: O(size of the content + fields · log n).
    @inlinable
    public func encodeContent(of dot: Dot, into encoder: inout CanonicalEncoder, _ coding: inout PlainCoding) {
        fields.encodeContent(of: dot, into: &encoder)
    }

    /// Reads what a dot holds up, in the order of the dots. Content that cannot be read here is kept unchanged.
    ///
    /// Complexity: O(size of the content), amortised.
    @inlinable
    public mutating func decodeContent(
        of dot: Dot, from decoder: inout CanonicalDecoder, _ coding: inout PlainCoding
    ) throws(DecodingFailure) {
        try fields.decodeContent(of: dot, from: &decoder, Schema.self, isAlone: false)
    }

    /// Reads what a dot holds up from all the bytes that are left. Complexity: O(size of the content), amortised.
    @inlinable
    public mutating func decodeLoneContent(
        of dot: Dot, from decoder: inout CanonicalDecoder
    ) throws(DecodingFailure) {
        try fields.decodeContent(of: dot, from: &decoder, Schema.self, isAlone: true)
    }

    /// Appends the value in its one form; see <doc:Format>. Complexity: O(size).
    @inlinable
    public func encode(into encoder: inout CanonicalEncoder) { encodeAlone(into: &encoder) }
    /// Reads a value, and refuses every form but its only one; see <doc:Format>.
    ///
    /// Complexity: O(size of the bytes read), with a bound on what they may ask for.
    public init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        self = try Self.decodeAlone(from: &decoder)
    }
}

extension Record: CanonicalCodable {
    /// Appends the value in its one form; see <doc:Format>. Complexity: O(size).
    public func encode(into encoder: inout CanonicalEncoder) { causal.encode(into: &encoder, .record) }
    /// Reads a value, and refuses every form but its only one; see <doc:Format>.
    ///
    /// Complexity: O(size of the bytes read), with a bound on what they may ask for.
    public init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        self.init(try Causal(from: &decoder, .record))
    }
}
