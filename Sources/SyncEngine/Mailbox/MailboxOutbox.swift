import Attachments
import ChangeLog
import DeltaCRDT

/// When letters leave for one mailbox.
struct MailboxOutbox: Sendable {
    /// Changes that others lack and the mailbox doesn't have, as far as known here.
    struct Lack: Hashable, Sendable {
        var bytes = 0
        /// Whether any of it was written here and never put.
        var isOwnNews = false
        /// The last change written here. It grows while a person continues to write.
        var lastOwn = -1

        var isEmpty: Bool { bytes == 0 }
    }

    enum Answer: Hashable, Sendable {
        case nothing
        /// Put the missing changes.
        case changes
        /// Put a letter without changes, as a receipt and for wanted chunks.
        case receipt
    }

    /// What a letter says of its author.
    struct Said: Sendable {
        var have: Set<Bytes32> = []
        var damaged: Set<BlockName> = []
        var wants: Set<BlobHash> = []
    }

    /// A block that the mailbox has not answered yet.
    struct Put: Sendable {
        let contents: BlockCatalogue.Contents
        /// Nil for a block that says nothing of its author.
        let said: Said?
        /// The epoch under which it is read.
        let epoch: Bytes16?
        let until: UInt64
    }

    /// The content of the last letter to the readers of an epoch.
    struct Told: Sendable {
        let said: Said
        let time: Int64
        let key: BlockCatalogue.Key
    }

    private(set) var puts: [BlockCatalogue.Key: Put] = [:]
    /// When own changes leave at the latest, and when they leave if nothing else is written.
    private var quietUntil: UInt64?
    private var cutBy: UInt64?
    private var lastOwn = -1
    /// When blocks leave that others may put too.
    private var relayAt: UInt64?
    private var haveAt: UInt64?
    /// When a letter with wanted chunks leaves.
    private var wantsAt: UInt64?
    /// If more changes are missing than one letter holds, the next letter follows at once.
    private var isEmptying = false
    private(set) var retryAt: UInt64 = 0
    private var failures = 0
    private(set) var liveUntil: UInt64 = 0
    /// Indices below it were put by this process, or need not be.
    private(set) var putEnd = 0
    /// The content of the last letters that the mailbox took, by the epochs under which they are read.
    private(set) var told: [Bytes16: Told] = [:]
    private(set) var isFull = false
    /// Devices whose letters of their removal could not be put: in a slot that they may have filled themselves.
    private var tellingRetryAt: [ReplicaID: UInt64] = [:]

    /// Another node put a block while this node was online.
    mutating func heardSomebody(at now: UInt64, under limits: MailboxLimits) { liveUntil = now + limits.liveDuration }

    /// The mailbox has lost some letters.
    mutating func forgetTold(where isLost: (BlockCatalogue.Key) -> Bool) {
        told = told.filter { !isLost($0.value.key) }
    }

    /// Whether a device may be sent its removal now, because no attempt failed lately.
    func mayTell(_ device: ReplicaID, at now: UInt64) -> Bool { tellingRetryAt[device].map { $0 <= now } ?? true }

    /// Whether a letter would tell the readers of an epoch anything new.
    func owes(_ said: Said, to epoch: Bytes16) -> Bool {
        guard let told = told[epoch]?.said else { return true }
        return told.have != said.have || told.wants != said.wants || !told.damaged.isSuperset(of: said.damaged)
    }

    /// What is to be done now.
    ///
    /// - Parameters:
    ///   - said: what a letter would say now.
    ///   - epochs: those under which somebody reads it.
    ///   - losses: how many own blocks the mailbox lost.
    mutating func due(
        _ lack: Lack, said: Said, to epochs: [Bytes16], losses: Int, at now: UInt64, under limits: MailboxLimits,
        using generator: inout some RandomNumberGenerator
    ) -> Answer {
        for key in puts.filter({ $0.value.until <= now }).keys.sorted() { answered(key, .failed, at: now, limits) }
        plan(lack, losses: losses, at: now, under: limits, using: &generator)
        planReceipt(said, to: epochs, at: now, under: limits, using: &generator)
        guard now >= retryAt, puts.count < limits.putsMax else { return .nothing }
        if !lack.isEmpty, isEmptying || [quietUntil, cutBy, relayAt].contains(where: { $0.map { $0 <= now } ?? false })
        {
            return .changes
        }
        return [haveAt, wantsAt].contains { $0.map { $0 <= now } ?? false } ? .receipt : .nothing
    }

    private mutating func planReceipt(
        _ said: Said, to epochs: [Bytes16], at now: UInt64, under limits: MailboxLimits,
        using generator: inout some RandomNumberGenerator
    ) {
        let owesHave = epochs.contains { owes(said, to: $0) }
        if !owesHave {
            haveAt = nil
        } else if haveAt == nil {
            haveAt = now + limits.haveDelay.draw(using: &generator)
        }
        // Somebody looks at a picture, or a preview did not come.
        if epochs.allSatisfy({ said.wants.isSubset(of: told[$0]?.said.wants ?? []) }) {
            wantsAt = nil
        } else if wantsAt == nil {
            wantsAt = now + limits.quiet.draw(using: &generator)
        }
    }

