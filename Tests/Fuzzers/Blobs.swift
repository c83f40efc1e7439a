import ChangeLog
import Sodium

@testable import Attachments

/// Manifests and messages of the exchange of chunks, as strangers' changes and members' sessions bring them; and a plan that
/// is told whatever they say.
func tryBlobs(_ bytes: [UInt8]) {
    var choices = Choices(bytes)
    switch choices.byte() % 4 {
    case 0: tryManifest(choices.everything())
    case 1:
        guard let hash = BlobHash(bytes: [UInt8](repeating: choices.byte(), count: 32)),
            let blob = Blob(choices.bytes() + [0], hash: { _ in hash }),
            let picture = Rendition(type: .jpeg, width: 1 + choices.index(256), height: 1, blob: blob)
        else { return }
        tryManifest(choices.altered(PhotoManifest(sharp: picture, card: picture, thumbnail: picture).bytes))
    case 2: tryMessage(choices.byte(), choices.everything())
    default: tryPlan(&choices)
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
    guard let sodium = try? SodiumCryptography() else { return }
    let hash = { (bytes: [UInt8]) in BlobHash(bytes: sodium.hash(bytes).bytes)! }
    let chunks = (0..<12 as Range<UInt8>).map { (name: hash([$0]), bytes: [$0]) }
    var plan = FetchPlan<Int>()
    var generator = Counter()
    var now: UInt64 = 0
    var stored: Set<BlobHash> = []
    var arriving: [BlobHash] = []
    var open: [BlobHash: (peer: Int, since: UInt64)] = [:]
    while !choices.isEmpty {
        let (deed, peer, chunk) = (choices.byte() % 9, choices.index(4), chunks[choices.index(12)])
        var effects: [FetchPlan<Int>.Effect] = []
        switch deed {
        case 0: effects = plan.want([(chunk.name, .card)], at: now, using: &generator)
        case 1: effects = plan.joined(peer, at: now)
        case 2:
            open = open.filter { $0.value.peer != peer }
            effects = plan.left(peer, at: now, using: &generator)
        case 3: effects = plan.held([chunk.name], by: peer, at: now, using: &generator)
        case 4, 5:
            let bytes = [chunk.bytes, [], [99]][choices.index(3)]
            if open[chunk.name]?.peer == peer { open[chunk.name] = nil }
            effects = plan.received(chunk.name, bytes, from: peer, at: now, hash: hash, using: &generator)
        case 6:
            guard !arriving.isEmpty else { continue }
            let name = arriving.removeFirst()
            if choices.byte() % 4 == 0 {
                plan.notStored(name, at: now)
            } else {
                stored.insert(name)
                plan.stored(name)
            }
        case 7:
            plan.forget([chunk.name])
            (open[chunk.name], stored) = (nil, stored.subtracting([chunk.name]))
            arriving.removeAll { $0 == chunk.name }
        default:
            now += UInt64(choices.byte()) * 1_000
            open = open.filter { $0.value.since + ExchangeLimits.askTime > now }
            effects = plan.woke(at: now, using: &generator)
        }
        for effect in effects {
            switch effect {
            case .send(.ask(let name), let asked):
                guard open[name] == nil, !arriving.contains(name) else { fatalError("asked twice for a chunk") }
                open[name] = (asked, now)
            case .store(let name, let bytes):
                guard hash(bytes) == name, !arriving.contains(name) else { fatalError("stores what it should not") }
                open[name] = nil
                arriving.append(name)
            case .distrust(let peer): open = open.filter { $0.value.peer != peer }
            case .send: break
            }
        }
        guard plan.askedCount <= ExchangeLimits.asksMax else { fatalError("asks for too much") }
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
