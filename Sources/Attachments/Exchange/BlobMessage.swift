package import DeltaCRDT

/// The messages about chunks that two nodes exchange inside a session. Each is a message kind of its own there. A node that does not know
/// these kinds ignores them, and gets no photos.
package enum BlobMessage: Hashable, Sendable {
    /// I want these and have not got them. Adds to what was said before.
    case lack([BlobHash])
    /// Of what you lack, I have these: ask for them.
    case hold([BlobHash])
    /// Send me this.
    case ask(BlobHash)
    /// Its bytes, from 1 to `Blob.chunkSize`; none where I do not have it any more.
    case chunk(BlobHash, [UInt8])

    /// The number of the message's kind in the protocol, which never changes its meaning.
    package enum Kind: UInt8, Hashable, Sendable {
        case lack = 15
        case hold = 16
        case ask = 17
        case chunk = 18
    }

    package var kind: Kind {
        switch self {
        case .lack: .lack
        case .hold: .hold
        case .ask: .ask
        case .chunk: .chunk
        }
    }

    /// The message's body: a list of hashes; a hash; a hash and bytes. At most 256 KiB.
    package var body: [UInt8] {
        var encoder = CanonicalEncoder()
        switch self {
        case .lack(let chunks), .hold(let chunks):
            encoder.encode(count: chunks.count)
            for chunk in chunks { encoder.encode(chunk) }
        case .ask(let chunk): encoder.encode(chunk)
        case .chunk(let chunk, let bytes):
            encoder.encode(chunk)
            encoder.encode(bytes)
        }
        return encoder.bytes
    }

    /// Reads a body, which may have grown at its end.
    package init(_ kind: Kind, body: [UInt8]) throws(DecodingFailure) {
        var decoder = CanonicalDecoder(body)
        try self.init(kind, from: &decoder)
    }

    /// Reads a body; what follows it stays.
    package init(_ kind: Kind, from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        switch kind {
        case .lack: self = .lack(try decoder.decodeNames())
        case .hold: self = .hold(try decoder.decodeNames())
        case .ask: self = .ask(try decoder.decodeBlobHash())
        case .chunk: self = .chunk(try decoder.decodeBlobHash(), try decoder.decodeBytes(limit: Blob.chunkSize))
        }
    }

    /// A list as messages of which each is within the bounds.
    static func hold(all chunks: [BlobHash]) -> [BlobMessage] { split(chunks).map { .hold($0) } }

    private static func split(_ chunks: [BlobHash]) -> [[BlobHash]] {
        stride(from: 0, to: chunks.count, by: ChunkExchangeLimits.namesPerMessage).map {
            Array(chunks[$0..<min($0 + ChunkExchangeLimits.namesPerMessage, chunks.count)])
        }
    }
}

extension CanonicalDecoder {
    fileprivate mutating func decodeNames() throws(DecodingFailure) -> [BlobHash] {
        let count = try decodeCount(limit: ChunkExchangeLimits.namesPerMessage, minimumSize: 32)
        var names: [BlobHash] = []
        names.reserveCapacity(count)
        for _ in 0..<count { names.append(try decodeBlobHash()) }
        return names
    }
}
