import DeltaCRDT

/// Bytes that the devices of one participant alone can read: a key, sealed to each of them, and what is sealed under it.
package enum OwnNote {
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
        var encoder = CanonicalEncoder()
        encoder.encode(
            boxes: SealedBox.seal(
                key, toEach: devices.prefix(ChangeBounds.devicesMax), using: &generator, cryptography))
        encoder.encode(cryptography.encrypt(content, nonce: nonce, key: key, authenticating: []))
        return encoder.bytes
    }

    /// The content, and to how many devices it is sealed; nil where no box is for this device, or something was altered.
    /// Bytes may follow: a later version's.
    package static func open(
        _ note: [UInt8], with secret: Bytes32, using cryptography: some Cryptography
    ) -> (content: [UInt8], readers: Int)? {
        var decoder = CanonicalDecoder(note)
        guard let boxes = try? decoder.decodeBoxes(limit: ChangeBounds.devicesMax),
            let sealed = try? decoder.decodeBytes(limit: ChangeBounds.contentBytesMax),
            let key = SealedBox.open(firstOf: boxes, with: secret, using: cryptography)
        else { return nil }
        return cryptography.decrypt(sealed, nonce: nonce, key: key, authenticating: []).map { ($0, boxes.count) }
    }
}
