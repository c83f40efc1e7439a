/// A bound on what others can make a node hold or do. People are told when one is reached.
package enum Bound: String, CaseIterable, Hashable, Sendable {
    /// Connections with an unfinished handshake. The oldest gives way.
    case handshakes
    /// All sessions. The newest is refused.
    case sessions
    /// Sessions with devices that have the trip's secret, and whose admission is not known.
    case unprovenSessions
    /// Sessions under an invite's key.
    case inviteSessions
    /// Changes, and their bytes, from one device whose admission is not known.
    case unprovenChanges
    /// First messages that are compared with the keys of members' pairs, in a second.
    case pairLookups
    /// Remembered instance names that match no key.
    case instances
    /// Remembered blocks of a mailbox. The rest is read later.
    case mailboxBlocks
    /// A mailbox is full. The node tries again later.
    case mailboxRoom
}

/// Which bounds people were told of, and when last.
struct BoundNotices: Sendable {
    private var told: [Bound: UInt64] = [:]

    /// Whether to tell people now that a bound was reached: once in a while for each.
    mutating func isDue(_ bound: Bound, at now: UInt64, interval: UInt64) -> Bool {
        if let last = told[bound], now < last + interval { return false }
        told[bound] = now
        return true
    }
}

extension SyncNode {
    /// Reports that a bound was reached, once in a while for each.
    mutating func reached(_ bound: Bound) {
        guard bounds.isDue(bound, at: now.monotonic, interval: limits.boundNoticeInterval) else { return }
        turn.effects.append(.notice(.reached(bound)))
    }
}
