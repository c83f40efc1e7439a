import Attachments
package import ChangeLog
package import DeltaCRDT

/// The blocks of the trip's mailboxes that need not be fetched again, and their contents, in a form that outlives the process.
///
/// It names changes by their hashes: what it says of a block is believed only if all of that block's changes are in the log. So it
/// does no harm if it is older or newer than the log, or lost.
package struct ReadBlocks: Hashable, Sendable {
    struct Block: Hashable, Sendable {
        let key: BlockCatalogue.Key
        /// Nil for one that can't be opened.
        let contents: Contents?
    }

    struct Contents: Hashable, Sendable {
        struct Change: Hashable, Sendable {
            let hash: Bytes32
            let hasBody: Bool
        }

        let changes: [Change]
        let chunks: [BlockCatalogue.Chunk]
        let isOwn: Bool
        let author: ReplicaID?
        let boxedAt: [Bytes32]?
        let told: BlockCatalogue.Telling?
    }

    let blocks: [Block]

    /// The most bytes of one encoding. What is left out is fetched again.
    package static let bytesMax = 8 << 20
    private static let version: UInt8 = 2

    private enum Kind {
        static let closed: UInt8 = 0
        static let open: UInt8 = 1
        static let boxed: UInt8 = 2
    }

    init(_ blocks: [Block]) { self.blocks = blocks }

    package static var nothing: ReadBlocks { ReadBlocks([]) }

    /// Those of the mailboxes with some prefixes.
    package func of(_ prefixes: [Bytes16]) -> ReadBlocks {
        ReadBlocks(blocks.filter { prefixes.contains($0.key.slot.prefix) })
    }

    package var encoding: [UInt8] {
        var bytes = [Self.version]
        for block in blocks {
            let next = Self.encoding(of: block)
            guard bytes.count + next.count <= Self.bytesMax else { break }
            bytes += next
        }
        return bytes
    }

    /// Throws for another form or version.
    package init(decoding bytes: [UInt8]) throws(DecodingFailure) {
        guard bytes.count <= Self.bytesMax else { throw .tooLarge }
        var decoder = CanonicalDecoder(bytes)
        guard try decoder.decodeByte() == Self.version else { throw .notCanonical }
        var blocks: [Block] = []
        while decoder.remaining > 0 { blocks.append(try Self.block(from: &decoder)) }
        self.blocks = blocks
    }

    private static func encoding(of block: Block) -> [UInt8] {
        var encoder = CanonicalEncoder()
        encoder.encode(fixed: block.key.slot.prefix.bytes)
        encoder.encode(fixed: block.key.slot.tag.bytes)
        encoder.encode(fixed: block.key.name.hash.bytes)
        guard let contents = block.contents else {
            encoder.encode(byte: Kind.closed)
            return encoder.bytes
        }
        encoder.encode(byte: contents.boxedAt == nil ? Kind.open : Kind.boxed)
        encoder.encode(contents.isOwn)
        encoder.encode(contents.author != nil)
        if let author = contents.author { encoder.encode(author) }
        encoder.encode(contents.told != nil)
        if let told = contents.told {
            encoder.encode(told.device)
            encoder.encode(fixed: told.removal.bytes)
        }
        encoder.encode(count: contents.changes.count)
        for change in contents.changes {
            encoder.encode(fixed: change.hash.bytes)
            encoder.encode(change.hasBody)
        }
        encoder.encode(count: contents.chunks.count)
        for chunk in contents.chunks {
            encoder.encode(chunk.hash)
            encoder.encode(count: chunk.size)
        }
        if let have = contents.boxedAt {
            encoder.encode(count: have.count)
            for hash in have { encoder.encode(fixed: hash.bytes) }
        }
        return encoder.bytes
    }

    private static func block(from decoder: inout CanonicalDecoder) throws(DecodingFailure) -> Block {
        let slot = MailboxSlot(prefix: try decoder.decodeBytes16(), tag: try decoder.decodeBytes16())
        let key = BlockCatalogue.Key(slot: slot, name: BlockName(try decoder.decodeBytes32()))
        let kind = try decoder.decodeByte()
        guard kind != Kind.closed else { return Block(key: key, contents: nil) }
        guard kind == Kind.open || kind == Kind.boxed else { throw .notCanonical }
        let isOwn = try decoder.decodeBool()
        let author = try decoder.decodeBool() ? try decoder.decodeReplicaID() : nil
        var told: BlockCatalogue.Telling?
        if try decoder.decodeBool() {
            told = BlockCatalogue.Telling(device: try decoder.decodeReplicaID(), removal: try decoder.decodeBytes32())
        }
        var changes: [Contents.Change] = []
        for _ in 0..<(try decoder.decodeCount(limit: MailboxLetter.recordsMax, minimumSize: 33)) {
            changes.append(Contents.Change(hash: try decoder.decodeBytes32(), hasBody: try decoder.decodeBool()))
        }
        var chunks: [BlockCatalogue.Chunk] = []
        for _ in 0..<(try decoder.decodeCount(limit: MailboxBlock.chunksMax, minimumSize: 33)) {
            let hash = try decoder.decodeBlobHash()
            let size = min(try decoder.decodeUInt64(), UInt64(Blob.chunkSize))
            chunks.append(BlockCatalogue.Chunk(hash: hash, size: Int(size)))
        }
        var have: [Bytes32]?
        if kind == Kind.boxed {
            var hashes: [Bytes32] = []
            for _ in 0..<(try decoder.decodeCount(limit: MailboxLetter.haveMax, minimumSize: 32)) {
                hashes.append(try decoder.decodeBytes32())
            }
            have = hashes
        }
        return Block(
            key: key,
            contents: Contents(
                changes: changes, chunks: chunks, isOwn: isOwn, author: author, boxedAt: have, told: told))
    }
}

