import ChangeLog
import SyncEngine
import TripModel
import TripRules
import TripService

/// Who may be a guest, who is one, and why they may not do something.
struct GuestDesk {
    let reader: TripReader

    private var node: SyncNode { reader.node }

    /// Throws if nobody of this name can be admitted as a guest of the person here.
    func requireAdmissible(_ name: String) throws(ServiceError) {
        let people = node.log.people
        let wanted = TextClasses.trimmed(name).lowercased()
        let isTaken = people.contains { person in
            let other = reader.ownName(of: person.id)
            return person.isIn && other.lowercased() == wanted || DisplayNames.isMarked(name, from: other)
        }
        guard !isTaken else {
            throw ServiceError("“\(name)” is already taken; choose another name")
        }
        let own = reader.own.participant
        let guests = people.count { $0.isGuest && $0.parent == own && $0.state != .removed }
        guard guests < ChangeBounds.guestsMax else {
            throw ServiceError(
                "\(reader.ownName(of: own)) has \(ChangeBounds.guestsMax) guests, the maximum of one member; if you were here before, "
                    + "choose your name, or ask another member to admit you")
        }
    }

    /// The guest of an id whose log is kept here.
    ///
    /// - Parameter id: in hexadecimal digits.
    func guest(_ id: String) throws(ServiceError) -> Device {
        let wanted = id.lowercased()
        if let guest = node.guestDevices.first(where: { ParticipantID($0.participant).description == wanted }) {
            return guest
        }
        let person = node.log.people.first { $0.isGuest && ParticipantID($0.id).description == wanted }
        guard let person else {
            throw ServiceError("there is no guest with the id “\(id.prefix(40))”; join as a guest first")
        }
        throw ServiceError(
            "the keys of \(reader.name(of: person.id)) are not on this device; join again where you joined first, or as a new guest"
        )
    }

    /// Throws if a guest may write no more, because they or their host are out.
    func requireIn(_ guest: Device) throws(ServiceError) {
        guard let removal = reader.removal(of: guest.participant) else { return }
        let host = host(of: guest)
        let isHostOut = host.map { !(node.log.person($0)?.isIn ?? false) } ?? false
        throw ServiceError(outGuest: removal, host: isHostOut ? host.map { reader.ownName(of: $0) } : nil)
    }

    /// Throws unless a guest added all of these items.
    func requireAuthor(_ guest: Device, of items: [ItemView]) throws(ServiceError) {
        let own = ParticipantID(guest.participant)
        guard items.allSatisfy({ $0.addedBy == own }) else {
            throw ServiceError(
                "guests can only change and remove what they added, and write in notes; ask \(hostName(of: guest)) to do this"
            )
        }
    }

    /// Why a guest is refused what no guest may do.
    func refusal(of guest: Device) -> ServiceError {
        ServiceError(
            "guests can only add, change what they added, write in notes, vote, say if they are going, comment, "
                + "attach photos and read; ask \(hostName(of: guest)) to do this")
    }

    private func host(of guest: Device) -> Bytes32? { node.log.person(guest.participant)?.parent }

    private func hostName(of guest: Device) -> String { host(of: guest).map { reader.name(of: $0) } ?? "your host" }
}
