package import ChangeLog

/// What the secret of an epoch, or of an invite's link, is to mailboxes: where its blocks lie, and what seals them
/// (Documentation/Protocol.md, section 14).
package struct MailboxKeys: Hashable, Sendable {
    /// The epoch's name in the log; of an invite, the first half of its name.
    package let id: Bytes16
    /// Seals blocks (XChaCha20-Poly1305).
    package let seal: Bytes32
    /// Makes tags (HMAC-SHA256).
    private let tag: Bytes32

    package init(of epoch: Epoch, using cryptography: some Cryptography) {
        self.init(secret: epoch.secret, id: epoch.id, using: cryptography)
    }

    /// - Parameter secret: what the link of an invite carries.
    package init(linkSecret secret: Bytes32, ofInvite id: Bytes32, using cryptography: some Cryptography) {
        self.init(secret: secret, id: id.prefix16, using: cryptography)
    }

    private init(secret: Bytes32, id: Bytes16, using cryptography: some Cryptography) {
        self.id = id
        seal = cryptography.deriveKey(from: secret, label: "caravan mailbox")
        tag = cryptography.deriveKey(from: secret, label: "caravan mailbox tag")
    }

    /// Where blocks lie in a week.
    package func slot(_ prefix: Bytes16, week: Int64, using cryptography: some Cryptography) -> MailboxSlot {
        let number = UInt64(bitPattern: week)
        let week = (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
        return MailboxSlot(
            prefix: prefix, tag: cryptography.authenticate(prefix.bytes + week, key: tag).prefix16)
    }

    /// The number of a week: whole weeks since 1970, by a clock in milliseconds.
    package static func week(at wall: Int64) -> Int64 {
        let (weeks, rest) = wall.quotientAndRemainder(dividingBy: weekDuration)
        return rest < 0 ? weeks - 1 : weeks
    }

    /// Milliseconds.
    package static let weekDuration: Int64 = 7 * 86_400_000
}
