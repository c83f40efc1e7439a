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
    package private(set) var standing: Standing
    package private(set) var epochs = EpochFacts()
    /// Everything effective and every removal that cuts, with their pasts, and the founding. What else is here is as if it
    /// were not: it is not shown, not passed on and not named.
    package private(set) var retained = CausalCut()
    /// The retained changes that no retained one has in its past, by place, ascending.
    package private(set) var heads: [Int] = []
    /// Grows whenever who is in may have changed.
    package private(set) var membershipVersion = 0
    /// Grows whenever something is retained that was here before and was not: what peers lack is looked for anew.
    package private(set) var retentionVersion = 0

    /// What this node keeps of one log that forks, beyond which a branch waits until somebody stands on it.
    package enum LocalBounds {
        package static let branchesMax = 8
        /// Branches of one log that wait.
        package static let waitingMax = 64
    }

    package init(trip: Bytes32, cryptography: any Cryptography, branchesMax: Int = LocalBounds.branchesMax) {
        self.trip = trip
        self.cryptography = cryptography
        standing = Standing(branchesMax: branchesMax)
    }

    /// The trip whose founder has this root key.
    package static func trip(ofRootKey key: Bytes32, using cryptography: some Cryptography) -> Bytes32 {
        cryptography.hash(key.bytes)
    }

    package func isEffective(_ place: Int) -> Bool { standing.isEffective(place, in: graph) }

    package func isRetained(_ place: Int) -> Bool { graph.contains(place, in: retained) }

    // MARK: - Adding

    /// Adds a change whose signature was checked.
    /// - Returns: what was here before and is effective that was not, or is no longer.
    mutating func add(_ signed: SignedChange) throws(Refusal) -> EffectShift {
        let links = try checkedLinks(of: signed)
        let place = graph.count
        graph.append(signed, links)
        var recorded = MembershipFacts.Recorded.other
        if let statement = signed.change.statement {
            recorded = facts.record(statement, at: place, past: links.past, in: graph, using: cryptography)
            epochs.record(statement, by: facts.participant(of: signed.change.replica), at: place, signed.stamp)
            membershipVersion += 1
        }
        let consequence = standing.note(place, recorded, facts, graph)
        if consequence.isDerivedAnew || signed.change.statement?.beginsEpoch ?? false { epochs.rank(standing, graph) }
        if consequence.isDerivedAnew {
            deriveRetained(besides: place)
        } else if isEffective(place) || isFounding(recorded) {
            retain(place)
        }
        var shift = EffectShift()
        shift.turn(consequence.turned)
        while !standing.waiting.isEmpty, let taken = standing.takeIn(retained, facts, graph) {
            membershipVersion += 1
            epochs.rank(standing, graph)
            deriveRetained(besides: place)
            shift.formUnion(taken)
        }
        return shift
    }

    private func isFounding(_ recorded: MembershipFacts.Recorded) -> Bool {
        if case .admission(let index) = recorded { facts.admissions[index].isFounding } else { false }
    }

    private func checkedLinks(of signed: SignedChange) throws(Refusal) -> ChangeGraph.Links {
        let change = signed.change
        guard change.trip == trip else { throw .otherTrip }
        let links = try graph.links(of: signed)
        if !standing.waiting.isEmpty, graph.isFork(signed, links) {
            let waiting = (graph.branchesOfReplica[change.replica] ?? []).count { standing.waiting.contains($0) }
            guard waiting < LocalBounds.waitingMax else { throw .tooManyBranches }
        }
        if case .found(let founder, _, _) = change.statement {
            guard change.number == 1, change.heads.isEmpty, change.replica == founder.replica,
                TripLog.trip(ofRootKey: founder.signingKey, using: cryptography) == trip,
                founder.isFirst(using: cryptography)
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
    /// - Parameter new: the change that this follows from; nil where it follows from none.
    private mutating func deriveRetained(besides new: Int? = nil) {
        let before = retained
        // Of each branch the last that is retained for its own sake.
        var ends: [Int32: Int] = [:]
        func retain(_ place: Int) {
            ends[graph.branchOfPlace[place]] = max(place, ends[graph.branchOfPlace[place]] ?? place)
        }
        for place in facts.foundings + standing.cuttingRemovals { retain(place) }
        for branch in graph.branches.indices {
            if let end = standing.lastEffective(of: Int32(branch), in: graph) { retain(end) }
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
        noteRegained(since: before, besides: new)
    }

    /// Notes whether something is retained that was here before and was not. O(branches · log changes).
    private mutating func noteRegained(since before: CausalCut, besides new: Int?) {
        let hasRegained = graph.branches.indices.contains { branch in
            guard var last = graph.last(of: Int32(branch), in: retained) else { return false }
            if last == new {
                guard let earlier = graph.branches[branch].last(before: last) else { return false }
                last = earlier
            }
            return !graph.contains(last, in: before)
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
        again.deriveRetained()
        precondition(again.heads == heads, "heads are those that follow from the whole")
        for place in graph.changes.indices {
            precondition(again.isRetained(place) == isRetained(place), "as is what is retained")
        }
        facts.checkInvariants(graph)
        standing.checkInvariants(facts, graph)
        epochs.checkInvariants(standing, graph)
    }
}
