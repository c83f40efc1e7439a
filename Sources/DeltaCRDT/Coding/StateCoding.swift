extension VersionVector: CanonicalCodable {
    /// Appends the value in its one form; see <doc:Format>. Complexity: O(size).
    public func encode(into encoder: inout CanonicalEncoder) {
        encoder.encode(count: entries.count)
        for entry in entries {
            encoder.encode(interned: entry.replica)
            encoder.encode(entry.counter)
        }
    }

    /// Reads a value, and refuses every form but its only one; see <doc:Format>.
    ///
    /// Complexity: O(size of the bytes read), with a bound on what they may ask for.
    public init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        try self.init(from: &decoder, limit: Dot.maximumCounter)
    }

    /// Reads a vector whose numbers are at most `limit`.
    init(from decoder: inout CanonicalDecoder, limit: UInt64) throws(DecodingFailure) {
        let count = try decoder.decodeCount(limit: .max, minimumSize: 2)
        entries.reserveCapacity(count)
        for _ in 0..<count {
            let replica = try decoder.decodeInternedReplica()
            if let last = entries.last, last.replica >= replica { throw .notCanonical }
            let counter = try decoder.decodeUInt64()
            guard counter > 0 else { throw .notCanonical }
            guard counter <= limit else { throw .tooLarge }
            entries.append(Entry(replica: replica, counter: counter))
        }
    }
}

extension CausalContext: CanonicalCodable {
    /// Appends the value in its one form; see <doc:Format>. Complexity: O(size).
    public func encode(into encoder: inout CanonicalEncoder) {
        CausalRuns.encode(self, LiveDots(), into: &encoder)
    }

    /// Reads a value, and refuses every form but its only one; see <doc:Format>.
    ///
    /// Complexity: O(size of the bytes read), with a bound on what they may ask for.
    public init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        let runs = try CausalRuns(from: &decoder)
        guard runs.alive.count == 0 else { throw .notCanonical }
        self = runs.context
    }
}

extension Causal where Store: CodableDotStore {
    @inlinable
    func encode(into encoder: inout CanonicalEncoder, _ tag: StateTag) {
        encoder.encode(tag)
        CausalRuns.encode(context, store.liveDots, into: &encoder)
        store.encodeContents(into: &encoder)
    }

    @inlinable
    init(from decoder: inout CanonicalDecoder, _ tag: StateTag) throws(DecodingFailure) {
        try decoder.decode(tag)
        let runs = try CausalRuns(from: &decoder)
        self.init(store: try Store.decode(runs.alive, from: &decoder), seen: runs.context)
    }
}

extension Causal: CanonicalCodable where Store: CodableDotStore {
    /// Appends the value in its one form; see <doc:Format>. Complexity: O(size).
    @inlinable
    public func encode(into encoder: inout CanonicalEncoder) { encode(into: &encoder, .causal) }
    /// Reads a value, and refuses every form but its only one; see <doc:Format>.
    ///
    /// Complexity: O(size of the bytes read), with a bound on what they may ask for.
    @inlinable
    public init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        try self.init(from: &decoder, .causal)
    }
}

extension AddWinsSet: CanonicalCodable where Element: CanonicalCodable {
    /// Appends the value in its one form; see <doc:Format>. Complexity: O(size).
    @inlinable
    public func encode(into encoder: inout CanonicalEncoder) { causal.encode(into: &encoder, .addWinsSet) }
    /// Reads a value, and refuses every form but its only one; see <doc:Format>.
    ///
    /// Complexity: O(size of the bytes read), with a bound on what they may ask for.
    @inlinable
    public init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        self.init(try Causal(from: &decoder, .addWinsSet))
    }
}

extension RemoveWinsSet: CanonicalCodable where Element: CanonicalCodable {
    /// Appends the value in its one form; see <doc:Format>. Complexity: O(size).
    @inlinable
    public func encode(into encoder: inout CanonicalEncoder) { causal.encode(into: &encoder, .removeWinsSet) }
    /// Reads a value, and refuses every form but its only one; see <doc:Format>.
    ///
    /// Complexity: O(size of the bytes read), with a bound on what they may ask for.
    @inlinable
    public init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        self.init(try Causal(from: &decoder, .removeWinsSet))
        shown = count
    }
}

extension EnableWinsFlag: CanonicalCodable {
    /// Appends the value in its one form; see <doc:Format>. Complexity: O(size).
    public func encode(into encoder: inout CanonicalEncoder) { causal.encode(into: &encoder, .enableWinsFlag) }
    /// Reads a value, and refuses every form but its only one; see <doc:Format>.
    ///
    /// Complexity: O(size of the bytes read), with a bound on what they may ask for.
    public init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        self.init(try Causal(from: &decoder, .enableWinsFlag))
    }
}

extension DisableWinsFlag: CanonicalCodable {
    /// Appends the value in its one form; see <doc:Format>. Complexity: O(size).
    public func encode(into encoder: inout CanonicalEncoder) { causal.encode(into: &encoder, .disableWinsFlag) }
    /// Reads a value, and refuses every form but its only one; see <doc:Format>.
    ///
    /// Complexity: O(size of the bytes read), with a bound on what they may ask for.
    public init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        self.init(try Causal(from: &decoder, .disableWinsFlag))
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

extension MVRegister: CanonicalCodable where Value: CanonicalCodable {
    /// Appends the value in its one form; see <doc:Format>. Complexity: O(size).
    @inlinable
    public func encode(into encoder: inout CanonicalEncoder) { causal.encode(into: &encoder, .mvRegister) }
    /// Reads a value, and refuses every form but its only one; see <doc:Format>.
    ///
    /// Complexity: O(size of the bytes read), with a bound on what they may ask for.
    @inlinable
    public init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        self.init(try Causal(from: &decoder, .mvRegister))
    }
}

extension LWWMap: CanonicalCodable where Key: CanonicalCodable, Value: CanonicalCodable {
    /// Appends the value in its one form; see <doc:Format>. Complexity: O(size).
    @inlinable
    public func encode(into encoder: inout CanonicalEncoder) { causal.encode(into: &encoder, .lwwMap) }
    /// Reads a value, and refuses every form but its only one; see <doc:Format>.
    ///
    /// Complexity: O(size of the bytes read), with a bound on what they may ask for.
    @inlinable
    public init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        self.init(try Causal(from: &decoder, .lwwMap))
        shown = count
    }
}

extension ORMap: CanonicalCodable where Key: CanonicalCodable, State.Store: CodableDotStore {
    /// Appends the value in its one form; see <doc:Format>. Complexity: O(size).
    @inlinable
    public func encode(into encoder: inout CanonicalEncoder) { causal.encode(into: &encoder, .orMap) }
    /// Reads a value, and refuses every form but its only one; see <doc:Format>.
    ///
    /// Complexity: O(size of the bytes read), with a bound on what they may ask for.
    @inlinable
    public init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        self.init(try Causal(from: &decoder, .orMap))
    }
}
