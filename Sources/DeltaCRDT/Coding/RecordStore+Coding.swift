/// For each dot: the number of its field, the length of what the field has there, and that, written alone. So whoever does not know
/// the field can pass it over, keep it, and write it again as it was.
extension RecordStore: CodableDotStore, CanonicalCodable {
    /// Appends what a dot holds up. Complexity: O(size of the content + fields · log n).
    public func encodeContent(of dot: Dot, into encoder: inout CanonicalEncoder, _ coding: inout PlainCoding) {
        if let field = layout.fields.first(where: { $0.access.contains(dot, in: fields) }) {
            encoder.encode(count: field.number)
            encoder.encode(field.access.encodedContent(of: dot, in: fields))
        } else if let content = unknown[dot] {
            encoder.encode(count: content.number)
            encoder.encode(content.bytes)
        }
    }

    /// Reads what a dot holds up; the dots come in their order. What cannot be read here is kept as it is.
    ///
    /// Complexity: O(size of the content), amortised.
    public mutating func decodeContent(
        of dot: Dot, from decoder: inout CanonicalDecoder, _ coding: inout PlainCoding
    ) throws(DecodingFailure) {
        let number = try decoder.decodeUInt64()
        guard number > 0 else { throw .notCanonical }
        guard number <= UInt64(RecordField<Schema>.greatestNumber) else { throw .tooLarge }
        let bytes = try decoder.decodeBytes(limit: .max)
        if let field = layout.fields.first(where: { $0.number == number }) {
            do throws(DecodingFailure) {
                return try field.access.decodeContent(of: dot, bytes, into: &fields)
            } catch {}
        }
        unknown[dot] = UnknownContent(number: Int(number), bytes: bytes)
    }

    /// Appends the value in its one form; see <doc:Format>. Complexity: O(size).
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

extension CausalCounter: CanonicalCodable {
    /// Appends the value in its one form; see <doc:Format>. Complexity: O(size).
    public func encode(into encoder: inout CanonicalEncoder) { causal.encode(into: &encoder, .causalCounter) }
    /// Reads a value, and refuses every form but its only one; see <doc:Format>.
    ///
    /// Complexity: O(size of the bytes read), with a bound on what they may ask for.
    public init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        self.init(try Causal(from: &decoder, .causalCounter))
    }
}
