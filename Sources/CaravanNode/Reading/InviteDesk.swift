import ChangeLog
import Sodium
import SyncEngine
import TripModel
import TripService

/// The open invites whose links are known here, and which of them is meant.
struct InviteDesk {
    let reader: TripReader
    let cryptography: SodiumCryptography
    /// When they are open, by the wall clock.
    let wallTime: Int64
    /// Where this node can be reached; nil while it is offline.
    let hints: [String]?
    /// What a link says of the trip's mailboxes.
    let mailboxes: [KeptMailbox]

    private var node: SyncNode { reader.node }

    /// The open invites whose links are known here, the earliest first.
    ///
    /// - Parameter withPasswords: whether links hold the passwords of the mailboxes.
    func views(withPasswords: Bool = false) -> [InviteView] {
        let mailboxes = mailboxes.compactMap { kept in
            kept.prefix.map { InviteLink.Mailbox(prefix: $0, address: kept.linked(withPassword: withPasswords)) }
        }
        let exposures = Dictionary(
            node.invitesInQuestion.map { ($0.opened.id, $0.exposure) }, uniquingKeysWith: { first, _ in first })
        let known = node.log.openInvites(at: wallTime).compactMap { opened in
            node.linkSecret(of: opened).map { (opened, $0) }
        }
        return known.enumerated().map { index, known in
            let (opened, secret) = known
            let invite = opened.invite
            let author = node.log.device(opened.author)?.participant
            let link = InviteLink(
                trip: node.log.trip, secret: secret, hints: hints ?? [], participant: invite.participant,
                mailboxes: mailboxes)
            return InviteView(
                number: index + 1, id: opened.id.description, link: link.text(using: cryptography),
                by: author.map { reader.name(of: $0) } ?? "somebody", uses: invite.uses,
                left: invite.uses - opened.joined.count, expires: invite.expires,
                isForDevice: invite.participant != nil, mailboxes: link.mailboxes.map { $0.address ?? "" },
                isAnswered: hints != nil,
                exposure: exposures[opened.id].map {
                    InviteExposure(removed: reader.ownName(of: $0.removed), by: reader.name(of: $0.by))
                })
        }
    }

    /// The open invite that is meant: by its number, the beginning of its id, or its link.
    ///
    /// - Parameter shown: what numbers mean on this device.
    func invite(
        _ reference: String, withPasswords: Bool = false, shown: inout ShownLists
    ) throws(ServiceError) -> InviteView {
        let reference = try ServiceError.name(reference, of: "invite", listing: "caravan invite list")
        let open = views(withPasswords: withPasswords)
        if let link = try? InviteLink(text: reference, using: cryptography),
            let opened = node.log.invites.first(where: { node.linkSecret(of: $0) == link.secret }),
            let linked = open.first(where: { $0.id == opened.id.description })
        {
            return linked
        }
        let place = try shown.place(
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
}
