package import DeltaCRDT

/// The log of one trip: its changes, who is in, what is effective and what is retained. A pure function of the set of changes
/// that it was given.
package struct TripLog: Sendable {
    /// BLAKE2b-256 of the founder's root key.
    package let trip: Bytes32
    package let cryptography: any Cryptography
    package private(set) var graph = ChangeGraph()
    package private(set) var facts = MembershipFacts()
    package private(set) var membership = Membership()
    package private(set) var epochs = EpochFacts()
    private(set) var bodies = Bodies()
    /// Everything that counts, with its past.
    private var counted = CausalCut()
    /// The same without what stands on a change whose body is needed and absent. What else is here is as if it were not: it is not
    /// shown, not passed on and not named.
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

    /// Whether the change at a place counts.
    package func isEffective(_ place: Int) -> Bool { membership.isEffective(place, in: graph) }

    /// Whether what a change made is shown because a change that counts acts on it, although this one does not count.
    package func isUpheld(_ place: Int) -> Bool { bodies.upheld.contains(place) }

    /// Whether anything of a change is shown: its body is here, and so are all in its past that are needed.
    package func isShown(_ place: Int) -> Bool { (isEffective(place) || isUpheld(place)) && isRetained(place) }

    /// The changes whose bodies are needed and absent, by place.
    package var lackingBodies: Set<Int> { bodies.lacking }

    /// Of some places below another, those that may be acknowledged, and those that stand on a change whose body is needed and absent.
    /// O(places · lacking bodies · log branches).
    package func split(_ places: [Int], before end: Int) -> (sound: [Int], heldBack: [Int]) {
        let known = places.filter { $0 < end }
        guard !bodies.lacking.isEmpty else { return (known, []) }
        let heldBack = known.filter { place in bodies.lacking.contains { graph.isPast($0, of: place) } }
        return (known.filter { !heldBack.contains($0) }, heldBack)
    }

    /// What is sent of a change to those who are in: no body where it does not count, for they would not keep it.
    package func recordToSend(_ place: Int) -> [UInt8] {
        isEffective(place) || isUpheld(place) ? graph[place].record : graph[place].head
    }

    package func isRetained(_ place: Int) -> Bool { graph.contains(place, in: retained) }

    // MARK: - Adding

    /// Adds changes whose signatures were checked, up to the first that is refused.
    /// - Returns: how many were added; why the next was not; and what was here before and is shown that was not, or no longer.
    mutating func add(_ signed: some Sequence<SignedChange>) -> (refusal: Refusal?, turned: [Int]) {
        let start = graph.count
        let before = Shown(self)
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
        let standing = isDue ? membership : nil
        if isDue {
            membership.derive(facts, graph)
            bodies.derive(in: graph) { [membership, graph] in membership.isEffective($0, in: graph) }
            deriveRetained(besides: retainedEnd)
        } else if !bodies.lacking.isEmpty {
            retainWithBodies(besides: start)
        }
        if isDue || beginsEpoch { epochs.rank(membership, facts, graph) }
        return (refusal, turned(since: before, standing).filter { $0 < start })
    }

    /// What decides what is shown, as it was before something was added.
    private struct Shown {
        let bodies: Bodies
        let retained: CausalCut

        init(_ log: TripLog) { (bodies, retained) = (log.bodies, log.retained) }
    }

    /// What is shown that was not, or no longer. O(changes) where bodies are or were lacking.
    ///
    /// - Parameter standing: who was in, where that was derived anew.
    private func turned(since before: Shown, _ standing: Membership?) -> [Int] {
        var turned = before.bodies.upheld.symmetricDifference(bodies.upheld)
        if let standing { turned.formUnion(membership.turned(since: standing, graph)) }
        if !before.bodies.lacking.isEmpty || !bodies.lacking.isEmpty {
            turned.formUnion(
                graph.changes.indices.filter { graph.contains($0, in: before.retained) != isRetained($0) })
        }
        return turned.sorted()
    }

    // MARK: - Bodies

    /// Takes the bodies of changes that lack them.
    /// - Returns: the places of those that came, and what is shown by that.
    mutating func fill(_ whole: [SignedChange]) -> (filled: [Int], turned: [Int]) {
        let before = Shown(self)
        var filled: [Int] = []
        for signed in whole {
            guard let place = graph.place(of: signed.hash), bodies.lacking.contains(place) else { continue }
            let change = graph[place].with(bodyOf: signed)
            guard change.isWhole else { continue }
            graph.replace(place, with: change)
            bodies.fill(place)
            filled.append(place)
            if let grant = change.change.statement?.grant {
                epochs.recordBoxes(grant, at: place)
                membershipVersion += 1
            }
        }
        guard !filled.isEmpty else { return ([], []) }
        retainWithBodies(besides: graph.count)
        return (filled.sorted(), turned(since: before, nil))
    }

    /// Forgets bodies that nobody will need again: of changes that a removal by the founder cuts, to which no change refers that may
    /// ever count. Only changes from a place on are looked at, unless who is in has changed. O(changes).
    mutating func dropBodies(from start: Int = 0) -> [Int] {
        let names = facts.said.names
        func isCutForGood(_ place: Int) -> Bool {
            guard !isEffective(place), let device = facts.index(ofDevice: graph[place].change.replica) else {
                return false
            }
            return membership.roster.cutsForGood(place, by: device, names, graph)
        }
        var droppable = (start..<graph.count).filter { place in
            graph[place].digest != nil && !bodies.absent.contains(place) && !isUpheld(place) && isCutForGood(place)
        }
        guard !droppable.isEmpty else { return [] }
        var referred: Set<Int> = []
        for place in droppable[0]..<graph.count where !isCutForGood(place) {
            for subject in graph[place].change.subjects {
                if let subject = graph.place(of: subject) { referred.insert(subject) }
            }
        }
        droppable.removeAll { referred.contains($0) }
        for place in droppable { graph.replace(place, with: graph[place].withoutBody) }
        bodies.drop(droppable)
        return droppable
    }

    /// Adds one change to the graph and to what was said.
    private mutating func add(_ signed: SignedChange) throws(Refusal) -> MembershipFacts.Recorded {
        let links = try checkedLinks(of: signed)
        let place = graph.count
        graph.append(signed, links)
        bodies.add(place, isWhole: signed.isWhole)
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

    /// Adds one change that counts to what is retained. O(branches that its author had seen otherwise than everybody here).
    private mutating func retain(_ place: Int) {
        _ = bodies.count(place, in: graph) { [membership, graph] in membership.isEffective($0, in: graph) }
        if counted.beyond.isEmpty, counted.prefix == place {
            counted.raise(to: UInt32(place + 1))
        } else {
            graph.include(place, in: &counted)
            graph.settle(&counted)
        }
        guard bodies.lacking.isEmpty else { return }
        let before = retained
        retained = counted
        if !(before.beyond.isEmpty && before.prefix == place) { noteRegained(since: before, besides: place) }
        // A closure that asks the graph would copy it.
        for index in heads.indices.reversed() where graph.isPast(heads[index], of: place) { heads.remove(at: index) }
        heads.append(place)
    }

    /// O(branches · log branches), and for each that no other's past holds, the branches that it had seen otherwise.
    ///
    /// - Parameter start: where what this follows from begins that was not retained one by one.
    private mutating func deriveRetained(besides start: Int) {
        // Of each branch the last that is retained for its own sake.
        var ends: [Int32: Int] = [:]
        for branch in graph.branches.indices {
            if let end = membership.lastEffective(of: Int32(branch), in: graph) { ends[Int32(branch)] = end }
        }
        for place in membership.countingAfterFarewells {
            let branch = graph.branchOfPlace[place]
            ends[branch] = max(place, ends[branch] ?? place)
        }
        var all = CausalCut()
        // The latest first, for what a past holds adds nothing: however many forks somebody stands on, that is one union.
        for place in ends.values.sorted(by: >) where !graph.contains(place, in: all) {
            all.formUnion(graph.past(of: place))
        }
        for (branch, place) in ends { all.extend(to: place, ofBranch: branch) }
        graph.settle(&all)
        counted = all
        retainWithBodies(besides: start)
    }

    /// Derives what is retained from what counts: without what stands on a change whose body is needed and absent.
    /// O(branches · log branches), and for each branch with such a change O(branches · log changes).
    private mutating func retainWithBodies(besides start: Int) {
        let before = retained
        var first: [Int32: Int] = [:]
        for place in bodies.lacking {
            let branch = graph.branchOfPlace[place]
            first[branch] = min(place, first[branch] ?? place)
        }
        var ends: [Int32: Int] = [:]
        for index in graph.branches.indices {
            let branch = Int32(index)
            guard var end = graph.last(of: branch, in: counted) else { continue }
            var isEmpty = false
            for lacking in first.values where graph.isPast(lacking, of: end) {
                let places = graph.branches[index].places
                let count = places.partitioningIndex { graph.isPast(lacking, of: Int($0)) }
                guard count > 0 else {
                    isEmpty = true
                    break
                }
                end = min(end, Int(places[count - 1]))
            }
            if !isEmpty { ends[branch] = end }
        }
        var below = CausalCut()
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
            let isHeldBack = bodies.lacking.contains { graph.isPast($0, of: place) }
            precondition(
                isRetained(place) != isHeldBack, "what counts is retained, unless it stands on what lacks its body")
        }
        for place in graph.changes.indices {
            precondition(bodies.absent.contains(place) == !graph[place].isWhole, "absent bodies are known")
        }
        var bodies = bodies
        bodies.derive(in: graph) { isEffective($0) }
        precondition(bodies.upheld == self.bodies.upheld, "what is upheld follows from the whole")
        precondition(bodies.lacking == self.bodies.lacking, "as do the bodies that are lacking")
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
