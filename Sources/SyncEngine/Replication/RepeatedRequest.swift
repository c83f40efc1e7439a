/// When a peer is asked again for what it has not sent: ever less often.
struct RepeatedRequest: Sendable {
    /// When it is looked at again, if nothing comes before that.
    private(set) var deadline: UInt64?
    private var pause: UInt64 = 0
    private var askedAt: UInt64?

    private static let pauseMax: UInt64 = 10_000

    /// Whether the peer may be asked now; else its deadline is when.
    mutating func mayAsk(at now: UInt64, pause first: UInt64) -> Bool {
        if let last = askedAt, now < last + pause {
            deadline = last + pause
            return false
        }
        (askedAt, deadline, pause) = (now, nil, min(max(first, 2 * pause), Self.pauseMax))
        return true
    }

    /// It sent something that is new here: from now on it may be asked after a pause, in milliseconds, from when it was asked last.
    mutating func answered(pause: UInt64 = 0) { self.pause = min(self.pause, pause) }
}
