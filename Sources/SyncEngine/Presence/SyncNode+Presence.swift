package import ChangeLog
import DeltaCRDT

// Who writes in notes at this moment, said in sessions with members and nowhere else. A member is told by the node at which somebody
// writes; no node passes on what it was told.
extension SyncNode {
    /// Somebody who writes in a note now, here or at a peer.
    package struct PresentWriter: Hashable, Sendable {
        package let participant: Bytes32
        /// As it was said.
        package let place: [UInt8]
    }

    /// Those who write now, without people who are not in. The last who came to their place are first.
    package var writers: [PresentWriter] {
        var found: [(writer: PresentWriter, since: UInt64)] = []
        for (participant, place, since) in presence.here where log.person(participant)?.isIn ?? false {
            found.append((PresentWriter(participant: participant, place: place), since))
        }
        for (id, writers, since) in presence.elsewhere {
            guard let device = table[id]?.device, log.isIn(device.replica) else { continue }
            for writer in writers where mayTell(of: writer.guest, device) {
                let participant = writer.guest ?? device.participant
                found.append((PresentWriter(participant: participant, place: writer.place), since))
            }
        }
        // Equals stay in their order.
        let order = found.indices.sorted { (found[$1].since, $0) < (found[$0].since, $1) }
        return order.map { found[$0].writer }
    }

    /// Whether a device speaks for somebody: for its own person, and for guests who are in and whose host that person is.
    private func mayTell(of guest: Bytes32?, _ device: Device) -> Bool {
        guard let guest else { return true }
        guard let person = log.person(guest) else { return false }
        return person.isGuest && person.isIn && person.parent == device.participant
    }

    /// Somebody here writes at a place, or no longer: this device's person, or the guest whose device's log is named.
    mutating func writes(at place: [UInt8]?, as replica: ReplicaID?) {
        guard let device = local.credentials(of: replica)?.device, place?.count ?? 0 <= PresenceEntry.placeBytesMax
        else {
            return
        }
        noteNews(presence.note(place, by: device.participant, at: now.monotonic, limits))
    }

    /// A member says who writes at their node.
    mutating func heard(_ writers: [PresenceEntry], on id: ConnectionID) {
        noteNews(presence.heard(writers, on: id, at: now.monotonic, limits))
    }

    /// A session is over, and so is what was said in it.
    mutating func forgetWriters(on id: ConnectionID) { noteNews(presence.left(id)) }

    /// What time brings; and tells members who writes here, where that is due.
    mutating func keepPresence() {
        guard let deadline = presence.deadline, deadline <= now.monotonic else { return }
        noteNews(presence.keep(at: now.monotonic, limits))
        guard presence.takeUntold(at: now.monotonic, limits) else { return }
        let me = secrets.device.participant
        let writers = presence.here.map {
            PresenceEntry(guest: $0.participant == me ? nil : $0.participant, place: $0.place)
        }
        for id in table.keys where table[id]?.isWithMember ?? false { send(.writers(writers), on: id) }
    }

    private mutating func noteNews(_ isNews: Bool) {
        if isNews { turn.effects.append(.notice(.writing)) }
    }
}
