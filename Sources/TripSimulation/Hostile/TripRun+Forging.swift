import ChangeLog
import Convergence
import DeltaCRDT
import SyncEngine
import TripModel
import TripRules

// Changes that a member makes against the rules, and two with one predecessor, which are not.
extension TripRun {
    private var forger: Forger {
        Forger(cryptography: cryptography)
    }

    /// What the hostile member would write next in an honest way, on what a machine holds. Some of it says something
    /// beside it that nobody knows.
    private func honestChange(
        from id: World.NodeID, _ generator: inout SeededGenerator
    ) -> (change: SignedChange, meaning: TripSpecification.Meaning, isBeyondAll: Bool)? {
        var log = world.machines[id].node.log
        let number = generator.below(1_000_000)
        let title = "Mallory's \(number)"
        let action = TripAction.add([ItemDraft(title: title)])
        let me = ParticipantID(founding.mallory.device.participant)
        guard var content = try? people[id].shown.replica.perform(action, by: me) else { return nil }
        // One operation more: a kind that nobody knows, and its body.
        let isBeyondAll = number % 3 == 0
        if isBeyondAll { content = [2] + content.dropFirst() + [99, 2, 7, 7] }
        guard let change = try? log.write(nil, content: content, wallTime: -1, as: founding.mallory).change else {
            return nil
        }
        return (change, .add(fields: [.title: title], quantity: 0), isBeyondAll)
    }

    /// An honest change of the hostile member that the laws know of.
    private mutating func registeredChange(from id: World.NodeID, _ generator: inout SeededGenerator) -> SignedChange? {
        guard let (change, meaning, isBeyondAll) = honestChange(from: id, &generator) else { return nil }
        let index = ledger.register(change, author: -1, at: world.time)
        specification.add(
            TripSpecification.Act(
                change: index, participant: founding.mallory.device.participant, meaning: meaning,
                past: ledger.holders[id].held, lamport: change.change.lamport, hash: change.hash,
                isBeyondAll: isBeyondAll),
            shown: people[id].seen)
        return change
    }

    /// Two changes with one predecessor, each told to another node. Both are valid, and both count.
    mutating func fork(_ id: World.NodeID, _ other: World.NodeID, _ generator: inout SeededGenerator) {
        guard attacks.forkCount < Attacks.forksMax, id != other, world.machines[other].isRunning else { return }
        // Now and then one and the same, and to one of them its header alone.
        if generator.below(3) == 0 { return withhold(from: id, told: other, &generator) }
        for target in [id, other] {
            guard let change = registeredChange(from: id, &generator) else { return }
            _ = speak([.message(Message.changes([change.record]).encoding)], to: target, &generator)
        }
        attacks.forkCount += 1
        happened(.fork)
        note("a member tells \(id) and \(other) two changes with one predecessor")
    }

    /// A change of which one node is told the header and another all.
    private mutating func withhold(
        from id: World.NodeID, told other: World.NodeID, _ generator: inout SeededGenerator
    ) {
        guard let change = registeredChange(from: id, &generator) else { return }
        _ = speak([.message(Message.changes([change.head]).encoding)], to: id, &generator)
        _ = speak([.message(Message.changes([change.record]).encoding)], to: other, &generator)
        attacks.forkCount += 1
        happened(.fork)
        note("a member tells \(id) the header of a change, and \(other) all of it")
    }

    /// The hostile member writes the removal of somebody who is not below it. All nodes accept the change, and nobody is removed by it.
    mutating func removeFromBelow(_ id: World.NodeID) {
        guard attacks.forkCount < Attacks.forksMax, world.machines[id].isRunning else { return }
        var log = world.machines[id].node.log
        let statement = Statement.remove(participant: people[id].participant, grant: nil)
        guard let change = try? log.write(statement, content: [], wallTime: -1, as: founding.mallory).change else {
            return
        }
        _ = ledger.register(change, author: -1, at: world.time)
        // Each time beside what it wrote before.
        attacks.forkCount += 1
        var generator = SeededGenerator(seed: UInt64(attacks.forkCount))
        _ = speak([.message(Message.changes([change.record]).encoding)], to: id, &generator)
        happened(.removal)
        note("a member says to \(id) that it takes its person out")
    }

    /// A change that no node may take, made from what a machine holds, and what is wrong with it.
    mutating func forge(
        _ fault: TripFault, from id: World.NodeID, _ generator: inout SeededGenerator
    ) -> (record: [UInt8], what: String)? {
        guard let honest = honestChange(from: id, &generator)?.change else { return nil }
        var draft = Forger.Draft(honest.change)
        var seed = founding.mallory.signingSeed
        var law = Law.refusal
        let what: String
        switch fault {
        case .forgery:
            what = disguise(&draft, &seed, on: id, &generator)
            if draft.replica != honest.change.replica { law = .ownHand }
        case .backdate:
            what = backdate(&draft, &generator)
        default:
            law = .wholeIntervals
            what = leaveOut(&draft, &generator)
        }
        let (record, hash) = forger.sign(draft.change, seed: seed)
        // The honest change itself may be made again, and then be taken.
        guard hash != honest.hash else { return nil }
        ledger.forbidden[hash] = (law, what)
        return (record, what)
    }

    /// It is said in another's name, or under a key that nobody knows.
    private func disguise(
        _ draft: inout Forger.Draft, _ seed: inout Bytes32, on id: World.NodeID,
        _ generator: inout SeededGenerator
    ) -> String {
        let log = world.machines[id].node.log
        let victims = log.graph.branches.filter { $0.replica != draft.replica }
        let branch = victims[Int(generator.below(UInt64(victims.count)))]
        switch generator.below(3) {
        case 0, 1:
            let tip = log.graph.changes[branch.last]
            draft.replica = branch.replica
            draft.number = tip.change.number + 1
            draft.previous = tip.hash
            draft.heads.removeAll { $0 == tip.hash }
            return "what another should have signed"
        default:
            seed = .random(using: &generator)
            draft.wallTime = -2
            return "what nobody signed who is known"
        }
    }

    private func backdate(_ draft: inout Forger.Draft, _ generator: inout SeededGenerator) -> String {
        switch generator.below(4) {
        case 0: draft.lamport += 1 + generator.below(1_000)
        case 1: draft.lamport = max(1, draft.lamport - 1)
        case 2: draft.lamport = ChangeBounds.lamportMax
        default: draft.lamport = 1
        }
        return "a change of another time"
    }

    private func leaveOut(_ draft: inout Forger.Draft, _ generator: inout SeededGenerator) -> String {
        switch generator.below(4) {
        case 0: draft.number += 1 + generator.below(5)
        case 1:
            draft.number += 1
            draft.previous = .random(using: &generator)
        case 2: draft.heads = [.random(using: &generator)]
        default: draft.trip = .random(using: &generator)
        }
        // The first of a log names none before it.
        if draft.number > 1, draft.previous == nil { draft.previous = .random(using: &generator) }
        return "a change whose past is nowhere"
    }
}
