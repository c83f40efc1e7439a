import ChangeLog
import DeltaCRDT

// A person who is out is cut off at once.
extension SyncNode {
    /// Removes a participant, with a new epoch for everybody who remains; or leaves, after which another member begins one.
    mutating func remove(
        _ participant: Bytes32, kept: [Bytes32]?, ticket: UInt64, using generator: inout some RandomNumberGenerator
    ) {
        do throws(WritingFailure) {
            let removal = try membership.removal(of: participant, kept: kept, in: log)
            var grant: EpochGrant?
            if let remaining = removal.remaining { grant = newEpoch(for: remaining, using: &generator) }
            write(.remove(participant: participant, kept: removal.kept, grant: grant), ticket: ticket)
        } catch {
            turn.effects.append(.authored(ticket: ticket, .failure(error)))
        }
    }

    /// Ends another device of this one's person, with a new epoch for everybody who remains.
    mutating func end(
        device replica: ReplicaID, ticket: UInt64, using generator: inout some RandomNumberGenerator
    ) {
        do throws(WritingFailure) {
            let ending = try membership.ending(of: replica, in: log)
            let grant = newEpoch(for: ending.remaining, using: &generator)
            write(.end(replica: replica, last: ending.last, grant: grant), ticket: ticket)
        } catch {
            turn.effects.append(.authored(ticket: ticket, .failure(error)))
        }
    }

    /// A new epoch, whose secret only these devices get.
    private func newEpoch(
        for devices: [Device], using generator: inout some RandomNumberGenerator
    ) -> EpochGrant {
        let epoch = Epoch(secret: .random(using: &generator), using: cryptography)
        return EpochGrant(epoch, to: devices, using: &generator, cryptography)
    }

    /// Admits again a person who waits, with the newest epoch's secret.
    mutating func keep(
        _ participant: Bytes32, ticket: UInt64, using generator: inout some RandomNumberGenerator
    ) {
        do throws(WritingFailure) {
            let kept = try membership.keeping(of: participant, in: log)
            let admission = Admission(
                device: kept.admission.device, name: kept.admission.name, invite: kept.admission.invite,
                consent: kept.admission.consent,
                grant: epochs.newest.flatMap {
                    DeviceGrant($0, to: kept.admission.device, using: &generator, cryptography)
                })
            let index = try append(.admit(admission), as: secrets, besides: kept.indices)
            persist(index..<index + 1, then: .authored(ticket: ticket, index: index))
        } catch {
            turn.effects.append(.authored(ticket: ticket, .failure(error)))
        }
    }

    /// Sessions become a member's once the peer's admission arrives.
    mutating func promoteProven() {
        guard membership.mayProve(in: log) else { return }
        for id in table.keys {
            guard let index = table.index(of: id), table[at: index].standing == .unproven,
                let device = membership.member(provenBy: table[at: index].peer, in: log)
            else { continue }
            table[at: index].standing = .member(device)
            table[at: index].replication.promoted()
            met(device, on: id)
            requestEpoch(on: id)
            introduceItself(on: id)
            tellOfAbsentBodies(on: id)
            believePort(on: id)
            pump(id)
            requestBodies(on: id)
            exchangeChunks(on: id)
        }
    }

    /// Cuts off devices that are out.
    /// - Parameter start: the first index that a peer had not been due before what this follows from.
    mutating func noteMembership(arrivedFrom start: Int) {
        guard let removed = membership.newlyOut(in: log) else { return }
        if !removed.isEmpty { turn.effects.append(.notice(.removed(removed))) }
        for id in table.keys {
            guard let index = table.index(of: id) else { continue }
            switch membership.fate(of: table[at: index].standing, with: table[at: index].peer, in: log) {
            case .stays: break
            case .ends: end(id)
            case .dismissed(let device): dismiss(device, on: id, arrivedFrom: start)
            }
        }
        let log = log
        dialer.forget { log.isOut($0) }
    }
}

// A removed device receives its removal in the session that it ends. Otherwise it would continue to add and invite in vain.
extension SyncNode {
    /// Ends the session with a removed device. It receives its removal if that reveals nothing else.
    ///
    /// From here on nothing is sent or received in the session, whenever the connection is closed.
    private mutating func dismiss(_ device: Device, on id: ConnectionID, arrivedFrom start: Int) {
        let known = table[id]?.replication.knowledge ?? PeerKnowledge()
        guard let removal = departure(of: device.replica, besides: known),
            let frames = frames(telling: removal, on: id, arrivedFrom: start)
        else {
            end(id)
            return
        }
        membership.add(MembershipDesk.Dismissal(connection: id, removal: removal, frames: frames))
        closed(id)
        sendDismissals()
    }

    /// The change that says to a device why it is out: the first that it isn't known to hold, else the first. Of several removals of
    /// one person only the first is told, for it has no other in its past, and so nothing that was written after one.
    func departure(of replica: ReplicaID, besides knowledge: PeerKnowledge) -> Int? {
        switch log.explanation(to: replica, whichHolds: { knowledge.contains($0, in: log.graph) }) {
        case .lacked(let index), .held(let index): index
        case nil: nil
        }
    }

    /// Sends what has become durable.
    mutating func sendDismissals() {
        for dismissal in membership.takeDismissals(before: replication.durableCount) {
            turn.effects += [.send(dismissal.connection, dismissal.frames), .close(dismissal.connection)]
        }
    }

    /// A removal with what the peer lacks of its past, and the session's end. Nil where the peer knows of it already; where
    /// more is lacking than one message holds; and where some of that has only come here with the removal, for the removed
    /// device is shown nothing that it had not been due before.
    private mutating func frames(telling removal: Int, on id: ConnectionID, arrivedFrom start: Int) -> [UInt8]? {
        guard let index = table.index(of: id), table[at: index].replication.window.hasCompared else {
            return nil
        }
        let knowledge = table[at: index].replication.knowledge
        let batch = log.nextBatch(
            from: knowledge.prefix, to: removal + 1, lackedBy: knowledge, witness: removal,
            countMax: limits.batchChangesMax, bytesMax: limits.batchBytesMax)
        guard batch.indices.last == removal, batch.indices.dropLast().allSatisfy({ $0 < start }) else { return nil }
        let changes = Message.changes(batch.indices.map { log.graph[$0].head })
        guard let told = table[at: index].channel.seal(changes.encoding),
            let end = table[at: index].channel.seal(Message.end.encoding)
        else { return nil }
        return told + end
    }
}
