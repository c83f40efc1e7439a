import ChangeLog
import DeltaCRDT

/// What changes say of epochs, and which of them is the newest (Documentation/Protocol.md, section 6).
package struct EpochFacts: Sendable {
    /// Where an epoch begins.
    struct Beginning: Sendable {
        let id: Bytes16
        let place: Int
        let hash: Bytes32
        /// Whether a removal begins it.
        let isRemovals: Bool
        /// How many of the removals that cut it answers: those in its past, and its own.
        var answered = 0
    }

    private var beginnings: [Beginning] = []
    /// Where boxes of each epoch's secret are.
    private var grants: [Bytes16: [Int]] = [:]
    /// The devices that its secret was sealed to, whoever did so.
    private var holders: [Bytes16: Set<ReplicaID>] = [:]
    /// Those that may be used, the newest first.
    private(set) var ranking: [Beginning] = []
    /// The removals that cut, by place, ascending.
    private var removals: [Int] = []

    mutating func record(_ statement: Statement, at place: Int, _ hash: Bytes32) {
        switch statement {
        case .found(let founder, _, let epoch):
            beginnings.append(Beginning(id: epoch, place: place, hash: hash, isRemovals: false))
            holders[epoch, default: []].insert(founder.replica)
        case .admit(let admission):
            guard let grant = admission.grant else { return }
            grants[grant.epoch, default: []].append(place)
            holders[grant.epoch, default: []].insert(admission.device.replica)
        case .remove(_, let grant?):
            beginnings.append(Beginning(id: grant.epoch, place: place, hash: hash, isRemovals: true))
            record(grant, at: place)
        case .beginEpoch(let grant):
            beginnings.append(Beginning(id: grant.epoch, place: place, hash: hash, isRemovals: false))
            record(grant, at: place)
        case .grant(let grant): record(grant, at: place)
        case .invite, .closeInvite, .remove(_, nil): break
        }
    }

    private mutating func record(_ grant: EpochGrant, at place: Int) {
        grants[grant.epoch, default: []].append(place)
        holders[grant.epoch, default: []].formUnion(grant.boxes.map(\.replica))
    }

    /// Puts those in order that may be used. O(epochs · log removals), where each epoch had seen most that came before it.
    mutating func rank(_ standing: Standing, _ graph: ChangeGraph) {
        removals = standing.cuttingRemovals
        ranking = beginnings.compactMap { beginning in
            let cuts = removals.partitioningIndex { $0 >= beginning.place }
            let isCutting = cuts < removals.count && removals[cuts] == beginning.place
            guard beginning.isRemovals ? isCutting : standing.isEffective(beginning.place, in: graph) else {
                return nil
            }
            var ranked = beginning
            let past = graph.past(of: beginning.place)
            let seen = removals.partitioningIndex { $0 >= Int(past.prefix) }
            ranked.answered = seen + removals[seen...].count { graph.isPast($0, of: beginning.place) }
            return ranked
        }.sorted { ($1.answered, $0.hash) < ($0.answered, $1.hash) }
    }

    /// Whether there are removals that an epoch does not answer.
    func leavesUnanswered(_ epoch: Beginning) -> Bool { epoch.answered < removals.count }

    /// The changes that may hold a box of an epoch's secret.
    func places(granting epoch: Bytes16) -> [Int] { grants[epoch] ?? [] }

    func isHeld(_ epoch: Bytes16, by replica: ReplicaID) -> Bool { holders[epoch]?.contains(replica) ?? false }
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
