package import DeltaCRDT

/// What changes say of epochs, and which of them is the newest (Documentation/Protocol.md, section 6).
package struct EpochFacts: Sendable {
    /// Where an epoch begins.
    struct Beginning: Sendable {
        let id: Bytes16
        let index: Int
        /// The person that is removed, where it begins by a removal; else nil.
        let removed: Bytes32?
        /// How many removals, farewells and ends that count it does not answer: it answers those in its past, and its own.
        var unanswered = 0
    }

    private(set) var beginnings: [Beginning] = []
    /// The changes that give each epoch's secret to devices, or found the trip with it, ascending. The boxes are in
    /// their bodies, and go with these.
    private var grants: [Bytes16: [Int]] = [:]
    /// Those that may be used, the newest first.
    private(set) var ranking: [Beginning] = []
    /// Of each epoch that may be used, its newest beginning: anybody may begin an epoch again.
    private(set) var newestBeginnings: [Bytes16: Beginning] = [:]

    /// - Returns: whether an epoch begins.
    mutating func record(_ statement: Statement, by author: Bytes32?, at index: Int) -> Bool {
        var begun: (id: Bytes16, removed: Bytes32?)?
        var granted = statement.grant?.epoch
        switch statement {
        case .found(_, _, let epoch):
            begun = (epoch, nil)
            granted = epoch
        case .admit(let admission): granted = admission.grant?.epoch
        // The person who leaves knows the secret.
        case .remove(let participant, _, let grant?) where participant != author: begun = (grant.epoch, participant)
        case .end(_, _, let grant?), .beginEpoch(let grant): begun = (grant.epoch, nil)
        case .invite, .closeInvite, .remove, .end, .grant: break
        }
        if let begun { beginnings.append(Beginning(id: begun.id, index: index, removed: begun.removed)) }
        if let granted { grants[granted, default: []].append(index) }
        return begun != nil
    }

    /// Puts those in order that may be used. O((epochs + cuts) · (log + the branches that their pasts name)).
    mutating func rank(_ membership: Membership, _ graph: ChangeGraph) {
        let cuts = membership.roster.cuts(graph)
        let removals = Set(membership.persons.values.flatMap(\.removals))
        ranking = beginnings.filter { beginning in
            // Only a removal by somebody above the removed begins an epoch.
            beginning.removed == nil
                ? membership.isEffective(beginning.index, in: graph) : removals.contains(beginning.index)
        }.map { beginning in
            var ranked = beginning
            ranked.unanswered = cuts.indices.count - cuts.count(upTo: beginning.index, graph)
            return ranked
        }.sorted { ($0.unanswered, graph[$1.index].stamp) < ($1.unanswered, graph[$0.index].stamp) }
        newestBeginnings = Dictionary(ranking.map { ($0.id, $0) }) { newest, _ in newest }
    }

    /// The changes that may hold a box of an epoch's secret, by index, ascending.
    func grants(of epoch: Bytes16) -> [Int] { grants[epoch] ?? [] }
}

extension EpochFacts {
    /// Traps where the ranking is not what follows from the whole. O(epochs · removals).
    func checkInvariants(_ membership: Membership, _ graph: ChangeGraph) {
        var whole = self
        whole.rank(membership, graph)
        precondition(whole.ranking.map(\.index) == ranking.map(\.index), "the ranking of epochs is out of date")
        let cuts = membership.roster.cuts(graph).indices
        for beginning in ranking {
            let unanswered = cuts.count { !graph.isPast($0, of: beginning.index) }
            precondition(
                beginning.unanswered == unanswered,
                "an epoch leaves \(unanswered) cuts unanswered, not \(beginning.unanswered)")
        }
    }
}

extension Statement {
    /// What it holds for a device of an epoch's secret; nil where that is nothing.
    package func box(of epoch: Bytes16, for replica: ReplicaID) -> [UInt8]? {
        if case .admit(let admission) = self {
            guard admission.device.replica == replica, admission.grant?.epoch == epoch else { return nil }
            return admission.grant?.sealed
        }
        guard let grant, grant.epoch == epoch else { return nil }
        let index = grant.boxes.partitioningIndex { $0.replica >= replica }
        return index < grant.boxes.count && grant.boxes[index].replica == replica ? grant.boxes[index].sealed : nil
    }
}
