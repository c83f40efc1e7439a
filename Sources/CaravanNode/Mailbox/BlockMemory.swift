import ChangeLog
import Foundation
import Glibc
import Sodium
import SyncEngine

/// Which blocks of a trip's mailboxes were read, sealed in the file `read` of the trip's folder: a start then fetches only the others.
///
/// A hint: what can't be read or written here is fetched again.
struct BlockMemory: Sendable {
    private let path: String
    private let key: Bytes32
    private let mayWrite: Bool
    private let cryptography: SodiumCryptography
    /// As of the last write.
    private var version: [Int] = []
    private var written: ReadBlocks?

    private static let nonceSize = 24
    private static let tagSize = 16
    private static let header = Array("read".utf8)

    /// - Parameter secret: known to this device alone.
    init(folder: String, secret: Bytes32, mayWrite: Bool, using cryptography: SodiumCryptography) {
        path = folder + "/read"
        key = cryptography.deriveKey(from: secret, label: "caravan read blocks at rest")
        (self.mayWrite, self.cryptography) = (mayWrite, cryptography)
    }

    /// Tells a node that was made again what was read before, of the mailboxes that the trip still has.
    mutating func restore(_ node: inout SyncNode, of prefixes: [Bytes16]) {
        guard !prefixes.isEmpty, let file = FileHandle(forReadingAtPath: path) else { return }
        defer { try? file.close() }
        let bytesMax = ReadBlocks.bytesMax + Self.nonceSize + Self.tagSize
        guard let sealed = try? file.read(upToCount: bytesMax), sealed.count > Self.nonceSize,
            let bytes = cryptography.decrypt(
                Array(sealed.dropFirst(Self.nonceSize)), nonce: Array(sealed.prefix(Self.nonceSize)), key: key,
                authenticating: Self.header),
            let blocks = try? ReadBlocks(decoding: bytes)
        else { return }
        written = blocks
        node.restore(blocks.of(prefixes))
    }

    /// Writes what a node has read, if that isn't what was written last.
    mutating func write(_ node: SyncNode) {
        guard mayWrite, node.readBlocksVersion != version else { return }
        version = node.readBlocksVersion
        let blocks = node.readBlocks
        guard blocks != written ?? .nothing, write(blocks.encoding) else { return }
        written = blocks
    }

    private func write(_ bytes: [UInt8]) -> Bool {
        var generator = SystemRandomNumberGenerator()
        let nonce = Array(Bytes32.random(using: &generator).bytes.prefix(Self.nonceSize))
        let sealed = nonce + cryptography.encrypt(bytes, nonce: nonce, key: key, authenticating: Self.header)
        let draft = path + ".new"
        let isWritten = FileManager.default.createFile(
            atPath: draft, contents: Data(sealed), attributes: [.posixPermissions: 0o600])
        guard isWritten, rename(draft, path) == 0 else {
            unlink(draft)
            return false
        }
        return true
    }
}

extension TripNode {
    func rememberBlocks() { readBlocks.write(node) }
}
