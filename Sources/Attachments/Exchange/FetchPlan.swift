/// Decides which chunk to request next, and from which peer: one node's side of fetching, as a value. It is told of events and answers
/// with effects. It has no clock, no randomness and no I/O of its own. Times are milliseconds of any clock that never goes back.
///
/// A chunk is requested from one peer at a time, and from another one only after the first failed: it left, had the chunk no more, was
/// too slow, or sent other bytes. Thumbnails come first, with what somebody looks at, then the pictures on cards, then the rest. Within
/// these the plan draws a few and takes the rarest, so that nodes that fetch together soon have different chunks to give each other.
///
/// | event | when |
/// |---|---|
/// | `want` | photos came of which chunks are not here; also after a start, with all |
/// | `forget` | chunks are wanted no more: they are stored, or their photos were removed |
/// | `joined`, `left` | a session with a peer that may have them began, or ended |
/// | `held`, `received` | the peer's `hold` and `chunk` messages |
/// | `notStored` | a `store` effect failed |
/// | `woke` | at `deadline`, or any time |
package struct FetchPlan<Peer: Hashable & Comparable & Sendable>: Sendable {
    package enum Effect: Sendable {
        /// Send it in the peer's session. Its order towards a peer matters.
        case send(BlobMessage, to: Peer)
        /// Put the chunk, which is what its name says, and tell `forget` or `notStored`.
        case store(BlobHash, [UInt8])
        /// The peer sent other bytes than were asked for. It is asked nothing more; what else follows is the caller's.
        case distrust(Peer)
    }

    /// What is wanted and has not come.
    private(set) var wanted: [BlobHash: Wanted] = [:] { didSet { missingCount = wanted.count } }
    /// How many chunks are wanted and have not come: kept, for it is asked at every event of a node.
    package private(set) var missingCount = 0
    private(set) var peers: [Peer: PeerState] = [:]
    /// How many chunks are asked for and have not come.
    private(set) var askedCount = 0
    private var pausedUntil: UInt64?
    /// What is asked for although a pause lasts: other photos make room for it.
    private(set) var urgent: Set<BlobHash> = []
    /// Wanted names by size, in the order in which peers are told of them. Names that are wanted no more are skipped, and removed now
    /// and then.
    private var names: [[BlobHash]] = Array(repeating: [], count: PhotoManifest.Size.allCases.count)
    /// How many of these are wanted no more.
    private var staleNames = 0

    struct Wanted: Sendable {
        var size: PhotoManifest.Size
        /// How many peers said that they have it, and have not failed.
        var holders = 0
        var asked: (peer: Peer, since: UInt64)?
        /// Whether it came, and is being stored.
        var isArriving = false

        var isFree: Bool { asked == nil && !isArriving }
    }

    struct PeerState: Sendable {
        /// What it has of what is wanted.
        var held: Set<BlobHash> = []
        /// The same by size, to draw from. A name that is already held or is wanted no more is removed when it is drawn.
        var queues: [[BlobHash]] = Array(repeating: [], count: PhotoManifest.Size.allCases.count)
        /// How often it was asked for a chunk and did not give it.
        var failures: [BlobHash: Int] = [:]
        var asks: Set<BlobHash> = []
        var isDistrusted = false
        /// How many of the names of each size it was told, and when it may be told of more.
        var told: [Int] = Array(repeating: 0, count: PhotoManifest.Size.allCases.count)
        var tellTime: UInt64 = 0
    }

    package init() {}

    // MARK: - What is wanted

    /// - Parameters:
    ///   - chunks: with the size of the picture that each belongs to, the smallest one where there are several, or of which
    ///     it is to be fetched: what is wanted already comes with a smaller size where that is said now. Beyond
    ///     `ChunkExchangeLimits.wantedMax` nothing is added: say it again when some have come.
    package mutating func want(
        _ chunks: [(BlobHash, PhotoManifest.Size)], at now: UInt64, using generator: inout some RandomNumberGenerator
    ) -> [Effect] {
        var isNew = false
        for (chunk, size) in chunks {
            if let known = wanted[chunk]?.size {
                guard size.order < known.order else { continue }
                hasten(chunk, to: size)
                isNew = true
            } else if wanted.count < ChunkExchangeLimits.wantedMax {
                wanted[chunk] = Wanted(size: size)
                names[size.order].append(chunk)
                isNew = true
            }
        }
        guard isNew else { return [] }
        if pausedUntil != nil {
            urgent.formUnion(chunks.filter { $0.1 == .thumbnail && wanted[$0.0] != nil }.map(\.0))
        }
        return tellNames(at: now) + ask(at: now, using: &generator)
    }

    /// What of some chunks is wanted comes with the thumbnails.
    package mutating func prefer(_ chunks: [BlobHash]) {
        for chunk in chunks {
            if let size = wanted[chunk]?.size, size != .thumbnail { hasten(chunk, to: .thumbnail) }
        }
    }

    /// What comes with the thumbnails and no peer is known to have, the latest wish first.
    package func sought(limit: Int) -> [BlobHash] {
        var sought: [BlobHash] = []
        var seen: Set<BlobHash> = []
        for chunk in names[PhotoManifest.Size.thumbnail.order].reversed() where sought.count < limit {
            guard let standing = wanted[chunk], standing.size == .thumbnail, standing.holders == 0, standing.isFree,
                seen.insert(chunk).inserted
            else { continue }
            sought.append(chunk)
        }
        return sought
    }

    /// Those that have it are asked for it sooner, and all are told of it with the names of that size, be it once more.
    private mutating func hasten(_ chunk: BlobHash, to size: PhotoManifest.Size) {
        wanted[chunk]?.size = size
        names[size.order].append(chunk)
        for peer in peers.keys where peers[peer]?.held.contains(chunk) ?? false {
            peers[peer]?.queues[size.order].append(chunk)
        }
    }

    package mutating func forget(
        _ chunks: [BlobHash], at now: UInt64, using generator: inout some RandomNumberGenerator
    ) -> [Effect] {
        for chunk in chunks { drop(chunk) }
        return ask(at: now, using: &generator)
    }

    /// Whether a chunk is wanted.
    package func wants(_ chunk: BlobHash) -> Bool { wanted[chunk] != nil }

    /// The peers that said that they have a chunk which is wanted, ascending.
    package func holders(of chunk: BlobHash) -> [Peer] {
        peers.filter { $0.value.held.contains(chunk) }.keys.sorted()
    }

    // MARK: - Peers

    package mutating func joined(_ peer: Peer, at now: UInt64) -> [Effect] {
        guard peers[peer] == nil, peers.count < ChunkExchangeLimits.peersMax else { return [] }
        peers[peer] = PeerState()
        return tellNames(to: peer, at: now)
    }

    private mutating func tellNames(at now: UInt64) -> [Effect] {
        var effects: [Effect] = []
        for peer in peers.keys.sorted() { effects += tellNames(to: peer, at: now) }
        return effects
    }

    /// Tells a peer what it was not told yet: at most `namesAtOnce`, then a pause that is as long as they are many.
    private mutating func tellNames(to peer: Peer, at now: UInt64) -> [Effect] {
        guard var told = peers[peer]?.told, let state = peers[peer], !state.isDistrusted, state.tellTime <= now else {
            return []
        }
        var list: [BlobHash] = []
        for size in names.indices {
            while told[size] < names[size].count, list.count < ChunkExchangeLimits.namesAtOnce {
                let chunk = names[size][told[size]]
                told[size] += 1
                if wanted[chunk]?.isArriving == false { list.append(chunk) }
            }
        }
        peers[peer]?.told = told
        guard !list.isEmpty else { return [] }
        peers[peer]?.tellTime =
            now + ChunkExchangeLimits.namesPause * UInt64(list.count) / UInt64(ChunkExchangeLimits.namesAtOnce)
        return [.send(.lack(list), to: peer)]
    }

    private func isTold(_ state: PeerState) -> Bool { zip(state.told, names).allSatisfy { $0 >= $1.count } }

    /// Removes the names that are wanted no more, once they are the greater part.
    private mutating func compactNames() {
        guard staleNames > ChunkExchangeLimits.namesAtOnce, staleNames > wanted.count else { return }
        staleNames = 0
        for size in names.indices {
            var kept: [BlobHash] = []
            /// How many of the first so many stay.
            var places = [0]
            for chunk in names[size] {
                if wanted[chunk] != nil { kept.append(chunk) }
                places.append(kept.count)
            }
            for (peer, state) in peers { peers[peer]?.told[size] = places[state.told[size]] }
            names[size] = kept
        }
    }

    package mutating func left(
        _ peer: Peer, at now: UInt64, using generator: inout some RandomNumberGenerator
    ) -> [Effect] {
        guard let gone = peers.removeValue(forKey: peer) else { return [] }
        for chunk in gone.asks.sorted() { release(chunk) }
        for chunk in gone.held { wanted[chunk]?.holders -= 1 }
        return ask(at: now, using: &generator)
    }

    /// The peer says what it has. What is not wanted is passed over.
    package mutating func held(
        _ chunks: [BlobHash], by peer: Peer, at now: UInt64, using generator: inout some RandomNumberGenerator
    ) -> [Effect] {
        guard peers[peer]?.isDistrusted == false else { return [] }
        for chunk in chunks {
            guard let size = wanted[chunk]?.size,
                peers[peer]?.failures[chunk, default: 0] ?? 0 < ChunkExchangeLimits.failuresMax,
                peers[peer]?.held.insert(chunk).inserted == true
            else { continue }
            peers[peer]?.queues[size.order].append(chunk)
            wanted[chunk]?.holders += 1
        }
        return ask(at: now, using: &generator)
    }

    // MARK: - Chunks

    /// A chunk came. Late ones are taken while they are wanted, and what was never asked for is passed over.
    ///
    /// - Parameter hash: BLAKE2b-256; called once for a chunk that is wanted.
    package mutating func received(
        _ chunk: BlobHash, _ bytes: [UInt8], from peer: Peer, at now: UInt64, hash: ([UInt8]) -> BlobHash,
        using generator: inout some RandomNumberGenerator
    ) -> [Effect] {
        guard let state = peers[peer], !state.isDistrusted, let standing = wanted[chunk], !standing.isArriving else {
            return []
        }
        let wasAsked = state.asks.contains(chunk)
        guard !bytes.isEmpty else {
            if wasAsked { fail(chunk, of: peer) }
            return ask(at: now, using: &generator)
        }
        guard bytes.count <= Blob.chunkSize, hash(bytes) == chunk else {
            return [.distrust(peer)] + distrust(peer, at: now, using: &generator)
        }
        return came(chunk, bytes, at: now, using: &generator)
    }

    /// A chunk came, from a peer or another way, and is what its name says.
    package mutating func came(
        _ chunk: BlobHash, _ bytes: [UInt8], at now: UInt64, using generator: inout some RandomNumberGenerator
    ) -> [Effect] {
        guard let standing = wanted[chunk], !standing.isArriving else { return [] }
        // The peer that was asked for it need not be waited for: its chunk will be ignored.
        if let asked = standing.asked { peers[asked.peer]?.asks.remove(chunk) }
        if standing.asked != nil { askedCount -= 1 }
        wanted[chunk]?.asked = nil
        wanted[chunk]?.isArriving = true
        return [.store(chunk, bytes)] + ask(at: now, using: &generator)
    }

    /// The disk didn't take it. It stays wanted. For a while nothing is asked for but thumbnails, and what is looked at, that are
    /// wanted from then on.
    package mutating func notStored(_ chunk: BlobHash, at now: UInt64) {
        wanted[chunk]?.isArriving = false
        urgent.remove(chunk)
        pausedUntil = now + ChunkExchangeLimits.pauseTime
    }

    // MARK: - Time

    /// When `woke` has something to do; nil for never.
    package var deadline: UInt64? {
        var earliest = pausedUntil
        for state in peers.values {
            for chunk in state.asks {
                guard let since = wanted[chunk]?.asked?.since else { continue }
                earliest = min(earliest ?? .max, since + ChunkExchangeLimits.askTime)
            }
            if !state.isDistrusted, !isTold(state) { earliest = min(earliest ?? .max, state.tellTime) }
        }
        return earliest
    }

    package mutating func woke(at now: UInt64, using generator: inout some RandomNumberGenerator) -> [Effect] {
        if let end = pausedUntil, end <= now { (pausedUntil, urgent) = (nil, []) }
        for peer in peers.keys.sorted() {
            for chunk in (peers[peer]?.asks ?? []).sorted() {
                guard let since = wanted[chunk]?.asked?.since, since + ChunkExchangeLimits.askTime <= now else {
                    continue
                }
                fail(chunk, of: peer)
            }
        }
        return tellNames(at: now) + ask(at: now, using: &generator)
    }

    // MARK: -

    /// What a peer was asked for and did not give is asked of it only if it says again that it has it, and not without end.
    private mutating func fail(_ chunk: BlobHash, of peer: Peer) {
        peers[peer]?.asks.remove(chunk)
        release(chunk)
        peers[peer]?.failures[chunk, default: 0] += 1
        if peers[peer]?.held.remove(chunk) != nil { wanted[chunk]?.holders -= 1 }
    }

    private mutating func distrust(
        _ peer: Peer, at now: UInt64, using generator: inout some RandomNumberGenerator
    ) -> [Effect] {
        guard let state = peers[peer] else { return [] }
        for chunk in state.asks.sorted() { release(chunk) }
        for chunk in state.held { wanted[chunk]?.holders -= 1 }
        peers[peer] = PeerState(isDistrusted: true)
        return ask(at: now, using: &generator)
    }

    /// Nobody is asked for it any more.
    private mutating func release(_ chunk: BlobHash) {
        guard wanted[chunk]?.asked != nil else { return }
        wanted[chunk]?.asked = nil
        askedCount -= 1
    }

    private mutating func drop(_ chunk: BlobHash) {
        guard let gone = wanted.removeValue(forKey: chunk) else { return }
        urgent.remove(chunk)
        if let asked = gone.asked {
            peers[asked.peer]?.asks.remove(chunk)
            askedCount -= 1
        }
        for peer in peers.keys {
            peers[peer]?.held.remove(chunk)
            peers[peer]?.failures[chunk] = nil
        }
        staleNames += 1
        compactNames()
    }

    /// Asks for as much as the bounds allow.
    private mutating func ask(
        at now: UInt64, using generator: inout some RandomNumberGenerator
    ) -> [Effect] {
        guard pausedUntil == nil || !urgent.isEmpty else { return [] }
        var effects: [Effect] = []
        // One request per peer in turn, first for the peer with the fewest open requests.
        while askedCount < ChunkExchangeLimits.asksMax {
            var best: (peer: Peer, chunk: BlobHash, rank: (Int, Int))?
            for peer in peers.keys.sorted() {
                guard let asks = peers[peer]?.asks.count, asks < ChunkExchangeLimits.asksPerPeer,
                    let chunk = next(from: peer, using: &generator), let size = wanted[chunk]?.size
                else { continue }
                if best.map({ (size.order, asks) < $0.rank }) ?? true { best = (peer, chunk, (size.order, asks)) }
            }
            guard let best else { break }
            peers[best.peer]?.asks.insert(best.chunk)
            wanted[best.chunk]?.asked = (best.peer, now)
            askedCount += 1
            effects.append(.send(.ask(best.chunk), to: best.peer))
        }
        return effects
    }

    func mayAsk(for chunk: BlobHash) -> Bool {
        wanted[chunk]?.isFree ?? false && (pausedUntil == nil || urgent.contains(chunk))
    }

    /// Chunks of a peer that are looked at, beyond those that somebody is asked for, to find a rare one.
    private static var drawn: Int { 8 }

    /// A chunk to ask a peer for: of the smallest size, the rarest of some that are drawn. O(1), amortised.
    private mutating func next(
        from peer: Peer, using generator: inout some RandomNumberGenerator
    ) -> BlobHash? {
        for size in PhotoManifest.Size.allCases.map(\.order) {
            var unseen = peers[peer]?.queues[size].count ?? 0
            guard unseen > 0 else { continue }
            var best: (chunk: BlobHash, holders: Int)?
            var free = 0
            var place = Int(truncatingIfNeeded: generator.next() % UInt64(unseen))
            while unseen > 0, free < Self.drawn {
                place %= unseen
                unseen -= 1
                // What was seen stands at the end.
                peers[peer]?.queues[size].swapAt(place, unseen)
                guard let chunk = peers[peer]?.queues[size][unseen] else { break }
                guard let standing = wanted[chunk], peers[peer]?.held.contains(chunk) == true else {
                    peers[peer]?.queues[size].swapRemove(at: unseen)
                    continue
                }
                guard mayAsk(for: chunk) else { continue }
                free += 1
                if best.map({ standing.holders < $0.holders }) ?? true { best = (chunk, standing.holders) }
            }
            if let best { return best.chunk }
        }
        return nil
    }
}
