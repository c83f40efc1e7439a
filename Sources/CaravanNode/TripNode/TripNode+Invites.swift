import ChangeLog
import SyncEngine
import TripModel
import TripService

// Invites: made, listed, shown again and closed.
extension TripNode {
    /// The longest that an invite lasts which ends by itself, in milliseconds: ten years.
    package static let inviteLifetimeMax: Int64 = 3_650 * 86_400_000

    /// - Parameter participant: whose further device is to come by it; nil for a new participant.
    func invite(
        uses: Int, lifetime: Int64?, participant: Bytes16? = nil
    ) async throws(ServiceError) -> InviteView {
        try requireWriter()
        guard (1...ChangeBounds.inviteUsesMax).contains(uses) else {
            throw ServiceError("an invite has 1 to \(ChangeBounds.inviteUsesMax) uses, not \(uses)")
        }
        guard lifetime.map((1...Self.inviteLifetimeMax).contains) ?? true else {
            throw ServiceError("an invite lasts up to ten years: choose a shorter time, or none")
        }
        let wall = Now.current.wall
        // Of one author's the newest are answered: others' invites take no place from it.
        let own = open(at: wall).count { $0.author == node.secrets.device.replica }
        guard own < node.limits.openInvitesMax else {
            throw ServiceError(
                "\(node.limits.openInvitesMax) invites of yours are open: close one with `caravan invite close`, or wait until one ends"
            )
        }
        let invite = Invite(
            seed: .random(using: &entropy), uses: uses, expires: lifetime.map { wall + $0 }, participant: participant)
        try await author(.invite(invite))
        let id = invite.id(openedBy: node.secrets.device.replica, using: cryptography).description
        guard let made = openInvites.first(where: { $0.id == id }) else {
            throw ServiceError("the invite was made and is closed again: make another")
        }
        return made
    }

    /// The invites by which one may come at a time, the earliest first.
    func open(at wallTime: Int64) -> [TripLog.OpenedInvite] { node.log.invites.filter { $0.isOpen(at: wallTime) } }

    /// The open invites, the earliest first.
    var openInvites: [InviteView] {
        open(at: Now.current.wall).enumerated().map { index, opened in
            let invite = opened.invite
            let author = node.log.device(opened.author)?.participant
            let link = InviteLink(
                trip: node.log.trip, secret: opened.secret, hints: addressHints, participant: invite.participant)
            return InviteView(
                number: index + 1, id: opened.id.description, link: link.text(using: cryptography),
                by: author.map { name(of: $0) } ?? "somebody", uses: invite.uses,
                left: invite.uses - opened.joined.count, expires: invite.expires,
                isForDevice: invite.participant != nil, isAnswered: connectivity.network != nil)
        }
    }

    /// The open invite that is meant: by its number, the beginning of its id, or its link.
    func openInvite(_ reference: String) throws(ServiceError) -> InviteView {
        let reference = try ServiceError.name(reference, of: "invite", listing: "caravan invite list")
        let open = openInvites
        let byLink = (try? InviteLink(text: reference, using: cryptography)).map {
            Invite.id(ofSecret: $0.secret, using: cryptography).description
        }
        var matching = open.filter { $0.id == byLink }
        if matching.isEmpty { matching = open.filter { String($0.number) == reference } }
        if matching.isEmpty, reference.count >= 4 {
            matching = open.filter { $0.id.hasPrefix(reference.lowercased()) }
        }
        guard matching.count == 1 else {
            throw ServiceError("no open invite is \"\(reference.prefix(40))\": `caravan invite list` shows them")
        }
        return matching[0]
    }

    func closeInvite(_ reference: String) async throws(ServiceError) -> InviteView {
        try requireWriter()
        let invite = try openInvite(reference)
        guard
            let opened = open(at: Now.current.wall).first(where: { $0.id.description == invite.id })
        else { throw ServiceError("this invite has just ended: `caravan invite list` shows those that are open") }
        try await author(.closeInvite(id: opened.id))
        return invite
    }
}
