import ArgumentParser
import TripService

/// What an invite's link holds of the trip's mailboxes.
struct LinkMailboxOptions: ParsableArguments {
    @Flag(
        name: .customLong("mailbox-password"),
        help: "Put the user and the password of the trip's mailbox into the link.")
    var includesPassword = false

    /// What people should know of a link with mailboxes.
    func notes(on invite: InviteView) -> [String] {
        guard let first = invite.mailboxes.first else {
            return includesPassword ? ["The trip has no mailbox, so the link holds no password."] : []
        }
        if includesPassword, invite.mailboxes.contains(where: { $0.contains("@") }) {
            return ["The link holds the password of the mailbox. Anyone with the link can use that password."]
        }
        return first.isEmpty
            ? ["People on other networks can join through the mailbox: caravan join LINK --as NAME --mailbox FOLDER"]
            : [
                "People on other networks can join through the mailbox. If it asks for a password, they add --mailbox ADDRESS."
            ]
    }
}
