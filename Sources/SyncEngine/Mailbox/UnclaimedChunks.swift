import Attachments

/// Chunks of photos that came out of a mailbox before the changes that name them were shown: the last few of them.
struct UnclaimedChunks: Sendable {
    private var chunks: [(hash: BlobHash, bytes: [UInt8])] = []

    mutating func hold(_ chunk: BlobHash, _ bytes: [UInt8], max: Int) {
        guard !chunks.contains(where: { $0.hash == chunk }) else { return }
        chunks.append((chunk, bytes))
        if chunks.count > max { chunks.removeFirst(chunks.count - max) }
    }

    /// Takes out those that are wanted now.
    mutating func take(_ wanted: Set<BlobHash>) -> [(hash: BlobHash, bytes: [UInt8])] {
        let taken = chunks.filter { wanted.contains($0.hash) }
        if !taken.isEmpty { drop(wanted) }
        return taken
    }

    /// They are here.
    mutating func drop(_ known: some Collection<BlobHash>) {
        guard !chunks.isEmpty else { return }
        let known = Set(known)
        chunks.removeAll { known.contains($0.hash) }
    }

    var count: Int { chunks.count }
}
