extension Causal {
    /// What this replica knows, for a peer to answer with ``delta(since:)-(StateSummary)``.
    ///
    /// - Parameter limit: leaves out what is beyond this vector. A replica that knows events that its peer does not know gives
    ///   the peer's vector, so that the peer can compare the fingerprints of what both know.
    ///
    /// Complexity: O(replicas + dots beyond the limit).
    @inlinable
    public func summary(within limit: VersionVector? = nil) -> StateSummary {
        var summary = StateSummary()
        for entry in context.versionVector.entries {
            let counter = limit.map { min($0[entry.replica], entry.counter) } ?? entry.counter
            guard counter > 0 else { continue }
            let fingerprint = fingerprint(of: entry.replica, through: counter)
            summary.entries.append(.init(replica: entry.replica, counter: counter, fingerprint: fingerprint))
        }
        return summary
    }

    /// What a replica with this summary lacks: what was added beyond its vector, and what fell of that within.
    ///
    /// Removals are found among the last that were seen here, at most 1024, by undoing them until the fingerprints agree.
    /// Where they never agree, because the replica is further behind or knows a removal that is not known here, the delta names
    /// what fell of all that both have seen: no elements, but the ranges between the live dots.
    ///
    /// Complexity: O(replicas + what is missing), or O(live dots of the replicas whose fingerprints disagree).
    @inlinable
    public func delta(since summary: StateSummary) -> Causal {
        var dots = context.subtracting(CausalContext(summary.versionVector))
        var unequal: [ReplicaID: (counter: UInt64, difference: UInt64)] = [:]
        for entry in summary.entries {
            let ours = fingerprint(of: entry.replica, through: entry.counter)
            if ours != entry.fingerprint { unequal[entry.replica] = (entry.counter, entry.fingerprint &- ours) }
        }
        if !unequal.isEmpty { undoRemovals(&unequal, &dots) }
        var fallen = CausalContext()
        for (replica, rest) in unequal.sorted(by: { $0.key < $1.key }) {
            insertFallen(of: replica, through: rest.counter, &fallen)
        }
        dots.merge(fallen)
        return part(dots)
    }

    /// What a replica with this version vector may lack, if nothing more is known of it: what was added beyond its vector, and
    /// the ranges of all that fell within. Complexity: O(live dots).
    @inlinable
    public func delta(since vector: VersionVector) -> Causal {
        var dots = context.subtracting(CausalContext(vector))
        var fallen = CausalContext()
        for entry in vector.entries { insertFallen(of: entry.replica, through: entry.counter, &fallen) }
        dots.merge(fallen)
        return part(dots)
    }

    /// Undoes the latest removals until the fingerprints agree, and marks the dots that it met on the way.
    @inlinable func undoRemovals(
        _ unequal: inout [ReplicaID: (counter: UInt64, difference: UInt64)], _ dots: inout CausalContext
    ) {
        for dot in removals.dots.reversed() {
            guard let rest = unequal[dot.replica], dot.counter <= rest.counter else { continue }
            dots.insert(dot)
            let difference = rest.difference &- dot.fingerprint
            unequal[dot.replica] = difference == 0 ? nil : (rest.counter, difference)
            if unequal.isEmpty { return }
        }
    }

    /// Marks all that fell of one replica's first events, after those of the replicas before it.
    @inlinable func insertFallen(of replica: ReplicaID, through counter: UInt64, _ fallen: inout CausalContext) {
        var seen = CausalContext()
        seen.insert(replica: replica, counters: 1...counter)
        let alive = store.dots(in: seen)
        // Of what both have seen.
        let unknown = seen.subtracting(context)
        seen.subtracting(unknown).subtracting(alive).forEachRange { fallen.insert(replica: $0, counters: $1) }
    }

    @inlinable func fingerprint(of replica: ReplicaID, through counter: UInt64) -> UInt64 {
        // A store that has nothing beyond need not look for it.
        let last = context.lastCounter(of: replica)
        return store.fingerprint(of: replica, through: last > counter ? counter : Dot.maximumCounter)
    }
}
