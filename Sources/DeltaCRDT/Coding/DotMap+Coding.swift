/// For each dot: 0 and the key where the key is new, else how many keys ago in order of appearance it was new, and then what
/// the key's store holds up with the dot.
extension DotMap: CodableDotStore, CanonicalCodable where Key: CanonicalCodable, Store: CodableDotStore {
    /// The keys met so far.
    public struct Coding: DotCoding {
        /// The slots of the keys in the order of their first dots.
        @usableFromInline var slots: [UInt32] = []
        /// Where each slot's key stands among them, for who writes, where there are too many to look through.
        @usableFromInline var positions: [UInt32: Int] = [:]
        @usableFromInline var stores: [Store.Coding] = []

        @inlinable static var fewest: Int { 16 }

        /// No keys met yet. Complexity: O(1).
        @inlinable public init() {}

        @inlinable mutating func append(_ slot: UInt32) {
            slots.append(slot)
            stores.append(Store.Coding())
        }

        /// Where a slot's key stands, for who writes; nil where it was not met.
        @inlinable func position(of slot: UInt32) -> Int? {
            slots.count <= Self.fewest ? slots.firstIndex(of: slot) : positions[slot]
        }

        /// Meets a key, for who writes.
        @inlinable mutating func meet(_ slot: UInt32) {
            append(slot)
            if slots.count == Self.fewest + 1 {
                for (position, slot) in slots.enumerated() { positions[slot] = position }
            } else if slots.count > Self.fewest {
                positions[slot] = slots.count - 1
            }
        }
    }

    /// Appends what a dot holds up. Complexity: O(size of the content + log n).
    @inlinable
    public func encodeContent(of dot: Dot, into encoder: inout CanonicalEncoder, _ coding: inout Coding) {
        if let many {
            guard let slot = many.columns[dot] else { return }
            let position = encodeKey(slot, into: &encoder, &coding) { many.keys.encode(slot, into: &$0) }
            many.stores[Int(slot)].encodeContent(of: dot, into: &encoder, &coding.stores[position])
        } else if let only {
            let position = encodeKey(0, into: &encoder, &coding) { only.key.encode(into: &$0) }
            only.store.encodeContent(of: dot, into: &encoder, &coding.stores[position])
        }
    }

    /// Appends the key of a slot, or how many keys ago it was new, and tells where it stands.
    @inlinable func encodeKey(
        _ slot: UInt32, into encoder: inout CanonicalEncoder, _ coding: inout Coding,
        _ key: (inout CanonicalEncoder) -> Void
    ) -> Int {
        if let known = coding.position(of: slot) {
            encoder.encode(count: coding.slots.count - known)
            return known
        }
        coding.meet(slot)
        encoder.encode(UInt64(0))
        key(&encoder)
        return coding.slots.count - 1
    }

    /// Appends what all dots hold up. Complexity: O(size), and that of the stores' ``encodeContent(of:into:_:)``.
    @inlinable
    public func encodeContents(into encoder: inout CanonicalEncoder) {
        guard let many else {
            var coding = Coding()
            return forEachDot { encodeContent(of: $0, into: &encoder, &coding) }
        }
        // The columns tell the slot of each dot, so none is looked for.
        var positions = ContiguousArray(repeating: -1, count: many.stores.count)
        var codings: [Store.Coding] = []
        codings.reserveCapacity(many.count)
        many.columns.forEach { dot, slot in
            let slot = Int(slot)
            if positions[slot] < 0 {
                positions[slot] = codings.count
                codings.append(Store.Coding())
                encoder.encode(UInt64(0))
                many.keys.encode(UInt32(slot), into: &encoder)
            } else {
                encoder.encode(count: codings.count - positions[slot])
            }
            many.stores[slot].encodeContent(of: dot, into: &encoder, &codings[positions[slot]])
        }
    }

    /// Reads what a dot holds up, in the order of the dots. Complexity: O(size of the content), amortised.
    @inlinable
    public mutating func decodeContent(
        of dot: Dot, from decoder: inout CanonicalDecoder, _ coding: inout Coding
    ) throws(DecodingFailure) {
        // A key alone needs no columns, and in a delta most are alone.
        if coding.slots.count < 2, many == nil, try decodeOnly(dot, from: &decoder, &coding) { return }
        try ownMany().decodeContent(of: dot, from: &decoder, &coding)
    }

