import ChangeLog
import Convergence
import DeltaCRDT
import SyncEngine

// When the laws of what anybody may write are looked at: in runs with members in league, at each statement that a node takes.
extension TripRun {
    /// In larger groups, now and then, and at one machine.
    static var wholeGroupMax: Int { 6 }

    /// What a machine's node says, or a fault makes of it.
    private mutating func claim(on id: World.NodeID) -> Claim? {
        let log = world.machines[id].node.log
        guard var claim = Claim(log, ledger, whole: ledger.holders[id].whole) else { return nil }
        ledger.noteWhole(on: id, log)
        guard let mutation = conditions.mutation else { return claim }
        if let fault = mutation.countingFault { claim.replace(by: ledger.rules(by: claim.held, fault: fault)) }
        spoil(&claim, mutation)
        return claim
    }

    private func spoil(_ claim: inout Claim, _ mutation: TripMutation) {
        switch mutation {
        case .cutSpreads:
            for index in claim.effective where !claim.effective.isSuperset(of: ledger.entries[index].past) {
                claim.effective.remove(index)
            }
        case .waitingIsRetained:
            for (index, author) in idle(in: claim) where claim.persons[author]?.state == .waits {
                claim.retained.insert(index)
            }
        case .bodiesGoAtOnce:
            for (index, author) in idle(in: claim)
            where claim.persons[author]?.state == .removed && ledger.entries[index].signed.digest != nil {
                claim.dropped.insert(index)
            }
        default: break
        }
    }

    /// The changes that neither count nor are upheld, and their authors.
    private func idle(in claim: Claim) -> [(index: Int, author: Bytes32)] {
        let upheld = specification.upheld(by: claim.effective)
        return claim.held.compactMap { index in
            guard !claim.effective.contains(index), !upheld.contains(index) else { return nil }
            return ledger.devices[ledger.entries[index].replica].map { (index, $0.participant) }
        }
    }

    /// Checks what a machine's node says now, and what came of what it took since it was looked at last.
    mutating func checkAuthors(_ id: World.NodeID) throws(Violation) {
        guard conditions.hasLeague, world.machines[id].isRunning, let claim = claim(on: id) else { return }
        for law in [Law.parentByName, .outForAReason, .cutForAReason, .bodiesStay] {
            outcome.checks[law, default: 0] += 1
        }
        let before = claims[id]
        claims[id] = claim
        if let before, before.held.subtracting(claim.held).isEmpty {
            for law in [Law.effectStays, .statementsReach] { outcome.checks[law, default: 0] += 1 }
            let honest = Set(ledger.holders.flatMap { [$0.replica, $0.guest].compactMap { $0 } })
            try ledger.check(claim, since: before, honest: honest)
        }
        try ledger.check(claim)
    }

    // MARK: - Who has everything

    /// A node says that another one has all that it holds only where that is so, unless a machine forgot what it had said that it holds.
    mutating func checkEveryoneHasThis() throws(Violation) {
        guard conditions.hasLeague || conditions.isApart, !outcome.faults.keys.contains(where: \.forgets) else {
            return
        }
        for id in world.machines.indices where isPlain(id) {
            let node = world.machines[id].node
            for other in world.machines.indices where other != id && isPlain(other) {
                let replica = ledger.holders[other].replica
                guard node.log.isIn(replica), saysThatAllIsThere(id, other, replica) else { continue }
                outcome.checks[.everyoneHasThis, default: 0] += 1
                if let missing = missing(at: other, of: id) {
                    throw Violation(
                        .everyoneHasThis,
                        "machine \(id) says that machine \(other) has everything, which lacks change \(missing) or its body"
                    )
                }
            }
        }
    }

    private func isPlain(_ id: World.NodeID) -> Bool {
        world.machines[id].isRunning && world.machines[id].node.isMember && world.machines[id].node.ownDeparture == nil
    }

    private func saysThatAllIsThere(_ id: World.NodeID, _ other: World.NodeID, _ replica: ReplicaID) -> Bool {
        let node = world.machines[id].node
        guard conditions.mutation == .acknowledgedHeaders else { return node.changesNotKnown(at: replica) == 0 }
        let there = world.machines[other].node.log.graph
        return node.log.graph.changes.indices.allSatisfy { index in
            !node.log.isRetained(index) || there.index(of: node.log.graph[index].hash) != nil
        }
    }

    /// What counts at one machine, is durable there, and is not at another, or without a body that counts.
    private func missing(at other: World.NodeID, of id: World.NodeID) -> Int? {
        let (node, there) = (world.machines[id].node, world.machines[other].node.log)
        for changeIndex in 0..<node.durableCount where node.log.isShown(changeIndex) {
            guard let index = ledger.indexOf[node.log.graph[changeIndex].hash] else { continue }
            guard let found = there.graph.index(of: node.log.graph[changeIndex].hash),
                ledger.isDurable(index, on: other),
                !there.lackingBodies.contains(found)
            else { return index }
        }
        return nil
    }
}

extension TripFault {
    /// Whether a disk may forget what it said that it held.
    fileprivate var forgets: Bool {
        switch self {
        case .backup, .bitFlip, .copiedHome: true
        default: false
        }
    }
}
