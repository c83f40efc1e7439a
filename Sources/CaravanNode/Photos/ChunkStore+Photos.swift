import Attachments
import SyncEngine
import TripModel
import TripService
import TripStore

extension ChunkStore {
    /// What sealing adds to a chunk, at most.
    static let sealBytes = 256

    /// Does what blocks, off the actor.
    @concurrent
    func blocking<Answer: Sendable>(
        _ work: @Sendable (ChunkStore) throws(StoreError) -> Answer
    ) async throws(StoreError) -> Answer { try work(self) }

    /// What the store has of a file.
    enum Reading: Hashable, Sendable {
        case whole([UInt8])
        /// The chunks that aren't here, or were damaged.
        case missing([BlobHash])
    }

    /// A file, or what is missing of it. A damaged chunk is found by reading.
    func reading(of blob: Blob) throws(StoreError) -> Reading {
        if let bytes = try read(blob) { return .whole(bytes) }
        return .missing(try missingChunks(of: blob))
    }

    /// The chunks of a file that are not here, as far as names tell.
    func missingChunks(of blob: Blob) throws(StoreError) -> [BlobHash] {
        var missing: [BlobHash] = []
        for chunk in blob.chunks {
            if try !holds(chunk) { missing.append(chunk) }
        }
        return missing
    }

    /// Stores photos.
    ///
    /// - Returns: what each is made of, in their order.
    func put(_ photos: [NewPhoto]) throws(StoreError) -> [PhotoManifest] {
        let now = Now.current.wall / 1_000
        var manifests: [PhotoManifest] = []
        for photo in photos {
            var renditions: [PhotoManifest.Size: Rendition] = [:]
            for size in PhotoManifest.Size.allCases {
                let picture = photo[size]
                guard picture.file.bytes.count <= NewPhoto.bytesMax(size), picture.isOfItsType,
                    let blob = try put(picture.file.bytes, at: now),
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
