import SyncEngine

@testable import ChangeLog

/// Batches in which signatures do not hold: of each, just what stands before the first such is taken, and what is retained can
/// be passed on, in messages of any size.
func tryBatches(_ choices: inout Choices) {
    let die = choices.die(60)
    let size = 2 + die % 4
    let isPassedOnAtOnce = die / 4 % 3 == 0
    var forge = Forge(group: .shared)
    var replica = Replayed.group
    var listener = Listener(countMax: size, bytesMax: die / 12 == 0 ? 600 : 1 << 20)
    var steps = 0
    while !choices.isEmpty, steps < 24 {
        let batch = forge.anyBatch(&choices, of: size, by: replica, &steps)
        replica.take(forge.receive(batch), of: forge.log)
        if isPassedOnAtOnce { listener.hear(forge.log) }
    }
    guard forge.hasGrown else { return }
    forge.log.checkInvariants()
    listener.hear(forge.log)
    forge.expectTheSameShown(in: listener.log, replica, isPassedOn: true)
    // What was passed on can be passed on again.
    var last = Listener(countMax: size, bytesMax: 1 << 20)
    last.hear(listener.log)
    forge.expectTheSameShown(in: last.log, replica, isPassedOn: true)
}

extension Forge {
    /// Changes each on top of those before it, as many as a batch holds, of which some have a signature of another.
    fileprivate func anyBatch(
        _ choices: inout Choices, of size: Int, by replica: Replayed, _ steps: inout Int
    ) -> [[UInt8]] {
        var draft = self
        var batch: [[UInt8]] = []
        var soundCount = 0
        var isSound = true
        repeat {
            steps += 1
            let record = draft.anyRecord(&choices, by: replica)
            let received = draft.receive([record])
            // What a node holds is passed over, whatever signature comes with it.
            if received.refusal == nil, received.indices.count == 1, choices.byte() % 4 == 1 {
                isSound = false
                batch.append(signedByAnother(draft.log.graph.changes[draft.log.graph.count - 1]))
            } else {
                if received.refusal != nil { isSound = false }
                batch.append(record)
            }
            if isSound { soundCount = batch.count }
        } while !choices.isEmpty && choices.byte() % 8 != 0 && batch.count < size
        expectTaken(soundCount, of: batch)
        return batch
    }

    private func signedByAnother(_ signed: SignedChange) -> [UInt8] {
        let author = group.people.firstIndex { $0.device.replica == signed.change.replica } ?? 0
        return record(Array(signed.head.dropLast(64)), by: (author + 1) % group.people.count)
    }

    /// Of a batch, so many records are taken, as if they came one by one, and no more.
    private func expectTaken(_ count: Int, of batch: [[UInt8]]) {
        var (atOnce, oneByOne) = (self, self)
        let received = atOnce.receive(batch)
        guard (received.refusal == nil) == (count == batch.count) else {
            fatalError("\(count) of \(batch.count) hold: \(received)")
        }
        for record in batch.prefix(count) { _ = oneByOne.receive([record]) }
        let (left, right) = (atOnce.log, oneByOne.log)
        guard left.graph.changes.map(\.hash) == right.graph.changes.map(\.hash), left.heads == right.heads else {
            fatalError("a batch is more, or less, than its records")
        }
    }
}

/// A node that holds what another passes on to it, and nothing else of what is new.
private struct Listener {
    private(set) var log = Group.shared.log
    private var knowledge = PeerKnowledge()
    private var cursor = 0
    private var retentionVersion = 0
    private let countMax: Int
    private let bytesMax: Int

    init(countMax: Int, bytesMax: Int) {
        self.countMax = countMax
        self.bytesMax = bytesMax
    }

    /// Is sent all that it lacks, as a session sends it.
    mutating func hear(_ other: TripLog) {
        if other.retentionVersion != retentionVersion { (retentionVersion, cursor) = (other.retentionVersion, 0) }
        for tip in log.frontier.tips {
            if let index = other.graph.index(of: tip.hash) { knowledge.learn(index, in: other.graph) }
        }
        while cursor < other.graph.count {
            let batch = other.nextBatch(
                from: cursor, to: other.graph.count, lackedBy: knowledge, witness: nil, countMax: countMax,
                bytesMax: bytesMax)
            guard batch.cursor > cursor else { fatalError("nothing is sent") }
            cursor = batch.cursor
            for index in batch.indices { knowledge.learn(index, in: other.graph) }
            let records = batch.indices.map { other.graph.changes[$0].record }
            guard records.count <= countMax else { fatalError("more changes than a message holds") }
            guard records.count == 1 || records.reduce(0, { $0 + $1.count }) <= bytesMax else {
                fatalError("more bytes than a message holds")
            }
            if let refusal = log.receive(records).refusal { fatalError("taken here, refused there: \(refusal)") }
        }
        log.checkInvariants()
    }
}
