import ChangeLog
import SyncEngine
import TripModel
import TripRules
import TripService

// The trip as people see it follows the log.
extension TripNode {
    /// Shows changes that came, and tells whoever listens what they did.
    func show(_ changes: [AppliedChange]) {
        followMembership()
        for change in changes {
            let entry = trip.apply(change)
            if let entry, node.writes(change.replica) { lastOwn = (change.hash, entry) }
            guard let entry = entry ?? membershipEntry(change) else { continue }
            recent.note(entry)
            if isWatched { tellWatchers(.changed(view(of: [entry]))) }
        }
    }

    /// Forgets what was shown, and shows all that counts anew.
    func rebuild() {
        showAll()
        tellWatchers(.rebuilt)
    }

    /// Shows all changes of the log that count, from nothing.
    func showAll() {
        trip = LiveTrip()
        recent = RecentHistory()
        followMembership()
        for place in node.log.changes.indices where node.isShown(place) {
            let change = node.log.applied(place)
            if let entry = trip.apply(change) ?? membershipEntry(change) { recent.note(entry) }
        }
    }

    /// Notes who is out, and tells the people here once if they are.
    func followMembership() {
        let membership = node.log.membership
        guard membership.hasRemovals else { return }
        trip.outside = Set(membership.allPeople.filter { !$0.isIn }.map { ParticipantID($0.id) })
        let removal = removal(of: node.secrets.device.participant)
        guard removal != toldRemoval else { return }
        toldRemoval = removal
        if let removal { tellWatchers(.youAreOut(removal)) }
    }

    /// Whether this device's person is out.
    var isOut: Bool { removal(of: node.secrets.device.participant) != nil }

    /// How somebody went out; nil while they are in.
    func removal(of participant: Bytes16) -> RemovalView? {
        node.log.removal(of: participant).map { removal in
            RemovalView(by: removal.by == participant ? nil : name(of: removal.by), at: removal.wallTime)
        }
    }

    // MARK: - Names

    func name(of participant: Bytes16) -> String {
        let id = ParticipantID(participant)
        return trip.givenName(of: id) == nil ? givenName(of: participant) : trip.displayName(of: id)
    }

    /// What somebody calls themselves, though others do too.
    func ownName(of participant: Bytes16) -> String {
        trip.givenName(of: ParticipantID(participant)) ?? givenName(of: participant)
    }

    /// The name by which somebody introduced themselves when they came.
    func givenName(of participant: Bytes16) -> String { Self.shown(node.log.membership.person(participant)?.name) }

    /// Whose device it is.
    func name(of device: Device) -> String {
        if device.participant == node.secrets.device.participant, device != node.secrets.device {
            return "your device \"\(Self.shown(node.log.membership.device(device.replica)?.name))\""
        }
        return name(of: device.participant)
    }

    /// A name that its bearer gave before any rule of the trip looked at it, as people are shown it.
    static func shown(_ name: String?) -> String { name.flatMap { try? checked(name: $0) } ?? "somebody" }
}
