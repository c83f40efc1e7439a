/// A bound on what others can make a node hold or do: people hear when one is reached.
package enum Bound: String, CaseIterable, Hashable, Sendable {
    /// Connections whose handshake is not over: the oldest gives way.
    case handshakes
    /// Sessions in all: the newest is refused.
    case sessions
    /// Sessions with devices that hold the trip's secret and are not known to be let in.
    case unprovenSessions
    /// Sessions under an invite's key.
    case inviteSessions
    /// Changes, and their bytes, from one device that is not known to be let in.
    case unprovenChanges
    /// First messages that are held to the keys of members' pairs, in a second.
    case pairLookups
    /// Instance names that fit no key and are remembered.
    case instances
    /// Blocks of a mailbox that are remembered: the rest is looked at later.
    case mailboxBlocks
    /// A mailbox has no room for what is to be put there: the node tries again later.
    case mailboxRoom
}

/// Which bounds people heard of, and when last.
struct BoundNotices: Sendable {
    private var told: [Bound: UInt64] = [:]

    /// Whether people are to hear now that a bound was reached: once in a while for each.
    mutating func isDue(_ bound: Bound, at now: UInt64, interval: UInt64) -> Bool {
        if let last = told[bound], now < last + interval { return false }
        told[bound] = now
        return true
    }
}

extension SyncNode {
    /// Says that a bound was reached, once in a while for each.
    mutating func reached(_ bound: Bound) {
        guard bounds.isDue(bound, at: now.monotonic, interval: limits.boundNoticeInterval) else { return }
        turn.effects.append(.notice(.reached(bound)))
    }
}
