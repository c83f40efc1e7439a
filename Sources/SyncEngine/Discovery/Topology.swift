/// The few of many that a node means to be with.
struct Topology: Sendable {
    /// Whether there are too many others for everybody to meet everybody.
    var isCrowded = false
    /// How many names of members were seen since there were too many to remember.
    var namesSeen: UInt64 = 0
    /// When one peer is exchanged for another.
    var reshuffle: UInt64?
    var lastReshuffle: UInt64?
    /// Whether the exchange is under way: one more is dialled than needed, until a session with one of them ends.
    var isReshuffling = false
    /// Whether somebody appeared, or was lost, since the next exchange was planned.
    var hasNews = false
    /// Until when there may be parts that do not know of each other, for somebody fell silent.
    var apartUntil: UInt64 = 0
    /// When a peer is exchanged next for somebody known, so that branches of the trip have fair shares, and how long after that again.
    var fairnessDue: UInt64 = 0
    var fairnessPause = Backoff(first: 1_000)
}
