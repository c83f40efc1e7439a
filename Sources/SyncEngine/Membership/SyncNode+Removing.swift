import ChangeLog
import DeltaCRDT

// A person who is out is cut off at once.
extension SyncNode {
    /// Removes a participant, with a new epoch for everybody who remains; or leaves, after which another member begins one.
    mutating func remove(
        _ participant: Bytes32, kept: [Bytes32]?, ticket: UInt64, using generator: inout some RandomNumberGenerator
    ) {
        let isLeaving = isOwn(participant)
        guard !log.isOut(secrets.device.replica) else {
            turn.effects.append(.authored(ticket: ticket, .failure(.out)))
            return
        }
        // Somebody who waits is refused by being removed; somebody who left may still be.
        guard let person = log.person(participant), person.standing != .removed || kept != nil,
            isLeaving || log.isAncestor(secrets.device.participant, of: participant)
        else {
            turn.effects.append(.authored(ticket: ticket, .failure(.notAbove)))
            return
        }
        var grant: EpochGrant?
        if !isLeaving {
            // Their guests have no node, and people they invited stay.
            let remaining = log.membersWithNode.filter { $0.participant != participant }
            grant = newEpoch(for: remaining, using: &generator)
        }
        // Bodies that nobody here has seen are not kept. They could hold anything, and arrive whenever the removed person likes.
        let kept = isLeaving ? nil : kept ?? log.changesBeforeAbsentBodies(of: participant)
        write(.remove(participant: participant, kept: kept, grant: grant), ticket: ticket)
    }

    /// Ends another device of this one's person, with a new epoch for everybody who remains: it may be in a thief's hands.
    mutating func end(
        device replica: ReplicaID, ticket: UInt64, using generator: inout some RandomNumberGenerator
    ) {
        let own = secrets.device
        guard !log.isOut(own.replica) else {
            turn.effects.append(.authored(ticket: ticket, .failure(.out)))
            return
        }
        guard log.isFirst(own), let device = log.device(replica), device.participant == own.participant,
            !log.isFirst(device), log.isIn(replica)
        else {
            turn.effects.append(.authored(ticket: ticket, .failure(.notAbove)))
            return
        }
        let grant = newEpoch(for: log.membersWithNode.filter { $0.replica != replica }, using: &generator)
        let last = log.lastChangeToKeep(of: replica).map { log.graph[$0].hash }
        write(.end(replica: replica, last: last, grant: grant), ticket: ticket)
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
            guard !log.isOut(secrets.device.replica) else { throw .out }
            guard let kept = log.keepable(participant, by: secrets.device.participant) else { throw .notAbove }
            let admission = Admission(
                device: kept.admission.device, name: kept.admission.name, invite: kept.admission.invite,
                consent: kept.admission.consent,
                grant: epochs.newest.flatMap {
                    DeviceGrant($0, to: kept.admission.device, using: &generator, cryptography)
                })
            let place = try append(.admit(admission), as: secrets, besides: kept.places)
            persist(place..<place + 1, then: .authored(ticket: ticket, place: place))
        } catch {
            turn.effects.append(.authored(ticket: ticket, .failure(error)))
        }
    }

    /// Sessions become a member's once the peer's admission arrives.
    mutating func promoteProven() {
        guard departures.provenVersion != log.membershipVersion else { return }
        departures.provenVersion = log.membershipVersion
        for id in table.keys {
            guard let index = table.index(of: id), table[at: index].standing == .unproven
            else { continue }
            let peer = table[at: index].peer
            guard let device = log.device(peer.replica), device.agreementKey == peer.key, log.isIn(peer.replica)
            else { continue }
            table[at: index].standing = .member(device)
            table[at: index].replication.promoted()
            met(device, on: id)
            requestEpoch(on: id)
            tellOfPort(on: id)
            tellOfAbsentBodies(on: id)
            believePort(on: id)
            pump(id)
            exchangeChunks(on: id)
        }
    }

    /// Cuts off devices that are out.
    /// - Parameter start: the first place that a peer had not been due before what this follows from.
    mutating func noteMembership(arrivedFrom start: Int) {
        guard departures.seenVersion != log.membershipVersion else { return }
        departures.seenVersion = log.membershipVersion
        let outside = log.peopleOutside
        let removed = outside.filter { !departures.outside.contains($0) }.sorted()
        if !removed.isEmpty { turn.effects.append(.notice(.removed(removed))) }
        departures.outside = Set(outside)
        for id in table.keys {
            guard let index = table.index(of: id) else { continue }
            let peer = table[at: index].peer
            switch table[at: index].standing {
            case .member(let device):
                if !log.isIn(device.replica) { dismiss(device, on: id, arrivedFrom: start) }
            case .unproven, .joiner: if log.isOut(peer.replica) { end(id) }
            case .outside: if !log.isOut(peer.replica) { end(id) }
            case .sponsor: break
            }
        }
        let log = log
        dialer.forget { log.isOut($0) }
    }
}

/// Which devices are known to be out, and what they still receive.
struct Departures: Sendable {
    var outside: Set<Bytes32> = []
    /// The membership for which that was last looked at; and who is proven to be in.
    var seenVersion = -1
    var provenVersion = -1
    private var dismissals: [Dismissal] = []

    /// How long a device that is out is sent its removal, in milliseconds from the removal by its author's clock.
    static let tellingDuration: Int64 = 30 * 86_400_000

    /// The last message to a removed device: its removal, sealed for a session that has ended, to be sent once the removal is
    /// durable here.
    struct Dismissal: Sendable {
        let connection: ConnectionID
        /// The place of the removal.
        let removal: Int
        let frames: [UInt8]
    }

    mutating func append(_ dismissal: Dismissal) { dismissals.append(dismissal) }

    mutating func forget(_ id: ConnectionID) { dismissals.removeAll { $0.connection == id } }

    /// Takes those whose removal is durable.
    mutating func take(before end: Int) -> [Dismissal] {
        guard !dismissals.isEmpty else { return [] }
        defer { dismissals.removeAll { $0.removal < end } }
        return dismissals.filter { $0.removal < end }
    }

    mutating func takeConnections() -> [ConnectionID] {
        defer { dismissals = [] }
        return dismissals.map(\.connection)
    }
}

// A removed device receives its removal in the session that it ends. Otherwise it would continue to add and invite in vain.
extension SyncNode {
    /// Ends the session with a removed device. It receives its removal if that reveals nothing else.
    ///
    /// From here on nothing is sent or received in the session, whenever the connection is closed.
    private mutating func dismiss(_ device: Device, on id: ConnectionID, arrivedFrom start: Int) {
        // Of several removals the first has no other in its past, and so nothing that was written after one.
        guard let removal = log.departure(of: device.replica)?.place,
            let frames = frames(telling: removal, on: id, arrivedFrom: start)
        else {
            end(id)
            return
        }
        departures.append(Departures.Dismissal(connection: id, removal: removal, frames: frames))
        closed(id)
        sendDismissals()
    }

    /// Sends what has become durable.
    mutating func sendDismissals() {
        for dismissal in departures.take(before: replication.durableCount) {
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
        guard batch.places.last == removal, batch.places.dropLast().allSatisfy({ $0 < start }) else { return nil }
        let changes = Message.changes(batch.places.map { log.graph[$0].head })
        guard let told = table[at: index].channel.seal(changes.encoding),
            let end = table[at: index].channel.seal(Message.end.encoding)
        else { return nil }
        return told + end
    }
}
