import Sodium
import TripStore

/// A backup of one trip: all that its device needs to go on as the same device elsewhere, under a passphrase.
///
/// A magic number, a version, the recipe of the key (`PassphraseKey.Recipe`), the header of a secret stream, and its chunks
/// of 64 KiB, of which the last may be shorter. The first chunk holds the secrets, filled up with zeros, so that their
/// number does not show; the others hold the changes' records one after the other. What stands before
/// the stream is authenticated with every chunk. One form for one content, but for what is random.
enum BackupFormat {
    static let magic = Array("caravan backup".utf8)
    static let version: UInt8 = 2
    /// In bytes.
    static let chunkSize = 65_536
    /// The greatest backup that is written or read, in bytes.
    static let bytesMax = 1 << 30

    static let beginning = magic + [version]
    static let headerSize = beginning.count + PassphraseKey.Recipe.size + SecretStream.headerSize
    static let sealedChunkSize = chunkSize + SecretStream.sealSize

    /// Before each record: its length in 32 bits, the least significant byte first.
    static let recordHeaderSize = 4

    static func encode(_ length: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: length >> ($0 * 8)) } }

    static func decode(_ bytes: some Collection<UInt8>) -> Int {
        bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}

/// What a backup holds.
struct BackupContent: Sendable {
    let keys: KeyFile
    /// Whether the secrets lay under a passphrase where the backup was made.
    let wasUnderPassphrase: Bool
    /// Of all changes, each after its past.
    let records: [[UInt8]]
}
