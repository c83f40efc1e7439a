import Attachments
import ChangeLog
import SyncEngine
import TripModel
import TripRules
import TripService
import TripStore

// Photos: their bytes lie in the chunk store, what they are made of in changes.
extension TripNode {
    /// A picture of a photo; nil where it is not here yet, and is then fetched before others.
    /// - Throws: where the item has no such photo.
    func picture(_ photo: PhotoID, of item: ItemID, _ size: PhotoManifest.Size) async throws(ServiceError)
        -> PictureFile?
    {
        guard let manifest = shown.trip.replica.photo(photo, of: item) else {
            throw ServiceError("this photo is no longer in the trip; see `caravan show`")
        }
        let (rendition, blob) = (manifest[size], manifest[size].blob)
        let missing: [BlobHash]
        do throws(StoreError) {
            switch try await chunks.blocking({ store throws(StoreError) in try store.reading(of: blob) }) {
            case .whole(let bytes): return PictureFile(type: rendition.type, bytes: bytes)
            case .missing(let names): missing = names
            }
        } catch { throw ServiceError(error) }
        let outcomes = photoDesk.missed(missing)
        carryOut(outcomes)
        if photoDesk.hasten(blob) || !outcomes.isEmpty { lookForPhotos() }
        return nil
    }

    /// Puts the photos of a request into the store, durably, before anything refers to them.
    ///
    /// - Returns: what each is made of, in their order.
    func keepPhotos(of request: TripRequest) async throws(ServiceError) -> [PhotoManifest] {
        let photos = request.photos
        guard !photos.isEmpty else { return [] }
        if let writingProblem { throw ServiceError(.unwritable, writingProblem) }
        let put: @Sendable (ChunkStore) throws(StoreError) -> [PhotoManifest] = { store throws(StoreError) in
            try store.put(photos)
        }
        do throws(StoreError) { return try await chunks.blocking(put) } catch {
            guard error.code == .tooLarge else { throw ServiceError(error) }
        }
        do throws(StoreError) {
            try await collectPhotos()
            return try await chunks.blocking(put)
        } catch { throw ServiceError(error) }
    }

    /// Removes the chunks of photos that no item has any more.
    private func collectPhotos() async throws(StoreError) {
        let kept = shown.trip.replica.photoChunks
        try await chunks.blocking { store throws(StoreError) in
            _ = try store.collect(keeping: kept, at: Now.current.wall / 1_000)
        }
    }

    // MARK: - Photos that others have

    /// The trip's photos are not what they were: what it refers to and is not here is asked for, and what came is shown.
    func lookForPhotos() {
        guard connectivity.network != nil, !isFinished, photoDesk.ask() else { return }
        Task { [weak self] in await self?.look() }
    }

    private func look() async {
        while !isFinished, let (known, looked) = photoDesk.begin() {
            do throws(StoreError) {
                let photos = shown.trip.replica.photos
                let (book, difference) = try await chunks.blocking { store throws(StoreError) in
                    // The store's room, but for what sealing adds.
                    try known.updated(
                        with: photos.map { ($0.item, $0.manifest) }, looked: looked, room: store.quota / 100 * 99,
                        in: store)
                }
                var hasMadeRoom = false
                if difference.urgentCount > 0 {
                    let bytes = difference.urgentCount * (Blob.chunkSize + ChunkStore.sealBytes)
                    let spare = book.spareChunks(of: photos, except: reader.ownPeople)
                    hasMadeRoom = try await chunks.blocking { store throws(StoreError) in
                        try store.makeRoom(for: bytes, removing: spare)
                    }
                }
                // From here on nothing else happens in between: what the desk knows is what the node was told.
                carryOut(photoDesk.found(book, difference, of: photos, hasMadeRoom: hasMadeRoom))
                if photoDesk.mustCollect(at: Now.current.monotonic) { try await collectPhotos() }
            } catch {
                if let pause = photoDesk.failed() {
                    Task { [weak self] in
                        try? await Task.sleep(for: .milliseconds(Int64(pause)))
                        await self?.resumeLooking()
                    }
                }
                return tellWatchers(.problem(error.message))
            }
        }
    }

    private func resumeLooking() {
        photoDesk.resume()
        lookForPhotos()
    }

    private func carryOut(_ outcomes: [PhotoDesk.Outcome]) {
        for outcome in outcomes {
            switch outcome {
            case .tell(let news): tell(.chunks(news))
            case .show(let items): tellWatchers(.pictures(items))
            }
        }
    }

    // MARK: - What the protocol asks for

    func storeChunk(_ chunk: BlobHash, _ bytes: [UInt8]) {
        Task { [weak self, chunks] in
            var failure: StoreError?
            do throws(StoreError) {
                let isWhole = try await chunks.blocking { store throws(StoreError) in
                    try store.put(chunk: bytes, named: chunk, at: Now.current.wall / 1_000)
                }
                assert(isWhole, "what is stored was checked")
            } catch { failure = error }
            await self?.stored(chunk, failure)
        }
    }

    private func stored(_ chunk: BlobHash, _ failure: StoreError?) {
        guard !isFinished else { return }
        guard let failure else { return carryOut(photoDesk.stored(chunk)) }
        tellWatchers(.problem(failure.message))
        tell(.chunks(.notStored(chunk)))
        // Room may be made for it before it is asked for again.
        lookForPhotos()
    }

    func loadChunk(_ chunk: BlobHash, for reader: ChunkReader) {
        Task { [weak self, chunks] in
            let bytes = try? await chunks.blocking { store throws(StoreError) in try store.chunk(chunk) }
            await self?.loaded(chunk, bytes, for: reader)
        }
    }

    private func loaded(_ chunk: BlobHash, _ bytes: [UInt8]?, for reader: ChunkReader) {
        guard !isFinished else { return }
        tell(.chunks(.loaded(chunk, bytes, for: reader)))
        guard bytes == nil else { return }
        photoDesk.lost(chunk)
        lookForPhotos()
    }

    /// What is not here of the trip's photos, and who of those here has it. O(items).
    var photosStatus: StatusView.PhotosStatus? {
        let missing = photoDesk.book.missing(of: shown.trip.replica.photos.map(\.manifest))
        guard missing.count > 0 else { return nil }
        return .init(
            missing: missing.count, withoutRoom: missing.withoutRoom,
            holders: reader.holders(of: photoDesk.book.missingChunks))
    }
}

extension TripRequest {
    /// The photos that it brings, in their order.
    fileprivate var photos: [NewPhoto] {
        switch self {
        case .add(let items, _), .addList(_, _, let items, _): items.flatMap(\.photos)
        case .attach(_, let photos): photos
        case .asGuest(_, let request), .step(_, let request): request.photos
        default: []
        }
    }
}
