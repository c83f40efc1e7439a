import Attachments
import ChangeLog

/// Seals chunks of photos for the disk, under keys that only this device knows. A file's name reveals nothing of its content,
/// and the content is bound to the name.
///
/// A file is a magic number and a version, a nonce, and the chunk by XChaCha20-Poly1305. A nonce is the chunk's keyed hash:
/// the same chunk is the same file, and no two chunks share one.
struct ChunkSeal: Sendable {
    private let cryptography: any Cryptography
    private let sealingKey: Bytes32
    private let namingKey: Bytes32

    private static let header = Array("caravan chunk".utf8) + [1]
    private static let nonceSize = 24
    private static let tagSize = 16
    /// The most bytes of a file.
    static let fileSizeMax = header.count + nonceSize + Blob.chunkSize + tagSize

    init(secret: Bytes32, using cryptography: some Cryptography) {
        self.cryptography = cryptography
        sealingKey = cryptography.deriveKey(from: secret, label: "caravan chunks at rest, sealed")
        namingKey = cryptography.deriveKey(from: secret, label: "caravan chunks at rest, named")
    }

    /// The hash by which chunks are named in a trip.
    func hash(_ bytes: [UInt8]) -> BlobHash {
        // Both have 32 bytes.
        BlobHash(bytes: cryptography.hash(bytes).bytes)!
    }

    /// The name of a chunk's file: 32 hexadecimal digits.
    func fileName(of chunk: BlobHash) -> String {
        String("\(cryptography.hash(chunk.bytes, key: namingKey))".prefix(32))
    }

    /// Whether a file of this name may hold a chunk.
    static func isFileName(_ name: String) -> Bool {
        name.utf8.count == 32 && name.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    func seal(_ bytes: [UInt8], of chunk: BlobHash) -> [UInt8] {
        let nonce = Array(cryptography.hash(chunk.bytes, key: namingKey).bytes.suffix(Self.nonceSize))
        return Self.header + nonce
            + cryptography.encrypt(
                bytes, nonce: nonce, key: sealingKey, authenticating: Self.header + chunk.bytes)
    }

    /// Nil for what was not sealed here as this chunk, or was altered.
    func open(_ file: [UInt8], of chunk: BlobHash) -> [UInt8]? {
        guard file.count <= Self.fileSizeMax, file.starts(with: Self.header) else { return nil }
        let nonce = Array(file.dropFirst(Self.header.count).prefix(Self.nonceSize))
        let sealed = Array(file.dropFirst(Self.header.count + Self.nonceSize))
        guard nonce.count == Self.nonceSize, sealed.count >= Self.tagSize else { return nil }
        return cryptography.decrypt(
            sealed, nonce: nonce, key: sealingKey, authenticating: Self.header + chunk.bytes)
    }
}
