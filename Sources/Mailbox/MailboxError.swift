/// Why a mailbox can't be used. The message is one line: what is wrong, then what to do.
package struct MailboxError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: Hashable, Sendable {
        /// There is no way to it at present.
        case unreachable
        /// It doesn't permit this, or isn't what it should be. Without a change it never works.
        case refused
        /// It stores no more.
        case full
        /// A library of the system is missing.
        case missingLibrary
        /// The node ends.
        case ended
    }

    package let code: Code
    package let message: String
    /// How long the mailbox asks to be left alone.
    package let retryAfter: Duration?

    package init(_ code: Code, _ message: String, retryAfter: Duration? = nil) {
        self.code = code
        self.message = message
        self.retryAfter = retryAfter
    }

    package var description: String { message }

    static let ended = MailboxError(.ended, "the mailbox is closed; start the node again with `caravan up`")

    static func tooLarge(_ bytes: Int, most: Int) -> MailboxError {
        MailboxError(.refused, "a block has \(bytes) bytes, but \(most) is the maximum; choose smaller photos")
    }

    /// It has as much as a list may show. It is no reason to leave its other slots alone.
    static func crowded(_ place: String, most: Int) -> MailboxError {
        MailboxError(
            .full,
            "\(place) holds \(most) entries or more, the maximum; delete files in it that are no blocks, or add another mailbox"
        )
    }
}
