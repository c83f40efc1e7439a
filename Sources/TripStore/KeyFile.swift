package import ChangeLog
import DeltaCRDT
import Glibc

/// A device's secrets for one trip, in a file of their own beside the store.
package struct KeyFile: Hashable, Sendable {
    package var trip: Bytes32
    /// The Ed25519 seed.
    package var signingSeed: Bytes32
    /// The X25519 secret.
    package var agreementSecret: Bytes32
    /// The secrets of the epochs that were handed over, oldest first.
    package var epochSecrets: [Bytes32]
    /// A join that is not finished, in its owner's encoding; at most 4,096 bytes.
    package var pendingJoin: [UInt8]?

    package init(
        trip: Bytes32, signingSeed: Bytes32, agreementSecret: Bytes32, epochSecrets: [Bytes32], pendingJoin: [UInt8]?
    ) {
        self.trip = trip
        self.signingSeed = signingSeed
        self.agreementSecret = agreementSecret
        self.epochSecrets = epochSecrets
        self.pendingJoin = pendingJoin
    }

    private static let version: UInt8 = 1
    private static let epochsMax = 4_096
    private static let pendingBytesMax = 4_096
    private static let fileBytesMax = 1 << 20

    private var encoding: [UInt8] {
        var encoder = CanonicalEncoder()
        encoder.encode(fixed: CollectionOfOne(KeyFile.version))
        for secret in [trip, signingSeed, agreementSecret] { encoder.encode(fixed: secret.bytes) }
        encoder.encode(count: epochSecrets.count)
        for secret in epochSecrets { encoder.encode(fixed: secret.bytes) }
        encoder.encode(pendingJoin != nil)
        if let pendingJoin { encoder.encode(pendingJoin) }
        return encoder.bytes + Checksum.of(encoder.bytes).bytes
    }

    /// Writes the file `keys` in a folder: whole or not at all, and durable on return.
    package func write(to folder: String) throws(StoreError) {
        let path = folder + "/keys"
        let draft = path + ".new"
        unlink(draft)
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StoreError(errno: errno, path: draft) }
        let bytes = encoding
        let isWritten = Glibc.write(descriptor, bytes, bytes.count) == bytes.count && fsync(descriptor) == 0
        let code = errno
        close(descriptor)
        guard isWritten else {
            unlink(draft)
            throw StoreError(errno: code, path: draft)
        }
        guard rename(draft, path) == 0 else { throw StoreError(errno: errno, path: path) }
        try syncFolder(folder)
    }

    /// Reads the file `keys` of a folder.
    package init(readingFrom folder: String) throws(StoreError) {
        let path = folder + "/keys"
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw StoreError(errno: errno, path: path) }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: KeyFile.fileBytesMax)
        let count = read(descriptor, &bytes, bytes.count)
        guard count >= 0 else { throw StoreError(errno: errno, path: path) }
        bytes.removeLast(bytes.count - count)
        let damaged = StoreError(
            .damaged, "\(path) is damaged: restore it from a backup, or join again with a new invite")
        guard let version = bytes.first, bytes.count > Checksum.size else { throw damaged }
        guard version <= KeyFile.version else {
            throw StoreError(.newerVersion, "\(path) was written by a newer caravan: update yours")
        }
        let body = Array(bytes.dropLast(Checksum.size))
        guard Checksum.of(body).bytes == Array(bytes.suffix(Checksum.size)) else { throw damaged }
        do {
            var decoder = CanonicalDecoder(body)
            guard try decoder.decodeByte() == KeyFile.version else { throw DecodingFailure.unknown }
            trip = try decoder.decodeBytes32()
            signingSeed = try decoder.decodeBytes32()
            agreementSecret = try decoder.decodeBytes32()
            epochSecrets = []
            for _ in 0..<(try decoder.decodeCount(limit: KeyFile.epochsMax, minimumSize: 32)) {
                epochSecrets.append(try decoder.decodeBytes32())
            }
            pendingJoin = try decoder.decodeBool() ? try decoder.decodeBytes(limit: KeyFile.pendingBytesMax) : nil
            try decoder.finish()
        } catch {
            throw damaged
        }
    }
}

/// Makes the names in a folder durable.
func syncFolder(_ folder: String) throws(StoreError) {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw StoreError(errno: errno, path: folder) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw StoreError(errno: errno, path: folder) }
}

/// FNV-1a, 64 bits: enough to notice what a disk did by accident. It is no protection against people; seals are.
struct Checksum: Hashable {
    let value: UInt64

    static let size = 8

    static func of(_ bytes: [UInt8]) -> Checksum {
        var value: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return Checksum(value: value)
    }

    var bytes: [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * UInt64($0))) } }
}
