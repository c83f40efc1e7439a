/// What a replica needs to tell a peer, so that the peer can send exactly what it lacks: how far it knows each replica's
/// events, and a fingerprint of which of them are alive.
///
/// The version vector asks for what was added. A removal makes no event, so the vector cannot ask for it: the fingerprint
/// does. It is a sum of 64-bit numbers, one for each live dot; replicas with the same fingerprint have seen the same
/// removals, but for chance (1 in 2⁶⁴) or somebody who picks dots in order to deceive.
public struct StateSummary: Hashable, Sendable {
    @usableFromInline
    struct Entry: Hashable, Sendable {
        @usableFromInline let replica: ReplicaID
        @usableFromInline let counter: UInt64
        @usableFromInline let fingerprint: UInt64

        @inlinable init(replica: ReplicaID, counter: UInt64, fingerprint: UInt64) {
            (self.replica, self.counter, self.fingerprint) = (replica, counter, fingerprint)
        }
    }

    /// In the order of the replicas; no counter is 0.
    @usableFromInline var entries: [Entry] = []

    /// Knows nothing, and so asks for everything. Complexity: O(1).
    public init() {}

    /// How far each replica's events are known. Complexity: O(replicas).
    public var versionVector: VersionVector {
        var vector = VersionVector()
        vector.entries = entries.map { VersionVector.Entry(replica: $0.replica, counter: $0.counter) }
        return vector
    }
}

extension StateSummary: CanonicalCodable {
    /// Appends the value in its one form; see <doc:Format>. Complexity: O(size).
    public func encode(into encoder: inout CanonicalEncoder) {
        encoder.encode(count: entries.count)
        for entry in entries {
            encoder.encode(interned: entry.replica)
            encoder.encode(entry.counter)
            for shift in stride(from: UInt64(0), to: 64, by: 8) {
                encoder.encode(byte: UInt8(truncatingIfNeeded: entry.fingerprint >> shift))
            }
        }
    }

    /// Reads a value, and refuses every form but its only one; see <doc:Format>.
    ///
    /// Complexity: O(size of the bytes read), with a bound on what they may ask for.
    public init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        for _ in 0..<(try decoder.decodeCount(limit: .max, minimumSize: 10)) {
            let replica = try decoder.decodeInternedReplica()
            if let last = entries.last, last.replica >= replica { throw .notCanonical }
            let counter = try decoder.decodeCounter()
            var fingerprint: UInt64 = 0
            for shift in stride(from: UInt64(0), to: 64, by: 8) {
                fingerprint |= UInt64(try decoder.decodeByte()) << shift
            }
            entries.append(Entry(replica: replica, counter: counter, fingerprint: fingerprint))
        }
    }
}
