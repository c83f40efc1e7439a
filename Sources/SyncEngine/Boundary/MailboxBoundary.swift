package import ChangeLog

/// Where blocks of one trip lie in one mailbox for one week, under one epoch (Documentation/Protocol.md, section 14).
package struct MailboxSlot: Hashable, Sendable {
    /// 128 random bits for one trip in one mailbox: part of what opens the mailbox, as a person entered it.
    package let prefix: Bytes16
    /// What only those who hold the epoch's secret can foresee.
    package let tag: Bytes16

    package init(prefix: Bytes16, tag: Bytes16) { (self.prefix, self.tag) = (prefix, tag) }
}

extension MailboxSlot: Comparable {
    package static func < (left: MailboxSlot, right: MailboxSlot) -> Bool {
        (left.prefix, left.tag) < (right.prefix, right.tag)
    }
}

extension MailboxSlot: CustomStringConvertible {
    /// 32 lowercase hexadecimal digits each, with a full stop between them.
    package var description: String { "\(prefix).\(tag)" }
}

/// The name of a block: BLAKE2b-256 of all its bytes.
package struct BlockName: Hashable, Sendable {
    package let hash: Bytes32

    package init(_ hash: Bytes32) { self.hash = hash }

    /// Reads 64 lowercase hexadecimal digits; nil for anything else.
    package init?(_ text: some StringProtocol) {
        guard let bytes = [UInt8](hexadecimal: text), let hash = Bytes32(bytes) else { return nil }
        self.hash = hash
    }
}

extension BlockName: Comparable {
    package static func < (left: BlockName, right: BlockName) -> Bool { left.hash < right.hash }
}

extension BlockName: CustomStringConvertible {
    /// 64 lowercase hexadecimal digits.
    package var description: String { hash.description }
}

/// What a node asks of a mailbox. The answer to each is a `MailboxAnswer`, whatever went wrong.
package enum MailboxRequest: Hashable, Sendable {
    /// Say `listed` of each of these slots, which have one prefix.
    case list([MailboxSlot])
    /// Say `block`.
    case get(BlockName, MailboxSlot)
    /// Store a block if it is absent, and say `put`. At most `MailboxBlock.sizeMax` bytes.
    case put(BlockName, MailboxSlot, [UInt8])
    /// Forget these blocks. Nothing is answered.
    case drop([BlockName], MailboxSlot)
}

extension MailboxRequest {
    /// What is said of it where the mailbox can't be asked, or fails.
    package var failures: [MailboxAnswer] {
        switch self {
        case .list(let slots): slots.map { .listed($0, nil) }
        case .get(let name, let slot): [.unanswered(name, slot)]
        case .put(let name, let slot, _): [.put(name, slot, .failed)]
        case .drop: []
        }
    }
}

/// What a mailbox, or its shell, says. Nothing of it is believed before it was checked.
package enum MailboxAnswer: Hashable, Sendable {
    /// A trip's mailbox, by its prefix, is there from now on, or is no longer.
    case attached(Bytes16)
    case detached(Bytes16)
    /// Something may lie in the mailbox with this prefix that was not there before.
    case changed(Bytes16)
    /// All names in a slot, in any order; nil where it could not be listed. A slot that nobody wrote to is empty.
    case listed(MailboxSlot, [BlockName]?)
    /// A block; nil where it is not there, or not whole.
    case block(BlockName, MailboxSlot, [UInt8]?)
    /// The mailbox could not be asked for a block, or failed: nothing is known of it.
    case unanswered(BlockName, MailboxSlot)
    case put(BlockName, MailboxSlot, MailboxPutOutcome)
}

/// What became of a block that was to be stored.
package enum MailboxPutOutcome: Hashable, Sendable {
    /// The mailbox says that it is stored, or that it was there.
    case stored
    /// There is no room.
    case full
    /// It could not be reached, or refused.
    case failed
}

extension [UInt8] {
    /// Reads lowercase hexadecimal digits; nil for anything else.
    package init?(hexadecimal text: some StringProtocol) {
        func value(_ digit: UInt8) -> UInt8? {
            switch digit {
            case 0x30...0x39: digit - 0x30
            case 0x61...0x66: digit - 0x61 + 10
            default: nil
            }
        }
        let digits = Array(text.utf8)
        guard digits.count.isMultiple(of: 2) else { return nil }
        self = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = value(digits[index]), let low = value(digits[index + 1]) else { return nil }
            append(high << 4 | low)
        }
    }
}
