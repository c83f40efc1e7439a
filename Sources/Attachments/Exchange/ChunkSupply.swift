/// What others lack, and what they are to be sent: the other side of `FetchPlan`, as a value.
///
/// | event | when |
/// |---|---|
/// | `joined`, `left` | a session began, or ended |
/// | `admitted` | its peer may have chunks from now on |
/// | `lacked`, `asked` | the peer's `lack` and `ask` messages |
/// | `stored` | a chunk is durable here |
/// | `sent` | a `load` effect was done, and its message is to go |
package struct ChunkSupply<Peer: Hashable & Comparable & Sendable>: Sendable {
    package enum Effect: Hashable, Sendable {
        /// Send it in the peer's session.
        case send(BlobMessage, to: Peer)
        /// Read the chunk, send it as `chunk` message, without bytes where it is not here, and tell `sent`.
        case load(BlobHash, for: Peer)
    }

    private struct PeerState: Sendable {
        /// Whether it may have chunks; else what it lacks is noted, and not answered.
        var isServed: Bool
        var lacks: Set<BlobHash> = []
        var loading: Set<BlobHash> = []
    }

    private var peers: [Peer: PeerState] = [:]

    package init() {}

    /// - Parameter isServed: whether it may have chunks.
    package mutating func joined(_ peer: Peer, isServed: Bool = true) {
        guard peers[peer] == nil, peers.count < ChunkExchangeLimits.peersMax else { return }
        peers[peer] = PeerState(isServed: isServed)
    }

    /// The peer may have chunks from now on: it hears of what it lacks and is here.
    package mutating func admitted(_ peer: Peer, isHere: (BlobHash) -> Bool) -> [Effect] {
        guard peers[peer]?.isServed == false else { return [] }
        peers[peer]?.isServed = true
        let lacked = (peers[peer]?.lacks ?? []).sorted()
        peers[peer]?.lacks = []
        return self.lacked(lacked, by: peer, isHere: isHere)
    }

    package mutating func left(_ peer: Peer) { peers[peer] = nil }

    /// - Parameter isHere: whether a chunk is here. Only chunks of photos of the trip, that the peer may see, are.
    package mutating func lacked(
        _ chunks: [BlobHash], by peer: Peer, isHere: (BlobHash) -> Bool
    ) -> [Effect] {
        guard let state = peers[peer] else { return [] }
        var held: [BlobHash] = []
        for chunk in chunks {
            if state.isServed, isHere(chunk) {
                held.append(chunk)
            } else if peers[peer]?.lacks.count ?? 0 < ChunkExchangeLimits.lackedPerPeer {
                peers[peer]?.lacks.insert(chunk)
            }
        }
        return BlobMessage.hold(all: held).map { .send($0, to: peer) }
    }

    /// Tells those who lack them. O(chunks · peers).
    package mutating func stored(_ chunks: [BlobHash]) -> [Effect] {
        var effects: [Effect] = []
        for peer in peers.keys.sorted() where peers[peer]?.isServed == true {
            let held = chunks.filter { peers[peer]?.lacks.remove($0) != nil }
            effects += BlobMessage.hold(all: held).map { .send($0, to: peer) }
        }
        return effects
    }

    package mutating func asked(_ chunk: BlobHash, by peer: Peer) -> [Effect] {
        guard let state = peers[peer], state.isServed, state.loading.count < ChunkExchangeLimits.servesPerPeer,
            peers[peer]?.loading.insert(chunk).inserted == true
        else { return [] }
        return [.load(chunk, for: peer)]
    }

    /// - Parameter isHere: whether it could be read. If not, the peer is told when it is here again.
    /// - Returns: false where the peer waits for no such chunk: it is not to be sent.
    @discardableResult
    package mutating func sent(_ chunk: BlobHash, to peer: Peer, isHere: Bool = true) -> Bool {
        guard peers[peer]?.loading.remove(chunk) != nil else { return false }
        if !isHere { _ = lacked([chunk], by: peer) { _ in false } }
        return true
    }
}
