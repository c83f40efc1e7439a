extension Causal {
    /// What this replica knows, for a peer to answer with ``delta(since:)-(StateSummary)`` or ``answer(to:)-(StateSummary)``.
    ///
    /// - Parameter limit: leaves out what is beyond this vector. A replica that knows events that its peer does not know gives
    ///   the peer's vector, so that the peer can compare the fingerprints of what both know.
    ///
    /// Complexity: O(replicas + islands + dots beyond the limit).
    @inlinable
    public func summary(within limit: VersionVector? = nil) -> StateSummary {
        var summary = StateSummary()
        var rest = StateSummary.mostIslands
        for replica in context.replicas {
            let known = context.versionVector[replica]
            let counter = limit.map { min($0[replica], known) } ?? known
            var islands: [ClosedRange<UInt64>] = []
            if limit == nil {
                islands = context.islands(of: replica, most: rest)
                rest -= islands.count
            }
            guard counter > 0 || !islands.isEmpty else { continue }
            let fingerprint = counter > 0 ? fingerprint(of: replica, in: 1...counter) : 0
            summary.entries.append(
                .init(replica: replica, counter: counter, fingerprint: fingerprint, islands: islands))
        }
        return summary
    }

    /// What a replica with this summary lacks: what was added beyond its vector, and what fell of that within.
    ///
    /// Removals are found among the last that were seen here, at most 1024, by undoing them until the fingerprints agree.
    /// Where they never agree, because the replica is further behind or knows a removal that is not known here, the delta names
    /// what fell of all that both have seen: no elements, but the ranges between the live dots. Where these may be many,
    /// ``answer(to:)-(StateSummary)`` looks for the few that are missing.
    ///
    /// Complexity: O(replicas + what is missing), or O(live dots of the replicas whose fingerprints disagree).
    @inlinable
    public func delta(since summary: StateSummary) -> Causal {
        var (dots, unequal) = compare(summary)
        for (replica, counters) in unequal { dots.merge(fallen(of: replica, in: counters)) }
        return part(dots)
    }

    /// What a replica with this summary lacks, and a question back where the two differ by more than can be told at once.
    ///
    /// The peer merges the delta, answers the question with ``answer(to:)-(RangeSummary)``, and so on, until there is no question:
    /// then both have seen the same removals. Each message costs a few hundred bytes for each stretch in which they differ.
    ///
    /// Complexity: O(replicas + what is missing), or O(live dots of the replicas whose fingerprints disagree).
    @inlinable
    public func answer(to summary: StateSummary) -> (delta: Causal, question: RangeSummary) {
        var (dots, unequal) = compare(summary)
        let question = look(into: unequal, &dots)
        return (part(dots), question)
    }

    /// What fell here in the ranges that differ, where it is little, and a question back; both are empty where nothing differs.
    ///
    /// Complexity: O(ranges + live dots of those that differ).
    @inlinable
    public func answer(to question: RangeSummary) -> (delta: Causal, question: RangeSummary) {
        var dots = CausalContext()
        var unequal: [(replica: ReplicaID, counters: ClosedRange<UInt64>)] = []
        for entry in question.entries where fingerprint(of: entry.replica, in: entry.counters) != entry.fingerprint {
            unequal.append((entry.replica, entry.counters))
        }
        let question = look(into: unequal, &dots)
        return (part(dots), question)
    }

    /// What a replica with this version vector may lack, if nothing more is known of it: what was added beyond its vector, and
    /// the ranges of all that fell within. Complexity: O(live dots).
    @inlinable
    public func delta(since vector: VersionVector) -> Causal {
        var dots = context.subtracting(CausalContext(vector))
        for entry in vector.entries { dots.merge(fallen(of: entry.replica, in: 1...entry.counter)) }
        return part(dots)
    }

    /// The events that a summary does not name and those that fell of its islands; and the ranges whose fingerprints disagree, even
    /// after the latest removals were undone, which are among the events.
    @inlinable func compare(
        _ summary: StateSummary
    ) -> (dots: CausalContext, unequal: [(replica: ReplicaID, counters: ClosedRange<UInt64>)]) {
        var dots = context.subtracting(summary.known)
        var unequal: [ReplicaID: (counter: UInt64, difference: UInt64)] = [:]
        for entry in summary.entries {
            for island in entry.islands { dots.merge(fallen(of: entry.replica, in: island)) }
            guard entry.counter > 0 else { continue }
            let ours = fingerprint(of: entry.replica, in: 1...entry.counter)
            if ours != entry.fingerprint { unequal[entry.replica] = (entry.counter, entry.fingerprint &- ours) }
        }
        if !unequal.isEmpty { undoRemovals(&unequal, &dots) }
        return (dots, unequal.sorted { $0.key < $1.key }.map { ($0.key, 1...$0.value.counter) })
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

    /// Marks what fell in ranges that differ, where it is little, and asks about them, or about their parts.
    @inlinable func look(
        into unequal: [(replica: ReplicaID, counters: ClosedRange<UInt64>)], _ dots: inout CausalContext
    ) -> RangeSummary {
        var question = RangeSummary()
        for (replica, counters) in unequal {
            // Where the peer is ahead, what is known here without a gap is asked about, and what fell of the rest is named.
            let common = context.knownPrefix(of: counters, by: replica)
            guard common == counters else {
                if let common { question.append(replica, common, fingerprint(of: replica, in: common)) }
                let rest = common.map { $0.upperBound + 1 } ?? counters.lowerBound
                dots.merge(fallen(of: replica, in: rest...counters.upperBound))
                continue
            }
            let fallen = fallen(of: replica, in: counters)
            let width = (counters.upperBound - counters.lowerBound) / RangeSummary.parts + 1
            if fallen.rangeCount <= RangeSummary.mostNamed || width == 1 {
                dots.merge(fallen)
                question.append(replica, counters, fingerprint(of: replica, in: counters))
                continue
            }
            var low = counters.lowerBound
            while low <= counters.upperBound {
                let part = low...min(low + width - 1, counters.upperBound)
                question.append(replica, part, fingerprint(of: replica, in: part))
                low = part.upperBound + 1
            }
        }
        return question
    }

    /// All that fell of a range of one replica's events, as far as they are known here.
    @inlinable func fallen(of replica: ReplicaID, in counters: ClosedRange<UInt64>) -> CausalContext {
        var range = CausalContext()
        range.insert(replica: replica, counters: counters)
        return range.intersection(context).subtracting(store.dots(in: range))
    }

    @inlinable func fingerprint(of replica: ReplicaID, in counters: ClosedRange<UInt64>) -> UInt64 {
        // A store that has nothing beyond need not look for it.
        let last = context.lastCounter(of: replica)
        let whole = counters.lowerBound...Dot.maximumCounter
        return store.fingerprint(of: replica, in: counters.upperBound >= last ? whole : counters)
    }
}
