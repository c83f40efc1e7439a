import ChangeLog
import Convergence
import DeltaCRDT
import TripSimulation

@testable import SyncEngine

// What holders of a link, honest or not, do with its slots.
extension Homes {
    private func keys(of link: InviteLink) -> MailboxKeys {
        MailboxKeys(
            linkSecret: link.secret, ofInvite: link.inviteID(using: trip.cryptography), using: trip.cryptography)
    }

    func slot(of link: InviteLink) -> MailboxSlot {
        keys(of: link).slot(box.prefix, week: MailboxKeys.week(at: wall), using: trip.cryptography)
    }

    /// Lays what a holder of a link writes into its slot.
    mutating func lay(_ note: JoinNote, by link: InviteLink) {
        let slot = slot(of: link)
        if let block = MailboxBlock.seal(note, in: slot, under: keys(of: link), using: &generator, trip.cryptography) {
            box.lay(block, in: slot)
        }
    }

    mutating func stuff(_ count: Int, by link: InviteLink) {
        box.stuff(count, into: slot(of: link), using: &generator)
    }

    func request(of home: Int, by link: InviteLink) -> JoinRequest {
        request(of: people[home], name: "Mia")
    }

    func request(of secrets: DeviceSecrets, name: String) -> JoinRequest {
        let message = Admission.consentMessage(trip: trip.log.trip, device: secrets.device, name: name)
        return JoinRequest(
            device: secrets.device, name: name,
            consent: trip.cryptography.sign(message, seed: secrets.signingSeed))
    }

    func answer(to home: Int, with epoch: Epoch, by author: Int, in slot: MailboxSlot) -> SignedGrant {
        var generator = SeededGenerator(seed: 9)
        let grant = DeviceGrant(epoch, to: people[home].device, using: &generator, trip.cryptography)
        return SignedGrant(
            of: grant ?? DeviceGrant(epoch: epoch.id, sealed: []), to: replica(home), by: people[author], in: slot,
            using: trip.cryptography)
    }

    /// An answer with the secret of no epoch, each by another device that is not in.
    mutating func inventedAnswer(to home: Int, by link: InviteLink) -> SignedGrant {
        let epoch = Epoch(secret: .random(using: &generator), using: trip.cryptography)
        let author = DeviceSecrets.random(.founder, using: &generator, trip.cryptography)
        let grant = DeviceGrant(epoch, to: people[home].device, using: &generator, trip.cryptography)
        return SignedGrant(
            of: grant ?? DeviceGrant(epoch: epoch.id, sealed: []), to: replica(home), by: author, in: slot(of: link),
            using: trip.cryptography)
    }

    /// The answers that members put.
    var answers: [SignedGrant] {
        requests.compactMap { one in
            guard case .put(_, let slot, let bytes) = one.request,
                let desk = nodes[one.home].mailboxes.joins.first(where: { $0.desk.slots[slot] != nil })
            else { return nil }
            let content = MailboxBlock.open(
                bytes, in: slot, under: desk.keys, by: people[one.home], using: trip.cryptography)
            guard case .joinAnswer(let opened)? = content else { return nil }
            return try? SignedGrant(decoding: opened)
        }
    }
}

extension SimulatedMailbox {
    /// Loses what lies in a slot.
    mutating func clear(_ slot: MailboxSlot) {
        var generator = SeededGenerator(seed: 1)
        _ = answers(to: .drop(names(in: slot), slot), using: &generator)
    }

    /// Takes all that another copy holds, as when a folder is synced.
    mutating func merge(_ other: SimulatedMailbox) {
        for slot in other.slots {
            for name in other.names(in: slot) {
                if let bytes = other.bytes(of: name, in: slot) { lay(bytes, in: slot) }
            }
        }
    }
}
