import ChangeLog
import Sodium
import SyncEngine

/// Which blocks of a trip's mailboxes were read, sealed in the file `read` of the trip's folder: a start then fetches only the others.
///
/// A hint: what can't be read or written here is fetched again.
struct BlockMemory: Sendable {
    private let file: SealedFile
    private let mayWrite: Bool
    /// As of the last write.
    private var version: [Int] = []
    private var written: ReadBlocks?

    /// - Parameter secret: known to this device alone.
    init(folder: String, secret: Bytes32, mayWrite: Bool, using cryptography: SodiumCryptography) {
        file = SealedFile(
            "read", in: folder, secret: secret, label: "caravan read blocks at rest",
            bytesMax: ReadBlocks.bytesMax + SealedFile.overhead, using: cryptography)
        self.mayWrite = mayWrite
    }

    /// Tells a node that was made again what was read before, of the mailboxes that the trip still has.
    mutating func restore(_ node: inout SyncNode, of prefixes: [Bytes16]) {
        guard !prefixes.isEmpty, let bytes = file.read(), let blocks = try? ReadBlocks(decoding: bytes) else { return }
        written = blocks
        node.restore(blocks.of(prefixes))
    }

    /// Writes what a node has read, if that isn't what was written last.
    mutating func write(_ node: SyncNode) {
        guard mayWrite, node.readBlocksVersion != version else { return }
        version = node.readBlocksVersion
        let blocks = node.readBlocks
        guard blocks != written ?? .nothing, file.write(blocks.encoding) else { return }
        written = blocks
    }
}

extension TripNode {
    func rememberBlocks() { readBlocks.write(node) }

    /// Tells the node what was read of a mailbox that is to be attached again, so that it isn't fetched again.
    func recallBlocks(of mailbox: KeptMailbox) {
        if let prefix = mailbox.prefix { readBlocks.restore(&node, of: [prefix]) }
    }
}
