/// What a replica needs to tell a peer, so that the peer can send exactly what it lacks: how far it knows each replica's
/// events, and a fingerprint of which of them are alive.
///
/// The version vector asks for what was added. A removal makes no event, so the vector cannot ask for it: the fingerprint
/// does. It is a sum of 64-bit numbers, one for each live dot; replicas with the same fingerprint have seen the same
/// removals, but for chance (1 in 2⁶⁴) or somebody who picks dots in order to deceive.
///
/// Events that are known beyond a gap are named too, as ranges, so that nobody sends them again.
public struct StateSummary: Hashable, Sendable {
    @usableFromInline
    struct Entry: Hashable, Sendable {
        @usableFromInline let replica: ReplicaID
        /// How far the events are known without a gap: 0 where the first is not.
        @usableFromInline let counter: UInt64
        /// Of the events up to there; 0 where there are none.
        @usableFromInline let fingerprint: UInt64
        /// What is known beyond, upwards, each after a gap.
        @usableFromInline var islands: [ClosedRange<UInt64>]

        @inlinable init(
            replica: ReplicaID, counter: UInt64, fingerprint: UInt64, islands: [ClosedRange<UInt64>] = []
        ) {
            (self.replica, self.counter, self.fingerprint, self.islands) = (replica, counter, fingerprint, islands)
        }
    }

    /// The most ranges beyond gaps that a summary names. Each takes about two bytes, and an event that is sent again more.
    @usableFromInline static var mostIslands: Int { 1 << 16 }

    /// In the order of the replicas; each has a counter or islands.
    @usableFromInline var entries: [Entry] = []

    /// Knows nothing, and so asks for everything. Complexity: O(1).
    public init() {}

    /// How far each replica's events are known without a gap. Complexity: O(replicas).
    public var versionVector: VersionVector {
        var vector = VersionVector()
        vector.entries = entries.lazy.filter { $0.counter > 0 }.map { .init(replica: $0.replica, counter: $0.counter) }
        return vector
    }

    /// All events that it names. Complexity: O(ranges).
    @usableFromInline var known: CausalContext {
        var known = CausalContext()
        for entry in entries {
            if entry.counter > 0 { known.insert(replica: entry.replica, counters: 1...entry.counter) }
            for island in entry.islands { known.insert(replica: entry.replica, counters: island) }
        }
        return known
    }
}

extension StateSummary: CanonicalCodable {
    /// Appends the value in its one form; see <doc:Format>. Complexity: O(size).
    public func encode(into encoder: inout CanonicalEncoder) {
        encoder.encode(count: entries.count)
        for entry in entries {
            encoder.encode(interned: entry.replica)
            if !entry.islands.isEmpty {
                encoder.encode(UInt64(0))
                encoder.encode(count: entry.islands.count)
                var before = entry.counter
                for island in entry.islands {
                    encoder.encode(island.lowerBound - before - 1)
                    encoder.encode(island.upperBound - island.lowerBound + 1)
                    before = island.upperBound
                }
            }
            encoder.encode(entry.counter)
            if entry.counter > 0 { encoder.encode(fingerprint: entry.fingerprint) }
        }
    }

    /// Reads a value, and refuses every form but its only one; see <doc:Format>.
    ///
    /// Complexity: O(size of the bytes read), with a bound on what they may ask for.
    public init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        for _ in 0..<(try decoder.decodeCount(limit: .max, minimumSize: 5)) {
            let replica = try decoder.decodeInternedReplica()
            if let last = entries.last, last.replica >= replica { throw .notCanonical }
            var counter = try decoder.decodeUInt64()
            var rows: [(gap: UInt64, length: UInt64)] = []
            if counter == 0 {
                let count = try decoder.decodeCount(limit: .max, minimumSize: 2)
                guard count > 0 else { throw .notCanonical }
                for _ in 0..<count {
                    let gap = try decoder.decodeUInt64()
                    let length = try decoder.decodeUInt64()
                    guard gap > 0, length > 0 else { throw .notCanonical }
                    rows.append((gap, length))
                }
                counter = try decoder.decodeUInt64()
            }
            guard counter <= Dot.maximumCounter else { throw .tooLarge }
            let fingerprint = counter > 0 ? try decoder.decodeFingerprint() : 0
            var (islands, before): ([ClosedRange<UInt64>], UInt64) = ([], counter)
            for (gap, length) in rows {
                let rest = Dot.maximumCounter - before
                guard gap < rest, length <= rest - gap else { throw .tooLarge }
                islands.append(before + gap + 1...before + gap + length)
                before += gap + length
            }
            entries.append(Entry(replica: replica, counter: counter, fingerprint: fingerprint, islands: islands))
        }
    }
}

extension CanonicalEncoder {
    mutating func encode(fingerprint: UInt64) {
        for shift in stride(from: UInt64(0), to: 64, by: 8) {
            encode(byte: UInt8(truncatingIfNeeded: fingerprint >> shift))
        }
    }
}

extension CanonicalDecoder {
    mutating func decodeFingerprint() throws(DecodingFailure) -> UInt64 {
        var fingerprint: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 8) { fingerprint |= UInt64(try decodeByte()) << shift }
        return fingerprint
    }
}
