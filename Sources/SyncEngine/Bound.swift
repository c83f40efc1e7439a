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
    /// First messages that claim to be a member's who was away, in a second.
    case pairLookups
    /// Instance names that fit no key and are remembered.
    case instances
}

extension SyncNode {
    /// Says that a bound was reached, once in a while for each.
    mutating func reached(_ bound: Bound) {
        if let last = boundsTold[bound], now.monotonic < last + limits.boundNoticeInterval { return }
        boundsTold[bound] = now.monotonic
        effects.append(.notice(.reached(bound)))
    }
}
