import ChangeLog
import Convergence
import DeltaCRDT
import SyncEngine

// A mailbox may do anything, and people who are apart lose nothing by it.
extension TripRun {
    /// Time after healing within which people who are apart must agree, in milliseconds: the longest wait is that of a node which
    /// puts again what a mailbox lost many times.
    static var apartHealingMax: UInt64 { 3 * 3_600_000 }

    /// How long two people who are apart are up at once, in milliseconds.
    static var overlap: UInt64 { 600_000 }

    /// Lets people be up in pairs, in turn, until all hold the same: nobody is ever up with more than one other.
    mutating func meetInTurn() throws(Violation) {
        let end = world.time + Self.apartHealingMax
        var turn = 0
        while !haveMet {
            outcome.checks[.liveness, default: 0] += 1
            guard world.time < end else { throw Violation(.liveness, "with two up at once, in turn, \(whatIsMissing)") }
            let present = present
            let pair = [present[turn % present.count], present[(turn + 1) % present.count]]
            note("machines \(pair[0]) and \(pair[1]) are up")
            for id in present where !pair.contains(id) { world.leave(id) }
            try drain()
            for id in pair { try restart(id) }
            try advance(to: world.time + Self.overlap)
            try expel()
            try keepInvites()
            turn += 1
        }
        for id in present { try restart(id) }
    }

    /// Whether all who are in hold the same, and lack no body of it.
    private var haveMet: Bool {
        let present = present
        let isAlike = Set(present.map { world.machines[$0].holding }).count <= 1
        return isAlike && present.allSatisfy { world.machines[$0].node.isMember && !lacksWhatIsThere($0) }
    }

    mutating func spoilMailbox(_ fault: TripFault, _ duration: UInt64, _ draw: UInt64) {
        guard var box = world.mailbox else { return }
        switch fault {
        case .boxForgets:
            guard box.count > 0 else { return }
            var generator = SeededGenerator(seed: draw)
            box.forget(oneIn: 1 + draw % 3, using: &generator)
            happened(fault)
        case .boxReorders: world.isMailboxLate = true
        default: if let fault = fault.ofMailbox { box.faults.insert(fault) }
        }
        world.mailbox = box
        note("the mailbox: \(fault.meaning)")
        if fault != .boxForgets { lasts(fault, duration, [], until: .soundMailbox(fault)) }
    }

    mutating func endMailboxFault(_ fault: TripFault) {
        if fault == .boxReorders { world.isMailboxLate = false }
        if let fault = fault.ofMailbox { world.mailbox?.faults.remove(fault) }
    }

    /// A member who means ill puts a letter in another's name, which says that all is durable there.
    mutating func forgeLetter(from id: World.NodeID, in other: World.NodeID, _ draw: UInt64) {
        let primitives = cryptography
        guard let box = world.mailbox, let slot = box.slots.last, id != other,
            let block = forgedBlock(in: slot, from: id, as: ledger.holders[other].replica, draw, primitives)
        else { return }
        world.layIntoMailbox(block, in: slot)
        happened(.boxForgery)
        note("somebody puts a letter in the name of machine \(other)")
    }

    private func forgedBlock(
        in slot: MailboxSlot, from id: World.NodeID, as replica: ReplicaID, _ draw: UInt64,
        _ cryptography: some SessionCryptography
    ) -> [UInt8]? {
        let keys = MailboxKeys(of: Epoch(secret: founding.epoch, using: cryptography), using: cryptography)
        var generator = SeededGenerator(seed: draw)
        let log = world.machines[id].node.log
        let have = log.heads.prefix(MailboxLetter.haveMax).map { log.graph[$0].hash }
        let time = world.machines[id].clock.now(at: world.time).wall + 1_000
        let mallory = founding.mallory
        var letter = MailboxLetter(
            by: mallory, at: time, records: [], have: have, absent: AbsentBodies(), in: slot, using: cryptography
        ).encoding
        guard let name = letter.firstRange(of: mallory.device.replica.bytes) else { return nil }
        letter.replaceSubrange(name, with: replica.bytes)
        return MailboxBlock.seal(letter, in: slot, under: keys, using: &generator, cryptography)
    }

    /// Nobody who is out, as far as the node that put a block knows, can open it.
    mutating func checkPosted(
        _ bytes: [UInt8], in slot: MailboxSlot, by id: World.NodeID
    ) throws(Violation) {
        let (log, primitives) = (world.machines[id].node.log, cryptography)
        guard log.hasRemovals else { return }
        for other in world.machines.indices where other != id {
            let reader = world.machines[other].node
            let replica = reader.secrets.device.replica
            guard log.isOut(replica), !hasLeagueTold(replica, theEpochOf: id) else { continue }
            outcome.checks[.outMeansOut, default: 0] += 1
            if canRead(bytes, in: slot, reader, primitives) {
                throw Violation(
                    .outMeansOut, "machine \(id) puts a block that machine \(other) can read, whose person is out")
            }
        }
    }
}

/// Whether a node holds what opens a block that says more than that its own device is out.
private func canRead(
    _ bytes: [UInt8], in slot: MailboxSlot, _ reader: SyncNode, _ cryptography: some SessionCryptography
) -> Bool {
    reader.heldEpochs.contains { epoch in
        let keys = MailboxKeys(of: epoch, using: cryptography)
        let content = MailboxBlock.open(bytes, in: slot, under: keys, by: reader.secrets, using: cryptography)
        return switch content {
        case .letter(let letter), .boxedLetter(let letter):
            (try? MailboxLetter(decoding: letter))?.told != reader.secrets.device.replica
        case .chunks: true
        case .joinRequest, .joinAnswer, .notForThisDevice, .unknown, nil: false
        }
    }
}

extension TripFault {
    /// How the mailbox behaves while it lasts.
    fileprivate var ofMailbox: SimulatedMailbox.Fault? {
        switch self {
        case .boxRepeats: .repeats
        case .boxServesOld: .servesOld
        case .boxServesOthers: .servesOthers
        case .boxFull: .full
        case .boxPartialFile: .partialFile
        case .boxUnreachable: .unreachable
        default: nil
        }
    }
}
