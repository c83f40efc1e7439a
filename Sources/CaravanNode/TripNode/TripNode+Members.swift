import ChangeLog
import DeltaCRDT
import SyncEngine
import TripModel
import TripRules
import TripService

// Members, who invited each, and people who are out.
extension TripNode {
    /// The tree of all members and former members: below each the people they invited, with their devices and when each was
    /// last connected.
    var membersView: MembersView {
        MembersView(
            people: node.log.people.map { view(of: $0) },
            overshotInvites: node.log.invites.filter { $0.joined.count > $0.invite.uses }
                .map { .init(uses: $0.invite.uses, joined: $0.joined.count) })
    }

    func view(of person: Membership.Person) -> MemberView {
        let devices = person.devices.sorted().compactMap { node.log.device($0) }
        let isMe = person.id == node.secrets.device.participant
        return MemberView(
            id: ParticipantID(person.id).description, name: person.isIn ? name(of: person.id) : ownName(of: person.id),
            depth: person.depth, sponsor: person.parent.map { name(of: $0) }, isGuest: person.isGuest, isYou: isMe,
            isHere: person.isIn && (isMe || devices.contains { isHere($0) }), removal: removal(of: person.id),
            mayBeKept: node.log.keepable(person.id, by: node.secrets.device.participant) != nil,
            lastHeard: devices.compactMap { node.lastHeard($0.replica) }.max(),
            devices: devices.map { device in
                .init(
                    id: device.replica.description,
                    name: admittedName(of: device).map { Self.shown($0) },
                    isHere: isHere(device), lastHeard: node.lastHeard(device.replica))
            })
    }

    // MARK: - Removing and leaving

    func leave() async throws(ServiceError) -> RemovalReceipt {
        try requireMemberEvenIfArchived()
        return try await takeOut(node.secrets.device.participant, isLeaving: true)
    }

    func removeMember(
        _ reference: String, _ contributions: Contributions
    ) async throws(ServiceError) -> RemovalReceipt {
        let person = try removable(reference, isErasing: contributions == .erased).id
        var receipt = try await takeOut(person, isLeaving: false, isErasing: contributions == .erased)
        // They add nothing any more.
        if contributions == .removed {
            (receipt.items, receipt.photos) = try await removeContributions(of: ParticipantID(person))
        }
        return receipt
    }

    /// Removes the items that somebody added, and their photos from others' items, as this device's person.
    ///
    /// - Returns: how many items, and how many photos.
    private func removeContributions(of person: ParticipantID) async throws(ServiceError) -> (Int, Int) {
        let items = trip.view.items.filter { $0.addedBy == person }.map(\.id)
        var photos: [ItemID: [PhotoID]] = [:]
        for item in trip.view.items where item.addedBy != person {
            let theirs = item.photos.filter { $0.author == person }.map(\.id)
            if !theirs.isEmpty { photos[item.id] = theirs }
        }
        guard !items.isEmpty || !photos.isEmpty else { return (0, 0) }
        try await perform(.removeContributions(items, photos: photos))
        return (items.count, photos.values.reduce(0) { $0 + $1.count })
    }

    /// The named person, if they may be removed here; a removed person, if their acts are to be erased.
    func removable(_ reference: String, isErasing: Bool = false) throws(ServiceError) -> Membership.Person {
        try requireMember()
        let person = try member(named: reference)
        let name = name(of: person.id)
        guard person.id != node.secrets.device.participant else {
            throw ServiceError("\(name) is you; use `caravan leave` to leave the trip")
        }
        guard person.isIn || person.standing == .waits || isErasing && person.isOut else {
            throw ServiceError("\(name) is no longer a member; see `caravan members`")
        }
        guard node.log.isAncestor(node.secrets.device.participant, of: person.id) else {
            let chain = elders(of: person).map { self.name(of: $0) }
            throw ServiceError(
                chain.isEmpty
                    ? "\(name) founded the trip and cannot be removed"
                    : "only the members who invited \(name), directly or indirectly, can remove them; ask \(chain.joined(separator: " or "))"
            )
        }
        return person
    }