    /// Reads what a dot holds up under the only key; false, with nothing read, where it is under a second.
    @inlinable
    mutating func decodeOnly(
        _ dot: Dot, from decoder: inout CanonicalDecoder, _ coding: inout Coding
    ) throws(DecodingFailure) -> Bool {
        let begin = decoder.position
        let back = try decoder.decodeUInt64()
        if coding.slots.isEmpty, only == nil {
            guard back == 0 else { throw .unknown }
            coding.append(0)
            let key = try Key(from: &decoder)
            var store = Store()
            try store.decodeContent(of: dot, from: &decoder, &coding.stores[0])
            only = (key, store)
            return true
        }
        guard back == 1, coding.slots.count == 1, var store = only?.store else {
            decoder.position = begin
            return false
        }
        // Let go of the storage, or changing it would copy it.
        only?.store = Store()
        try store.decodeContent(of: dot, from: &decoder, &coding.stores[0])
        only?.store = store
        return true
    }

    /// Reads what a dot holds up from all the bytes that are left. Complexity: O(size of the content), amortised.
    @inlinable
    public mutating func decodeLoneContent(
        of dot: Dot, from decoder: inout CanonicalDecoder
    ) throws(DecodingFailure) {
        guard try decoder.decodeUInt64() == 0 else { throw .unknown }
        let key = try Key(from: &decoder)
        guard many == nil else { return try ownMany().decodeLoneContent(of: dot, under: key, from: &decoder) }
        guard let isSame = only.map({ Identity.isEqual($0.key, key) }) else {
            var store = Store()
            try store.decodeLoneContent(of: dot, from: &decoder)
            only = (key, store)
            return
        }
        guard isSame, var store = only?.store else {
            return try ownMany().decodeLoneContent(of: dot, under: key, from: &decoder)
        }
        // Let go of the storage, or changing it would copy it.
        only?.store = Store()
        defer { only?.store = store }
        try store.decodeLoneContent(of: dot, from: &decoder)
    }

    /// Reads what all dots hold up; one key stays as it is in a delta.
    ///
    /// Complexity: O(size), with a bound on what the bytes may ask for.
    @inlinable
    public init(_ dots: LiveDots, from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        self.init()
        storage = try ManyKeys(dots, from: &decoder).storage
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

extension ManyKeys where Key: CanonicalCodable, Store: CodableDotStore {
    /// Reads what all dots hold up. Slots are given in the order of the keys' first dots, which is how keys are named.
    @inlinable convenience init(_ dots: LiveDots, from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        self.init()
        let made = HashTable(capacity: dots.count)
        var codings: [Store.Coding] = []
        var (replica, number): (ReplicaID?, Int) = (nil, 0)
        for run in dots.runs {
            if run.replica != replica { (replica, number) = (run.replica, columns.makeColumn(of: run.replica)) }
            for counter in run.counters {
                let back = try decoder.decodeUInt64()
                guard back <= UInt64(codings.count) else { throw .unknown }
                let slot = codings.count - Int(back)
                if back == 0 {
                    try appendKey(from: &decoder, made)
                    codings.append(Store.Coding())
                }
                columns.insert(number: number, counter: counter, slot: UInt32(slot))
                let dot = Dot(replica: run.replica, counter: counter)
                try stores[slot].decodeContent(of: dot, from: &decoder, &codings[slot])
            }
        }
        made.shrinkToFit()
        table = LazyHashTable(made)
    }

    /// Reads a key, which gets the next slot, and enters it into a table; refuses one that is there.
    @inlinable func appendKey(from decoder: inout CanonicalDecoder, _ table: HashTable) throws(DecodingFailure) {
        let slot = UInt32(stores.count)
        try keys.append(from: &decoder)
        let hash = keys.hash(of: slot)
        let known = table.first(hash) { keys.isEqual($0, to: slot, of: keys) }
        guard known == nil else { throw .notCanonical }
        table.insert(hash, slot: slot)
        stores.append(Store())
        isFree.append(false)
    }

    @inlinable func decodeLoneContent(
        of dot: Dot, under key: Key, from decoder: inout CanonicalDecoder
    ) throws(DecodingFailure) {
        let slot = makeSlot(of: key)
        defer { freeSlotIfEmpty(slot) }
        try stores[Int(slot)].decodeLoneContent(of: dot, from: &decoder)
        columns.insert(dot, slot: slot)
    }

    @inlinable func decodeContent(
        of dot: Dot, from decoder: inout CanonicalDecoder, _ coding: inout DotMap<Key, Store>.Coding
    ) throws(DecodingFailure) {
        let back = try decoder.decodeUInt64()
        var position = coding.slots.count
        if back == 0 {
            let before = count
            let slot = makeSlot(of: try Key(from: &decoder))
            guard count > before else { throw .notCanonical }
            coding.append(slot)
        } else {
            guard back <= UInt64(position) else { throw .unknown }
            position -= Int(back)
        }
        let slot = coding.slots[position]
        columns.insert(dot, slot: slot)
        try stores[Int(slot)].decodeContent(of: dot, from: &decoder, &coding.stores[position])
    }
}
