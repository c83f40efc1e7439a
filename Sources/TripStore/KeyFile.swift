package import ChangeLog
import DeltaCRDT
import Glibc

/// What makes a device a member of one trip, in the file `keys` of the trip's folder. Whoever has it is that device.
///
/// The file holds a magic number, a version, the secrets in their canonical coding, and a checksum. Version 1 is in the
/// clear, protected by the file's mode alone; a passphrase will be another version.
package struct KeyFile: Hashable, Sendable {
    package var trip: Bytes32
    /// Ed25519.
    package var signingSeed: Bytes32
    /// X25519.
    package var agreementSecret: Bytes32
    /// Whose further device this is; nil for the first device of a participant, who is named by its key.
    package var participant: Bytes16?
    /// The secrets of the epochs that did not come by the log, oldest first: one at least, once the device was admitted.
    package var epochSecrets: [Bytes32]
    /// The join that is not finished, in its owner's encoding; nil once the device was admitted.
    package var pendingJoin: [UInt8]?

    package init(
        trip: Bytes32, signingSeed: Bytes32, agreementSecret: Bytes32, participant: Bytes16? = nil,
        epochSecrets: [Bytes32], pendingJoin: [UInt8]?
    ) {
        self.trip = trip
        self.signingSeed = signingSeed
        self.agreementSecret = agreementSecret
        self.participant = participant
        self.epochSecrets = epochSecrets
        self.pendingJoin = pendingJoin
    }
}

extension KeyFile: CustomStringConvertible, CustomReflectable {
    /// Without any secret, so that none gets into a log by accident.
    package var description: String { "secrets of a device" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

extension KeyFile {
    package static let maximumEpochs = 1_024
    package static let maximumPendingLength = 16_384

    private static let magic: [UInt8] = Array("caravan keys".utf8)
    private static let plainVersion: UInt8 = 1
    private static let checksumSize = 8
    private static let maximumSize = 1 << 20

    /// Reads the secrets of the trip in a folder. Throws `notATrip` where there are none.
    package init(readingFrom folder: String) throws(StoreError) {
        let path = Self.path(in: folder)
        guard try PrivateFolder.exists(folder), let file = try PrivateFile(existing: path) else {
            throw .notATrip(folder)
        }
        let size = try file.size
        guard size <= Self.maximumSize else { throw .damaged(path, "its length") }
        let bytes = try file.read(size, at: 0)
        guard bytes.starts(with: Self.magic), bytes.count > Self.magic.count else {
            throw .damaged(path, "its beginning")
        }
        let version = bytes[Self.magic.count]
        // A newer version may put its checksum elsewhere; so this comes first.
        guard version <= Self.plainVersion else {
            throw .newerVersion(path, found: Int(version), known: Int(Self.plainVersion))
        }
        guard version == Self.plainVersion, bytes.count >= Self.magic.count + 1 + Self.checksumSize,
            Self.checksum(bytes.dropLast(Self.checksumSize)) == Array(bytes.suffix(Self.checksumSize))
        else { throw .damaged(path, "its checksum") }
        do {
            self = try Self.decode(Array(bytes[(Self.magic.count + 1)...].dropLast(Self.checksumSize)))
        } catch {
            throw .damaged(path, "\(error)", cause: error)
        }
    }

    /// Writes the secrets of the trip in a folder, which this process owns: durably, and in place of the old ones whole
    /// or not at all.
    package func write(to folder: String) throws(StoreError) {
        guard epochSecrets.count <= Self.maximumEpochs, (pendingJoin?.count ?? 0) <= Self.maximumPendingLength else {
            throw StoreError(.tooLarge, "There are more secrets, or a longer invite, than a key file takes.")
        }
        guard try PrivateFolder.exists(folder) else { throw .notATrip(folder) }
        var bytes = Self.magic + [Self.plainVersion] + encoded
        bytes += Self.checksum(bytes[...])
        let path = Self.path(in: folder)
        let file = try PrivateFile(path: path + ".new")
        try file.replaceContents(with: bytes)
        try file.synchronize()
        guard rename(file.path, path) == 0 else { throw StoreError(SystemError("rename"), path: path) }
        try PrivateFolder.synchronize(folder)
    }

    private static func path(in folder: String) -> String { folder + "/keys" }

    private static func checksum(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var checksum = Checksum()
        checksum.add(Array(bytes))
        return checksum.value.littleEndianBytes
    }

    private var encoded: [UInt8] {
        var encoder = CanonicalEncoder()
        for value in [trip, signingSeed, agreementSecret] { encoder.encode(fixed: value.bytes) }
        encoder.encode(participant != nil)
        if let participant { encoder.encode(fixed: participant.bytes) }
        encoder.encode(count: epochSecrets.count)
        for secret in epochSecrets { encoder.encode(fixed: secret.bytes) }
        encoder.encode(pendingJoin != nil)
        if let pendingJoin { encoder.encode(pendingJoin) }
        return encoder.bytes
    }

    private static func decode(_ bytes: [UInt8]) throws(DecodingFailure) -> KeyFile {
        var decoder = CanonicalDecoder(bytes)
        let trip = try decoder.decodeBytes32()
        let signingSeed = try decoder.decodeBytes32()
        let agreementSecret = try decoder.decodeBytes32()
        let participant = try decoder.decodeBool() ? try decoder.decodeBytes16() : nil
        var epochSecrets: [Bytes32] = []
        for _ in 0..<(try decoder.decodeCount(limit: maximumEpochs, minimumSize: 32)) {
            epochSecrets.append(try decoder.decodeBytes32())
        }
        let pendingJoin = try decoder.decodeBool() ? try decoder.decodeBytes(limit: maximumPendingLength) : nil
        try decoder.finish()
        return KeyFile(
            trip: trip, signingSeed: signingSeed, agreementSecret: agreementSecret, participant: participant,
            epochSecrets: epochSecrets, pendingJoin: pendingJoin)
    }
}
