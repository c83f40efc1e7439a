import Attachments
package import ChangeLog
import DeltaCRDT

// Photos in a mailbox: the preview of each goes with the change that attached it, and what somebody looks at is put when a letter
// wants it. A chunk is named by its hash, so nobody is trusted with one.
extension SyncNode {
    /// What this device wants to be put, the latest wish first.
    func chunksWanted(at index: Int) -> [BlobHash] {
        let desk = mailboxes.desks[index]
        let sought = photos.fetching.sought(limit: MailboxLetter.wantsMax)
        guard !sought.isEmpty else { return [] }
        let there = desk.catalogue.chunks(of: desk.readSlots(under: limits.mailbox))
        return sought.filter { there[$0] == nil }
    }

    /// Takes chunks out of a block: those that are wanted. A block may come before the change that names what is in it, so names are
    /// remembered.
    mutating func take(_ chunks: [[UInt8]], boxedAt have: [Bytes32]?, _ key: BlockCatalogue.Key, at index: Int) {
        let named = chunks.map { BlockCatalogue.Chunk(hash: BlobHash(cryptography.hash($0)), size: $0.count) }
        let hasRoom = hasRoom(forChunks: named.count, at: index)
        mailboxes.desks[index].catalogue.note(
            key, hasRoom ? .read(BlockCatalogue.Contents(chunks: named, boxedAt: have)) : .forgotten)
        for (chunk, bytes) in zip(named, chunks) {
            if photos.fetching.wants(chunk.hash) {
                perform(photos.fetching.came(chunk.hash, bytes))
            } else if !photos.here.contains(chunk.hash) {
                mailboxes.unclaimed.hold(chunk.hash, bytes, max: limits.mailbox.unclaimedMax)
            }
        }
    }

    private mutating func hasRoom(forChunks count: Int, at index: Int) -> Bool {
        if mailboxes.desks[index].catalogue.hasRoom(forChunks: count, under: limits.mailbox) { return true }
        let photos = photos
        mailboxes.desks[index].catalogue.forgetChunks { !photos.here.contains($0) && !photos.fetching.wants($0) }
        return mailboxes.desks[index].catalogue.hasRoom(forChunks: count, under: limits.mailbox)
    }

    /// Some chunks are wanted from now on, which a mailbox may have.
    mutating func wantFromMailboxes(_ chunks: [BlobHash]) {
        guard !mailboxes.desks.isEmpty, !chunks.isEmpty else { return }
        photos.fetching.prefer(chunks.filter { mailboxes.ownWants.contains($0) })
        var chunks = Set(chunks)
        for (chunk, bytes) in mailboxes.unclaimed.take(chunks) {
            perform(photos.fetching.came(chunk, bytes))
            chunks.remove(chunk)
        }
        for index in mailboxes.desks.indices {
            mailboxes.desks[index].catalogue.readAgain(holding: chunks)
            mailboxes.desks[index].catalogue.readAgain { if case .forgotten = $0 { true } else { false } }
        }
        mailboxes.isTouched = true
    }

    /// The disk did not take a chunk, which a mailbox may have brought.
    mutating func readAgain(notStored chunk: BlobHash) {
        for index in mailboxes.desks.indices {
            mailboxes.desks[index].catalogue.readAgain(
                holding: [chunk], notBefore: now.monotonic + limits.mailbox.retryDelayMax)
        }
    }

    /// Puts chunks that others lack.
    mutating func postChunks(at index: Int, using generator: inout some RandomNumberGenerator) {
        guard !photos.here.isEmpty else { return }
        let audiences = audiences(at: index)
        putBatch(for: audiences, at: index, using: &generator)
        let outbox = mailboxes.desks[index].outbox
        // One block at a time, so that letters don't wait.
        guard now.monotonic >= outbox.retryAt, !outbox.puts.values.contains(where: { !$0.contents.chunks.isEmpty })
        else { return }
        let due = mailboxes.desks[index].chunks.due(
            wishes(of: audiences, at: index), losses: mailboxes.desks[index].catalogue.losses(at: now.monotonic),
            at: now.monotonic,
            under: limits.mailbox, using: &generator)
        for wish in due {
            if let wanter = wish.wanter { mailboxes.desks[index].chunks.wanted.charge(1, to: wanter) }
            turn.effects.append(.loadChunk(wish.chunk, for: .mailbox(mailboxes.desks[index].prefix)))
        }
    }

