import ChangeLog
import DeltaCRDT
import SyncEngine
import TripModel
import TripRules
import TripService

// Removing members and devices, keeping people, and leaving.
extension TripNode {
    func leave() async throws(ServiceError) -> RemovalReceipt {
        try requireMemberEvenIfArchived()
        return try await takeOut(node.secrets.device.participant, isLeaving: true)
    }

    func removeMember(
        _ reference: String, _ contributions: Contributions
    ) async throws(ServiceError) -> RemovalReceipt {
        try requireMember()
        let person = try reader.removable(reference, isErasing: contributions == .erased).id
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
        let items = shown.trip.view.items.filter { $0.addedBy == person }.map(\.id)
        var photos: [ItemID: [PhotoID]] = [:]
        for item in shown.trip.view.items where item.addedBy != person {
            let theirs = item.photos.filter { $0.author == person }.map(\.id)
            if !theirs.isEmpty { photos[item.id] = theirs }
        }
        guard !items.isEmpty || !photos.isEmpty else { return (0, 0) }
        try await perform(.removeContributions(items, photos: photos))
        return (items.count, photos.values.reduce(0) { $0 + $1.count })
    }

    /// Admits again a person who waits.
    func keepMember(_ reference: String) async throws(ServiceError) -> String {
        try requireMember()
        let person = try reader.keepable(reference)
        let name = reader.ownName(of: person.id)
        try await authoring { .keep(participant: person.id, ticket: $0) }
        // Their parent may wait as well, and has to be kept first.
        guard node.log.person(person.id)?.isIn ?? false else {
            let parent = person.parent.map { reader.name(of: $0) } ?? "the person above them"
            throw ServiceError("\(name) stays waiting until \(parent) is kept; keep \(parent) first")
        }
        return name
    }

    /// Ends another device of the person here.
    func removeDevice(_ reference: String) async throws(ServiceError) -> TripAnswer {
        try requireMember()
        let own = node.secrets.device
        let device = try reader.removableDevice(reference)
        try await authoring { .end(device: device.replica, ticket: $0) }
        // A thief could join by them.
        let invites = node.log.openInvites(at: Now.current.wall).filter {
            $0.invite.participant == nil || $0.author == device.replica
        }
        let openers = invites.map { node.log.device($0.author)?.participant ?? own.participant }
        var others: Set<Bytes32> = []
        for (invite, opener) in zip(invites, openers) {
            guard opener == own.participant || node.log.isAncestor(own.participant, of: opener) else {
                others.insert(opener)
                continue
            }
            try await author(.closeInvite(id: invite.id))
        }
        let reader = reader
        return .deviceRemoved(
            DeviceReceipt(
                name: reader.node.log.name(of: device), id: device.replica.description,
                closedInvites: others.count < Set(openers).count,
                openers: others.map { reader.name(of: $0) }.sorted()))
    }

    private func takeOut(
        _ participant: Bytes32, isLeaving: Bool, isErasing: Bool = false
    ) async throws(ServiceError) -> RemovalReceipt {
        // In this sentence no mark need say that they wait.
        let waits = node.log.person(participant)?.state == .waits
        let name = waits ? reader.ownName(of: participant) : reader.name(of: participant)
        let time = Now.current.wall
        let before = node.log.openInvites(at: time).count
        try await authoring { .remove(participant: participant, kept: isErasing ? [] : nil, ticket: $0) }
        let open = node.log.openInvites(at: time)
        // Guests know no invites, and who leaves is told of their own alone.
        let isAsked = !isLeaving && node.log.person(participant)?.isGuest == false
        let exposed = isAsked ? open.filter { node.log.exposure(of: $0) != nil } : []
        let openers = Set(exposed.compactMap { node.log.device($0.author)?.participant })
        let reader = reader
        return RemovalReceipt(
            name: name, isLeaving: isLeaving, closedInvites: open.count < before,
            openers: openers.map { reader.name(of: $0) }.sorted())
    }
}
