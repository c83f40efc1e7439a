import ChangeLog
import Convergence
import DeltaCRDT
import SyncEngine
import TripModel
import TripRules

// Changes that a member makes against the rules, and two with one predecessor, which are not.
extension TripRun {
    private var forger: Forger {
        Forger(epoch: Forger.epoch(of: founding.epoch, using: cryptography), cryptography: cryptography)
    }

    /// What the hostile member would write next in an honest way, on what a machine holds. Some of it says something
    /// beside it that nobody knows.
    private func honestChange(
        from id: World.NodeID, _ generator: inout SeededGenerator
    ) -> (change: SignedChange, meaning: TripSpecification.Meaning)? {
        var log = world.machines[id].node.log
        let number = generator.below(1_000_000)
        let title = "Mallory's \(number)"
        let action = TripAction.add([ItemDraft(title: title)])
        let me = ParticipantID(founding.mallory.device.participant)
        guard var content = try? people[id].shown.replica.perform(action, by: me) else { return nil }
        // One operation more: a kind that nobody knows, and its body.
        if number % 3 == 0 { content = [2] + content.dropFirst() + [99, 2, 7, 7] }
        guard let change = try? log.author(.content(content), wallTime: -1, as: founding.mallory) else { return nil }
        return (change, .add(fields: [.title: title], quantity: 0))
    }

    /// Two changes with one predecessor, each told to another node. Both are valid, and both count.
    mutating func fork(_ id: World.NodeID, _ other: World.NodeID, _ generator: inout SeededGenerator) {
        guard attacks.forkCount < Attacks.forksMax, id != other, world.machines[other].isRunning else { return }
        for target in [id, other] {
            guard let (change, meaning) = honestChange(from: id, &generator) else { return }
            let index = ledger.register(change, author: -1, at: world.time)
            specification.add(
                TripSpecification.Act(
                    change: index, participant: founding.mallory.device.participant, meaning: meaning,
                    past: ledger.holders[id].held, lamport: change.change.lamport, hash: change.hash),
                shown: people[id].seen)
            _ = speak([.message(Message.changes([change.sealed]).encoding)], to: target, &generator)
        }
        attacks.forkCount += 1
        happened(.fork)
        note("a member tells \(id) and \(other) two changes with one predecessor")
    }

    /// A change that no node may take, made from what a machine holds, and what is wrong with it.
    mutating func forge(
        _ fault: TripFault, from id: World.NodeID, _ generator: inout SeededGenerator
    ) -> (sealed: [UInt8], what: String)? {
        guard let honest = honestChange(from: id, &generator)?.change else { return nil }
        var draft = Forger.Draft(honest.change)
        var nonce: [UInt8]?
        var seed = founding.mallory.signingSeed
        var law = Law.refusal
        let what: String
        switch fault {
        case .forgery:
            what = disguise(&draft, &nonce, &seed, on: id, &generator)
            if draft.replica != honest.change.replica { law = .ownHand }
        case .backdate:
            what = backdate(&draft, &generator)
        default:
            law = .wholeIntervals
            what = leaveOut(&draft, &generator)
        }
        let (sealed, hash) = forger.seal(draft.encoding, seed: seed, nonce: nonce)
        // The honest change itself may be made again, and then be taken.
        guard hash != honest.hash || nonce != nil else { return nil }
        if nonce == nil { ledger.forbidden[hash] = (law, what) }
        return (sealed, what)
    }

    /// It is said in another's name, or under a key that nobody knows.
    private func disguise(
        _ draft: inout Forger.Draft, _ nonce: inout [UInt8]?, _ seed: inout Bytes32, on id: World.NodeID,
        _ generator: inout SeededGenerator
    ) -> String {
        let log = world.machines[id].node.log
        let victims = log.branches.all.filter { $0.replica != draft.replica }
        let branch = victims[Int(generator.below(UInt64(victims.count)))]
        switch generator.below(4) {
        case 0, 1:
            let tip = log.changes[branch.lastPlace]
            draft.replica = branch.replica
            draft.counter = tip.change.lastCounter + 1
            draft.previous = tip.hash
            draft.heads.removeAll { $0 == tip.hash }
            return "what another should have signed"
        case 2:
            seed = .random(using: &generator)
            draft.wallTime = -2
            return "what nobody signed who is known"
        default:
            nonce = (0..<24).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
            return "a nonce of its own choice"
        }
    }

    private func backdate(_ draft: inout Forger.Draft, _ generator: inout SeededGenerator) -> String {
        switch generator.below(4) {
        case 0: draft.lamport += 1 + generator.below(1_000)
        case 1: draft.lamport = max(1, draft.lamport - 1)
        case 2: draft.lamport = ChangeLimits.lamportMax
        default: draft.lamport = 1
        }
        return "a change of another time"
    }

    private func leaveOut(_ draft: inout Forger.Draft, _ generator: inout SeededGenerator) -> String {
        switch generator.below(4) {
        case 0: draft.counter += 1 + generator.below(5)
        case 1:
            draft.counter += 1
            draft.previous = .random(using: &generator)
        case 2: draft.heads = [.random(using: &generator)]
        default: draft.trip = .random(using: &generator)
        }
        // The first of a log names none before it.
        if draft.counter > 1, draft.previous == nil { draft.previous = .random(using: &generator) }
        return "a change whose past is nowhere"
    }
}