    private mutating func putBatch(
        for audiences: [Audience], at index: Int, using generator: inout some RandomNumberGenerator
    ) {
        guard mailboxes.desks[index].outbox.puts.count < limits.mailbox.putsMax,
            let batch = mailboxes.desks[index].chunks.takeBatch(), !batch.chunks.isEmpty,
            let audience = audiences.first(where: { $0.epoch == batch.epoch }),
            let slot = mailboxes.desks[index].writeSlot(of: batch.epoch),
            let keys = mailboxes.desks[index].slots[slot]?.keys
        else { return }
        let have = audience.boxes == nil ? nil : durableHeads
        let block = MailboxBlock.seal(
            chunks: batch.chunks.map(\.bytes), in: slot, under: keys, to: audience.boxes, have: have ?? [],
            using: &generator, cryptography)
        guard let block else { return }
        let key = BlockCatalogue.Key(slot: slot, name: BlockName(cryptography.hash(block)))
        let chunks = batch.chunks.map { BlockCatalogue.Chunk(hash: $0.hash, size: $0.bytes.count) }
        mailboxes.desks[index].outbox.put(
            key, contents: BlockCatalogue.Contents(chunks: chunks, isOwn: true, boxedAt: have), said: nil, to: nil,
            until: now.monotonic + limits.mailbox.patience)
        turn.effects.append(.mailbox(.put(key.name, slot, block)))
    }

    /// The chunks that are here, that some device lacks and that don't lie in the mailbox for it: the previews of what some device
    /// isn't known to hold, and what letters want.
    private mutating func wishes(of audiences: [Audience], at index: Int) -> [ChunkOutbox.Wish] {
        let room = chunkRoom(at: index)
        mailboxes.desks[index].chunks.isFull = room.previews <= 0 || room.pictures <= 0
        var wishes: [ChunkOutbox.Wish] = []
        for audience in audiences {
            let slots = mailboxes.desks[index].readSlots(of: audience.epoch, under: limits.mailbox)
            let there = chunksThere(in: slots, for: audience.readers, at: index)
            func isLacking(_ chunk: BlobHash) -> Bool {
                photos.here.contains(chunk) && there[chunk] == nil
                    && (photos.previewChunks.contains(chunk) ? room.previews : room.pictures) > 0
            }
            wishes += previewsLacking(audience, where: isLacking)
            for reader in audience.readers {
                var wants = (mailboxes.correspondents[reader.replica]?.wants ?? []).filter(isLacking)
                guard !wants.isEmpty else { continue }
                if audience.boxes != nil {
                    // Others can't read all that this one can.
                    let there = chunksThere(in: slots, for: [reader], at: index)
                    wants.removeAll { there[$0] != nil }
                }
                let rest = mailboxes.desks[index].chunks.wanted.rest(
                    of: limits.mailbox.wantedPerHour, for: reader.replica, at: now.monotonic)
                wishes += wants.prefix(rest).map {
                    ChunkOutbox.Wish(chunk: $0, epoch: audience.epoch, isOwn: false, wanter: reader.replica)
                }
            }
        }
        return wishes.filter(\.isOwn) + wishes.filter { !$0.isOwn }
    }

    /// The previews of photos whose changes lie in the mailbox for a device that isn't known to hold them.
    private func previewsLacking(
        _ audience: Audience, where isLacking: (BlobHash) -> Bool
    ) -> [ChunkOutbox.Wish] {
        let lacking = Set(audience.lacking)
        let known = audience.readers.map { knowledge(of: $0.replica).held }
        return photos.previews.compactMap { preview in
            guard isLacking(preview.chunk), let place = log.graph.place(of: preview.change),
                place < replication.durableCount, !lacking.contains(place),
                known.contains(where: { !$0.contains(place, in: log.graph) })
            else { return nil }
            let isOwn = local.credentials(of: log.graph[place].change.replica) != nil
            return ChunkOutbox.Wish(chunk: preview.chunk, epoch: audience.epoch, isOwn: isOwn, wanter: nil)
        }
    }

    /// The chunks that lie in some slots where all of some devices can read them, or are on their way there, with their sizes.
    private func chunksThere(in slots: Set<MailboxSlot>, for readers: [Device], at index: Int) -> [BlobHash: Int] {
        let admissions = readers.compactMap { log.admission(of: $0.replica) }
        var there = mailboxes.desks[index].catalogue.chunks(of: slots) { isReadable($0, sinceAdmitted: admissions) }
        for (key, put) in mailboxes.desks[index].outbox.puts
        where slots.contains(key.slot) && isReadable(put.contents, sinceAdmitted: admissions) {
            for chunk in put.contents.chunks { there[chunk.hash] = chunk.size }
        }
        return there
    }

    /// How many bytes of previews, and of other pictures, may still be put. What nothing refers to counts for neither.
    private func chunkRoom(at index: Int) -> (previews: Int, pictures: Int) {
        var (previews, pictures) = (limits.mailbox.previewBytesMax, limits.mailbox.pictureBytesMax)
        let slots = mailboxes.desks[index].readSlots(under: limits.mailbox)
        for (chunk, size) in chunksThere(in: slots, for: [], at: index) {
            if photos.previewChunks.contains(chunk) {
                previews -= size
            } else if photos.here.contains(chunk) || photos.fetching.wants(chunk) {
                pictures -= size
            }
        }
        return (previews, pictures)
    }

    /// Whether a mailbox has as many bytes of photos as are put there.
    package func hasNoRoomForPhotos(_ prefix: Bytes16) -> Bool {
        mailboxes.index(of: prefix).map { mailboxes.desks[$0].chunks.isFull } ?? false
    }
}
