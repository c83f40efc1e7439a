package import ChangeLog
package import DeltaCRDT
import Files
import LibC

/// The secrets that make a device a member of one trip, in the file `keys` of the trip's folder. Anybody who has them is that device.
///
/// The file holds a magic number, a version, a body, and a checksum. The body of version 5 is the secrets in their canonical
/// coding, protected only by the file's mode. The body of version 6 is the same, sealed by its owner under a passphrase.
package struct KeyFile: Hashable, Sendable {
    package var trip: Bytes32
    /// Ed25519.
    package var signingSeed: Bytes32
    /// X25519.
    package var agreementSecret: Bytes32
    /// Whose device this is.
    package var participant: Bytes32
    /// The key that seals what the trip's store holds (`StoreSeal`), drawn for this home.
    package let recordKey: Bytes32
    /// The secrets of epochs that this device received, and that no box in the log holds for it, oldest first. At least one
    /// once a member has answered its request to join.
    package var epochSecrets: [Bytes32]
    /// The join that is not finished, in its owner's encoding; nil once it was answered.
    package var pendingJoin: [UInt8]?
    /// The seeds from which the secrets of this device's guests are made, the earliest first.
    package var guestSeeds: [Bytes32]

    package init(
        trip: Bytes32, signingSeed: Bytes32, agreementSecret: Bytes32, participant: Bytes32,
        recordKey: Bytes32, epochSecrets: [Bytes32], pendingJoin: [UInt8]?, guestSeeds: [Bytes32] = []
    ) {
        self.trip = trip
        self.signingSeed = signingSeed
        self.agreementSecret = agreementSecret
        self.participant = participant
        self.recordKey = recordKey
        self.epochSecrets = epochSecrets
        self.pendingJoin = pendingJoin
        self.guestSeeds = guestSeeds
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
    package static let maximumGuests = 64
    /// The greatest length of the canonical coding, in bytes.
    package static let maximumEncodedLength =
        5 * 32 + 4 + maximumEpochs * 32 + 1 + 4 + maximumPendingLength + 4 + maximumGuests * 32

    private static let magic: [UInt8] = Array("caravan keys".utf8)
    private static let plainVersion: UInt8 = 5
    private static let sealedVersion: UInt8 = 6
    private static let checksumSize = 8
    private static let maximumSize = 1 << 20

    /// What a key file holds.
    package enum Stored: Hashable, Sendable {
        case plain(KeyFile)
        /// The canonical coding, sealed by its writer.
        case sealed([UInt8])
    }

    /// What a seal is bound to: that this is a key file's.
    package static let sealContext = magic + [sealedVersion]

    /// Reads the secrets of the trip in a folder. Throws `notATrip` where there are none, `sealed` where they are sealed.
    package init(readingFrom folder: String) throws(StoreError) {
        guard case .plain(let keys) = try Self.stored(in: folder) else { throw .sealed(Self.path(in: folder)) }
        self = keys
    }

    /// Reads a folder's key file. Throws `notATrip` if there is none, and `damaged` if a store is there without it. Unencrypted
    /// bytes are wiped from the buffers that they passed through.
    package static func stored(in folder: String) throws(StoreError) -> Stored {
        let path = path(in: folder)
        guard try PrivateFolder.exists(folder), let file = try PrivateFile(reading: path) else {
            throw try PrivateFile.hasContents(TripStore.databasePath(in: folder))
                ? StoreError.missingKeys(path) : StoreError.notATrip(folder)
        }
        let size = try file.size
        guard size <= maximumSize else { throw .damaged(path, "its length") }
        var bytes = try file.read(size, at: 0)
        defer { wipe(&bytes) }
        return try stored(as: bytes, path)
    }

    /// - Parameter path: what errors name.
    static func stored(as bytes: [UInt8], _ path: String) throws(StoreError) -> Stored {
        guard bytes.starts(with: magic), bytes.count > magic.count else { throw .damaged(path, "its beginning") }
        let version = bytes[magic.count]
        // A newer version may put its checksum elsewhere; so this comes first.
        guard version <= sealedVersion else {
            throw .newerVersion
        }
        guard version == 0 || version >= plainVersion else { throw .olderVersion(path) }
        guard version >= plainVersion, bytes.count >= magic.count + 1 + checksumSize,
            checksum(bytes[..<(bytes.count - checksumSize)]) == Array(bytes[(bytes.count - checksumSize)...])
        else { throw .damaged(path, "its checksum") }
        let body = bytes[(magic.count + 1)..<(bytes.count - checksumSize)]
        if version == sealedVersion { return .sealed(Array(body)) }
        do {
            return .plain(
                try body.withUnsafeBufferPointer { body throws(DecodingFailure) in
                    try KeyFile(decoding: UnsafeRawBufferPointer(body))
                })
        } catch {
            throw .damaged(path, "\(error)", cause: error)
        }
    }

    /// Writes the secrets of the trip in a folder, which this process owns: in the clear, durably, and in place of the old
    /// ones whole or not at all.
    package func write(to folder: String) throws(StoreError) {
        try withEncoding { (body) throws(StoreError) in
            try Self.write(version: Self.plainVersion, body: body, to: folder)
        }
    }

    /// As `write(to:)`, with the coding as its caller sealed it. What was there in the clear is overwritten, as far as the
    /// disk overwrites anything.
    package static func write(sealed body: [UInt8], to folder: String) throws(StoreError) {
        let old = try PrivateFile(existing: path(in: folder))
        try body.withUnsafeBufferPointer { body throws(StoreError) in
            try write(version: sealedVersion, body: UnsafeRawBufferPointer(body), to: folder)
        }
        try? old?.overwriteIfUnlinked()
    }

    private static func write(version: UInt8, body: UnsafeRawBufferPointer, to folder: String) throws(StoreError) {
        guard body.count <= maximumSize / 2 else { throw .tooManySecrets }
        guard try PrivateFolder.exists(folder) else { throw .notATrip(folder) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(magic.count + 1 + body.count + checksumSize)
        defer { wipe(&bytes) }
        bytes += magic
        bytes.append(version)
        bytes += body
        bytes += checksum(bytes[...])
        let path = path(in: folder)
        do { try WholeFile.write(bytes, to: path, .all) } catch {
            throw StoreError(error, path: error.call == "rename" ? path : path + ".new")
        }
    }

    static func path(in folder: String) -> String { folder + "/keys" }

    private static func checksum(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var checksum = Checksum()
        checksum.add(bytes)
        return checksum.value.littleEndianBytes
    }

    static func wipe(_ bytes: inout [UInt8]) {
        bytes.withUnsafeMutableBytes { if let start = $0.baseAddress { explicit_bzero(start, $0.count) } }
    }
}

// MARK: - The canonical coding

extension KeyFile {
    /// Lends the canonical coding, and wipes it afterwards. Throws `tooLarge` for more than `init(decoding:)` takes.
    package func withEncoding<Result>(
        _ body: (UnsafeRawBufferPointer) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        guard epochSecrets.count <= Self.maximumEpochs, (pendingJoin?.count ?? 0) <= Self.maximumPendingLength,
            guestSeeds.count <= Self.maximumGuests
        else { throw .tooManySecrets }
        var encoder = CanonicalEncoder()
        for value in [trip, signingSeed, agreementSecret, recordKey, participant] { encoder.encode(fixed: value.bytes) }
        encoder.encode(count: epochSecrets.count)
        for secret in epochSecrets { encoder.encode(fixed: secret.bytes) }
        encoder.encode(pendingJoin != nil)
        if let pendingJoin { encoder.encode(pendingJoin) }
        encoder.encode(count: guestSeeds.count)
        for seed in guestSeeds { encoder.encode(fixed: seed.bytes) }
        var bytes = encoder.bytes
        encoder = CanonicalEncoder()
        defer { Self.wipe(&bytes) }
        return try bytes.withUnsafeBufferPointer { bytes throws(StoreError) in try body(UnsafeRawBufferPointer(bytes)) }
    }

    /// Reads the canonical coding.
    package init(decoding encoded: UnsafeRawBufferPointer) throws(DecodingFailure) {
        guard encoded.count <= Self.maximumEncodedLength else { throw .tooLarge }
        var bytes = Array(encoded)
        defer { Self.wipe(&bytes) }
        self = try Self.decode(bytes)
    }

    private static func decode(_ bytes: [UInt8]) throws(DecodingFailure) -> KeyFile {
        var decoder = CanonicalDecoder(bytes)
        let trip = try decoder.decodeBytes32()
        let signingSeed = try decoder.decodeBytes32()
        let agreementSecret = try decoder.decodeBytes32()
        let recordKey = try decoder.decodeBytes32()
        let participant = try decoder.decodeBytes32()
        var epochSecrets: [Bytes32] = []
        for _ in 0..<(try decoder.decodeCount(limit: maximumEpochs, minimumSize: 32)) {
            epochSecrets.append(try decoder.decodeBytes32())
        }
        let pendingJoin = try decoder.decodeBool() ? try decoder.decodeBytes(limit: maximumPendingLength) : nil
        var guestSeeds: [Bytes32] = []
        for _ in 0..<(try decoder.decodeCount(limit: maximumGuests, minimumSize: 32)) {
            guestSeeds.append(try decoder.decodeBytes32())
        }
        try decoder.finish()
        return KeyFile(
            trip: trip, signingSeed: signingSeed, agreementSecret: agreementSecret, participant: participant,
            recordKey: recordKey, epochSecrets: epochSecrets, pendingJoin: pendingJoin, guestSeeds: guestSeeds)
    }
}
