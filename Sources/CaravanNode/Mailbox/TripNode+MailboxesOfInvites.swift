import ChangeLog
import Mailbox
import SyncEngine
import TripService

// The mailboxes that an invite's link holds, for people who join while apart.
extension TripNode {
    /// Takes up the mailboxes of a link: those with an address, and one at the address that the joiner gives.
    /// - Returns: what people should know of them, line by line.
    func takeMailboxes(of link: InviteLink, at place: MailboxPlace?) async throws(ServiceError) -> [String] {
        var given: (prefix: Bytes16, mailbox: KeptMailbox)?
        if let place {
            let address = place.address.isEmpty ? link.mailboxes.lazy.compactMap(Self.server).first : place.address
            guard let address else {
                throw ServiceError("this invite holds no address of a mailbox; give your own with --mailbox")
            }
            guard let prefix = Self.mailbox(of: link, at: address)?.prefix else {
                throw ServiceError(
                    "this invite holds no mailbox; ask for a link that was made after `caravan mailbox add`")
            }
            let mailbox = try KeptMailbox(
                MailboxPlace(
                    address: address, proxy: place.proxy, certificates: place.certificates,
                    code: prefix.description), using: &entropy)
            if case .failure(let error) = await Self.tried(mailbox) { throw ServiceError(error.message) }
            given = (prefix, mailbox)
        }
        var (taken, lines): ([KeptMailbox], [String]) = ([], [])
        for mailbox in link.mailboxes {
            if let given, given.prefix == mailbox.prefix {
                taken.append(given.mailbox)
            } else if let known = own.mailboxes.first(where: { $0.prefix == mailbox.prefix }) {
                // As an earlier try was told.
                taken.append(known)
            } else if let kept = keptMailbox(mailbox) {
                if case .failure(let error) = await Self.tried(kept) {
                    lines.append(
                        "The invite's mailbox \(kept.shown) doesn't work here: \(error.message). `--mailbox ADDRESS` gives another address."
                    )
                }
                taken.append(kept)
            } else {
                lines.append("The trip has a mailbox. `--mailbox ADDRESS` gives your folder or address for it.")
            }
        }
        try own.use(taken)
        return lines
    }

    /// The address of a link's mailbox on a server. The path of a folder, or a server on this machine, would let the link's maker
    /// choose where this machine writes.
    private static func server(_ mailbox: InviteLink.Mailbox) -> String? {
        guard let text = mailbox.address, let address = try? MailboxAddress(text), address.withoutUser != nil,
            !address.isThisMachine
        else { return nil }
        return text
    }

    private func keptMailbox(_ mailbox: InviteLink.Mailbox) -> KeptMailbox? {
        guard let address = Self.server(mailbox) else { return nil }
        return try? KeptMailbox(MailboxPlace(address: address, code: mailbox.prefix.description), using: &entropy)
    }

    /// Which of a link's mailboxes an address is meant for: one of the same kind, else the first.
    private static func mailbox(of link: InviteLink, at address: String) -> InviteLink.Mailbox? {
        let kind = (try? MailboxAddress(address))?.kind
        let same = link.mailboxes.first { mailbox in
            (mailbox.address.flatMap { try? MailboxAddress($0) }?.kind ?? .folder) == kind
        }
        return same ?? link.mailboxes.first
    }

    /// Why no mailbox can be used; nil where one can, or there is none.
    var mailboxProblem: String? {
        let problems = mailboxViews.map(\.problem)
        return problems.contains(nil) ? nil : problems.compactMap { $0 }.first
    }

    func reportAsked(_ report: @escaping @Sendable (String) -> Void) {
        admission.sayAsked = { report("Asked through the mailbox. A member's node admits you when it runs.") }
    }
}