extension BlockCatalogue {
    /// The blocks that need not be read after a start: all but those that wait or may mean more one day, and the latest letter of each
    /// device under each epoch, of which what it says counts. Of one that can't be opened there are no contents. O(blocks).
    func lasting(underEpoch epoch: (MailboxSlot) -> Bytes16?) -> [(key: Key, contents: Contents?)] {
        struct Voice: Hashable {
            let author: ReplicaID
            let epoch: Bytes16?
        }
        var latest: [Voice: (time: Int64, key: Key)] = [:]
        for key in readKeys {
            guard case .read(let contents) = states[key], let author = contents.author, let time = contents.time
            else { continue }
            let voice = Voice(author: author, epoch: epoch(key.slot))
            if latest[voice].map({ ($0.time, $0.key) < (time, key) }) ?? true { latest[voice] = (time, key) }
        }
        let spoken = Set(latest.values.map(\.key))
        return states.keys.sorted().compactMap { key in
            switch states[key] {
            case .closed: (key, nil)
            case .read(let contents) where !contents.isRefused && !contents.isDoubted && !spoken.contains(key):
                (key, contents)
            default: nil
            }
        }
    }
}

extension ReadBlocks.Contents {
    init(_ contents: BlockCatalogue.Contents, in graph: ChangeGraph) {
        changes = contents.indices.map { Change(hash: graph[$0].hash, hasBody: !contents.bodiless.contains($0)) }
        (chunks, isOwn, author) = (contents.chunks, contents.isOwn, contents.author)
        (boxedAt, told) = (contents.boxedAt, contents.told)
    }

    /// What it says, as far as the log bears it out; nil where a change isn't here, or its body is missing here and in the block.
    fileprivate func placed(in log: TripLog) -> BlockCatalogue.Contents? {
        var contents = BlockCatalogue.Contents(
            chunks: chunks, isOwn: isOwn, boxedAt: boxedAt, author: author, told: told)
        for change in changes {
            guard let index = log.graph.index(of: change.hash), !(change.hasBody && log.lackingBodies.contains(index))
            else { return nil }
            contents.indices.append(index)
            if !change.hasBody { contents.bodiless.insert(index) }
        }
        return contents
    }
}

extension ReadBlocks.Block {
    /// What is known of the block by a log; nil for nothing. One that can't be opened has no contents.
    func known(in log: TripLog) -> (key: BlockCatalogue.Key, contents: BlockCatalogue.Contents?)? {
        guard let contents else { return (key, nil) }
        return contents.placed(in: log).map { (key, $0) }
    }
}
