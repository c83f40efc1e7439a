import Attachments
import ChangeLog
import SyncEngine
import TripModel
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
        let rendition = manifest[size]
        guard let bytes = try await Self.read(rendition.blob, from: chunks) else {
            hasten(rendition.blob)
            return nil
        }
        return PictureFile(type: rendition.type, bytes: bytes)
    }

    /// Puts the photos of a request into the store, durably, before anything refers to them.
    ///
    /// - Returns: what each is made of, in their order.
    func keepPhotos(of request: TripRequest) async throws(ServiceError) -> [PhotoManifest] {
        let photos = request.photos
        guard !photos.isEmpty else { return [] }
        if let writingProblem { throw ServiceError(.unwritable, writingProblem) }
        do { return try await Self.keep(photos, in: chunks) } catch {
            guard error.code == .tooLarge else { throw ServiceError(error) }
        }
        do {
            try await collectPhotos()
            return try await Self.keep(photos, in: chunks)
        } catch { throw ServiceError(error) }
    }

    /// Lets go of the chunks of photos that no item has any more.
    func collectPhotos() async throws(StoreError) {
        try await Self.collect(from: chunks, keeping: shown.trip.replica.photoChunks)
    }

    // MARK: - What blocks, off the actor

    @concurrent
    private static func read(_ blob: Blob, from chunks: ChunkStore) async throws(ServiceError) -> [UInt8]? {
        do { return try chunks.read(blob) } catch { throw ServiceError(error) }
    }

    @concurrent
    private static func collect(from chunks: ChunkStore, keeping kept: Set<BlobHash>) async throws(StoreError) {
        try chunks.collect(keeping: kept, at: Now.current.wall / 1_000)
    }

    @concurrent
    private static func keep(
        _ photos: [NewPhoto], in chunks: ChunkStore
    ) async throws(StoreError) -> [PhotoManifest] {
        let now = Now.current.wall / 1_000
        var manifests: [PhotoManifest] = []
        for photo in photos {
            var renditions: [PhotoManifest.Size: Rendition] = [:]
            for size in PhotoManifest.Size.allCases {
                let picture = photo[size]
                guard picture.file.bytes.count <= NewPhoto.bytesMax(size), picture.isOfItsType,
                    let blob = try chunks.put(picture.file.bytes, at: now),
                    let rendition = Rendition(
                        type: picture.type, width: picture.width, height: picture.height, blob: blob)
                else { throw .noPicture }
                renditions[size] = rendition
            }
            guard let sharp = renditions[.sharp], let card = renditions[.card], let small = renditions[.thumbnail]
            else { throw .noPicture }
            manifests.append(PhotoManifest(sharp: sharp, card: card, thumbnail: small))
        }
        return manifests
    }
}

extension NewPhoto.Picture {
    /// Whether it begins as pictures of its type do.
    fileprivate var isOfItsType: Bool {
        let bytes = file.bytes
        return switch type {
        case .jpeg: bytes.starts(with: [0xFF, 0xD8, 0xFF])
        case .webp: bytes.starts(with: Array("RIFF".utf8)) && bytes.dropFirst(8).starts(with: Array("WEBP".utf8))
        }
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
