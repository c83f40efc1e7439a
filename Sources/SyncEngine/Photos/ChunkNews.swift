package import Attachments
package import ChangeLog

/// What a node is told of the chunks of photos. What of them is wanted, and what may be given to others, is what the
/// trip's changes refer to: the shell says so, for the core reads no content.
package enum ChunkNews: Sendable {
    /// Chunks that something refers to are here: others may have them.
    case here([BlobHash])
    /// Chunks that something refers to are not here, each with the size of the picture that it belongs to. Beyond
    /// `ExchangeLimits.wantedMax` nothing is added: it is to be said again when some have come.
    case wanted([(BlobHash, PhotoManifest.Size)])
    /// Nothing refers to these any more, or they were lost: they are neither asked for nor given.
    case gone([BlobHash])
    /// What became of a `storeChunk` effect.
    case stored(BlobHash)
    case notStored(BlobHash)
    /// What a `loadChunk` effect brought; nil where the chunk is not here any more.
    case loaded(BlobHash, [UInt8]?, for: ChunkReader)
    /// The previews of all photos, each with the change that attached the photo, in place of those that were said before.
    case previews([ChunkPreview])
}

/// For whom a chunk is read from the disk.
package enum ChunkReader: Hashable, Sendable {
    /// A peer who asked for it.
    case peer(ConnectionID)
    /// The mailbox with this prefix.
    case mailbox(Bytes16)
}

/// The thumbnail of a photo, which is one chunk.
package struct ChunkPreview: Hashable, Sendable {
    package let chunk: BlobHash
    /// The change that attached the photo.
    package let change: Bytes32

    package init(chunk: BlobHash, change: Bytes32) { (self.chunk, self.change) = (chunk, change) }
}
