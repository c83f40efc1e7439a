import Attachments
import ChangeLog
import Foundation
import SyncEngine
import TripModel
import TripRules
import TripService
import TripStore

/// Looking for the photos' chunks in the store: one look at a time, and another one after it where something changed.
struct PhotoLooking: Sendable {
    var book = PhotoBook()
    fileprivate var isLooking = false
    fileprivate var mustLook = false
    /// What came while a look was under way.
    fileprivate var arrived: [BlobHash] = []
    /// Pictures that somebody looked at and that were not here, the latest first.
    fileprivate var looked: [Blob] = []
    fileprivate static let lookedMax = 16
    /// The thumbnails that the node was told of.
    fileprivate var previews: [ChunkPreview] = []
    /// When what is nowhere referred to was let go of last, by the monotonic clock.
    fileprivate var collected: UInt64?

    /// How often that is done, in milliseconds.
    fileprivate static let collectInterval: UInt64 = 3_600_000

    /// Nothing was told to the node that runs now.
    mutating func forgetTold() { (book, previews) = (PhotoBook(), []) }
}

// Photos that others have: what the trip refers to and is not here is asked for, and what came is shown.
extension TripNode {
    /// The trip's photos are not what they were.
    func lookForPhotos() {
        guard connectivity.network != nil, !isFinished else { return }
        photoLooking.mustLook = true
        guard !photoLooking.isLooking else { return }
        photoLooking.isLooking = true
        Task { [weak self] in await self?.look() }
    }

    /// Somebody looks at a picture that is not here: it goes to the head of what is fetched, and of what finds room.
    func hasten(_ blob: Blob) {
        guard photoLooking.looked.first != blob else { return }
        photoLooking.looked = Array(
            ([blob] + photoLooking.looked.filter { $0 != blob }).prefix(PhotoLooking.lookedMax))
        lookForPhotos()
    }

    private func look() async {
        defer { photoLooking.isLooking = false }
        while photoLooking.mustLook, !isFinished {
            photoLooking.mustLook = false
            photoLooking.arrived = []
            let known = photoLooking.book
            do {
                let photos = shown.trip.replica.photos
                let (book, difference) = try await Self.look(
                    for: photos.map { ($0.item, $0.manifest) }, photoLooking.looked, from: known, in: chunks)
                let urgent = difference.urgentCount
                let hasMadeRoom =
                    urgent == 0
                    ? false
                    : try await Self.makeRoom(for: urgent, removing: spareChunks(of: photos, beside: book), in: chunks)
                // From here on nothing else happens in between: what the book knows is what the node was told.
                photoLooking.book = book
                if hasMadeRoom { photoLooking.mustLook = true }
                // A page may have drawn them as if they were here.
                var items = book.newlyMissing(since: known)
                for chunk in photoLooking.arrived { items.formUnion(photoLooking.book.arrived(chunk)) }
                if !difference.gone.isEmpty { tell(.chunks(.gone(difference.gone))) }
                if !difference.here.isEmpty { tell(.chunks(.here(difference.here))) }
                if !difference.wanted.isEmpty { tell(.chunks(.wanted(difference.wanted))) }
                tellPreviews(of: photos.map { ($0.manifest, $0.change) })
                if !items.isEmpty { tellWatchers(.pictures(items.sorted())) }
                try await collectNowAndThen()
            } catch {
                tellWatchers(.problem(error.message))
                return
            }
        }
    }

    /// Chunks of full sizes that found no room, the oldest first. The photos of this device's person and of their guests stay: nobody
    /// else may have them yet.
    private func spareChunks(
        of photos: [(item: ItemID, manifest: PhotoManifest, change: ChangeHash, author: ParticipantID)],
        beside book: PhotoBook
    ) -> [BlobHash] {
        let own = node.secrets.device.participant
        let guests = node.log.people.filter { $0.isGuest && $0.parent == own }
        let kept = Set([me] + guests.map { ParticipantID($0.id) })
        return photos.reversed().filter { !kept.contains($0.author) }.flatMap(\.manifest.sharp.blob.chunks)
            .filter { !book.known.contains($0) }
    }

    @concurrent
    private static func makeRoom(
        for chunks: Int, removing spare: [BlobHash], in store: ChunkStore
    ) async throws(StoreError) -> Bool {
        // Each with what sealing adds.
        try store.makeRoom(for: chunks * (Blob.chunkSize + 256), removing: spare)
    }