    private mutating func plan(
        _ lack: Lack, losses: Int, at now: UInt64, under limits: MailboxLimits,
        using generator: inout some RandomNumberGenerator
    ) {
        if lack.isEmpty {
            (quietUntil, cutBy, relayAt, isEmptying) = (nil, nil, nil, false)
            return
        }
        if lack.isOwnNews {
            if now < liveUntil || lack.bytes >= MailboxLetter.recordBytesMax {
                quietUntil = now
            } else if quietUntil == nil || lack.lastOwn > lastOwn {
                quietUntil = now + limits.quiet.draw(using: &generator)
            }
            cutBy = cutBy ?? now + limits.unquietMax
            lastOwn = lack.lastOwn
        } else if relayAt == nil {
            relayAt = now + limits.relayDelay.draw(using: &generator) << UInt64(losses)
        }
    }

    /// Notes that a block was handed to the mailbox.
    mutating func put(
        _ key: BlockCatalogue.Key, contents: BlockCatalogue.Contents, said: Said?, to epoch: Bytes16?, until: UInt64
    ) {
        puts[key] = Put(contents: contents, said: said, epoch: epoch, until: until)
        if said != nil { toldNow() }
    }

    /// Notes that what was lacking was put.
    /// - Parameter end: every index below was put, or was not lacking; nil where more is to follow.
    mutating func put(upTo end: Int?) {
        guard let end else {
            isEmptying = true
            return
        }
        putEnd = max(putEnd, end)
        (quietUntil, cutBy, relayAt, isEmptying) = (nil, nil, nil, false)
    }

    /// Nothing that is lacking can be put now.
    mutating func couldNotPut(at now: UInt64, under limits: MailboxLimits) { retryAt = now + limits.retryDelayMax }

    /// What is durable here was told, or could not be.
    mutating func toldNow() { (haveAt, wantsAt) = (nil, nil) }

    /// The node stops, so own changes and wanted chunks leave at once. A receipt leaves in a random half of the cases. So a node that
    /// never runs for long does not stay behind forever, and the end of a run does not always reveal a receipt.
    mutating func hurry(at now: UInt64, using generator: inout some RandomNumberGenerator) {
        if quietUntil != nil { quietUntil = now }
        if wantsAt != nil { wantsAt = now }
        if haveAt != nil, generator.next(upperBound: 2 as UInt64) == 0 { haveAt = now }
    }

    /// A letter of this device is in the mailbox since an earlier run.
    mutating func noteOwn(_ key: BlockCatalogue.Key, _ letter: MailboxLetter, to epoch: Bytes16) {
        guard told[epoch].map({ $0.time < letter.time }) ?? true else { return }
        told[epoch] = Told(said: Said(letter), time: letter.time, key: key)
    }

    /// Takes in what became of a block.
    /// - Returns: what it holds, where the mailbox has it by now.
    @discardableResult
    mutating func answered(
        _ key: BlockCatalogue.Key, _ outcome: MailboxPutOutcome, at now: UInt64, _ limits: MailboxLimits
    ) -> BlockCatalogue.Contents? {
        guard let put = puts.removeValue(forKey: key) else { return nil }
        if let told = put.contents.told, outcome != .stored {
            tellingRetryAt = tellingRetryAt.filter { $0.value > now }
            tellingRetryAt[told.device] = now + limits.fullDelay
            return nil
        }
        isFull = outcome == .full
        switch outcome {
        case .stored:
            failures = 0
            if let said = put.said, let epoch = put.epoch, let time = put.contents.time {
                told[epoch] = Told(said: said, time: time, key: key)
            }
            return put.contents
        case .full: retryAt = now + limits.fullDelay
        case .failed:
            retryAt = now + limits.retryDelay(after: failures)
            failures += 1
        }
        // It is lacking again, and follows as soon as it may.
        isEmptying = true
        return nil
    }

    func deadline(at now: UInt64) -> UInt64? {
        let wishes = [quietUntil, cutBy, relayAt, haveAt, wantsAt, isEmptying ? now : nil].compactMap { $0 }.min()
        let answers = puts.values.map(\.until).min()
        guard let wishes else { return answers }
        let next = max(wishes, retryAt)
        // Where as many are under way as may be, an answer comes first.
        return min(answers ?? .max, next > now ? next : answers ?? now + 1)
    }

    func checkInvariants(under limits: MailboxLimits) {
        precondition(puts.count <= limits.putsMax, "\(puts.count) blocks are being put; \(limits.putsMax) may be")
    }
}

extension MailboxOutbox.Said {
    init(_ letter: MailboxLetter) {
        self.init(have: Set(letter.have), damaged: Set(letter.damaged), wants: Set(letter.wants))
    }
}
