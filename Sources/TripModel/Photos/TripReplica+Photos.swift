package import Attachments
import DeltaCRDT

extension TripReplica {
    /// Attaches photos that the item does not have.
    func attach(_ photos: [PhotoManifest], to item: ItemID) throws(TripError) -> [Operation] {
        try requirePresent(item)
        guard !photos.isEmpty else { throw TripError(.nothingNamed, "no photo is given; name one") }
        let new = newPhotos(of: photos, for: item)
        guard !new.isEmpty else {
            throw TripError(
                .nothingChanged,
                "\(label(item)) already has \(photos.count == 1 ? "this photo" : "these photos")")
        }
        try Self.checkPhotoCount(standingPhotos(of: item).count + new.count)
        return new.map { .item(.there(item.operation), .attach($0)) }
    }

    /// Those of some photos that an item doesn't have, each once.
    package func newPhotos(of photos: [PhotoManifest], for item: ItemID) -> [PhotoManifest] {
        let standing = standingPhotos(of: item)
        return photos.distinct().filter { !standing.contains($0) }
    }

    private func standingPhotos(of item: ItemID) -> Set<PhotoManifest> {
        Set(state.items[item]?.photos.elements.map(\.manifest) ?? [])
    }

    /// Takes photos away, however often each was attached.
    func detach(_ photos: [PhotoID], from item: ItemID) throws(TripError) -> [Operation] {
        try requirePresent(item)
        let attached = state.items[item]?.photos.elements ?? []
        let named = Set(attached.filter { photos.contains($0.id) }.map(\.manifest))
        guard !named.isEmpty else {
            throw TripError(.nothingChanged, "this photo is already removed from \(label(item))")
        }
        return attached.filter { named.contains($0.manifest) }
            .map { .item(.there(item.operation), .detach(.there($0.id.operation))) }
    }

    /// - Parameter count: how many an item would have.
    static func checkPhotoCount(_ count: Int) throws(TripError) {
        guard count <= Limits.photosPerItem else {
            throw TripError(.outOfRange, "an item can have at most \(Limits.photosPerItem) photos; remove some first")
        }
    }

    /// What a photo of an item is made of; nil where the item has none of that name. O(photos of the item).
    package func photo(_ photo: PhotoID, of item: ItemID) -> PhotoManifest? {
        state.items[item]?.photos.elements.first { $0.id == photo }?.manifest
    }

    /// Every photo of the trip with the item that has it, the change that attached it and the person who attached it first, those of
    /// removed items among them: the newest first.
    /// O(items + n log n) in the photos.
    package var photos: [(item: ItemID, manifest: PhotoManifest, change: ChangeHash, author: ParticipantID)] {
        var photos: [(item: ItemID, photo: AttachedPhoto, author: ParticipantID)] = []
        for item in state.items.all {
            guard let extras = item.extras.value else { continue }
            for photo in extras.photos.elements { photos.append((item.id, photo, extras.author(of: photo))) }
        }
        photos.sort { $1.photo < $0.photo }
        return photos.map { ($0.item, $0.photo.manifest, $0.photo.origin.cause.hash, $0.author) }
    }

    /// Every chunk of every photo of the trip, those of removed items among them: what may be asked for again. O(items).
    package var photoChunks: Set<BlobHash> {
        var chunks: Set<BlobHash> = []
        for item in state.items.all {
            for photo in item.photos.elements { chunks.formUnion(photo.manifest.chunks) }
        }
        return chunks
    }
}

extension [PhotoManifest] {
    /// Each once, in the order given.
    fileprivate func distinct() -> [PhotoManifest] {
        var seen: Set<PhotoManifest> = []
        return filter { seen.insert($0).inserted }
    }
}