    private func tellPreviews(of photos: [(manifest: PhotoManifest, change: ChangeHash)]) {
        let previews = photos.flatMap { photo in
            photo.manifest.thumbnail.blob.chunks.map {
                ChunkPreview(chunk: $0, change: Bytes32(words: photo.change.words))
            }
        }
        guard previews != photoLooking.previews else { return }
        photoLooking.previews = previews
        tell(.chunks(.previews(previews)))
    }

    private func collectNowAndThen() async throws(StoreError) {
        let now = Now.current.monotonic
        if let last = photoLooking.collected, now < last + PhotoLooking.collectInterval { return }
        photoLooking.collected = now
        try await collectPhotos()
    }

    @concurrent
    private static func look(
        for photos: [(item: ItemID, manifest: PhotoManifest)], _ looked: [Blob], from book: PhotoBook,
        in store: ChunkStore
    ) async throws(StoreError) -> (PhotoBook, PhotoBook.Difference) {
        // The store's room, but for what sealing adds.
        try book.updated(with: photos, looked: looked, room: store.quota / 100 * 99, in: store)
    }

    // MARK: - What the protocol asks for

    func storeChunk(_ chunk: BlobHash, _ bytes: [UInt8]) {
        Task { [weak self, chunks] in
            let failure = await Self.store(bytes, named: chunk, in: chunks)
            await self?.stored(chunk, failure)
        }
    }

    private func stored(_ chunk: BlobHash, _ failure: StoreError?) {
        guard !isFinished else { return }
        if let failure {
            tellWatchers(.problem(failure.message))
            return tell(.chunks(.notStored(chunk)))
        }
        if photoLooking.isLooking { photoLooking.arrived.append(chunk) }
        let items = photoLooking.book.arrived(chunk)
        tell(.chunks(.stored(chunk)))
        if !items.isEmpty { tellWatchers(.pictures(items.sorted())) }
    }

    func loadChunk(_ chunk: BlobHash, for reader: ChunkReader) {
        Task { [weak self, chunks] in
            let bytes = await Self.load(chunk, from: chunks)
            await self?.loaded(chunk, bytes, for: reader)
        }
    }

    private func loaded(_ chunk: BlobHash, _ bytes: [UInt8]?, for reader: ChunkReader) {
        guard !isFinished else { return }
        tell(.chunks(.loaded(chunk, bytes, for: reader)))
        guard bytes == nil else { return }
        // It was altered on the disk, or taken away: others have it.
        photoLooking.book.lost(chunk)
        lookForPhotos()
    }

    @concurrent
    private static func store(
        _ bytes: [UInt8], named chunk: BlobHash, in chunks: ChunkStore
    ) async -> StoreError? {
        do {
            let isWhole = try chunks.put(chunk: bytes, named: chunk, at: Now.current.wall / 1_000)
            assert(isWhole, "what is stored was checked")
            return nil
        } catch { return error }
    }

    @concurrent
    private static func load(_ chunk: BlobHash, from chunks: ChunkStore) async -> [UInt8]? {
        try? chunks.chunk(chunk)
    }

    // MARK: - What people see

    func withPhotos(_ item: ItemView) -> ItemView {
        photoLooking.book.isComplete ? item : item.missing(photoLooking.book.absent)
    }

    func withPhotos(_ view: TripView) -> TripView {
        photoLooking.book.isComplete ? view : view.missing(photoLooking.book.absent)
    }

    /// What is not here of the trip's photos, and who of those here has it. O(items).
    var photosStatus: StatusView.PhotosStatus? {
        let missing = photoLooking.book.missing(of: shown.trip.replica.photos.map(\.manifest))
        guard missing.count > 0 else { return nil }
        let reader = reader
        var holders: Set<String> = []
        for chunk in photoLooking.book.missingChunks {
            for session in node.holders(of: chunk) { holders.insert(reader.name(of: session.device)) }
        }
        return .init(missing: missing.count, withoutRoom: missing.withoutRoom, holders: holders.sorted())
    }
}

extension HistoryEntry {
    /// Whether photos came to an item, or went.
    var changesPhotos: Bool {
        events.contains { event in
            switch event {
            case .item(_, _, .attached, _), .item(_, _, .detached, _): true
            default: false
            }
        }
    }
}
