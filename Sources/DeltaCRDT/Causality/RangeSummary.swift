/// Ranges of events in which two replicas differ, each with a fingerprint of which of them are alive: the second and further
/// questions of a replica that looks for a removal, asked and answered with ``SyncableState/answer(to:)-(RangeSummary)``.
///
/// Each answer splits the ranges that differ into 16, until so little fell in one that it can be named. So a removal among a
/// million is found in a few small messages, whatever else was removed before, and after a restart too.
public struct RangeSummary: Hashable, Sendable {
    @usableFromInline
    struct Entry: Hashable, Sendable {
        @usableFromInline let replica: ReplicaID
        @usableFromInline let counters: ClosedRange<UInt64>
        @usableFromInline let fingerprint: UInt64

        @inlinable init(replica: ReplicaID, counters: ClosedRange<UInt64>, fingerprint: UInt64) {
            (self.replica, self.counters, self.fingerprint) = (replica, counters, fingerprint)
        }
    }

    /// Into how many a range is split.
    @usableFromInline static var parts: UInt64 { 16 }
    /// Ranges of fallen events in one range that are named rather than looked for.
    @usableFromInline static var mostNamed: Int { 32 }

    /// By replica, then upwards; none overlap.
    @usableFromInline private(set) var entries: [Entry] = []

    /// Asks nothing. Complexity: O(1).
    public init() {}

    /// Whether nothing is asked: the two agree. Complexity: O(1).
    public var isEmpty: Bool { entries.isEmpty }

    @usableFromInline
    mutating func append(_ replica: ReplicaID, _ counters: ClosedRange<UInt64>, _ fingerprint: UInt64) {
        entries.append(Entry(replica: replica, counters: counters, fingerprint: fingerprint))
    }
}

extension RangeSummary: CanonicalCodable {
    /// Appends the value in its one form; see <doc:Format>. Complexity: O(size).
    public func encode(into encoder: inout CanonicalEncoder) {
        var first = 0
        var groups: [Range<Int>] = []
        for index in entries.indices {
            guard index + 1 == entries.count || entries[index + 1].replica != entries[index].replica else { continue }
            groups.append(first..<index + 1)
            first = index + 1
        }
        encoder.encode(count: groups.count)
        for group in groups {
            encoder.encode(interned: entries[group.lowerBound].replica)
            encoder.encode(count: group.count)
            var before: UInt64 = 0
            for entry in entries[group] {
                encoder.encode(entry.counters.lowerBound - before - 1)
                encoder.encode(entry.counters.upperBound - entry.counters.lowerBound + 1)
                encoder.encode(fingerprint: entry.fingerprint)
                before = entry.counters.upperBound
            }
        }
    }

    /// Reads a value, and refuses every form but its only one; see <doc:Format>.
    ///
    /// Complexity: O(size of the bytes read), with a bound on what they may ask for.
    public init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        for _ in 0..<(try decoder.decodeCount(limit: .max, minimumSize: 12)) {
            let replica = try decoder.decodeInternedReplica()
            if let last = entries.last, last.replica >= replica { throw .notCanonical }
            let count = try decoder.decodeCount(limit: .max, minimumSize: 10)
            guard count > 0 else { throw .notCanonical }
            var before: UInt64 = 0
            for _ in 0..<count {
                let (gap, length) = (try decoder.decodeUInt64(), try decoder.decodeUInt64())
                guard length > 0 else { throw .notCanonical }
                let rest = Dot.maximumCounter - before
                guard gap < rest, length <= rest - gap else { throw .tooLarge }
                append(replica, before + gap + 1...before + gap + length, try decoder.decodeFingerprint())
                before += gap + length
            }
        }
    }
}
