import Attachments
import ChangeLog
import DeltaCRDT

// Photos in a mailbox: the preview of each goes with the change that attached it, and what somebody looks at is put when a letter
// wants it. A chunk is named by its hash, so nobody is trusted with one.
extension MailboxDesk {
    /// What this device wants to be put, the latest wish first.
    func chunksWanted(in context: MailboxContext) -> [BlobHash] {
        let sought = context.photos.fetching.sought(limit: MailboxLetter.wantsMax)
        guard !sought.isEmpty else { return [] }
        let there = catalogue.chunks(of: readSlots(under: context.limits.mailbox))
        return sought.filter { there[$0] == nil }
    }

    /// Notes the chunks of a block. It may come before the change that names what is in it, so names are remembered.
    mutating func take(
        _ chunks: [[UInt8]], boxedAt have: [Bytes32]?, _ key: BlockCatalogue.Key, in context: MailboxContext
    ) -> MailboxNews {
        let named = chunks.map { (hash: BlobHash(context.cryptography.hash($0)), bytes: $0) }
        let sizes = named.map { BlockCatalogue.Chunk(hash: $0.hash, size: $0.bytes.count) }
        let hasRoom = hasRoom(forChunks: named.count, in: context)
        catalogue.note(key, hasRoom ? .read(BlockCatalogue.Contents(chunks: sizes, boxedAt: have)) : .forgotten)
        return .chunks(named)
    }

    private mutating func hasRoom(forChunks count: Int, in context: MailboxContext) -> Bool {
        let limits = context.limits.mailbox
        if catalogue.hasRoom(forChunks: count, under: limits) { return true }
        catalogue.forgetChunks { !context.photos.here.contains($0) && !context.photos.fetching.wants($0) }
        return catalogue.hasRoom(forChunks: count, under: limits)
    }

    /// Puts chunks that others lack.
    /// - Returns: the request that puts a block, and the chunks that are to be read from the disk for the next one.
    mutating func postChunks(
        _ said: Correspondence, in context: MailboxContext,
        using generator: inout some RandomNumberGenerator
    ) -> (put: MailboxRequest?, loads: [BlobHash]) {
        chunks.expire(at: context.now)
        guard !context.photos.here.isEmpty else { return (nil, []) }
        let audiences = audiences(in: context)
        let put = putBatch(for: audiences, in: context, using: &generator)
        // One block at a time, so that letters don't wait.
        guard context.now >= outbox.retryAt, !outbox.puts.values.contains(where: { !$0.contents.chunks.isEmpty })
        else { return (put, []) }
        let wishes = wishes(of: audiences, said, in: context)
        let due = chunks.due(
            wishes, losses: catalogue.losses(at: context.now), at: context.now, under: context.limits.mailbox,
            using: &generator)
        for wish in due { if let wanter = wish.wanter { chunks.wanted.charge(1, to: wanter) } }
        return (put, due.map(\.chunk))
    }

    private mutating func putBatch(
        for audiences: [Audience], in context: MailboxContext, using generator: inout some RandomNumberGenerator
    ) -> MailboxRequest? {
        guard outbox.puts.count < context.limits.mailbox.putsMax,
            let batch = chunks.takeBatch(), !batch.chunks.isEmpty,
            let audience = audiences.first(where: { $0.epoch == batch.epoch }),
            let slot = writeSlot(of: batch.epoch), let keys = slots[slot]?.keys
        else { return nil }
        let have = audience.boxes == nil ? nil : context.durableHeads
        let block = MailboxBlock.seal(
            chunks: batch.chunks.map(\.bytes), in: slot, under: keys, to: audience.boxes, have: have ?? [],
            using: &generator, context.cryptography)
        guard let block else { return nil }
        let chunks = batch.chunks.map { BlockCatalogue.Chunk(hash: $0.hash, size: $0.bytes.count) }
        return put(block, in: slot, BlockCatalogue.Contents(chunks: chunks, isOwn: true, boxedAt: have), context)
    }

