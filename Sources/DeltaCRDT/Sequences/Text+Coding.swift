/// The characters in their order first, so that they can be read alone; then who inserted them where.
extension Text: CanonicalCodable {
    /// Appends the value in its one form; see <doc:Format>. Complexity: O(n).
    public func encode(into encoder: inout CanonicalEncoder) {
        encoder.encode(SequenceKind.text)
        causal.store.encodeText(into: &encoder)
    }

    /// Reads a value, and refuses every form but its only one; see <doc:Format>.
    ///
    /// Complexity: O(n log n) for n the size of the bytes read, with a bound on what they may ask for.
    public init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        try decoder.decode(SequenceKind.text)
        let store = try SequenceStore<TextContent>(textFrom: &decoder)
        self.init(Causal(store: store, seen: store.dots))
    }

    /// The characters alone of a text in its form as bytes: what ``string`` is of that text, without reading who wrote what.
    ///
    /// Complexity: O(n), a small part of what reading the text takes.
    public static func string(decoding bytes: [UInt8]) throws(DecodingFailure) -> String {
        var decoder = CanonicalDecoder(bytes)
        try decoder.decode(SequenceKind.text)
        return try SequenceStore<TextContent>.string(from: &decoder)
    }
}

extension SequenceStore<TextContent> {
    /// Appends the characters in their order, and then who inserted them where.
    func encodeText(into encoder: inout CanonicalEncoder) {
        let store = arranged
        var bytes: [UInt8] = []
        bytes.reserveCapacity(store.index.tree.weight)
        store.forEachLiveRun { bytes.append(contentsOf: store.content(of: $0, by: $1)) }
        encoder.encode(count: bytes.count - store.index.tree.weight)
        PackedBytes.encode(bytes, into: &encoder)
        store.encodePlaces(into: &encoder)
    }

    /// Reads what ``encodeText(into:)`` wrote.
    init(textFrom decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        let (bytes, hidden) = try Self.decodeBytes(from: &decoder)
        try self.init(placesFrom: &decoder, alive: bytes.count)
        guard bytes.withUnsafeBufferPointer(TextContent.elements) == index.alive else { throw .notCanonical }
        arrange()
        setContent(bytes)
        arrange()
        guard bytes.count - index.tree.weight == hidden else { throw .notCanonical }
    }

    /// Reads the characters alone.
    static func string(from decoder: inout CanonicalDecoder) throws(DecodingFailure) -> String {
        let (bytes, hidden) = try decodeBytes(from: &decoder)
        return String(decoding: bytes.dropLast(hidden), as: UTF8.self)
    }

    private static func decodeBytes(
        from decoder: inout CanonicalDecoder
    ) throws(DecodingFailure) -> (bytes: [UInt8], hidden: Int) {
        let hidden = try decoder.decodeUInt64()
        let bytes = try PackedBytes.decode(from: &decoder)
        guard hidden <= UInt64(bytes.count) else { throw .tooLarge }
        guard bytes.withUnsafeBytes(UTF8Validation.isValid) else { throw .invalidText }
        return (bytes, Int(hidden))
    }
}

/// The second byte of an encoded sequence or tree.
enum SequenceKind: UInt8 {
    case text = 0
    case list = 1
    case movableList = 2
    case tree = 3
    case richText = 4
}

extension CanonicalEncoder {
    mutating func encode(_ kind: SequenceKind) {
        encode(StateTag.sequence)
        encode(byte: kind.rawValue)
    }
}

extension CanonicalDecoder {
    mutating func decode(_ kind: SequenceKind) throws(DecodingFailure) {
        try decode(StateTag.sequence)
        guard try decodeByte() == kind.rawValue else { throw .unknown }
    }
}
