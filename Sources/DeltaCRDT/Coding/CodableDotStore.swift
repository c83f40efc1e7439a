/// A dot store with a form in bytes: for each dot, in their order, what it holds up. The dots themselves are written before,
/// with the context.
public protocol CodableDotStore: DotStore {
    /// What coding remembers from one dot to the next.
    associatedtype Coding: DotCoding

    /// Appends what a dot holds up. Complexity: to be O(size of the content + log n), or coding the whole is slow.
    func encodeContent(of dot: Dot, into encoder: inout CanonicalEncoder, _ coding: inout Coding)

    /// Reads what a dot holds up and puts it here; it is called in the order of the dots.
    ///
    /// Complexity: to be O(size of the content) amortised, or decoding the whole is slow.
    mutating func decodeContent(
        of dot: Dot, from decoder: inout CanonicalDecoder, _ coding: inout Coding) throws(DecodingFailure)

    /// Reads what a dot that is not here holds up, written alone, from all the bytes that are left, and puts it here; changes nothing
    /// where it throws. Has a default, which reads it apart and joins it.
    ///
    /// Complexity: to be as that of ``decodeContent(of:from:_:)``, or decoding a record is slow.
    mutating func decodeLoneContent(of dot: Dot, from decoder: inout CanonicalDecoder) throws(DecodingFailure)

    /// Appends what all dots hold up. Has a default, which does so for each.
    ///
    /// Complexity: by default O(dots) calls of ``encodeContent(of:into:_:)``.
    func encodeContents(into encoder: inout CanonicalEncoder)

    /// Reads what all dots hold up. Has a default, which does so for each.
    ///
    /// There are at most ``mostDots(in:)`` dots.
    ///
    /// Complexity: by default O(dots) calls of ``decodeContent(of:from:_:)``.
    init(_ dots: LiveDots, from decoder: inout CanonicalDecoder) throws(DecodingFailure)

    /// How many dots to believe that a number of bytes can tell the contents of. Has a default: a byte for each.
    ///
    /// Complexity: O(1).
    static func mostDots(in bytes: Int) -> Int
}

/// What coding remembers from one dot to the next.
public protocol DotCoding {
    /// Nothing met yet. Complexity: O(1).
    init()
}

/// Nothing to remember.
public struct PlainCoding: DotCoding {
    /// Nothing to remember. Complexity: O(1).
    public init() {}
}

extension CodableDotStore {
    /// A byte for each dot. Complexity: O(1).
    @inlinable
    public static func mostDots(in bytes: Int) -> Int { bytes }

    /// Reads what a dot that is not here holds up, written alone, from all the bytes that are left.
    ///
    /// Complexity: by default that of ``decodeContent(of:from:_:)`` and of a merge.
    @inlinable
    public mutating func decodeLoneContent(
        of dot: Dot, from decoder: inout CanonicalDecoder
    ) throws(DecodingFailure) {
        var (store, coding) = (Self(), Coding())
        try store.decodeContent(of: dot, from: &decoder, &coding)
        try decoder.finish()
        merge(store, context: CausalContext(), otherContext: CausalContext())
    }

    /// Appends what all dots hold up. Complexity: by default O(dots) calls of ``encodeContent(of:into:_:)``.
    @inlinable
    public func encodeContents(into encoder: inout CanonicalEncoder) {
        var coding = Coding()
        forEachDot { encodeContent(of: $0, into: &encoder, &coding) }
    }

    /// Reads what all dots hold up. Complexity: by default O(dots) calls of ``decodeContent(of:from:_:)``.
    @inlinable
    public init(_ dots: LiveDots, from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        self.init()
        var coding = Coding()
        try dots.forEach { (dot) throws(DecodingFailure) in try decodeContent(of: dot, from: &decoder, &coding) }
    }

    /// Reads the contents of as many dots as the rest of the bytes can hold.
    @inlinable
    static func decode(_ dots: LiveDots, from decoder: inout CanonicalDecoder) throws(DecodingFailure) -> Self {
        guard dots.count <= mostDots(in: decoder.remaining) else { throw .tooLarge }
        return try Self(dots, from: &decoder)
    }

    /// Appends the store alone: its dots, and what they hold up.
    @inlinable
    func encodeAlone(into encoder: inout CanonicalEncoder) {
        var dots = CausalContext()
        forEachRun { dots.insert(replica: $0, counters: $1) }
        CausalRuns.encode(dots, liveDots, into: &encoder)
        encodeContents(into: &encoder)
    }

    /// The dots as ranges, for ``CausalRuns``.
    @inlinable var liveDots: LiveDots {
        var dots = LiveDots()
        forEachRun { dots.append($0, $1) }
        return dots
    }

    /// Reads a store that was written alone.
    @inlinable
    static func decodeAlone(from decoder: inout CanonicalDecoder) throws(DecodingFailure) -> Self {
        let runs = try CausalRuns(from: &decoder)
        guard !runs.hasFallen else { throw .notCanonical }
        return try decode(runs.alive, from: &decoder)
    }
}

extension DotSet: CodableDotStore, CanonicalCodable {
    /// Dots without contents take no bytes, and as ranges no more memory than they took bytes. Complexity: O(1).
    public static func mostDots(in bytes: Int) -> Int { .max }

