/// Every bound of the exchange of chunks. Each is local: nodes may differ in them.
package enum ChunkExchangeLimits {
    /// Chunks that are asked for and have not come, of one peer and of all. What else is said waits behind them: a chunk is
    /// 26 ms of 20 Mbit/s.
    package static let asksPerPeer = 1
    package static let asksMax = 3
    /// How long a peer may take for a chunk before another one is asked, in milliseconds.
    package static let askTime: UInt64 = 20_000
    /// How often a peer is asked for a chunk that it said that it has and did not give. Its disk may have lost the chunk, and
    /// got it back.
    package static let failuresMax = 3
    /// How long nothing is asked after a chunk could not be stored, in milliseconds.
    package static let pauseTime: UInt64 = 60_000
    /// Chunks that a plan wants at once: 4 GB of photos.
    package static let wantedMax = 65_536
    /// Peers that a plan knows at once.
    package static let peersMax = 64
    /// Names in one message. A longer list is several messages.
    package static let namesPerMessage = 8_192
    /// Names of what is wanted that a peer is told at once, and after how many milliseconds as many more: so that a long
    /// list delays nothing else.
    package static let namesAtOnce = 1_024
    package static let namesPause: UInt64 = 250
    /// Chunks of which a node remembers that a peer lacks them.
    package static let lackedPerPeer = 65_536
    /// Chunks that a peer may have requested and not been sent yet. Requests beyond these are not served.
    package static let servesPerPeer = 8
}

extension PhotoManifest.Size {
    /// The order in which they are fetched.
    var order: Int { self == .thumbnail ? 0 : self == .card ? 1 : 2 }
}
