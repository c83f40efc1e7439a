import DeltaCRDT

/// Bytes that the devices of one participant alone can read: a key, sealed to each of them, and what is sealed under it.
package enum OwnNote {
    private static let boxSize = SealedBox.overhead + 32
    /// A key seals one note, so its nonce may be constant.
    private static let nonce = [UInt8](repeating: 0, count: 24)

    /// - Parameters:
    ///   - devices: at most `ChangeBounds.devicesMax`; one whose key is weak is left out.
    ///   - generator: must be a cryptographic one.
    package static func seal(
        _ content: [UInt8], to devices: [Device], using generator: inout some RandomNumberGenerator,
        _ cryptography: some Cryptography
    ) -> [UInt8] {
        let key = Bytes32.random(using: &generator)
        var boxes: [[UInt8]] = []
        for device in devices.prefix(ChangeBounds.devicesMax) {
            let box = SealedBox.seal(
                key.bytes, to: device.agreementKey, ephemeralSecret: .random(using: &generator), using: cryptography)
            if let box { boxes.append(box) }
        }
        var encoder = CanonicalEncoder()
        encoder.encode(count: boxes.count)
        for box in boxes { encoder.encode(fixed: box) }
        encoder.encode(cryptography.encrypt(content, nonce: nonce, key: key, authenticating: []))
        return encoder.bytes
    }

    /// The content, and to how many devices it is sealed; nil where no box is for this device, or something was altered. Bytes may follow: a later version's.
    package static func open(
        _ note: [UInt8], with secret: Bytes32, using cryptography: some Cryptography
    ) -> (content: [UInt8], readers: Int)? {
        var decoder = CanonicalDecoder(note)
        guard let count = try? decoder.decodeCount(limit: ChangeBounds.devicesMax, minimumSize: boxSize) else {
            return nil
        }
        var key: Bytes32?
        for _ in 0..<count {
            guard let box = try? decoder.decodeFixed(boxSize) else { return nil }
            key = key ?? SealedBox.open(Array(box), with: secret, using: cryptography).flatMap { Bytes32($0) }
        }
        guard let key, let sealed = try? decoder.decodeBytes(limit: ChangeBounds.contentBytesMax) else { return nil }
        return cryptography.decrypt(sealed, nonce: nonce, key: key, authenticating: []).map { ($0, count) }
    }
}
