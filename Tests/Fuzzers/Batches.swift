import Convergence

@testable import ChangeLog

/// Batches in which a change's own signature need not hold, because a later one of its log vouches for it: who takes them
/// passes them on, and whoever is sent them takes them too.
func tryBatches(_ choices: inout Choices) {
    let die = choices.die(60)
    let size = 2 + die % 4
    let isAtOnce = die / 4 % 3 == 0
    var forge = Forge(group: .shared)
    var replica = Replayed.group
    var listener = Listener(group: .shared, countMax: size, bytesMax: die / 12 == 0 ? 600 : 1 << 20)
    var steps = 0
    while !choices.isEmpty, steps < 24 {
        let batch = forge.anyBatch(&choices, of: size, by: replica, &steps)
        listener.mayHear(batch)
        let received = forge.receive(batch)
        replica.take(received, of: forge.log)
        if received.isRebuilt { listener.relearn(from: &forge.log) }
        if isAtOnce { listener.hear(&forge.log) }
    }
    guard forge.hasGrown else { return }
    listener.hear(&forge.log)
    forge.expectTheSameCounts(in: listener.log, replica)
    guard die / 12 < 2 else { return }
    // What was passed on can be passed on again.
    var last = listener
    last.beginAnew(with: Group.shared.log)
    last.hear(&listener.log)
    forge.expectTheSameCounts(in: last.log, replica)
    forge.expectTheSameInOneBatch(replica)
}

extension Forge {
    /// Changes each on top of those before it, as many as a batch holds, of which some have a signature of another.
    mutating func anyBatch(
        _ choices: inout Choices, of size: Int, by replica: Replayed, _ steps: inout Int
    ) -> [[UInt8]] {
        var draft = self
        var batch: [(sealed: [UInt8], change: SignedChange?, isUnsound: Bool)] = []
        repeat {
            steps += 1
            let sealed = draft.anySealed(&choices, by: replica)
            let isTaken = draft.receive([sealed]).places.count == 1
            guard isTaken || choices.byte() % 8 == 1 else { continue }
            let change = isTaken ? draft.log.changes[draft.log.changes.count - 1] : nil
            batch.append((sealed, change, choices.byte() % 2 == 1))
        } while !choices.isEmpty && choices.byte() % 8 != 0 && batch.count < size
        let followed = Set(batch.compactMap { $0.change?.change.previous })
        return batch.map { sealed, change, isUnsound in
            guard let change, isUnsound, followed.contains(change.hash) || choices.byte() % 8 == 1,
                let id = SignedChange.epochID(ofSealed: sealed), let epoch = draft.log.epoch(id: id)
            else { return sealed }
            let author = group.people.firstIndex { $0.device.replica == change.change.replica } ?? 0
            return self.sealed(change.change.encoding, by: (author + 1) % group.people.count, epoch)
        }
    }

    /// In one batch, whatever vouches for a change comes with it.
    func expectTheSameInOneBatch(_ replica: Replayed) {
        var other = group.log
        for epoch in log.epochs { other.offerEpoch(secret: epoch.secret) }
        let batch = pastOfEpochs.sorted().map { log.changes[$0].sealed } + takenInAnotherOrder
        if let refusal = other.receive(batch).refusal { fatalError("taken here, refused there: \(refusal)") }
        _ = other.adoptEpochs()
        expectTheSameCounts(in: other, replica)
    }

    /// The changes that tell of epochs, and their pasts: before what is sealed for an epoch, one has heard of it.
    private var pastOfEpochs: Set<Int> {
        var places: Set<Int> = []
        for place in log.changes.indices.reversed() {
            let change = log.changes[place].change
            switch change.body {
            case .membership(.remove), .membership(.beginEpoch), .membership(.grant): places.insert(place)
            default: break
            }
            guard places.contains(place) else { continue }
            places.formUnion((change.heads + [change.previous].compactMap { $0 }).compactMap { log.place(of: $0) })
        }
        return places
    }
}

/// A node that holds what another sends it, and nothing else of what is new.
struct Listener {
    var log: TripLog
    private var knowledge = PeerKnowledge()
    private var cursor = 0
    private let countMax: Int
    private let bytesMax: Int
    /// The bytes of the longest message that any of this may have come in.
    private var bytesHeard = 0

    init(group: Group, countMax: Int, bytesMax: Int) {
        self.countMax = countMax
        self.bytesMax = bytesMax
        log = group.log
        beginAnew(with: log)
    }

    mutating func beginAnew(with log: TripLog) {
        self.log = log
        cursor = 0
        knowledge = PeerKnowledge()
        knowledge.learnAll(before: log.changes.count, in: log)
    }

    mutating func mayHear(_ batch: [[UInt8]]) { bytesHeard = max(bytesHeard, batch.reduce(0) { $0 + $1.count }) }

    /// As a session does when names or what is kept were derived anew.
    mutating func relearn(from other: inout TripLog) {
        let keptAgain = other.takeKeptAgain()
        knowledge.relearn(in: other, keptAgain: keptAgain)
        cursor = min(cursor, keptAgain.min() ?? .max)
    }

    /// Is sent all that it lacks, as a session sends it.
    mutating func hear(_ other: inout TripLog) {
        for epoch in other.epochs { log.offerEpoch(secret: epoch.secret) }
        while cursor < other.changes.count {
            let batch = other.nextBatch(
                from: max(cursor, knowledge.prefix), to: other.changes.count, lackedBy: knowledge, witness: nil,
                countMax: countMax, bytesMax: bytesMax)
            cursor = batch.cursor
            other.note(batch.places, heldBy: &knowledge)
            let sealed = batch.places.map { other.changes[$0].sealed }
            guard sealed.count <= countMax else { fatalError("more changes than a message holds") }
            guard sealed.reduce(0, { $0 + $1.count }) <= max(bytesMax, bytesHeard) || sealed.count == 1 else {
                fatalError("more bytes than a message holds")
            }
            let refusal = log.receive(sealed).refusal
            _ = log.adoptEpochs()
            if let refusal { fatalError("taken here, refused there: \(refusal)") }
        }
    }
}
