import ChangeLog
import Sodium

@testable import Attachments

/// Manifests and messages of the exchange of chunks, as strangers' changes and members' sessions bring them; a plan that is
/// told whatever they say, and a supply that is asked for whatever they like.
func tryBlobs(_ bytes: [UInt8]) {
    var choices = Choices(bytes)
    switch choices.byte() % 5 {
    case 0: tryManifest(choices.everything())
    case 1:
        guard let hash = BlobHash(bytes: [UInt8](repeating: choices.byte(), count: 32)),
            let blob = Blob(choices.bytes() + [0], hash: { _ in hash }),
            let picture = Rendition(type: .jpeg, width: 1 + choices.index(256), height: 1, blob: blob)
        else { return }
        tryManifest(choices.altered(PhotoManifest(sharp: picture, card: picture, thumbnail: picture).bytes))
    case 2: tryMessage(choices.byte(), choices.everything())
    case 3: trySupply(&choices)
    default: tryPlan(&choices)
    }
}

/// Twelve chunks of one byte each, and what each is called. Hashed once: an input costs its plan, and no cryptography.
private enum Chunks {
    static let names: [BlobHash] = {
        guard let sodium = try? SodiumCryptography() else { fatalError("libsodium does not start") }
        return (0...12 as ClosedRange<UInt8>).compactMap { BlobHash(bytes: sodium.hash([$0]).bytes) }
    }()
    static let count = 12

    /// What no chunk here is called, for all other bytes.
    static func hash(_ bytes: [UInt8]) -> BlobHash {
        names[bytes.count == 1 ? min(Int(bytes[0]), count) : count]
    }
}

private func tryManifest(_ bytes: [UInt8]) {
    guard let photo = try? PhotoManifest(bytes: bytes) else { return }
    guard photo.bytes == bytes, PhotoManifest(digits: photo.digits) == photo,
        PhotoManifest.Size.allCases.allSatisfy({ photo[$0].blob.chunks.count <= $0.chunksMax })
    else { fatalError("a manifest is read and written otherwise") }
}

private func tryMessage(_ kind: UInt8, _ body: [UInt8]) {
    guard let kind = BlobMessage.Kind(rawValue: 15 + kind % 4), let message = try? BlobMessage(kind, body: body) else {
        return
    }
    // It may have grown at its end.
    guard body.starts(with: message.body), message.kind == kind else { fatalError("a message is written otherwise") }
}

/// What a plan may never do, whatever it is told in whatever order.
private func tryPlan(_ choices: inout Choices) {
    var plan = FetchPlan<Int>()
    var generator = Counter()
    var now: UInt64 = 0
    var stored: Set<BlobHash> = []
    var arriving: [BlobHash] = []
    var open: [BlobHash: (peer: Int, since: UInt64)] = [:]
    while !choices.isEmpty {
        let (deed, peer, number) = (choices.byte() % 9, choices.index(4), choices.index(Chunks.count))
        let chunk = Chunks.names[number]
        var effects: [FetchPlan<Int>.Effect] = []
        switch deed {
        case 0: effects = plan.want([(chunk, .card)], at: now, using: &generator)
        case 1: effects = plan.joined(peer, at: now)
        case 2:
            open = open.filter { $0.value.peer != peer }
            effects = plan.left(peer, at: now, using: &generator)
        case 3: effects = plan.held([chunk], by: peer, at: now, using: &generator)
        case 4, 5:
            let bytes = [[UInt8(number)], [], [99]][choices.index(3)]
            if open[chunk]?.peer == peer { open[chunk] = nil }
            effects = plan.received(chunk, bytes, from: peer, at: now, hash: Chunks.hash, using: &generator)
        case 6:
            guard !arriving.isEmpty else { continue }
            let name = arriving.removeFirst()
            if choices.byte() % 4 == 0 {
                plan.notStored(name, at: now)
            } else {
                stored.insert(name)
                effects = plan.forget([name], at: now, using: &generator)
            }
        case 7:
            effects = plan.forget([chunk], at: now, using: &generator)
            (open[chunk], stored) = (nil, stored.subtracting([chunk]))
            arriving.removeAll { $0 == chunk }
        default:
            now += UInt64(choices.byte()) * 1_000
            open = open.filter { $0.value.since + ChunkExchangeLimits.askTime > now }
            effects = plan.woke(at: now, using: &generator)
        }
        for effect in effects {
            switch effect {
            case .send(.ask(let name), let asked):
                guard open[name] == nil, !arriving.contains(name) else { fatalError("asked twice for a chunk") }
                open[name] = (asked, now)
            case .store(let name, let bytes):
                guard Chunks.hash(bytes) == name, !arriving.contains(name) else {
                    fatalError("stores what it should not")
                }
                open[name] = nil
                arriving.append(name)
            case .distrust(let peer): open = open.filter { $0.value.peer != peer }
            case .send: break
            }
        }
        plan.checkInvariants()
        guard plan.askedCount <= ChunkExchangeLimits.asksMax else { fatalError("asks for too much") }
    }
}

/// What a supply may never do: give chunks to a peer that may have none, chunks that the peer did not ask for, or more than the bound.
private func trySupply(_ choices: inout Choices) {
    var supply = ChunkSupply<Int>()
    var (served, noted): (Set<Int>, Set<Int>) = ([], [])
    var here: Set<BlobHash> = []
    var loading: [Int: Set<BlobHash>] = [:]
    while !choices.isEmpty {
        let (deed, peer, number) = (choices.byte() % 7, choices.index(4), choices.index(Chunks.count))
        let chunk = Chunks.names[number]
        var effects: [ChunkSupply<Int>.Effect] = []
        switch deed {
        case 0:
            let isServed = choices.byte() % 2 == 0
            if noted.insert(peer).inserted, isServed { served.insert(peer) }
            supply.joined(peer, isServed: isServed)
        case 1:
            if noted.contains(peer) { served.insert(peer) }
            effects = supply.admitted(peer) { here.contains($0) }
        case 2:
            (served, noted, loading[peer]) = (served.subtracting([peer]), noted.subtracting([peer]), nil)
            supply.left(peer)
        case 3:
            let names = (number..<Chunks.count).map { Chunks.names[$0] }
            effects = supply.lacked(names, by: peer) { here.contains($0) }
        case 4:
            here.insert(chunk)
            effects = supply.stored([chunk])
        case 5: effects = supply.asked(chunk, by: peer)
        default:
            let isAsked = loading[peer]?.remove(chunk) != nil
            guard supply.sent(chunk, to: peer, isHere: here.contains(chunk)) == isAsked else {
                fatalError("gives what nobody asked for")
            }
        }
        for effect in effects {
            switch effect {
            case .send(.hold(let held), let told):
                guard served.contains(told), here.isSuperset(of: held) else { fatalError("tells what it should not") }
            case .send: fatalError("a supply says something else")
            case .load(let name, let asker):
                guard served.contains(asker), loading[asker, default: []].insert(name).inserted,
                    loading[asker]?.count ?? 0 <= ChunkExchangeLimits.servesPerPeer
                else { fatalError("loads for a peer that may have nothing, or too much") }
            }
        }
    }
}

/// Numbers one after the other: the input alone decides what happens.
private struct Counter: RandomNumberGenerator {
    private var count: UInt64 = 0

    mutating func next() -> UInt64 {
        count += 1
        return count
    }
}
