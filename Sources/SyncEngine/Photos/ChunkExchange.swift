import Attachments

/// The chunks of photos: what is fetched, what others are given, and what is here. Peers are named by their connections,
/// so that two runs of one device are two peers.
struct ChunkExchange: Sendable {
    var fetching = FetchPlan<ConnectionID>()
    var supply = ChunkSupply<ConnectionID>()
    /// What is here and something refers to.
    var here: Set<BlobHash> = []
    /// The thumbnails of all photos, the newest first.
    private(set) var previews: [ChunkPreview] = []
    private(set) var previewChunks: Set<BlobHash> = []
    /// Whose end is to be told to the plan, which asks others then.
    private(set) var gone: [ConnectionID] = []
    var receivedCount = 0
    var sentCount = 0

    /// When something is to be done, if nothing else comes.
    var deadline: UInt64? { fetching.missingCount == 0 ? nil : fetching.deadline }

    mutating func note(_ previews: [ChunkPreview]) {
        (self.previews, previewChunks) = (previews, Set(previews.map(\.chunk)))
    }

    /// A connection is over.
    mutating func left(_ id: ConnectionID) {
        supply.left(id)
        gone.append(id)
    }

    mutating func takeGone() -> [ConnectionID] {
        guard !gone.isEmpty else { return [] }
        defer { gone = [] }
        return gone
    }
}
