package import Attachments
import ChangeLog

// Photos in sessions. Each side says which chunks it lacks, receives which of them the peer has, and requests one chunk after
// the other. Changes never wait for more than the requested chunk.
extension SyncNode {
    /// Begins to exchange chunks in a session, in both directions with a member. For others, it notes what they lack, because they
    /// may turn out to be members.
    mutating func exchangeChunks(on id: ConnectionID) {
        guard let index = table.index(of: id) else { return }
        guard table[at: index].isWithMember else { return photos.supply.joined(id, isServed: false) }
        photos.supply.joined(id)
        let here = photos.here
        perform(photos.supply.admitted(id) { here.contains($0) })
        for case .send(let message, let peer) in photos.fetching.joined(id, at: now.monotonic) {
            send(.blob(message), on: peer)
        }
    }

    mutating func received(
        _ message: BlobMessage, from session: ContributingSession, using generator: inout some RandomNumberGenerator
    ) {
        let id = session.id
        switch message {
        case .lack(let chunks):
            let here = photos.here
            perform(photos.supply.lacked(chunks, by: id) { here.contains($0) })
        case .ask(let chunk):
            // What nothing refers to is nobody's to ask for.
            if photos.here.contains(chunk) {
                perform(photos.supply.asked(chunk, by: id))
            } else if case .member = session {
                // It is told when the chunk is here again.
                perform(photos.supply.lacked([chunk], by: id) { _ in false })
                send(.blob(.chunk(chunk, [])), on: id)
            }
        case .hold(let chunks):
            perform(photos.fetching.held(chunks, by: id, at: now.monotonic, using: &generator))
        case .chunk(let chunk, let bytes):
            let cryptography = cryptography
            perform(
                photos.fetching.received(
                    chunk, bytes, from: id, at: now.monotonic,
                    hash: { BlobHash(cryptography.hash($0)) }, using: &generator))
        }
    }

    mutating func learned(_ news: ChunkNews, using generator: inout some RandomNumberGenerator) {
        switch news {
        case .here(let chunks):
            photos.here.formUnion(chunks)
            perform(photos.fetching.forget(chunks, at: now.monotonic, using: &generator))
            perform(photos.supply.stored(chunks))
            mailboxes.areHere(chunks)
        case .wanted(let chunks):
            let lacked = chunks.filter { !photos.here.contains($0.0) }
            perform(photos.fetching.want(lacked, at: now.monotonic, using: &generator))
            wantFromMailboxes(lacked.map(\.0), using: &generator)
        case .previews(let previews):
            photos.note(previews)
            mailboxes.touch()
        case .gone(let chunks):
            photos.here.subtract(chunks)
            perform(photos.fetching.forget(chunks, at: now.monotonic, using: &generator))
        case .stored(let chunk):
            // What was forgotten meanwhile is given to nobody.
            guard photos.fetching.wants(chunk) else { return }
            // It may have been forgotten, wanted again and asked for since.
            perform(photos.fetching.forget([chunk], at: now.monotonic, using: &generator))
            photos.here.insert(chunk)
            perform(photos.supply.stored([chunk]))
        case .notStored(let chunk):
            photos.fetching.notStored(chunk, at: now.monotonic)
            mailboxes.readAgain(notStored: chunk, at: now.monotonic, under: limits.mailbox)
        case .loaded(let chunk, let bytes, let reader):
            if bytes == nil { photos.here.remove(chunk) }
            loaded(chunk, bytes, for: reader)
        }
    }

    private mutating func loaded(_ chunk: BlobHash, _ bytes: [UInt8]?, for reader: ChunkReader) {
        switch reader {
        case .peer(let id):
            guard photos.supply.sent(chunk, to: id, isHere: bytes != nil) else { return }
            if bytes != nil { photos.sentCount += 1 }
            send(.blob(.chunk(chunk, bytes ?? [])), on: id)
        case .mailbox(let prefix): mailboxes.loaded(chunk, bytes, for: prefix)
        }
    }

    /// What time and ended sessions bring.
    mutating func fetchDue(using generator: inout some RandomNumberGenerator) {
        for id in photos.takeGone() {
            perform(photos.fetching.left(id, at: now.monotonic, using: &generator))
        }
        guard let deadline = photos.deadline, deadline <= now.monotonic else { return }
        perform(photos.fetching.woke(at: now.monotonic, using: &generator))
    }

    private mutating func perform(_ effects: [ChunkSupply<ConnectionID>.Effect]) {
        for effect in effects {
            switch effect {
            case .send(let message, let id): send(.blob(message), on: id)
            case .load(let chunk, let id): turn.effects.append(.loadChunk(chunk, for: .peer(id)))
            }
        }
    }

    mutating func perform(_ effects: [FetchPlan<ConnectionID>.Effect]) {
        for effect in effects {
            switch effect {
            case .send(let message, let id): send(.blob(message), on: id)
            case .store(let chunk, let bytes):
                photos.receivedCount += 1
                turn.effects.append(.storeChunk(chunk, bytes))
            case .distrust(let id):
                turn.effects.append(.notice(.misbehaved(.forgedChunk, table[id]?.device)))
                end(id)
            }
        }
    }

    // MARK: - What people may ask

    /// The members who are here and said that they have a chunk which is not.
    package func holders(of chunk: BlobHash) -> [SessionStatus] {
        photos.fetching.holders(of: chunk).compactMap { id in
            table[id].flatMap { session in session.device.map { SessionStatus(device: $0, address: session.address) } }
        }
    }
}

extension BlobHash {
    init(_ hash: Bytes32) {
        // Both have 32 bytes.
        self.init(bytes: hash.bytes)!
    }
}
