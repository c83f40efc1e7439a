package import ChangeLog
import DeltaCRDT

extension Bundle {
    /// Seals records for holders of an epoch's secret, and for some devices that may lack it.
    ///
    /// - Parameters:
    ///   - records: of changes, each after its past.
    ///   - devices: to each the key is sealed once; to at most `ChangeBounds.grantBoxesMax` of them.
    ///   - generator: must be a cryptographic one.
    /// - Throws: `tooLarge` for more than `bytesMax`.
    package static func seal(
        _ records: [[UInt8]], of trip: Bytes32, by author: DeviceSecrets, under epoch: Epoch, and devices: [Device],
        using generator: inout some RandomNumberGenerator, _ cryptography: some Cryptography
    ) throws(Failure) -> [UInt8] {
        let size = records.reduce(0) { $0 + $1.count }
        guard size < bytesMax else { throw .tooLarge }
        let key = Bytes32.random(using: &generator)
        let nonce = Array(Bytes32.random(using: &generator).bytes.prefix(nonceSize))
        let locked = cryptography.encrypt(
            key.bytes, nonce: nonce, key: lockingKey(of: epoch, using: cryptography), authenticating: [])
        let boxes = SealedBox.seal(
            key, toEach: devices.prefix(ChangeBounds.grantBoxesMax), using: &generator, cryptography)
        var header = CanonicalEncoder()
        header.encode(fixed: magic + [version] + nonce + selector(of: epoch, nonce, using: cryptography) + locked)
        header.encode(boxes: boxes)
        let content = content(records, of: trip, by: author, using: cryptography)
        var bytes = header.bytes
        bytes.reserveCapacity(bytes.count + content.count + (content.count / chunkSize + 1) * tagSize)
        for (number, start) in stride(from: 0, to: content.count, by: chunkSize).enumerated() {
            let end = min(start + chunkSize, content.count)
            bytes += cryptography.encrypt(
                Array(content[start..<end]), nonce: Self.nonce(ofChunk: number, isLast: end == content.count), key: key,
                authenticating: header.bytes)
        }
        guard bytes.count <= bytesMax else { throw .tooLarge }
        return bytes
    }

    private static func content(
        _ records: [[UInt8]], of trip: Bytes32, by author: DeviceSecrets, using cryptography: some Cryptography
    ) -> [UInt8] {
        var encoder = CanonicalEncoder()
        encoder.encode(fixed: trip.bytes)
        encoder.encode(author.device.replica)
        encoder.encode(count: records.count)
        for record in records { encoder.encode(record) }
        let content = encoder.bytes
        return content + cryptography.sign(signedMessage(content, using: cryptography), seed: author.signingSeed)
    }
}