    /// The chunks that are here, that some device lacks and that don't lie in the mailbox for it: the previews of what some device
    /// isn't known to hold, and what letters want.
    private mutating func wishes(
        of audiences: [Audience], _ said: Correspondence, in context: MailboxContext
    ) -> [ChunkOutbox.Wish] {
        let (photos, limits) = (context.photos, context.limits.mailbox)
        let room = chunkRoom(in: context)
        chunks.isFull = room.previews <= 0 || room.pictures <= 0
        var wishes: [ChunkOutbox.Wish] = []
        for audience in audiences {
            let slots = readSlots(of: audience.epoch, under: limits)
            let there = chunksThere(in: slots, for: audience.readers, context)
            func isLacking(_ chunk: BlobHash) -> Bool {
                photos.here.contains(chunk) && there[chunk] == nil
                    && (photos.previewChunks.contains(chunk) ? room.previews : room.pictures) > 0
            }
            wishes += previewsLacking(audience, in: context, where: isLacking)
            for reader in audience.readers {
                var wants = said.wants(of: reader.replica).filter(isLacking)
                guard !wants.isEmpty else { continue }
                if audience.boxes != nil {
                    // Others can't read all that this one can.
                    let there = chunksThere(in: slots, for: [reader], context)
                    wants.removeAll { there[$0] != nil }
                }
                let rest = chunks.wanted.rest(of: limits.wantedPerHour, for: reader.replica, at: context.now)
                wishes += wants.prefix(rest).map {
                    ChunkOutbox.Wish(chunk: $0, epoch: audience.epoch, isOwn: false, wanter: reader.replica)
                }
            }
        }
        return wishes.filter(\.isOwn) + wishes.filter { !$0.isOwn }
    }

    /// The previews of photos whose changes lie in the mailbox for a device that isn't known to hold them.
    private func previewsLacking(
        _ audience: Audience, in context: MailboxContext, where isLacking: (BlobHash) -> Bool
    ) -> [ChunkOutbox.Wish] {
        let log = context.log
        let lacking = Set(audience.lacking)
        let known = audience.readers.map { context.knowledge(of: $0.replica).held }
        return context.photos.previews.compactMap { preview in
            guard isLacking(preview.chunk), let index = log.graph.index(of: preview.change),
                index < context.durableCount, !lacking.contains(index),
                known.contains(where: { !$0.contains(index, in: log.graph) })
            else { return nil }
            let isOwn = context.local.credentials(of: log.graph[index].change.replica) != nil
            return ChunkOutbox.Wish(chunk: preview.chunk, epoch: audience.epoch, isOwn: isOwn, wanter: nil)
        }
    }

    /// The chunks that lie in some slots where all of some devices can read them, or are on their way there, with their sizes.
    private func chunksThere(
        in slots: Set<MailboxSlot>, for readers: [Device], _ context: MailboxContext
    ) -> [BlobHash: Int] {
        let log = context.log
        let admissions = readers.compactMap { log.admission(of: $0.replica) }
        var there = catalogue.chunks(of: slots) { $0.isReadable(in: log, sinceAdmitted: admissions) }
        for (key, put) in outbox.puts
        where slots.contains(key.slot) && put.contents.isReadable(in: log, sinceAdmitted: admissions) {
            for chunk in put.contents.chunks { there[chunk.hash] = chunk.size }
        }
        return there
    }

    /// How many bytes of previews, and of other pictures, may still be put. What nothing refers to counts for neither.
    private func chunkRoom(in context: MailboxContext) -> (previews: Int, pictures: Int) {
        let (photos, limits) = (context.photos, context.limits.mailbox)
        var (previews, pictures) = (limits.previewBytesMax, limits.pictureBytesMax)
        for (chunk, size) in chunksThere(in: readSlots(under: limits), for: [], context) {
            if photos.previewChunks.contains(chunk) {
                previews -= size
            } else if photos.here.contains(chunk) || photos.fetching.wants(chunk) {
                pictures -= size
            }
        }
        return (previews, pictures)
    }
}
