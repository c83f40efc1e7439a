import DeltaCRDT

/// What changes say of epochs, and which of them is the newest (Documentation/Protocol.md, section 6).
package struct EpochFacts: Sendable {
    /// Where an epoch begins.
    struct Beginning: Sendable {
        let id: Bytes16
        let place: Int
        let stamp: ChangeStamp
        /// The removal or the end by which it begins; nil where it begins otherwise.
        let cut: Statement?
        /// How many of the cuts it answers: those in its past, and its own.
        var answered = 0
    }

    private var beginnings: [Beginning] = []
    /// Where the boxes of each epoch's secret are, by the device that they are sealed to; none for the founder's first epoch.
    private var boxes: [Bytes16: [ReplicaID: [Int]]] = [:]
    /// Those that may be used, the newest first.
    private(set) var ranking: [Beginning] = []
    /// The removals, farewells and ends that count, by place, ascending.
    private var cuts: [Int] = []

    mutating func record(_ statement: Statement, by author: Bytes32?, at place: Int, _ stamp: ChangeStamp) {
        switch statement {
        case .found(let founder, _, let epoch):
            beginnings.append(Beginning(id: epoch, place: place, stamp: stamp, cut: nil))
            boxes[epoch, default: [:]][founder.replica, default: []] += []
        case .admit(let admission):
            guard let grant = admission.grant else { return }
            boxes[grant.epoch, default: [:]][admission.device.replica, default: []].append(place)
        case .remove(let participant, _, let grant?):
            // The person who leaves knows the secret.
            if participant != author {
                beginnings.append(Beginning(id: grant.epoch, place: place, stamp: stamp, cut: statement))
            }
            record(grant, at: place)
        case .end(_, _, let grant?):
            beginnings.append(Beginning(id: grant.epoch, place: place, stamp: stamp, cut: statement))
            record(grant, at: place)
        case .beginEpoch(let grant):
            beginnings.append(Beginning(id: grant.epoch, place: place, stamp: stamp, cut: nil))
            record(grant, at: place)
        case .grant(let grant): record(grant, at: place)
        case .invite, .closeInvite, .remove(_, _, nil), .end(_, _, nil): break
        }
    }

    /// Takes down the boxes of a grant whose change was recorded without its body.
    mutating func recordBoxes(_ grant: EpochGrant, at place: Int) {
        for box in grant.boxes where boxes[grant.epoch]?[box.replica]?.contains(place) != true {
            let index = boxes[grant.epoch]?[box.replica]?.partitioningIndex { $0 > place } ?? 0
            boxes[grant.epoch, default: [:]][box.replica, default: []].insert(place, at: index)
        }
    }

    private mutating func record(_ grant: EpochGrant, at place: Int) {
        for box in grant.boxes { boxes[grant.epoch, default: [:]][box.replica, default: []].append(place) }
    }

    /// Puts those in order that may be used. O(epochs · log removals), where each epoch had seen most that came before it.
    mutating func rank(_ standing: Membership, _ facts: MembershipFacts, _ graph: ChangeGraph) {
        cuts = standing.roster.cuts(graph)
        ranking = beginnings.filter { $0.begins(standing, facts, graph) }.map { beginning in
            var ranked = beginning
            let past = graph.past(of: beginning.place)
            let seen = cuts.partitioningIndex { $0 >= Int(past.prefix) }
            ranked.answered = seen + cuts[seen...].count { graph.isPast($0, of: beginning.place) }
            return ranked
        }.sorted { ($1.answered, $1.stamp) < ($0.answered, $0.stamp) }
    }

    /// Whether there are removals that an epoch does not answer.
    func leavesUnanswered(_ epoch: Beginning) -> Bool { epoch.answered < cuts.count }

    /// The changes that hold a box of an epoch's secret for a device, by place, ascending.
    func places(granting epoch: Bytes16, to replica: ReplicaID) -> [Int] { boxes[epoch]?[replica] ?? [] }

    /// Whether an epoch's secret was sealed to a device, whoever did so, or the device began it.
    func isHeld(_ epoch: Bytes16, by replica: ReplicaID) -> Bool { boxes[epoch]?[replica] != nil }

    /// Traps where the ranking is not what follows from the whole. For tests. O(epochs · removals).
    func checkInvariants(_ standing: Membership, _ facts: MembershipFacts, _ graph: ChangeGraph) {
        var again = self
        again.rank(standing, facts, graph)
        precondition(again.ranking.map(\.stamp) == ranking.map(\.stamp), "epochs are ranked anew where that may matter")
        precondition(again.ranking.map(\.answered) == ranking.map(\.answered), "with what they answer")
        precondition(cuts == standing.roster.cuts(graph), "of the cuts that there are")
        for beginning in ranking {
            let answered = cuts.count { graph.isPast($0, of: beginning.place) }
            precondition(beginning.answered == answered, "an epoch answers what lies in its past, and its own")
        }
        for places in boxes.values.flatMap(\.values) {
            precondition(zip(places, places.dropFirst()).allSatisfy { $0 < $1 }, "boxes stand in their order")
        }
    }
}

extension EpochFacts.Beginning {
    /// Whether it counts, and so does what it begins by: a removal by somebody above the removed, or an end that nothing cuts.
    fileprivate func begins(_ standing: Membership, _ facts: MembershipFacts, _ graph: ChangeGraph) -> Bool {
        guard standing.isEffective(place, in: graph) else { return false }
        guard case .remove(let participant, _, _) = cut else { return true }
        return facts.index(ofPerson: participant).map { removed in
            facts.person(of: graph.changes[place].change.replica).map { facts.said.names.isAbove($0, removed) } ?? false
        } ?? false
    }
}

extension Statement {
    var beginsEpoch: Bool {
        switch self {
        case .found, .remove(_, _, .some), .end(_, _, .some), .beginEpoch: true
        case .invite, .closeInvite, .admit, .remove(_, _, nil), .end(_, _, nil), .grant: false
        }
    }

    /// What it holds for a device of an epoch's secret; nil where that is nothing.
    func box(of epoch: Bytes16, for replica: ReplicaID) -> [UInt8]? {
        switch self {
        case .admit(let admission):
            guard admission.device.replica == replica, admission.grant?.epoch == epoch else { return nil }
            return admission.grant?.sealed
        case .remove(_, _, let grant?), .end(_, _, let grant?), .beginEpoch(let grant), .grant(let grant):
            guard grant.epoch == epoch else { return nil }
            let index = grant.boxes.partitioningIndex { $0.replica >= replica }
            guard index < grant.boxes.count, grant.boxes[index].replica == replica else { return nil }
            return grant.boxes[index].sealed
        case .found, .invite, .closeInvite, .remove(_, _, nil), .end(_, _, nil): return nil
        }
    }
}
