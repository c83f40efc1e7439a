// How states that know no events catch up: `state.merge(peer.delta(since: state.summary()))`.

extension GCounter {
    /// What this replica knows, for a peer to answer with ``delta(since:)``. Complexity: O(replicas).
    public func summary() -> EntrySummary {
        var summary = EntrySummary(count: totals.entries.count)
        forEachFingerprint { summary.insert($0) }
        return summary
    }

    /// What a replica with this summary lacks, and some totals more. Complexity: O(replicas).
    public func delta(since summary: EntrySummary) -> GCounter {
        let isLacking = summary.lacking { forEachFingerprint($0) }
        var delta = VersionVector()
        delta.entries = totals.entries.filter { isLacking(EntryFingerprint(replica: $0.replica, value: $0.counter)) }
        return GCounter(totals: delta)
    }

    private func forEachFingerprint(_ body: (EntryFingerprint) -> Void) {
        for entry in totals.entries { body(EntryFingerprint(replica: entry.replica, value: entry.counter)) }
    }
}

extension PNCounter {
    /// What this replica knows, for a peer to answer with ``delta(since:)``. Complexity: O(replicas).
    public func summary() -> EntrySummary {
        var summary = EntrySummary(count: added.totals.entries.count + taken.totals.entries.count)
        forEachFingerprint { summary.insert($0) }
        return summary
    }

    /// What a replica with this summary lacks, and some totals more. Complexity: O(replicas).
    public func delta(since summary: EntrySummary) -> PNCounter {
        let isLacking = summary.lacking { forEachFingerprint($0) }
        var (more, less) = (VersionVector(), VersionVector())
        more.entries = added.totals.entries.filter { isLacking(Self.fingerprint($0, isAdded: true)) }
        less.entries = taken.totals.entries.filter { isLacking(Self.fingerprint($0, isAdded: false)) }
        return PNCounter(added: GCounter(totals: more), taken: GCounter(totals: less))
    }

    private func forEachFingerprint(_ body: (EntryFingerprint) -> Void) {
        for entry in added.totals.entries { body(Self.fingerprint(entry, isAdded: true)) }
        for entry in taken.totals.entries { body(Self.fingerprint(entry, isAdded: false)) }
    }

    private static func fingerprint(_ entry: VersionVector.Entry, isAdded: Bool) -> EntryFingerprint {
        let salt = entry.replica.fingerprintSalt
        return EntryFingerprint(key: isAdded ? salt : SplitMix64.mixed(salt), value: entry.counter)
    }
}

extension GSet where Element: CanonicalCodable {
    /// What this replica knows, for a peer to answer with ``delta(since:)``. Complexity: O(size).
    public func summary() -> EntrySummary {
        var summary = EntrySummary(count: count)
        for key in roster.fingerprintKeys { summary.insert(EntryFingerprint(key: key, value: 0)) }
        return summary
    }

    /// What a replica with this summary lacks, and some elements more. Complexity: O(size).
    public func delta(since summary: EntrySummary) -> GSet {
        let keys = roster.fingerprintKeys
        let isLacking = summary.lacking { visit in
            for key in keys { visit(EntryFingerprint(key: key, value: 0)) }
        }
        var delta = GSet()
        for (slot, key) in keys.enumerated() where isLacking(EntryFingerprint(key: key, value: 0)) {
            delta.roster.insert(UInt32(slot), of: roster)
        }
        return delta
    }
}

extension VoteCounter where Subject: CanonicalCodable, Voter: CanonicalCodable {
    /// What this replica knows, for a peer to answer with ``delta(since:)``. Complexity: O(size).
    public func summary() -> EntrySummary {
        var summary = EntrySummary(count: polls.reduce(0) { $0 + $1.count })
        forEachFingerprint { summary.insert($0) }
        return summary
    }

    /// What a replica with this summary lacks, and some votes more. Complexity: O(size).
    public func delta(since summary: EntrySummary) -> VoteCounter {
        let isLacking = summary.lacking { visit in forEachFingerprint { visit($0) } }
        var delta = VoteCounter()
        forEachFingerprint { entry, subject, voter, word in
            if isLacking(entry) { delta.raise(subjects.values[subject], voters.values[voter], word) }
        }
        return delta
    }

    private func forEachFingerprint(_ body: (EntryFingerprint) -> Void) {
        forEachFingerprint { entry, _, _, _ in body(entry) }
    }

    private func forEachFingerprint(_ body: (EntryFingerprint, UInt32, UInt32, _ word: UInt64) -> Void) {
        let (subjectKeys, voterKeys) = (subjects.fingerprintKeys, voters.fingerprintKeys)
        forEachEntry { subject, voter, word in
            let key = SplitMix64.mixed(subjectKeys[Int(subject)] ^ SplitMix64.mixed(voterKeys[Int(voter)]))
            body(EntryFingerprint(key: key, value: word), subject, voter, word)
        }
    }
}

extension ValueSlots where Value: CanonicalCodable {
    /// For each slot, a number that is the same everywhere.
    fileprivate var fingerprintKeys: [UInt64] {
        (0..<UInt32(count)).map { slot in
            var encoder = CanonicalEncoder()
            values.encode(slot, into: &encoder)
            return EntryFingerprint.number(of: encoder.bytes)
        }
    }
}
