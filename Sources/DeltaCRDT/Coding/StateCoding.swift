extension VersionVector: CanonicalCodable {
    public func encode(into encoder: inout CanonicalEncoder) {
        encoder.encode(count: entries.count)
        for entry in entries {
            encoder.encode(interned: entry.replica)
            encoder.encode(entry.counter)
        }
    }

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
    public func encode(into encoder: inout CanonicalEncoder) {
        versionVector.encode(into: &encoder)
        encoder.encode(count: islands.count)
        for island in islands {
            encoder.encode(interned: island.replica)
            encoder.encode(count: island.ranges.count)
            var below = versionVector[island.replica]
            for range in island.ranges {
                encoder.encode(range.lowerBound - below)
                encoder.encode(range.upperBound - range.lowerBound)
                below = range.upperBound
            }
        }
    }

    public init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        self.init(try VersionVector(from: &decoder))
        var previous: ReplicaID?
        for _ in 0..<(try decoder.decodeCount(limit: .max, minimumSize: 4)) {
            let replica = try decoder.decodeInternedReplica()
            if let previous, previous >= replica { throw .notCanonical }
            previous = replica
            var below = versionVector[replica]
            let ranges = try decoder.decodeCount(limit: .max, minimumSize: 2)
            guard ranges > 0 else { throw .notCanonical }
            for _ in 0..<ranges {
                let gap = try decoder.decodeUInt64()
                let length = try decoder.decodeUInt64()
                guard gap > 1 else { throw .notCanonical }
                guard gap <= Dot.maximumCounter - below, length <= Dot.maximumCounter - below - gap else {
                    throw .tooLarge
                }
                insert(replica: replica, counters: below + gap...below + gap + length)
                below += gap + length
            }
        }
    }
}

extension DotSet: CanonicalCodable {
    public func encode(into encoder: inout CanonicalEncoder) {
        encoder.encode(count: dots.count)
        for dot in dots { encoder.encode(dot) }
    }

    public init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        self.init()
        var previous: Dot?
        for _ in 0..<(try decoder.decodeCount(limit: .max, minimumSize: 2)) {
            let dot = try decoder.decodeDot()
            if let previous, previous >= dot { throw .notCanonical }
            previous = dot
            insert(dot)
        }
    }
}

extension DotFun: CanonicalCodable where Value: CanonicalCodable {
    public func encode(into encoder: inout CanonicalEncoder) {
        encoder.encode(count: count)
        for entry in entries {
            encoder.encode(entry.dot)
            entry.value.encode(into: &encoder)
        }
    }

    public init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        self.init()
        var previous: Dot?
        for _ in 0..<(try decoder.decodeCount(limit: .max, minimumSize: 3)) {
            let dot = try decoder.decodeDot()
            if let previous, previous >= dot { throw .notCanonical }
            previous = dot
            self[dot] = try Value(from: &decoder)
        }
    }
}

/// Keys stand in the order of their least dots.
extension DotMap: CanonicalCodable where Key: CanonicalCodable, Store: CanonicalCodable {
    public func encode(into encoder: inout CanonicalEncoder) {
        encoder.encode(count: count)
        var keys: [(first: Dot, key: Key)] = []
        forEach { key, store in
            if let first = store.leastDot { keys.append((first, key)) }
        }
        for (_, key) in keys.sorted(by: { $0.first < $1.first }) {
            key.encode(into: &encoder)
            self[key].encode(into: &encoder)
        }
    }

    public init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        self.init()
        var previous: Dot?
        for _ in 0..<(try decoder.decodeCount(limit: .max, minimumSize: 2)) {
            let key = try Key(from: &decoder)
            let store = try Store(from: &decoder)
            guard let first = store.leastDot else { throw .notCanonical }
            if let previous, previous >= first { throw .notCanonical }
            previous = first
            var isNew = !contains(key)
            store.forEachDot { if self.key(of: $0) != nil { isNew = false } }
            guard isNew else { throw .notCanonical }
            self[key] = store
        }
    }
}

extension DotStore {
    fileprivate var leastDot: Dot? {
        var least: Dot?
        forEachDot { dot in least = least.map { min($0, dot) } ?? dot }
        return least
    }
}

extension Causal: CanonicalCodable where Store: CanonicalCodable {
    public func encode(into encoder: inout CanonicalEncoder) {
        context.encode(into: &encoder)
        store.encode(into: &encoder)
    }

    public init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        let context = try CausalContext(from: &decoder)
        let store = try Store(from: &decoder)
        guard store.dots().isSubset(of: context) else { throw .notCanonical }
        self.init(store: store, context: context)
    }
}

extension GCounter: CanonicalCodable {
    public func encode(into encoder: inout CanonicalEncoder) { totals.encode(into: &encoder) }
    public init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        self.init(totals: try VersionVector(from: &decoder, limit: .max))
    }
}

extension PNCounter: CanonicalCodable {
    public func encode(into encoder: inout CanonicalEncoder) {
        added.encode(into: &encoder)
        taken.encode(into: &encoder)
    }
    public init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        let added = try GCounter(from: &decoder)
        self.init(added: added, taken: try GCounter(from: &decoder))
    }
}

extension AddWinsSet: CanonicalCodable where Element: CanonicalCodable {
    public func encode(into encoder: inout CanonicalEncoder) { state.encode(into: &encoder) }
    public init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        self.init(state: try Causal(from: &decoder))
    }
}

extension MVRegister: CanonicalCodable where Value: CanonicalCodable {
    public func encode(into encoder: inout CanonicalEncoder) { state.encode(into: &encoder) }
    public init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        self.init(state: try Causal(from: &decoder))
    }
}
