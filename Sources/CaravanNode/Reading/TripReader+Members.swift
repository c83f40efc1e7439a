import ChangeLog
import DeltaCRDT
import SyncEngine
import TripModel
import TripRules
import TripService

// Members, who invited each, people who are out, and who of them is meant.
extension TripReader {
    /// The tree of all members and former members: below each the people they invited, with their devices and when each was
    /// last connected.
    var members: MembersView {
        let people = node.log.people
        let bearers = Dictionary(people.map { (ownName(of: $0.id).appearance, 1) }, uniquingKeysWith: +)
        return MembersView(
            people: people.map { view(of: $0, sharesName: bearers[ownName(of: $0.id).appearance, default: 0] > 1) },
            overshotInvites: node.log.invites.filter { $0.joined.count > $0.invite.uses }
                .map { .init(uses: $0.invite.uses, joined: $0.joined.count) })
    }

    /// - Parameter sharesName: whether somebody else has their name, so that only the one that they are shown under tells them apart.
    func view(of person: Membership.Person, sharesName: Bool = false) -> MemberView {
        let devices = person.devices.sorted().compactMap { node.log.device($0) }
        let isMe = person.id == own.participant
        return MemberView(
            id: ParticipantID(person.id).description,
            name: person.isIn || sharesName ? name(of: person.id) : ownName(of: person.id),
            depth: person.depth, sponsor: person.parent.map { name(of: $0) }, isGuest: person.isGuest, isYou: isMe,
            isHere: person.isIn && (isMe || devices.contains { isHere($0) }), removal: removal(of: person.id),
            mayBeKept: node.log.keepable(person.id, by: own.participant) != nil,
            lastHeard: devices.compactMap { node.lastHeard($0.replica) }.max(),
            devices: devices.map { device in
                .init(
                    id: device.replica.description,
                    name: node.log.admittedName(of: device).map { TripLog.shown($0) },
                    isHere: isHere(device), lastHeard: node.lastHeard(device.replica))
            })
    }

    // MARK: - Who is meant

    /// The named person, if they may be removed here; a removed person, if their acts are to be erased.
    func removable(_ reference: String, isErasing: Bool) throws(ServiceError) -> Membership.Person {
        let person = try member(named: reference)
        let name = name(of: person.id)
        guard person.id != own.participant else {
            throw ServiceError("\(name) is you; use `caravan leave` to leave the trip")
        }
        guard person.isIn || person.state == .waits || isErasing && person.isOut else {
            throw ServiceError("\(name) is no longer a member; see `caravan members`")
        }
        guard node.log.isAncestor(own.participant, of: person.id) else {
            let chain = elders(of: person).map { self.name(of: $0) }
            throw ServiceError(
                chain.isEmpty
                    ? "\(name) founded the trip and cannot be removed"
                    : "only the members who invited \(name), directly or indirectly, can remove them; ask \(chain.joined(separator: " or "))"
            )
        }
        return person
    }

    /// The named person, if they wait and may be kept here.
    func keepable(_ reference: String) throws(ServiceError) -> Membership.Person {
        let person = try member(named: reference)
        let name = ownName(of: person.id)
        guard person.state == .waits else {
            guard !person.isIn else { throw ServiceError(.unchanged, "\(name) is a member already") }
            throw ServiceError("\(name) doesn't wait to be kept; see `caravan members`")
        }
        guard node.log.keepable(person.id, by: own.participant) != nil else {
            if person.isGuest, let host = person.parent {
                let hostName = ownName(of: host)
                throw ServiceError(
                    node.log.person(host)?.isIn ?? false
                        ? "\(name) is a guest of \(hostName); ask \(hostName) to keep them"
                        : "\(name) is a guest of \(hostName), and is in once \(hostName) is kept")
            }
            let chain = elders(of: person).map { self.name(of: $0) }
            throw ServiceError(
                "only the members above \(name) can keep them; ask \(chain.isEmpty ? "the founder" : chain.joined(separator: " or "))"
            )
        }
        return person
    }

    /// The named device, if it is another one of the person here and may be removed here.
    func removableDevice(_ reference: String) throws(ServiceError) -> Device {
        guard node.log.isFirst(own) else {
            throw ServiceError("only your first device can remove your other devices; do this on that device")
        }
        let wanted = try ServiceError.name(reference, of: "device", listing: "caravan device list").lowercased()
        let devices = ownDevices.filter { $0.replica != own.replica }
        var matching = devices.filter { node.log.name(of: $0).caselessAppearance == wanted.appearance }
        if matching.isEmpty { matching = devices.filter { $0.replica.description.hasPrefix(wanted) } }
        guard let device = matching.first, matching.count == 1 else {
            throw ServiceError(
                matching.isEmpty
                    ? "you have no other device “\(reference)”; see `caravan device list`"
                    : "\(matching.count) of your devices are called “\(reference)”; give an id, see `caravan device list`"
            )
        }
        return device
    }

    /// All devices of the person here that are in, in the order of their logs' names.
    var ownDevices: [Device] {
        (node.log.person(own.participant)?.devices ?? []).sorted().compactMap { node.log.device($0) }
    }

    /// The person here, and their guests.
    var ownPeople: Set<ParticipantID> {
        let guests = node.log.people.filter { $0.isGuest && $0.parent == own.participant }
        return Set(([own.participant] + guests.map(\.id)).map { ParticipantID($0) })
    }

    private func elders(of person: Membership.Person) -> [Bytes32] {
        var elders: [Bytes32] = []
        var parent = person.parent
        while let id = parent, let elder = node.log.person(id) {
            if elder.isIn { elders.append(id) }
            parent = elder.parent
        }
        return elders
    }

    /// The participant with this name, or with an id that begins so. If several people chose one name, or names that differ in case
    /// only, neither the order in which they joined nor the case decides: an id is required, because a removal can't be undone.
    private func member(named reference: String) throws(ServiceError) -> Membership.Person {
        let people = node.log.people
        let wanted = try ServiceError.name(reference, of: "member", listing: "caravan members").lowercased()
        let isCalled = { (person: Membership.Person) -> Bool in
            [name(of: person.id), ownName(of: person.id)].contains { $0.caselessAppearance == wanted.appearance }
        }
        // As for other commands: nobody can be taken for another by a name that is an id.
        if let person = people.first(where: { ParticipantID($0.id).description == wanted }) { return person }
        var matching = people.filter { isCalled($0) && $0.isIn }
        if matching.isEmpty { matching = people.filter(isCalled) }
        if matching.isEmpty, wanted.count >= 4 {
            matching = people.filter { ParticipantID($0.id).description.hasPrefix(wanted) }
        }
        switch matching.count {
        case 1: return matching[0]
        case 0:
            let near = NearNames.nearest(reference, among: people.filter(\.isIn).map { name(of: $0.id) })
            throw ServiceError(
                "there is no member “\(reference)”; "
                    + (near.map { "did you mean “\($0)”?" } ?? "see `caravan members`"))
        default:
            let choices = matching.map { person in
                let who = person.id == own.participant ? ", you" : ""
                return "\(ParticipantID(person.id).description.prefix(6)) \(name(of: person.id))\(who)"
            }
            throw ServiceError(
                "\(matching.count) members are called “\(reference)”; give an id (\(choices.joined(separator: "; ")))"
            )
        }
    }
}
