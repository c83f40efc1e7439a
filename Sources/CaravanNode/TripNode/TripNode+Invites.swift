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
        let own = open(at: wall).count { $0.author == node.secrets.device.replica }
        guard own < node.limits.openInvitesMax else {
            throw ServiceError(
                "you have \(node.limits.openInvitesMax) open invites, the maximum; revoke one with `caravan invite close`"
            )
        }
        let invite = Invite(
            seed: .random(using: &entropy), uses: uses, expires: lifetime.map { wall + $0 }, participant: participant)
        try await author(.invite(invite))
        let id = invite.id(openedBy: node.secrets.device, using: cryptography).description
        guard let made = openInvites(withPasswords: withPasswords).first(where: { $0.id == id }) else {
            throw ServiceError("the invite was revoked at once; create another")
        }
        return made
    }

    /// The invites by which one may come at a time, the earliest first.
    func open(at wallTime: Int64) -> [TripLog.OpenedInvite] { node.log.invites.filter { $0.isOpen(at: wallTime) } }

    /// The open invites whose links are known here, the earliest first.
    var openInvites: [InviteView] { openInvites(withPasswords: false) }

    private func openInvites(withPasswords: Bool) -> [InviteView] {
        let mailboxes = linkMailboxes(withPasswords: withPasswords)
        let exposures = Dictionary(
            node.invitesInQuestion.map { ($0.opened.id, $0.exposure) }, uniquingKeysWith: { first, _ in first })
        let known = open(at: Now.current.wall).compactMap { opened in node.linkSecret(of: opened).map { (opened, $0) } }
        return known.enumerated().map { index, known in
            let (opened, secret) = known
            let invite = opened.invite
            let author = node.log.device(opened.author)?.participant
            let link = InviteLink(
                trip: node.log.trip, secret: secret, hints: addressHints, participant: invite.participant,
                mailboxes: mailboxes)
            return InviteView(
                number: index + 1, id: opened.id.description, link: link.text(using: cryptography),
                by: author.map { name(of: $0) } ?? "somebody", uses: invite.uses,
                left: invite.uses - opened.joined.count, expires: invite.expires,
                isForDevice: invite.participant != nil, mailboxes: link.mailboxes.map { $0.address ?? "" },
                isAnswered: connectivity.network != nil,
                exposure: exposures[opened.id].map {
                    InviteExposure(removed: ownName(of: $0.removed), by: name(of: $0.by))
                })
        }
    }

    /// The open invite that is meant: by its number, the beginning of its id, or its link.
    func openInvite(_ reference: String, withPasswords: Bool = false) throws(ServiceError) -> InviteView {
        let reference = try ServiceError.name(reference, of: "invite", listing: "caravan invite list")
        let open = openInvites(withPasswords: withPasswords)
        if let link = try? InviteLink(text: reference, using: cryptography),
            let opened = node.log.invites.first(where: { node.linkSecret(of: $0) == link.secret }),
            let linked = open.first(where: { $0.id == opened.id.description })
        {
            return linked
        }
        let place = try place(
            numbered: reference, in: .invites, open.map(\.mark), row: "invite", listing: "caravan invite list")
        if let place {
            var invite = open[place]
            invite.number = Int(reference) ?? invite.number
            return invite
        }
        let matching = reference.count >= 4 ? open.filter { $0.id.hasPrefix(reference.lowercased()) } : []
        guard matching.count == 1 else {
            throw ServiceError("there is no open invite “\(reference.prefix(40))”; see `caravan invite list`")
        }
        return matching[0]
    }

    /// Keeps an invite open that a removed person may know, and says which.
    func keepInvite(_ reference: String) throws(ServiceError) -> InviteView {
        try requireMember()
        let invite = try openInvite(reference)
        guard invite.exposure != nil else {
            throw ServiceError("nothing is asked about this invite; see `caravan invite list`")
        }
        try own.keep(invite: invite.id, of: Set(open(at: Now.current.wall).map(\.id.description)))
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
        let invite = try openInvite(reference)
        guard
            let opened = open(at: Now.current.wall).first(where: { $0.id.description == invite.id })
        else { throw ServiceError("this invite has just expired; see `caravan invite list`") }
        try await author(.closeInvite(id: opened.id))
        return invite
    }
}
