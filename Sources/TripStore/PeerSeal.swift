package import ChangeLog
import DeltaCRDT

/// Seals what the store holds of other devices: their keys and addresses say who was met, and where.
package struct PeerSeal: Sendable {
    private let cryptography: any Cryptography
    private let sealingKey: Bytes32
    private let namingKey: Bytes32

    private static let nonceSize = 24

    /// - Parameter secret: known to this device alone.
    package init(secret: Bytes32, using cryptography: some Cryptography) {
        self.cryptography = cryptography
        sealingKey = cryptography.deriveKey(from: secret, label: "caravan peers at rest, sealed")
        namingKey = cryptography.deriveKey(from: secret, label: "caravan peers at rest, named")
    }

    /// What a device's row is found by.
    func rowName(of device: Bytes32) -> [UInt8] { cryptography.hash(device.bytes, key: namingKey).bytes }

    /// A peer as its row holds it: a random nonce, and the sealed rest, bound to the row's name.
    func seal(_ peer: KnownPeer) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        let nonce = (0..<Self.nonceSize).map { _ in UInt8.random(in: 0...255, using: &generator) }
        var encoder = CanonicalEncoder()
        encoder.encode(fixed: peer.device.bytes)
        encoder.encode(peer.lastSeen)
        encoder.encode(count: peer.addresses.count)
        for address in peer.addresses { encoder.encode(address) }
        encoder.encode(count: peer.durable.count)
        for hash in peer.durable { encoder.encode(fixed: hash.bytes) }
        return nonce
            + cryptography.encrypt(
                encoder.bytes, nonce: nonce, key: sealingKey, authenticating: rowName(of: peer.device))
    }

    /// Nil for what was not sealed here: a hint is not worth an error.
    func open(_ sealed: [UInt8], rowName: [UInt8]) -> KnownPeer? {
        guard
            let encoded = cryptography.decrypt(
                Array(sealed.dropFirst(Self.nonceSize)), nonce: Array(sealed.prefix(Self.nonceSize)), key: sealingKey,
                authenticating: rowName)
        else { return nil }
        return try? Self.decode(encoded)
    }

    private static func decode(_ encoded: [UInt8]) throws(DecodingFailure) -> KnownPeer {
        var decoder = CanonicalDecoder(encoded)
        let device = try decoder.decodeBytes32()
        let lastSeen = try decoder.decodeInt64()
        var addresses: [String] = []
        for _ in 0..<(try decoder.decodeCount(limit: TripStore.maximumAddressesPerPeer)) {
            addresses.append(try decoder.decodeString(limit: TripStore.maximumAddressLength))
        }
        var durable: [Bytes32] = []
        for _ in 0..<(try decoder.decodeCount(limit: TripStore.maximumDurablePerPeer, minimumSize: 32)) {
            durable.append(try decoder.decodeBytes32())
        }
        try decoder.finish()
        return KnownPeer(device: device, addresses: addresses, lastSeen: lastSeen, durable: durable)
    }
}
