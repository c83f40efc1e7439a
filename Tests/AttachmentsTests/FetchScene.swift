import Attachments
import Convergence

/// A node that fetches from peers of every kind over links that cut, stall and reorder.
struct FetchScene {
    enum Kind { case honest, liar, forgetful, mute }

    struct Ask: Hashable { let peer: Int, chunk: BlobHash }

    var plan = FetchPlan<Int>()
    var generator: SeededGenerator
    var now: UInt64 = 0
    let kinds: [Kind]
    /// What each peer has.
    let holdings: [Set<BlobHash>]
    let sizes: [BlobHash: PhotoManifest.Size]
    let contents: [BlobHash: [UInt8]]

    var joined: Set<Int> = []
    var distrusted: Set<Int> = []
    /// On its way: to a peer, and from it.
    var asks: [Ask] = []
    var lacks: [(peer: Int, chunks: [BlobHash])] = []
    var stored: [BlobHash: Int] = [:]
    var arriving: [BlobHash] = []
    /// Those that somebody was asked for and that have neither come nor failed.
    var open: [BlobHash: (peer: Int, since: UInt64)] = [:]
    var faults: [String] = []
    /// How often an honest peer sent a chunk whole.
    var sentCount = 0

    init(seed: UInt64, chunks: Int, peers: Int) {
        generator = SeededGenerator(seed: seed)
        var contents: [BlobHash: [UInt8]] = [:]
        var sizes: [BlobHash: PhotoManifest.Size] = [:]
        for number in 0..<chunks {
            let bytes = [UInt8(number & 0xFF), UInt8(number >> 8)]
            contents[hash(bytes)] = bytes
            sizes[hash(bytes)] = PhotoManifest.Size.allCases[number % 3]
        }
        (self.contents, self.sizes) = (contents, sizes)
        var random = generator
        kinds = (0..<peers).map { _ in
            switch random.next() % 8 {
            case 0: .liar
            case 1: .forgetful
            case 2: .mute
            default: .honest
            }
        }
        holdings = (0..<peers).map { _ in
            Set(contents.keys.sorted().filter { _ in random.next() % 2 == 0 })
        }
        generator = random
    }

    mutating func perform(_ effects: [FetchPlan<Int>.Effect]) {
        plan.checkInvariants()
        for effect in effects {
            switch effect {
            case .send(.ask(let chunk), let peer):
                if !joined.contains(peer) { faults.append("asked a peer that is not here") }
                if distrusted.contains(peer) { faults.append("asked a liar again") }
                if let other = open[chunk]?.peer {
                    faults.append("asked \(peer) while \(other) was asked for the same")
                }
                if stored[chunk] != nil || arriving.contains(chunk) { faults.append("asked for what is here") }
                if !holdings[peer].contains(chunk) { faults.append("asked for what the peer never said it has") }
                open[chunk] = (peer, now)
                asks.append(Ask(peer: peer, chunk: chunk))
                let own = open.values.count { $0.peer == peer }
                if own > ChunkExchangeLimits.asksPerPeer || open.count > ChunkExchangeLimits.asksMax {
                    faults.append("too many asks")
                }
            case .send(.lack(let chunks), let peer):
                if chunks.count > ChunkExchangeLimits.namesPerMessage { faults.append("too long a list") }
                lacks.append((peer, chunks))
            case .send: faults.append("a message that a fetcher does not send")
            case .store(let chunk, let bytes):
                if contents[chunk] != bytes { faults.append("stored wrong bytes") }
                if stored[chunk] != nil || arriving.contains(chunk) { faults.append("stored twice") }
                open[chunk] = nil
                arriving.append(chunk)
            case .distrust(let peer):
                if kinds[peer] != .liar { faults.append("distrusts an honest peer") }
                distrusted.insert(peer)
                open = open.filter { $0.value.peer != peer }
            }
        }
    }

    mutating func cut(_ peer: Int) {
        joined.remove(peer)
        distrusted.remove(peer)
        asks.removeAll { $0.peer == peer }
        lacks.removeAll { $0.peer == peer }
        open = open.filter { $0.value.peer != peer }
        perform(plan.left(peer, at: now, using: &generator))
    }

    mutating func join(_ peer: Int) {
        joined.insert(peer)
        perform(plan.joined(peer, at: now))
    }

    /// A peer hears one of what was sent to it, in any order.
    mutating func deliver() {
        if !lacks.isEmpty, asks.isEmpty || generator.next() % 2 == 0 {
            let (peer, chunks) = lacks.remove(at: Int(generator.next() % UInt64(lacks.count)))
            let held = chunks.filter(holdings[peer].contains)
            // What is not wanted may be named too.
            perform(plan.held(held + [hash([9, 9, 9])], by: peer, at: now, using: &generator))
        } else if !asks.isEmpty {
            let ask = asks.remove(at: Int(generator.next() % UInt64(asks.count)))
            let bytes: [UInt8]
            switch kinds[ask.peer] {
            case .honest: (bytes, sentCount) = (contents[ask.chunk]!, sentCount + 1)
            case .liar: bytes = [1, 2, 3]
            case .forgetful: bytes = []
            case .mute: return
            }
            if bytes.isEmpty, open[ask.chunk]?.peer == ask.peer { open[ask.chunk] = nil }
            perform(plan.received(ask.chunk, bytes, from: ask.peer, at: now, hash: hash, using: &generator))
        }
    }

    mutating func store() {
        guard !arriving.isEmpty else { return }
        let chunk = arriving.remove(at: Int(generator.next() % UInt64(arriving.count)))
        stored[chunk, default: 0] += 1
        perform(plan.forget([chunk], at: now, using: &generator))
    }

    mutating func wait() {
        now = max(now + 1, plan.deadline ?? now + 1)
        // What was asked for so long ago has failed.
        open = open.filter { $0.value.since + ChunkExchangeLimits.askTime > now }
        perform(plan.woke(at: now, using: &generator))
    }
}

extension FetchScene {
    /// The same with peers that have everything, and give it.
    init(honest peers: Int, from other: FetchScene) {
        self.init(
            generator: other.generator, kinds: Array(repeating: .honest, count: peers),
            holdings: Array(repeating: Set(other.contents.keys), count: peers), sizes: other.sizes,
            contents: other.contents)
    }

    private init(
        generator: SeededGenerator, kinds: [Kind], holdings: [Set<BlobHash>], sizes: [BlobHash: PhotoManifest.Size],
        contents: [BlobHash: [UInt8]]
    ) {
        self.generator = generator
        (self.kinds, self.holdings, self.sizes, self.contents) = (kinds, holdings, sizes, contents)
    }
}
