/// What others lack, and what they are to be sent: the other side of `FetchPlan`, as a value.
///
/// | event | when |
/// |---|---|
/// | `joined`, `left` | a session with a peer that may have chunks began, or ended |
/// | `lacked`, `asked` | the peer's `lack` and `ask` messages |
/// | `stored` | a chunk is durable here |
/// | `sent` | a `load` effect was done, and its message is on its way |
package struct ChunkSupply<Peer: Hashable & Comparable & Sendable>: Sendable {
    package enum Effect: Hashable, Sendable {
        /// Send it in the peer's session.
        case send(BlobMessage, to: Peer)
        /// Read the chunk, send it as `chunk` message, without bytes where it is not here, and tell `sent`.
        case load(BlobHash, for: Peer)
    }

    private struct PeerState: Sendable {
        var lacks: Set<BlobHash> = []
        var loading: Set<BlobHash> = []
    }

    private var peers: [Peer: PeerState] = [:]

    package init() {}

    package mutating func joined(_ peer: Peer) {
        guard peers[peer] == nil, peers.count < ExchangeLimits.peersMax else { return }
        peers[peer] = PeerState()
    }

    package mutating func left(_ peer: Peer) { peers[peer] = nil }

    /// - Parameter isHere: whether a chunk is here. Only chunks of photos of the trip, that the peer may see, are.
    package mutating func lacked(
        _ chunks: [BlobHash], by peer: Peer, isHere: (BlobHash) -> Bool
    ) -> [Effect] {
        guard peers[peer] != nil else { return [] }
        var held: [BlobHash] = []
        for chunk in chunks {
            if isHere(chunk) {
                held.append(chunk)
            } else if peers[peer]?.lacks.count ?? 0 < ExchangeLimits.lackedPerPeer {
                peers[peer]?.lacks.insert(chunk)
            }
        }
        return BlobMessage.hold(all: held).map { .send($0, to: peer) }
    }

    /// Tells those who lack it.
    package mutating func stored(_ chunk: BlobHash) -> [Effect] {
        var effects: [Effect] = []
        for peer in peers.keys.sorted() where peers[peer]?.lacks.remove(chunk) != nil {
            effects.append(.send(.hold([chunk]), to: peer))
        }
        return effects
    }

    package mutating func asked(_ chunk: BlobHash, by peer: Peer) -> [Effect] {
        guard let state = peers[peer], state.loading.count < ExchangeLimits.servesPerPeer,
            peers[peer]?.loading.insert(chunk).inserted == true
        else { return [] }
        return [.load(chunk, for: peer)]
    }

    package mutating func sent(_ chunk: BlobHash, to peer: Peer) { peers[peer]?.loading.remove(chunk) }
}