    /// Admits again a person who waits.
    func keepMember(_ reference: String) async throws(ServiceError) -> String {
        try requireMember()
        let person = try member(named: reference)
        let name = ownName(of: person.id)
        guard person.standing == .waits else {
            throw ServiceError(
                person.isIn
                    ? "\(name) is a member already; see `caravan members`"
                    : "\(name) doesn't wait to be kept; see `caravan members`")
        }
        guard node.log.keepable(person.id, by: node.secrets.device.participant) != nil else {
            let chain = elders(of: person).map { self.name(of: $0) }
            throw ServiceError(
                "only the members above \(name) can keep them; ask \(chain.isEmpty ? "the founder" : chain.joined(separator: " or "))"
            )
        }
        try await keepParticipant(person.id)
        // Their parent may wait as well, and has to be kept first.
        guard node.log.person(person.id)?.isIn ?? false else {
            let parent = person.parent.map { self.name(of: $0) } ?? "the person above them"
            throw ServiceError("\(name) stays waiting until \(parent) is kept; keep \(parent) first")
        }
        return name
    }

    /// Ends another device of the person here.
    func removeDevice(_ reference: String) async throws(ServiceError) -> TripAnswer {
        try requireMember()
        let own = node.secrets.device
        guard node.log.isFirst(own) else {
            throw ServiceError("only your first device can remove your other devices; do this on that device")
        }
        let wanted = try ServiceError.name(reference, of: "device", listing: "caravan device list").lowercased()
        let devices = (node.log.person(own.participant)?.devices ?? []).sorted().compactMap { node.log.device($0) }
            .filter { $0.replica != own.replica }
        var matching = devices.filter { deviceName($0).lowercased().appearance == wanted.appearance }
        if matching.isEmpty { matching = devices.filter { $0.replica.description.hasPrefix(wanted) } }
        guard let device = matching.first, matching.count == 1 else {
            throw ServiceError(
                matching.isEmpty
                    ? "you have no other device “\(reference)”; see `caravan device list`"
                    : "\(matching.count) of your devices are called “\(reference)”; give an id, see `caravan device list`"
            )
        }
        try await endDevice(device.replica)
        // A thief could join by them.
        let invites = open(at: Now.current.wall).filter { $0.invite.participant == nil || $0.author == device.replica }
        let openers = invites.map { node.log.device($0.author)?.participant ?? own.participant }
        var others: Set<Bytes32> = []
        for (invite, opener) in zip(invites, openers) {
            guard opener == own.participant || node.log.isAncestor(own.participant, of: opener) else {
                others.insert(opener)
                continue
            }
            try await author(.closeInvite(id: invite.id))
        }
        return .deviceRemoved(
            DeviceReceipt(
                name: deviceName(device), id: device.replica.description,
                closedInvites: others.count < Set(openers).count,
                openers: others.map { name(of: $0) }.sorted()))
    }

    private func takeOut(
        _ participant: Bytes32, isLeaving: Bool, isErasing: Bool = false
    ) async throws(ServiceError) -> RemovalReceipt {
        // In this sentence no mark need say that they wait.
        let name = node.log.person(participant)?.standing == .waits ? ownName(of: participant) : name(of: participant)
        let hadInvites = !open(at: Now.current.wall).isEmpty
        try await removeParticipant(participant, isErasing: isErasing)
        return RemovalReceipt(name: name, isLeaving: isLeaving, closedInvites: hadInvites)
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

    /// The participant with this name, or with an id that begins so. If several people chose one name, the order in which they
    /// joined never decides: an id is required.
    private func member(named reference: String) throws(ServiceError) -> Membership.Person {
        let people = node.log.people
        let wanted = try ServiceError.name(reference, of: "member", listing: "caravan members").lowercased()
        let isCalled = { (person: Membership.Person) -> Bool in
            [self.name(of: person.id), self.ownName(of: person.id)].contains {
                $0.lowercased().appearance == wanted.appearance
            }
        }
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
                let who = person.id == node.secrets.device.participant ? ", you" : ""
                return "\(ParticipantID(person.id).description.prefix(6)) \(name(of: person.id))\(who)"
            }
            throw ServiceError(
                "\(matching.count) members are called “\(reference)”; give an id (\(choices.joined(separator: "; ")))"
            )
        }
    }
}
