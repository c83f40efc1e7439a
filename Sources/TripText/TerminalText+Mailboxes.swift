import TripService

extension TerminalText {
    /// The text of `caravan mailbox`, and of its test.
    static func mailboxes(_ mailboxes: [MailboxView], now: Int64) -> String {
        guard !mailboxes.isEmpty else {
            return
                "No mailboxes yet. Add one with `caravan mailbox add FOLDER`, so that members who are apart can sync.\n"
        }
        return mailboxes.map { mailbox in
            let state =
                if let problem = mailbox.problem {
                    "doesn't work: \(plain(problem))"
                } else if let trial = mailbox.trial {
                    "works: " + trial.words
                } else {
                    mailbox.lastReached.map { "reached \(Span.ago($0, now: now))" } ?? "not reached yet"
                }
            return "\(mailbox.number)  \(plain(mailbox.address)) · code \(mailbox.code) · \(state)\n"
        }.joined()
    }

    /// What of the changes that a device may lack is in a mailbox for it.
    static func inMailbox(_ device: DeviceStatus) -> String {
        guard device.inMailbox > 0 else { return "" }
        return device.isServedByMailbox
            ? ", in the mailbox for them" : ", \(device.inMailbox) of them in the mailbox"
    }

    /// What `caravan status` says of mailboxes.
    static func mailboxLines(_ mailboxes: [MailboxView], now: Int64) -> [String] {
        mailboxes.map { mailbox in
            if let problem = mailbox.problem { return "Mailbox \(plain(mailbox.address)): \(plain(problem))" }
            let reached = mailbox.lastReached.map { "reached \(Span.ago($0, now: now))" } ?? "not reached yet"
            return "Mailbox \(plain(mailbox.address)): \(reached)"
        }
    }
}

extension TripJSON {
    static func mailbox(_ mailbox: MailboxView) -> JSONValue {
        .object([
            "number": .integer(Int64(mailbox.number)), "address": .string(mailbox.address),
            "code": .string(mailbox.code), "problem": mailbox.problem.map { .string($0) },
            "last_reached": mailbox.lastReached.map { time($0) },
            "list_ms": mailbox.trial.map { .integer($0.list) },
            "put_ms": mailbox.trial.flatMap { $0.put.map { .integer($0) } },
            "get_ms": mailbox.trial.flatMap { $0.get.map { .integer($0) } },
        ])
    }
}
