package import DeltaCRDT

/// The log of one trip: its changes, who is in, what is effective and what is retained. A pure function of the set of changes
/// that it was given.
package struct TripLog: Sendable {
    /// BLAKE2b-256 of the founder's root key.
    package let trip: Bytes32
    package let cryptography: any Cryptography
    /// Nil in every node that ships (`ReadRecords`).
    package var readRecords: (any ReadRecords)?
    package private(set) var graph = ChangeGraph()
    package private(set) var facts = MembershipFacts()
    package private(set) var membership = Membership()
    package private(set) var epochs = EpochFacts()
    /// Everything that counts, with its past. What else is here is as if it were not: it is not shown, not passed on and not named.
    package private(set) var retained = CausalCut()
    /// The retained changes that no retained one has in its past, by place, ascending.
    package private(set) var heads: [Int] = []
    /// Grows whenever who is in may have changed.
    package private(set) var membershipVersion = 0
    /// Grows whenever something is retained that was here before and was not: what peers lack is looked for anew.
    package private(set) var retentionVersion = 0

    package init(trip: Bytes32, cryptography: any Cryptography) {
        self.trip = trip
        self.cryptography = cryptography
    }

    /// The trip whose founder has this root key.
    package static func trip(ofRootKey key: Bytes32, using cryptography: some Cryptography) -> Bytes32 {
        cryptography.hash(key.bytes)
    }

    package func isEffective(_ place: Int) -> Bool { membership.isEffective(place, in: graph) }

    package func isRetained(_ place: Int) -> Bool { graph.contains(place, in: retained) }

    // MARK: - Adding

    /// Adds changes whose signatures were checked, up to the first that is refused.
    /// - Returns: how many were added; why the next was not; and what was here before and counts that did not, or no longer.
    mutating func add(_ signed: some Sequence<SignedChange>) -> (refusal: Refusal?, turned: [Int]) {
        let start = graph.count
        var (isDue, beginsEpoch, retainedEnd) = (false, false, start)
        var refusal: Refusal?
        for signed in signed {
            do throws(Refusal) {
                let recorded = try add(signed)
                let place = graph.count - 1
                switch recorded {
                case .other: if !isDue { membership.note(place, facts, graph) }
                case .newcomer(let admission):
                    if !isDue {
                        membership.note(place, facts, graph)
                        membership.take(admission, facts, graph)
                    }
                case .statement: isDue = true
                }
                // One by one, unless all is derived anew.
                if !isDue {
                    if signed.change.statement?.beginsEpoch ?? false { beginsEpoch = true }
                    if isEffective(place) { retain(place) }
                    retainedEnd = place + 1
                }
            } catch {
                refusal = error
                break
            }
        }
        guard isDue else {
            if beginsEpoch { epochs.rank(membership, facts, graph) }
            return (refusal, [])
        }
        let before = membership
        membership.derive(facts, graph)
        epochs.rank(membership, facts, graph)
        deriveRetained(besides: retainedEnd)
        return (refusal, membership.turned(since: before, graph).filter { $0 < start })
    }

    /// Adds one change to the graph and to what was said.
    private mutating func add(_ signed: SignedChange) throws(Refusal) -> MembershipFacts.Recorded {
        let links = try checkedLinks(of: signed)
        let place = graph.count
        graph.append(signed, links)
        guard let statement = signed.change.statement else { return .other }
        let recorded = facts.record(statement, at: place, in: graph, using: cryptography)
        epochs.record(statement, by: facts.participant(of: signed.change.replica), at: place, signed.stamp)
        membershipVersion += 1
        return recorded
    }

    private func checkedLinks(of signed: SignedChange) throws(Refusal) -> ChangeGraph.Links {
        let change = signed.change
        guard change.trip == trip else { throw .otherTrip }
        let links = try graph.links(of: signed)
        if case .found(let founder, _, _) = change.statement {
            let name = Origin.founder.participant(signingKey: founder.signingKey, using: cryptography)
            guard change.number == 1, change.heads.isEmpty, change.replica == founder.replica,
                TripLog.trip(ofRootKey: founder.signingKey, using: cryptography) == trip, founder.participant == name
            else { throw .invalidFounding }
        } else if links.previous == nil {
            // What follows another change of its log has that one's past, and so what introduced its keys.
            guard facts.isIntroduced(change.replica, in: links.past, of: graph) else { throw .unknownAuthor }
        }
        if let statement = change.statement {
            try facts.check(statement, by: change.replica, past: links.past, in: graph, using: cryptography)
        }
        return links
    }

    /// Adds one change to what is retained. O(branches that its author had seen otherwise than everybody here).
    private mutating func retain(_ place: Int) {
        if retained.beyond.isEmpty, retained.prefix == place {
            retained.raise(to: UInt32(place + 1))
        } else {
            let before = retained
            graph.include(place, in: &retained)
            graph.settle(&retained)
            noteRegained(since: before, besides: place)
        }
        // A closure that asks the graph would copy it.
        for index in heads.indices.reversed() where graph.isPast(heads[index], of: place) { heads.remove(at: index) }
        heads.append(place)
    }

    /// O(branches · log branches), and for each that no other's past holds, the branches that it had seen otherwise.
    ///
    /// - Parameter start: where what this follows from begins that was not retained one by one.
    private mutating func deriveRetained(besides start: Int) {
        let before = retained
        // Of each branch the last that is retained for its own sake.
        var ends: [Int32: Int] = [:]
        for branch in graph.branches.indices {
            if let end = membership.lastEffective(of: Int32(branch), in: graph) { ends[Int32(branch)] = end }
        }
        for place in membership.countingAfterFarewells {
            let branch = graph.branchOfPlace[place]
            ends[branch] = max(place, ends[branch] ?? place)
        }
        var below = CausalCut()
        // The latest first, for what a past holds adds nothing: however many forks somebody stands on, that is one union.
        for place in ends.values.sorted(by: >) where !graph.contains(place, in: below) {
            below.formUnion(graph.past(of: place))
        }
        retained = below
        for (branch, place) in ends { retained.extend(to: place, ofBranch: branch) }
        graph.settle(&retained)
        heads = ends.values.filter { !graph.contains($0, in: below) }.sorted()
        noteRegained(since: before, besides: start)
    }

    /// Notes whether something is retained that stood below a place and was not retained. O(branches · log changes).
    private mutating func noteRegained(since before: CausalCut, besides start: Int) {
        let hasRegained = graph.branches.indices.contains { branch in
            lastRetained(of: Int32(branch), before: start).map { !graph.contains($0, in: before) } ?? false
        }
        if hasRegained { retentionVersion += 1 }
    }
}

extension TripLog {
    /// Traps where what was derived step by step is not what follows from the whole. For tests. O(changes · branches).
    package func checkInvariants() {
        graph.checkInvariants()
        for place in graph.changes.indices where isRetained(place) {
            for link in graph.changes[place].change.links {
                guard let before = graph.place(of: link) else { preconditionFailure("a past is here") }
                precondition(isRetained(before), "what is retained has a past that is")
            }
        }
        for place in graph.changes.indices where isEffective(place) {
            precondition(isRetained(place), "what is effective is retained")
        }
        var again = self
        again.deriveRetained(besides: graph.count)
        precondition(again.heads == heads, "heads are those that follow from the whole")
        for place in graph.changes.indices {
            precondition(again.isRetained(place) == isRetained(place), "as is what is retained")
        }
        facts.checkInvariants(graph)
        membership.checkInvariants(facts, graph)
        epochs.checkInvariants(membership, facts, graph)
    }
}
