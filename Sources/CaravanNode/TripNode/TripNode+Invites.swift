import ChangeLog
import SyncEngine
import TripModel
import TripService

// Invites: made, listed, shown again and closed.
extension TripNode {
    /// The longest that an invite lasts which ends by itself, in milliseconds: ten years.
    package static let inviteLifetimeMax: Int64 = 3_650 * 86_400_000

    /// - Parameters:
    ///   - participant: whose further device is to come by it; nil for a new participant.
    ///   - withPasswords: whether the link holds the passwords of the mailboxes.
    func invite(
        uses: Int, lifetime: Int64?, participant: Bytes32? = nil, withPasswords: Bool = false
    ) async throws(ServiceError) -> InviteView {
        try requireMember()
        guard (1...ChangeBounds.inviteUsesMax).contains(uses) else {
            throw ServiceError("the number of uses must be between 1 and \(ChangeBounds.inviteUsesMax)")
        }
        guard lifetime.map((1...Self.inviteLifetimeMax).contains) ?? true else {
            throw ServiceError("an invite can be valid for at most 10 years; choose a shorter time, or none")
        }
        let wall = Now.current.wall
        // Of one author's the newest are answered: others' invites take no place from it.
        let own = node.log.openInvites(at: wall).count { $0.author == node.secrets.device.replica }
        guard own < node.limits.openInvitesMax else {
            throw ServiceError(
                "you have \(node.limits.openInvitesMax) open invites, the maximum; revoke one with `caravan invite close`"
            )
        }
        let invite = Invite(
            seed: .random(using: &entropy), uses: uses, expires: lifetime.map { wall + $0 }, participant: participant)
        try await author(.invite(invite))
        let id = invite.id(openedBy: node.secrets.device, using: cryptography).description
        guard let made = inviteDesk.views(withPasswords: withPasswords).first(where: { $0.id == id }) else {
            throw ServiceError("the invite was revoked at once; create another")
        }
        return made
    }

    /// The open invites as they are now.
    var inviteDesk: InviteDesk {
        InviteDesk(
            reader: reader, cryptography: cryptography, wallTime: Now.current.wall,
            hints: listeningPort.map { Array(addresses(at: $0).prefix(InviteLink.hintsMax)) },
            mailboxes: own.mailboxes)
    }

    /// The open invite that is meant: by its number, the beginning of its id, or its link.
    func invite(named reference: String, withPasswords: Bool = false) throws(ServiceError) -> InviteView {
        let desk = inviteDesk
        return try own.numbering { shown throws(ServiceError) in
            try desk.invite(reference, withPasswords: withPasswords, shown: &shown)
        }
    }

    /// Keeps an invite open that a removed person may know, and says which.
    func keepInvite(_ reference: String) throws(ServiceError) -> InviteView {
        try requireMember()
        let invite = try invite(named: reference)
        guard invite.exposure != nil else {
            throw ServiceError("nothing is asked about this invite; see `caravan invite list`")
        }
        try own.keep(invite: invite.id, of: Set(node.log.openInvites(at: Now.current.wall).map(\.id.description)))
        tellOfKeptInvites()
        tellWatchers(.membership)
        return invite
    }

    /// Tells the protocol which invites the person here keeps open.
    func tellOfKeptInvites() {
        let kept = Set(own.keptInvites)
        guard !kept.isEmpty else { return }
        tell(.keepInvites(Set(node.log.invites.map(\.id).filter { kept.contains($0.description) })))
    }

    func closeInvite(_ reference: String) async throws(ServiceError) -> InviteView {
        // Of a trip that is over, too, an invite may have come into wrong hands.
        try requireMemberEvenIfArchived()
        let invite = try invite(named: reference)
        let open = node.log.openInvites(at: Now.current.wall)
        guard let opened = open.first(where: { $0.id.description == invite.id }) else {
            throw ServiceError("this invite has just expired; see `caravan invite list`")
        }
        try await author(.closeInvite(id: opened.id))
        return invite
    }
}
