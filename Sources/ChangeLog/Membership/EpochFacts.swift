import DeltaCRDT

/// What changes say of epochs, and which of them is the newest (Documentation/Protocol.md, section 6).
package struct EpochFacts: Sendable {
    /// Where an epoch begins.
    struct Beginning: Sendable {
        let id: Bytes16
        let place: Int
        let stamp: ChangeStamp
        /// How many of the removals that cut it answers: those in its past, and its own.
        var answered = 0
    }

    private var beginnings: [Beginning] = []
    /// Where the boxes of each epoch's secret are, by the device that they are sealed to; none for the founder's first epoch.
    private var boxes: [Bytes16: [ReplicaID: [Int]]] = [:]
    /// Those that may be used, the newest first.
    private(set) var ranking: [Beginning] = []
    /// The removals that cut, by place, ascending.
    private var removals: [Int] = []

    mutating func record(_ statement: Statement, by author: Bytes16?, at place: Int, _ stamp: ChangeStamp) {
        switch statement {
        case .found(let founder, _, let epoch):
            beginnings.append(Beginning(id: epoch, place: place, stamp: stamp))
            boxes[epoch, default: [:]][founder.replica, default: []] += []
        case .admit(let admission):
            guard let grant = admission.grant else { return }
            boxes[grant.epoch, default: [:]][admission.device.replica, default: []].append(place)
        case .remove(let participant, let grant?):
            // Whoever leaves knows the secret.
            if participant != author {
                beginnings.append(Beginning(id: grant.epoch, place: place, stamp: stamp))
            }
            record(grant, at: place)
        case .beginEpoch(let grant):
            beginnings.append(Beginning(id: grant.epoch, place: place, stamp: stamp))
            record(grant, at: place)
        case .grant(let grant): record(grant, at: place)
        case .invite, .closeInvite, .remove(_, nil): break
        }
    }

    private mutating func record(_ grant: EpochGrant, at place: Int) {
        for box in grant.boxes { boxes[grant.epoch, default: [:]][box.replica, default: []].append(place) }
    }

    /// Puts those in order that may be used. O(epochs · log removals), where each epoch had seen most that came before it.
    mutating func rank(_ standing: Standing, _ graph: ChangeGraph) {
        removals = standing.cuttingRemovals
        ranking = beginnings.filter { standing.isEffective($0.place, in: graph) }.map { beginning in
            var ranked = beginning
            let past = graph.past(of: beginning.place)
            let seen = removals.partitioningIndex { $0 >= Int(past.prefix) }
            ranked.answered = seen + removals[seen...].count { graph.isPast($0, of: beginning.place) }
            return ranked
        }.sorted { ($1.answered, $1.stamp) < ($0.answered, $0.stamp) }
    }

    /// Whether there are removals that an epoch does not answer.
    func leavesUnanswered(_ epoch: Beginning) -> Bool { epoch.answered < removals.count }

    /// The changes that hold a box of an epoch's secret for a device, by place, ascending.
    func places(granting epoch: Bytes16, to replica: ReplicaID) -> [Int] { boxes[epoch]?[replica] ?? [] }

    /// Whether an epoch's secret was sealed to a device, whoever did so, or the device began it.
    func isHeld(_ epoch: Bytes16, by replica: ReplicaID) -> Bool { boxes[epoch]?[replica] != nil }

    /// Traps where the ranking is not what follows from the whole. For tests. O(epochs · removals).
    func checkInvariants(_ standing: Standing, _ graph: ChangeGraph) {
        var again = self
        again.rank(standing, graph)
        precondition(again.ranking.map(\.stamp) == ranking.map(\.stamp), "epochs are ranked anew where that may matter")
        precondition(again.ranking.map(\.answered) == ranking.map(\.answered), "with what they answer")
        precondition(removals == standing.cuttingRemovals, "of the removals that there are")
        for beginning in ranking {
            let answered = removals.count { graph.isPast($0, of: beginning.place) }
            precondition(beginning.answered == answered, "an epoch answers what lies in its past, and its own")
        }
        for places in boxes.values.flatMap(\.values) {
            precondition(zip(places, places.dropFirst()).allSatisfy { $0 < $1 }, "boxes stand in their order")
        }
    }
}

extension Statement {
    var beginsEpoch: Bool {
        switch self {
        case .found, .remove(_, .some), .beginEpoch: true
        case .invite, .closeInvite, .admit, .remove(_, nil), .grant: false
        }
    }

    /// What it holds for a device of an epoch's secret; nil where that is nothing.
    func box(of epoch: Bytes16, for replica: ReplicaID) -> [UInt8]? {
        switch self {
        case .admit(let admission):
            guard admission.device.replica == replica, admission.grant?.epoch == epoch else { return nil }
            return admission.grant?.sealed
        case .remove(_, let grant?), .beginEpoch(let grant), .grant(let grant):
            guard grant.epoch == epoch else { return nil }
            let index = grant.boxes.partitioningIndex { $0.replica >= replica }
            guard index < grant.boxes.count, grant.boxes[index].replica == replica else { return nil }
            return grant.boxes[index].sealed
        case .found, .invite, .closeInvite, .remove(_, nil): return nil
        }
    }
}
