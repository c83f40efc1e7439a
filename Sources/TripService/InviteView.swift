/// An invite that is open.
package struct InviteView: Codable, Hashable, Sendable {
    /// By which it is closed, from 1, the earliest first.
    package var number: Int
    /// In hexadecimal digits.
    package let id: String
    /// The link: anybody who shows it is admitted.
    package let link: String
    package let by: String
    package let uses: Int
    /// How many may still come by it.
    package let left: Int
    /// Milliseconds since 1970; nil where it does not end by itself.
    package let expires: Int64?
    /// Whether it is for a further device of its maker's.
    package let isForDevice: Bool
    /// The addresses of the mailboxes that the link holds, empty for a folder.
    package let mailboxes: [String]
    /// Whether a node runs here that can let somebody in by it.
    package let isAnswered: Bool
    /// Who was removed and may know it, where the person here made it and did not answer yet whether it stays open. Nobody is let in by it
    /// here until then.
    package let exposure: InviteExposure?

    /// What numbers are shown with: the first sixteen digits of its id.
    package var mark: UInt64 { UInt64(id.prefix(16), radix: 16) ?? 0 }

    package init(
        number: Int, id: String, link: String, by: String, uses: Int, left: Int, expires: Int64?, isForDevice: Bool,
        mailboxes: [String] = [], isAnswered: Bool, exposure: InviteExposure? = nil
    ) {
        self.number = number
        self.id = id
        self.link = link
        self.by = by
        self.uses = uses
        self.left = left
        self.expires = expires
        self.isForDevice = isForDevice
        self.mailboxes = mailboxes
        self.isAnswered = isAnswered
        self.exposure = exposure
    }
}

/// A person who was removed, and may know an open invite.
package struct InviteExposure: Codable, Hashable, Sendable {
    package let removed: String
    package let by: String

    package init(removed: String, by: String) {
        self.removed = removed
        self.by = by
    }
}
