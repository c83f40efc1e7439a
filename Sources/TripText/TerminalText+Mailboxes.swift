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
                    reached(mailbox, now: now)
                }
            let photos = mailbox.hasNoRoomForPhotos ? " · \(noRoomForPhotos)" : ""
            let clutter = mailbox.clutter.map { " · holds \($0.words): \($0.advice)" } ?? ""
            return "\(mailbox.number)  \(plain(mailbox.address)) · code \(mailbox.code) · \(state)\(photos)\(clutter)\n"
        }.joined()
    }

    /// What is said of a mailbox with as much of photos as it may have.
    private static let noRoomForPhotos = "full of photos: nodes exchange further ones only when they meet"

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
            let photos = mailbox.hasNoRoomForPhotos ? ", \(noRoomForPhotos)" : ""
            return "Mailbox \(plain(mailbox.address)): \(reached(mailbox, now: now))\(photos)"
        }
    }

    private static func reached(_ mailbox: MailboxView, now: Int64) -> String {
        guard mailbox.isInUse else { return "used while `caravan up` runs" }
        return mailbox.lastReached.map { "reached \(Span.ago($0, now: now))" } ?? "not reached yet"
    }
}

extension TripJSON {
    static func mailbox(_ mailbox: MailboxView) -> JSONValue {
        .object([
            "number": .integer(Int64(mailbox.number)), "address": .string(mailbox.address),
            "code": .string(mailbox.code), "problem": mailbox.problem.map { .string($0) },
            "last_reached": mailbox.lastReached.map { time($0) },
            "photos_full": mailbox.hasNoRoomForPhotos ? .bool(true) : nil,
            "clutter": mailbox.clutter.map { .integer(Int64($0.count)) },
            "clutter_example": mailbox.clutter.map { .string($0.example) },
            "list_ms": mailbox.trial.map { .integer($0.list) },
            "put_ms": mailbox.trial.map { .integer($0.put) },
            "get_ms": mailbox.trial.map { .integer($0.get) },
            "free_bytes": mailbox.trial.flatMap { $0.freeBytes.map { .integer($0) } },
            "open": mailbox.trial.map { .bool($0.isOpen) },
        ])
    }
}
