package import DeltaCRDT

/// A key or a secret that only the holder of one X25519 secret can read: an ephemeral key, then XChaCha20-Poly1305.
package enum SealedBox {
    /// Bytes of a box: the ephemeral key, the sealed secret, and its tag.
    package static let size = 32 + 32 + 16

    /// Seals a secret to a device; nil where the device's key is weak. The generator must be a cryptographic one.
    package static func seal(
        _ secret: Bytes32, to device: Device, using generator: inout some RandomNumberGenerator,
        _ cryptography: some Cryptography
    ) -> [UInt8]? {
        seal(secret, to: device.agreementKey, ephemeralSecret: .random(using: &generator), using: cryptography)
    }

    /// Seals a key to each of some devices, but for those whose keys are weak. The generator must be a cryptographic one.
    package static func seal(
        _ key: Bytes32, toEach devices: some Sequence<Device>, using generator: inout some RandomNumberGenerator,
        _ cryptography: some Cryptography
    ) -> [[UInt8]] {
        devices.compactMap { seal(key, to: $0, using: &generator, cryptography) }
    }

    /// Seals a secret to a key; nil where the key is weak.
    /// - Parameter ephemeralSecret: 32 fresh random bytes, used for this box alone.
    package static func seal(
        _ secret: Bytes32, to publicKey: Bytes32, ephemeralSecret: Bytes32, using cryptography: some Cryptography
    ) -> [UInt8]? {
        let ephemeralKey = cryptography.agreementPublicKey(secret: ephemeralSecret)
        guard let shared = cryptography.agree(secret: ephemeralSecret, publicKey: publicKey) else { return nil }
        let key = boxKey(shared, ephemeralKey, publicKey, using: cryptography)
        return ephemeralKey.bytes
            + cryptography.encrypt(secret.bytes, nonce: nonce, key: key, authenticating: [])
    }

    /// What a box holds; nil where the box is another's or was altered.
    package static func open(_ box: [UInt8], with secret: Bytes32, using cryptography: some Cryptography) -> Bytes32? {
        guard box.count == size, let ephemeralKey = Bytes32(box.prefix(32)) else { return nil }
        guard let shared = cryptography.agree(secret: secret, publicKey: ephemeralKey) else { return nil }
        let key = boxKey(shared, ephemeralKey, cryptography.agreementPublicKey(secret: secret), using: cryptography)
        return cryptography.decrypt(Array(box.dropFirst(32)), nonce: nonce, key: key, authenticating: [])
            .flatMap { Bytes32($0) }
    }

    /// What the first box holds that is sealed to the holder of a secret; nil where none is.
    package static func open(
        firstOf boxes: [[UInt8]], with secret: Bytes32, using cryptography: some Cryptography
    ) -> Bytes32? {
        for box in boxes {
            if let opened = open(box, with: secret, using: cryptography) { return opened }
        }
        return nil
    }

    /// A key is used once, so its nonce may be constant.
    private static let nonce = [UInt8](repeating: 0, count: 24)

    private static func boxKey(
        _ shared: Bytes32, _ ephemeralKey: Bytes32, _ publicKey: Bytes32, using cryptography: some Cryptography
    ) -> Bytes32 {
        let material = Array("caravan sealed box".utf8) + ephemeralKey.bytes + publicKey.bytes
        return cryptography.hash(material, key: shared)
    }
}

extension CanonicalEncoder {
    /// Appends the boxes of one key, and before them their number.
    package mutating func encode(boxes: [[UInt8]]) {
        encode(count: boxes.count)
        for box in boxes { encode(fixed: box) }
    }
}

extension CanonicalDecoder {
    /// Reads the boxes of one key, at most `limit`.
    package mutating func decodeBoxes(limit: Int) throws(DecodingFailure) -> [[UInt8]] {
        var boxes: [[UInt8]] = []
        for _ in 0..<(try decodeCount(limit: limit, minimumSize: SealedBox.size)) {
            boxes.append(Array(try decodeFixed(SealedBox.size)))
        }
        return boxes
    }
}