    /// Appends what a dot holds up. Complexity: O(size of the content + log n).
    public func encodeContent(of dot: Dot, into encoder: inout CanonicalEncoder, _ coding: inout PlainCoding) {}

    /// Reads what a dot holds up, in the order of the dots. Complexity: O(size of the content), amortised.
    public mutating func decodeContent(
        of dot: Dot, from decoder: inout CanonicalDecoder, _ coding: inout PlainCoding
    ) throws(DecodingFailure) {
        insert(dot)
    }

    /// Holds a dot, where no bytes are left. Complexity: O(ranges).
    public mutating func decodeLoneContent(
        of dot: Dot, from decoder: inout CanonicalDecoder
    ) throws(DecodingFailure) {
        try decoder.finish()
        insert(dot)
    }

    /// Appends nothing, for dots hold up nothing but that something exists. Complexity: O(1).
    public func encodeContents(into encoder: inout CanonicalEncoder) {}

    /// Holds the dots. Complexity: O(ranges).
    public init(_ dots: LiveDots, from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        self.init(dots)
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

extension DotFun: CodableDotStore, CanonicalCodable where Value: CanonicalCodable {
    /// Appends what a dot holds up. Complexity: O(size of the content + log n).
    @inlinable
    public func encodeContent(of dot: Dot, into encoder: inout CanonicalEncoder, _ coding: inout PlainCoding) {
        if case .one(let entry) = few {
            if entry.dot == dot { entry.value.encode(into: &encoder) }
        } else {
            self[dot]?.encode(into: &encoder)
        }
    }

    /// Reads what a dot holds up, in the order of the dots. Complexity: O(size of the content), amortised.
    @inlinable
    public mutating func decodeContent(
        of dot: Dot, from decoder: inout CanonicalDecoder, _ coding: inout PlainCoding
    ) throws(DecodingFailure) {
        self[dot] = try Value(from: &decoder)
    }

    /// Reads what a dot holds up from all the bytes that are left. Complexity: O(size of the content), amortised.
    @inlinable
    public mutating func decodeLoneContent(
        of dot: Dot, from decoder: inout CanonicalDecoder
    ) throws(DecodingFailure) {
        let value = try Value(from: &decoder)
        try decoder.finish()
        self[dot] = value
    }

    /// Appends the value in its one form; see <doc:Format>. Complexity: O(size).
    @inlinable
    public func encode(into encoder: inout CanonicalEncoder) { encodeAlone(into: &encoder) }
    /// Reads a value, and refuses every form but its only one; see <doc:Format>.
    ///
    /// Complexity: O(size of the bytes read), with a bound on what they may ask for.
    @inlinable
    public init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        self = try Self.decodeAlone(from: &decoder)
    }
}

extension DotTable: CodableDotStore, CanonicalCodable where Element: CanonicalCodable {
    /// Texts may be packed into a bit each, and empty ones into nothing. Complexity: O(1).
    @inlinable
    public static func mostDots(in bytes: Int) -> Int { max(TextColumn.mostEmptyPacked, bytes &* 8) }

    /// Appends what a dot holds up. Complexity: O(size of the content + log n).
    @inlinable
    public func encodeContent(of dot: Dot, into encoder: inout CanonicalEncoder, _ coding: inout PlainCoding) {
        self[dot]?.encode(into: &encoder)
    }

    /// Reads what a dot holds up, in the order of the dots. Complexity: O(size of the content), amortised.
    @inlinable
    public mutating func decodeContent(
        of dot: Dot, from decoder: inout CanonicalDecoder, _ coding: inout PlainCoding
    ) throws(DecodingFailure) {
        insert(dot, try Element(from: &decoder))
    }

    /// Reads what a dot holds up from all the bytes that are left. Complexity: O(size of the content), amortised.
    @inlinable
    public mutating func decodeLoneContent(
        of dot: Dot, from decoder: inout CanonicalDecoder
    ) throws(DecodingFailure) {
        let element = try Element(from: &decoder)
        try decoder.finish()
        insert(dot, element)
    }

    /// Appends what all dots hold up. Complexity: O(size).
    @inlinable
    public func encodeContents(into encoder: inout CanonicalEncoder) {
        switch storage {
        case .few(let few): few.forEach { $0.value.encode(into: &encoder) }
        case .many(let many):
            var slots: [UInt32] = []
            slots.reserveCapacity(dotCount)
            many.columns.forEachSlot { slots.append($0) }
            many.elements.encode(slots, into: &encoder)
        }
    }

    /// Reads what all dots hold up. Complexity: O(size), with a bound on what the bytes may ask for.
    @inlinable
    public init(_ dots: LiveDots, from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        self.init()
        if dots.count <= Self.fewest {
            try dots.forEach { (dot) throws(DecodingFailure) in insert(dot, try Element(from: &decoder)) }
        } else {
            var elements = ValueColumn<Element>()
            try elements.append(count: dots.count, from: &decoder)
            storage = .many(ManyDots(dots, elements))
        }
    }

    /// Appends the value in its one form; see <doc:Format>. Complexity: O(size).
    @inlinable
    public func encode(into encoder: inout CanonicalEncoder) { encodeAlone(into: &encoder) }
    /// Reads a value, and refuses every form but its only one; see <doc:Format>.
    ///
    /// Complexity: O(size of the bytes read), with a bound on what they may ask for.
    @inlinable
    public init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        self = try Self.decodeAlone(from: &decoder)
    }
}
