import Attachments
import ChangeLog
import DeltaCRDT

/// When chunks of photos leave for one mailbox. They are read from the disk for one block at a time.
struct ChunkOutbox: Sendable {
    /// A chunk that somebody lacks and the mailbox has not.
    struct Wish: Hashable, Sendable {
        let chunk: BlobHash
        /// Under which it is put.
        let epoch: Bytes16
        /// Whether this device attached the photo: its preview leaves at once, for the first time.
        let isOwn: Bool
        /// The device that wants it; nil for a preview that goes with its change.
        let wanter: ReplicaID?
    }

    /// The chunks of one block.
    struct Batch: Sendable {
        let epoch: Bytes16
        fileprivate(set) var chunks: [(hash: BlobHash, bytes: [UInt8])] = []
        fileprivate var awaited: Set<BlobHash>
        fileprivate let until: UInt64

        var isWhole: Bool { awaited.isEmpty }
    }

    private(set) var batch: Batch?
    /// When what others may put too leaves.
    private var othersAt: UInt64?
    /// Own previews that left.
    private var given: Set<BlobHash> = []
    /// What was put for each device that wanted it.
    var wanted = HourlyAllowance()
    /// Since when chunks are counted that this node put, and how many there are.
    private var minuteBegun: UInt64 = 0
    private var countOfMinute = 0
    /// Whether the mailbox has as much of previews, or of other pictures, as it may have.
    var isFull = false

    private static let minute: UInt64 = 60_000

    /// The wishes that are fulfilled now: their chunks are to be read from the disk, and said to be `loaded`.
    ///
    /// - Parameters:
    ///   - wishes: the most urgent first.
    ///   - losses: how many own blocks the mailbox lost.
    mutating func due(
        _ wishes: [Wish], losses: Int, at now: UInt64, under limits: MailboxLimits,
        using generator: inout some RandomNumberGenerator
    ) -> [Wish] {
        if now >= minuteBegun + Self.minute { (minuteBegun, countOfMinute) = (now, 0) }
        if wishes.allSatisfy(isNews) {
            othersAt = nil
        } else if othersAt == nil {
            othersAt = now + limits.chunkDelay.draw(using: &generator) << UInt64(losses)
        }
        guard batch == nil else { return [] }
        let isOthersTurn = othersAt.map { $0 <= now } ?? false
        let ready = wishes.filter { isNews($0) || isOthersTurn }
        let room = min(MailboxBlock.chunksMax, limits.chunksPerMinute - countOfMinute)
        guard let first = ready.first, room > 0 else { return [] }
        var chosen: [Wish] = []
        var chunks: Set<BlobHash> = []
        for wish in ready where wish.epoch == first.epoch && chosen.count < room {
            if chunks.insert(wish.chunk).inserted { chosen.append(wish) }
        }
        countOfMinute += chosen.count
        given.formUnion(chosen.filter(\.isOwn).map(\.chunk))
        batch = Batch(epoch: first.epoch, awaited: chunks, until: now + limits.patience)
        return chosen
    }

    /// Gives up chunks that the disk has not said for too long, or that found no place in the mailbox.
    mutating func expire(at now: UInt64) { if let batch, batch.until <= now { self.batch = nil } }

    private func isNews(_ wish: Wish) -> Bool { wish.isOwn && !given.contains(wish.chunk) }

    /// Takes in what the disk has of a chunk.
    mutating func loaded(_ chunk: BlobHash, _ bytes: [UInt8]?) {
        guard batch?.awaited.remove(chunk) != nil else { return }
        if let bytes, !bytes.isEmpty, bytes.count <= Blob.chunkSize { batch?.chunks.append((chunk, bytes)) }
    }

    /// The chunks of a block that is to be put now.
    mutating func takeBatch() -> Batch? {
        guard let batch, batch.isWhole else { return nil }
        self.batch = nil
        return batch
    }

    /// When something is due that nothing else brings; listings bring the rest.
    func deadline(after now: UInt64) -> UInt64? {
        [othersAt, batch?.until].compactMap { $0 }.filter { $0 > now }.min()
    }

    func checkInvariants() {
        guard let batch else { return }
        precondition(
            batch.chunks.count + batch.awaited.count <= MailboxBlock.chunksMax
                && batch.chunks.allSatisfy { !batch.awaited.contains($0.hash) },
            "a block has \(batch.chunks.count) chunks and awaits \(batch.awaited.count)")
    }
}
