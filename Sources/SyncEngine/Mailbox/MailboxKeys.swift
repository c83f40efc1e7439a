package import ChangeLog

/// What an epoch's secret is to mailboxes: where its blocks lie, and what seals them (Documentation/Protocol.md, section 14).
package struct MailboxKeys: Hashable, Sendable {
    /// The epoch's name in the log.
    package let epoch: Bytes16
    /// Seals blocks (XChaCha20-Poly1305).
    package let seal: Bytes32
    /// Makes tags (HMAC-SHA256).
    private let tag: Bytes32

    package init(of epoch: Epoch, using cryptography: some Cryptography) {
        self.epoch = epoch.id
        seal = cryptography.deriveKey(from: epoch.secret, label: "caravan mailbox")
        tag = cryptography.deriveKey(from: epoch.secret, label: "caravan mailbox tag")
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
