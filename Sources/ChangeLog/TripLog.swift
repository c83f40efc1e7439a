package import DeltaCRDT

/// The log of one trip: its changes, who is in, what counts and what is retained. A pure function of the set of changes that it was
/// given.
package struct TripLog: Sendable {
    /// BLAKE2b-256 of the founder's root key.
    package let trip: Bytes32
    package let cryptography: any Cryptography
    /// Every change, with its past.
    package private(set) var graph = ChangeGraph()
    /// What changes say of who is in, and what they say of epochs.
    package private(set) var facts = MembershipFacts()
    package private(set) var epochs = EpochFacts()
    /// Who is in and what counts.
    package private(set) var membership = Membership()
    private(set) var bodies = Bodies()
    /// Everything that counts, with its past. What else is here is as if it were not: it is not shown, not passed on and not named.
    package private(set) var retained = CausalCut()
    /// The retained changes that no retained one has in its past, by index, ascending.
    package private(set) var heads: [Int] = []
    /// Grows whenever who is in may have changed.
    package private(set) var membershipVersion = 0
    /// Grows whenever something is retained that was here before and was not: what peers lack is looked for again.
    package private(set) var retentionVersion = 0

    package init(trip: Bytes32, cryptography: any Cryptography) {
        self.trip = trip
        self.cryptography = cryptography
    }

    /// The trip whose founder has this root key.
    package static func trip(ofRootKey key: Bytes32, using cryptography: some Cryptography) -> Bytes32 {
        cryptography.hash(key.bytes)
    }

    /// Whether the change at an index counts. O(1).
    package func isEffective(_ index: Int) -> Bool { membership.isEffective(index, in: graph) }

    /// Whether what a change made is shown because a change that counts acts on it, although this one does not count. O(1).
    package func isUpheld(_ index: Int) -> Bool { bodies.upheld.contains(index) }

    /// O(log branches).
    package func isRetained(_ index: Int) -> Bool { graph.contains(index, in: retained) }

    /// Whether anything of a change is shown: it counts or is upheld, and its body is here. O(1).
    package func isShown(_ index: Int) -> Bool { (isEffective(index) || isUpheld(index)) && graph[index].isWhole }

    /// Adds changes whose signatures were checked, up to the first that is refused, and bodies of changes that are here.
    ///
    /// O(changes · log branches) for the new ones. Where they say anything of who is in, that is derived from all statements.
    mutating func add(_ signed: some Sequence<SignedChange>, bodies whole: [SignedChange] = []) -> Received {
        let start = graph.count
        var added = Received(indices: start..<start)
        for signed in whole where fill(signed) {
            if let index = graph.index(of: signed.hash) { added.altered.append(index) }
        }
        var (saysWhoIsIn, beginsEpoch) = (false, false)
        do throws(Refusal) {
            for signed in signed {
                let said = try append(signed)
                (saysWhoIsIn, beginsEpoch) = (saysWhoIsIn || said.whoIsIn, beginsEpoch || said.epoch)
            }
        } catch {
            added.refusal = error
        }
        let new = start..<graph.count
        added.indices = new
        // Kept only where it may be needed: what is kept is copied where it changes.
        let before = saysWhoIsIn ? Shown(self) : nil
        if saysWhoIsIn { membership.derive(facts, graph) } else { membership.take(new, facts, graph) }
        if saysWhoIsIn || beginsEpoch { epochs.rank(membership, graph) }
        var regains = false
        if let before, !membership.counts(as: before.membership, below: start, in: graph) {
            bodies.derive(membership, graph)
            (retained, heads) = retention()
            added.effectivenessChanged = effectivenessChanged(since: before, before: start)
            // A change that doesn't count is retained once something stands on it, be it of one batch.
            regains = hasRegained(since: before, before: start) || new.contains { isRetained($0) && !isEffective($0) }
        } else {
            // Where what was here counts as before, only what is new is looked at.
            added.effectivenessChanged = bodies.take(new, membership, graph).filter { $0 < start }
            for index in new where isEffective(index) { regains = retain(index) || regains }
        }
        added.effectivenessChanged = Set(added.effectivenessChanged + added.altered).sorted()
        if regains { retentionVersion += 1 }
        #if CHECK_INVARIANTS
        if graph.count > start || !added.altered.isEmpty, isCheckDue(grownFrom: start) { checkInvariants() }
        #endif
        return added
    }

    /// Adds a change to the graph and what it says to the facts.
    private mutating func append(_ signed: SignedChange) throws(Refusal) -> (whoIsIn: Bool, epoch: Bool) {
        // A disk may hold one twice.
        guard graph.index(of: signed.hash) == nil else { throw .brokenChain }
        let links = try checkedLinks(of: signed)
        let index = graph.count
        graph.append(signed, links)
        guard let statement = signed.change.statement else { return (false, false) }
        membershipVersion += 1
        let saysWhoIsIn = facts.record(statement, at: index, in: graph, using: cryptography)
        let author = facts.participant(of: signed.change.replica)
        return (saysWhoIsIn, epochs.record(statement, by: author, at: index))
    }

    /// Adds a change that counts to what is retained. O(branches that its author had seen otherwise than everybody here, and
    /// links of the changes that become retained · log heads), and O(heads) to move those that stay.
    /// - Returns: whether anything before it is retained by that which was not.
    private mutating func retain(_ index: Int) -> Bool {
        // Nothing retained follows on a head. So a change that becomes retained names each head in this change's past.
        var (following, seen): ([Int], Set<Int>) = ([index], [])
        while let next = following.popLast() {
            for hash in graph[next].change.links {
                guard let link = graph.index(of: hash) else { continue }
                if isRetained(link) {
                    let position = heads.partitioningIndex { $0 >= link }
                    if position < heads.count, heads[position] == link { heads.remove(at: position) }
                } else if seen.insert(link).inserted {
                    following.append(link)
                }
            }
        }
        graph.include(index, in: &retained)
        graph.advancePrefix(of: &retained)
        heads.append(index)
        return !seen.isEmpty
    }

    /// Takes the body of a change that lacks it.
    private mutating func fill(_ signed: SignedChange) -> Bool {
        guard let index = graph.index(of: signed.hash), bodies.lacking.contains(index) else { return false }
        graph.replace(index, with: graph[index].with(bodyOf: signed))
        guard graph[index].isWhole else { return false }
        bodies.fill(index)
        // There may be boxes in it.
        if graph[index].change.statement?.grant != nil { membershipVersion += 1 }
        return true
    }

    /// Forgets bodies that nobody will need again, of changes from an index on.
    /// - Returns: the changes whose bodies are gone, by index.
    mutating func dropBodies(from start: Int, ownedBy owner: Bytes32? = nil) -> [Int] {
        let indices = droppableBodies(from: start, ownedBy: owner)
        for index in indices { graph.replace(index, with: graph[index].withoutBody) }
        #if CHECK_INVARIANTS
        if !indices.isEmpty, isCheckDue(grownFrom: graph.count) { checkInvariants() }
        #endif
        return indices
    }
}
