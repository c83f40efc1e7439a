import ChangeLog
import Convergence
import DeltaCRDT
import SyncEngine

// Sealed files, which people carry to members without a network.
extension TripRun {
    /// A node is cut off, and before that ends somebody hands it a file that another one sealed meanwhile.
    mutating func cutOff(
        _ fault: TripFault, _ id: World.NodeID, from other: World.NodeID, _ duration: UInt64, _ draw: UInt64
    ) {
        guard id != other else { return }
        var side = EventSet()
        side.insert(id)
        note("machine \(id) is cut off for \(duration) ms")
        let block = world.partition(side, isOneWay: false)
        recorder.measurements.add(fault, from: world.time, to: world.time + duration, [id])
        agenda.add(.hand(fault, from: other, to: id, draw), at: world.time + duration / 2)
        agenda.add(.unblock(block), at: world.time + duration)
    }

    /// As a node takes in a file: judged whole on a copy of its log, and then told whole or not at all.
    mutating func hand(
        _ fault: TripFault, from author: World.NodeID, to id: World.NodeID, _ draw: UInt64
    ) throws(Violation) {
        guard world.machines[author].isRunning, world.machines[id].isRunning, !world.machines[id].node.isPersisting
        else { return }
        var generator = SeededGenerator(seed: draw)
        guard let file = sealedFile(fault, by: author, for: id, &generator) else { return }
        happened(fault)
        outcome.checks[.sealedFile, default: 0] += 1
        let before = world.machines[id].node
        let count = before.log.graph.count
        let bundle: Bundle
        do throws(Bundle.Failure) {
            bundle = try before.open(bundle: file.bytes)
            if conditions.mutation != .unjudgedFile {
                var log = before.log
                _ = try log.receive(bundle)
            }
        } catch {
            note("machine \(id) refuses \(file.what) of machine \(author): \(error)")
            return try checkRefusal(error, of: file, by: author, to: id)
        }
        note("machine \(id) takes \(file.what) of machine \(author)")
        world.handle(.carried(bundle.records), on: id)
        guard world.machines[id].isRunning else { return }
        let log = world.machines[id].node.log
        guard file.isSound || log.graph.count == count else {
            throw Violation(.sealedFile, "machine \(id) takes \(log.graph.count - count) changes of \(file.what)")
        }
        let reader = ledger.holders[id].replica
        guard !world.machines[author].node.log.isOut(reader) || hasLeagueTold(reader, theEpochOf: author) else {
            throw Violation(.outMeansOut, "machine \(id) reads what machine \(author) sealed, to which it is out")
        }
        let cryptography = cryptography
        for record in bundle.records where file.isSound {
            guard let change = try? SignedChange(record: record, using: cryptography),
                log.graph.index(of: change.hash) != nil
            else { throw Violation(.sealedFile, "machine \(id) takes a part of \(file.what)") }
        }
    }

    /// Whether members in league sealed the secret of a node's newest epoch to a device. A person who knows a secret can hand it on, and
    /// no rule keeps them from it.
    func hasLeagueTold(_ reader: ReplicaID, theEpochOf id: World.NodeID) -> Bool {
        guard let epoch = world.machines[id].node.newestEpoch?.id else { return false }
        return league.crafted.contains { ledger.entries[$0].statement?.box(of: epoch, for: reader) != nil }
    }

    /// Each member reads what each member has sealed.
    private func checkRefusal(
        _ failure: Bundle.Failure, of file: SealedFile, by author: World.NodeID, to id: World.NodeID
    ) throws(Violation) {
        let (sealed, read) = (world.machines[author].node.log, world.machines[id].node.log)
        guard file.isSound, world.machines[id].node.isMember, sealed.isIn(ledger.holders[id].replica) else { return }
        var merged = read
        _ = merged.receive(sealed.retainedRecords(before: sealed.graph.count))
        guard merged.isIn(ledger.holders[author].replica) else { return }
        throw Violation(.sealedFile, "machine \(id) refuses \(file.what) of machine \(author): \(failure)")
    }

    private struct SealedFile {
        let bytes: [UInt8]
        let what: String
        var isSound = false
    }

    private func sealedFile(
        _ fault: TripFault, by author: World.NodeID, for id: World.NodeID, _ generator: inout SeededGenerator
    ) -> SealedFile? {
        guard var bytes = try? world.machines[author].node.bundle(using: &generator) else { return nil }
        guard fault == .alteredFile else { return SealedFile(bytes: bytes, what: "a sealed file", isSound: true) }
        switch generator.below(4) {
        case 0:
            bytes[Int(generator.below(UInt64(bytes.count)))] ^= 1 << UInt8(generator.below(8))
            return SealedFile(bytes: bytes, what: "a sealed file that was altered")
        case 1:
            bytes.removeLast(1 + Int(generator.below(UInt64(bytes.count - 1))))
            return SealedFile(bytes: bytes, what: "a sealed file that was cut")
        case 2:
            let other = Bytes32.random(using: &generator)
            return forgedFile(of: other, tail: [], by: author, for: id, &generator).map {
                SealedFile(bytes: $0, what: "a sealed file of another trip")
            }
        default:
            // What it says is honest, but for the signature of the last change: where that is held already, nobody looks at it.
            let (log, cryptography) = (world.machines[author].node.log, cryptography)
            guard var last = log.retainedRecords(before: log.graph.count).last,
                let change = try? SignedChange(record: last, using: cryptography),
                world.machines[id].node.log.graph.index(of: change.hash) == nil
            else { return nil }
            last[last.count - 1] ^= 1
            return forgedFile(
                of: founding.trip, tail: [last], by: author, for: id, &generator
            ).map { SealedFile(bytes: $0, what: "a sealed file with a change that nobody signed") }
        }
    }

    /// What a member who means ill seals, with the secret that all had in the beginning.
    private func forgedFile(
        of trip: Bytes32, tail: [[UInt8]], by author: World.NodeID, for id: World.NodeID,
        _ generator: inout SeededGenerator
    ) -> [UInt8]? {
        let log = world.machines[author].node.log
        let cryptography = cryptography
        let honest = log.retainedRecords(before: log.graph.count).dropLast(tail.count)
        return try? Bundle.seal(
            honest + tail, of: trip, by: founding.mallory, under: Forger.epoch(of: founding.epoch, using: cryptography),
            and: [world.machines[id].node.secrets.device], using: &generator, cryptography)
    }
}
