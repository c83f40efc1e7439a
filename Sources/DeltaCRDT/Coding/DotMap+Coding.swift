/// For each dot: 0 and the key where the key is new, else how many keys ago in order of appearance it was new, and then what
/// the key's store holds up with the dot.
extension DotMap: CodableDotStore, CanonicalCodable where Key: CanonicalCodable, Store: CodableDotStore {
    /// The keys met so far.
    public struct Coding: DotCoding {
        /// The slots of the keys in the order of their first dots.
        fileprivate var slots: [UInt32] = []
        /// Where each slot's key stands among them.
        fileprivate var positions: [UInt32: Int] = [:]
        fileprivate var stores: [Store.Coding] = []

        /// No keys met yet. Complexity: O(1).
        public init() {}

        fileprivate mutating func append(_ slot: UInt32) -> Bool {
            guard positions.updateValue(slots.count, forKey: slot) == nil else { return false }
            slots.append(slot)
            stores.append(Store.Coding())
            return true
        }
    }

    /// Appends what a dot holds up. Complexity: O(size of the content + log n).
    public func encodeContent(of dot: Dot, into encoder: inout CanonicalEncoder, _ coding: inout Coding) {
        switch storage {
        case .none: break
        case .one(let key, let store): encode(dot, 0, key, store, into: &encoder, &coding)
        case .many(let box):
            guard let slot = box.many.columns[dot], let key = box.many.keys[Int(slot)] else { return }
            encode(dot, slot, key, box.many.stores[Int(slot)], into: &encoder, &coding)
        }
    }

    private func encode(
        _ dot: Dot, _ slot: UInt32, _ key: Key, _ store: Store, into encoder: inout CanonicalEncoder,
        _ coding: inout Coding
    ) {
        let position: Int
        if let known = coding.positions[slot] {
            position = known
            encoder.encode(count: coding.slots.count - position)
        } else {
            position = coding.slots.count
            _ = coding.append(slot)
            encoder.encode(UInt64(0))
            key.encode(into: &encoder)
        }
        store.encodeContent(of: dot, into: &encoder, &coding.stores[position])
    }

    /// Reads what a dot holds up; the dots come in their order. Complexity: O(size of the content), amortised.
    public mutating func decodeContent(
        of dot: Dot, from decoder: inout CanonicalDecoder, _ coding: inout Coding
    ) throws(DecodingFailure) {
        let many = takeMany()
        defer { storage = .many(many) }
        try many.many.decodeContent(of: dot, from: &decoder, &coding)
    }

    /// Reads what all dots hold up; one key stays as it is in a delta.
    ///
    /// Complexity: O(size), with a bound on what the bytes may ask for.
    public init(_ dots: LiveDots, from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        self.init()
        var many = ManyKeys<Key, Store>()
        var coding = Coding()
        for run in dots.runs {
            for counter in run.counters {
                try many.decodeContent(of: Dot(replica: run.replica, counter: counter), from: &decoder, &coding)
            }
        }
        storage = many.storage
    }

    /// The columns, for this map alone, which is left empty until they are put back.
    private mutating func takeMany() -> ManyKeysBox<Key, Store> {
        withMany { _ in }
        guard case .many(let box) = storage else { return ManyKeysBox(ManyKeys()) }
        storage = .none
        return box
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

extension ManyKeys where Key: CanonicalCodable, Store: CodableDotStore {
    mutating func decodeContent(
        of dot: Dot, from decoder: inout CanonicalDecoder, _ coding: inout DotMap<Key, Store>.Coding
    ) throws(DecodingFailure) {
        let back = try decoder.decodeUInt64()
        var position = coding.slots.count
        if back == 0 {
            let slot = makeSlot(of: try Key(from: &decoder))
            guard coding.append(slot) else { throw .notCanonical }
        } else {
            guard back <= UInt64(position) else { throw .unknown }
            position -= Int(back)
        }
        let slot = coding.slots[position]
        columns.insert(dot, slot: slot)
        try stores[Int(slot)].decodeContent(of: dot, from: &decoder, &coding.stores[position])
    }
}
