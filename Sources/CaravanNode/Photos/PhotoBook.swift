import Attachments
import TripModel
import TripStore

/// Which chunks the trip's photos refer to, and which of the pictures that they make are not whole here.
struct PhotoBook: Sendable {
    /// What the node was told of: every chunk that is referred to and finds room.
    private(set) var known: Set<BlobHash> = []
    /// The pictures that are not whole here.
    private(set) var awaited: [Blob: Awaited] = [:]
    private var blobsOf: [BlobHash: [Blob]] = [:]
    /// Pictures that were asked for as what somebody looks at.
    private var hastened: Set<Blob> = []

    struct Awaited: Sendable {
        var missing: Set<BlobHash>
        /// The items that show it.
        var items: Set<ItemID>
        /// Whether it finds room here.
        let isWanted: Bool
    }

    /// What is in the one and not in the other.
    struct Difference: Sendable {
        var here: [BlobHash] = []
        var wanted: [(BlobHash, PhotoManifest.Size)] = []
        var gone: [BlobHash] = []

        /// How many of the chunks that are missing other photos make room for: those of thumbnails, and of what somebody looks at. A
        /// member can claim photos of any size and send nothing of them, and others' photos don't go for such claims.
        var urgentCount = 0
    }

    var isComplete: Bool { awaited.isEmpty }

    /// An item with marks at the pictures that are not here.
    func marking(_ item: ItemView) -> ItemView { isComplete ? item : item.missing(absent) }

    func marking(_ view: TripView) -> TripView { isComplete ? view : view.missing(absent) }

    /// Sizes in which a photo is not here.
    func absent(_ photo: PhotoManifest) -> [PhotoManifest.Size] {
        guard !awaited.isEmpty else { return [] }
        return PhotoManifest.Size.allCases.filter { awaited[photo[$0].blob] != nil }
    }

    /// The items of which a picture is known not to be here, and was not known to another book.
    func newlyMissing(since other: PhotoBook) -> Set<ItemID> {
        awaited.reduce(into: []) { if other.awaited[$1.key] == nil { $0.formUnion($1.value.items) } }
    }

    /// A chunk came.
    /// - Returns: the items of which a picture is whole now.
    mutating func arrived(_ chunk: BlobHash) -> Set<ItemID> {
        var items: Set<ItemID> = []
        for blob in blobsOf.removeValue(forKey: chunk) ?? [] {
            awaited[blob]?.missing.remove(chunk)
            guard let done = awaited[blob], done.missing.isEmpty else { continue }
            awaited[blob] = nil
            items.formUnion(done.items)
        }
        return items
    }

    /// Photos as the trip has them, looked up in the store: thumbnails first, then what somebody looked at last, then what
    /// cards show, then the rest, of each the newest photo first, as far as there is room. What is looked at is fetched
    /// with the thumbnails.
    ///
    /// - Parameters:
    ///   - photos: the newest first.
    ///   - looked: pictures that somebody looked at, the latest first.
    ///   - room: bytes of pictures that may be here in all.
    /// - Returns: the book, and what is to be told to the node that knows this one. Reads the store's folder the first time,
    ///   and else nothing. O(chunks of all photos).
    func updated(
        with photos: [(item: ItemID, manifest: PhotoManifest)], looked: [Blob] = [], room: Int, in store: ChunkStore
    ) throws(StoreError) -> (PhotoBook, Difference) {
        var book = PhotoBook()
        var difference = Difference()
        var room = room
        for (item, size, blob) in Self.pictures(of: photos, looked) {
            if book.awaited[blob] != nil {
                book.awaited[blob]?.items.insert(item)
                continue
            }
            let isLookedAt = looked.contains(blob)
            if isLookedAt { book.hastened.insert(blob) }
            let new = blob.chunks.filter { !book.known.contains($0) }
            let isWanted = blob.size <= room && book.known.count + new.count <= ChunkExchangeLimits.wantedMax
            if !new.isEmpty, isWanted { room -= blob.size }
            var missing: Set<BlobHash> = []
            for chunk in blob.chunks {
                let isHere = known.contains(chunk) ? blobsOf[chunk] == nil : try store.holds(chunk)
                if !isHere { missing.insert(chunk) }
            }
            let isSooner = isLookedAt && !hastened.contains(blob)
            for chunk in new where isWanted && book.known.insert(chunk).inserted {
                if missing.contains(chunk) {
                    if isLookedAt || size == .thumbnail { difference.urgentCount += 1 }
                    if isSooner || !known.contains(chunk) {
                        difference.wanted.append((chunk, isLookedAt ? .thumbnail : size))
                    }
                } else if !known.contains(chunk) {
                    difference.here.append(chunk)
                }
            }
            guard !missing.isEmpty else { continue }
            book.awaited[blob] = Awaited(missing: missing, items: [item], isWanted: isWanted)
            for chunk in missing { book.blobsOf[chunk, default: []].append(blob) }
        }
        difference.gone = known.subtracting(book.known).sorted()
        return (book, difference)
    }

    private typealias Picture = (item: ItemID, size: PhotoManifest.Size, blob: Blob)

    /// All pictures of photos in the order in which they find room.
    private static func pictures(
        of photos: [(item: ItemID, manifest: PhotoManifest)], _ looked: [Blob]
    ) -> [Picture] {
        func all(_ size: PhotoManifest.Size) -> [Picture] {
            photos.map { ($0.item, size, $0.manifest[size].blob) }
        }
        let greater = all(.card) + all(.sharp)
        guard !looked.isEmpty else { return all(.thumbnail) + greater }
        let first = looked.flatMap { blob in greater.filter { $0.blob == blob } }
        return all(.thumbnail) + first + greater.filter { !looked.contains($0.blob) }
    }

    /// Whether a chunk is here, as the node was told.
    func holds(_ chunk: BlobHash) -> Bool { known.contains(chunk) && blobsOf[chunk] == nil }

    /// A chunk that was here is not: the next look finds that out.
    mutating func lost(_ chunk: BlobHash) { known.remove(chunk) }

    /// Chunks of full sizes that found no room, the oldest first.
    ///
    /// - Parameters:
    ///   - photos: the newest first.
    ///   - own: people whose photos stay, because nobody else may have them yet.
    func spareChunks(of photos: [PhotoDesk.Photo], except own: Set<ParticipantID>) -> [BlobHash] {
        photos.reversed().filter { !own.contains($0.author) }.flatMap(\.manifest.sharp.blob.chunks)
            .filter { !known.contains($0) }
    }

    /// How many of some photos are not here in full, and of how many of these there is no room for a part.
    func missing(of photos: some Sequence<PhotoManifest>) -> (count: Int, withoutRoom: Int) {
        guard !awaited.isEmpty else { return (0, 0) }
        var (count, withoutRoom) = (0, 0)
        for photo in photos {
            guard awaited[photo[.sharp].blob] != nil else { continue }
            count += 1
            let parts = PhotoManifest.Size.allCases.compactMap { awaited[photo[$0].blob] }
            if parts.contains(where: { !$0.isWanted }) { withoutRoom += 1 }
        }
        return (count, withoutRoom)
    }

    /// One chunk of each picture that is not whole here.
    var missingChunks: [BlobHash] { awaited.values.compactMap { $0.missing.min() }.sorted() }
}
