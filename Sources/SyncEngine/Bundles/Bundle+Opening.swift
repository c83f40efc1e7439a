package import ChangeLog
import DeltaCRDT

extension Bundle {
    /// Opens a bundle. Nothing of it is believed before it was authenticated; whether its author is in is for
    /// `TripLog.receive` to say.
    ///
    /// Complexity: O(n) in its bytes, and an agreement for each of its boxes where no epoch's secret fits.
    /// - Parameters:
    ///   - epochs: those whose secrets are here.
    ///   - reader: the device that opens it.
    package static func open(
        _ bytes: [UInt8], with epochs: [Epoch], or reader: DeviceSecrets, using cryptography: some Cryptography
    ) throws(Failure) -> Bundle {
        guard isBegun(by: bytes) else { throw .notABundle }
        guard bytes.count <= bytesMax else { throw .tooLarge }
        guard bytes.count > prefixSize else { throw .damaged }
        guard bytes[magic.count] == version else {
            throw bytes[magic.count] > version ? .newerVersion : .damaged
        }
        let (boxes, headerSize) = try boxes(of: bytes)
        let prefix = bytes[(magic.count + 1)..<prefixSize]
        let nonce = Array(prefix.prefix(nonceSize))
        let selector = Array(prefix.dropFirst(nonceSize).prefix(selectorSize))
        let locked = Array(prefix.suffix(32 + tagSize))
        let key: Bytes32
        if let epoch = epochs.first(where: { self.selector(of: $0, nonce, using: cryptography) == selector }) {
            let opened = cryptography.decrypt(
                locked, nonce: nonce, key: lockingKey(of: epoch, using: cryptography), authenticating: [])
            guard let opened = opened.flatMap({ Bytes32($0) }) else { throw .damaged }
            key = opened
        } else {
            let opened = SealedBox.open(firstOf: boxes, with: reader.agreementSecret, using: cryptography)
            guard let opened else { throw .notForThisDevice }
            key = opened
        }
        return try read(try content(bytes, after: headerSize, key, using: cryptography), using: cryptography)
    }

    private static func boxes(of bytes: [UInt8]) throws(Failure) -> (boxes: [[UInt8]], headerSize: Int) {
        // As many bytes as the boxes can take, and their number.
        let end = min(bytes.count, prefixSize + 10 + ChangeBounds.grantBoxesMax * SealedBox.size)
        var decoder = CanonicalDecoder(Array(bytes[prefixSize..<end]))
        do {
            let boxes = try decoder.decodeBoxes(limit: ChangeBounds.grantBoxesMax)
            return (boxes, prefixSize + decoder.offset)
        } catch {
            throw .damaged
        }
    }

    private static func content(
        _ bytes: [UInt8], after headerSize: Int, _ key: Bytes32, using cryptography: some Cryptography
    ) throws(Failure) -> [UInt8] {
        let header = Array(bytes[..<headerSize])
        var content: [UInt8] = []
        content.reserveCapacity(bytes.count - headerSize)
        var (start, number) = (headerSize, 0)
        repeat {
            let end = min(start + chunkSize + tagSize, bytes.count)
            let chunk = cryptography.decrypt(
                Array(bytes[start..<end]), nonce: nonce(ofChunk: number, isLast: end == bytes.count), key: key,
                authenticating: header)
            guard let chunk, !chunk.isEmpty else { throw .damaged }
            content += chunk
            (start, number) = (end, number + 1)
        } while start < bytes.count
        return content
    }

    private static func read(_ content: [UInt8], using cryptography: some Cryptography) throws(Failure) -> Bundle {
        var decoder = CanonicalDecoder(content)
        do {
            let trip = try decoder.decodeBytes32()
            let author = try decoder.decodeReplicaID()
            var records: [[UInt8]] = []
            // A record holds a signature and more.
            let count = try decoder.decodeCount(limit: bytesMax / signatureSize, minimumSize: signatureSize)
            for _ in 0..<count {
                records.append(try decoder.decodeBytes(limit: ChangeBounds.recordBytesMax))
            }
            let signature = Array(try decoder.decodeFixed(signatureSize))
            try decoder.finish()
            return Bundle(
                trip: trip, author: author, records: records, signature: signature,
                signedMessage: signedMessage(Array(content.dropLast(signatureSize)), using: cryptography))
        } catch {
            throw .damaged
        }
    }

    private static let signatureSize = 64
}
