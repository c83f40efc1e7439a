import ChangeLog

/// The name under which a node is published: a random nonce, and what only those who hold the key can make of it.
struct InstanceName: Hashable, Sendable {
    let nonce: [UInt8]
    let tag: [UInt8]

    private static let nonceSize = 8
    private static let tagSize = 8

    init(credential: Credential, nonce word: UInt64, using cryptography: some Cryptography) {
        nonce = (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * UInt64($0))) }
        tag = InstanceName.tag(nonce, credential, using: cryptography)
    }

    /// A name that nobody made for anybody, like any other to all.
    init(noiseFrom generator: inout some RandomNumberGenerator) {
        let bytes = Bytes16(high: generator.next(), low: generator.next()).bytes
        nonce = Array(bytes[..<InstanceName.nonceSize])
        tag = Array(bytes[InstanceName.nonceSize...])
    }

    /// Reads 26 characters of base 32; nil where it cannot be one of ours.
    init?(_ text: String) {
        guard text.utf8.count == 26, let bytes = Base32.decode(text),
            bytes.count == InstanceName.nonceSize + InstanceName.tagSize
        else { return nil }
        nonce = Array(bytes[..<InstanceName.nonceSize])
        tag = Array(bytes[InstanceName.nonceSize...])
    }

    var text: String { Base32.encode(nonce + tag) }

    /// Whether its maker held the credential's key.
    func isMade(with credential: Credential, using cryptography: some Cryptography) -> Bool {
        tag == InstanceName.tag(nonce, credential, using: cryptography)
    }

    /// What the TXT record says of an address, to those who hold the credential's key; nil where its host is no numeric
    /// address.
    func addressTag(
        of address: PeerAddress, _ credential: Credential, using cryptography: some Cryptography
    ) -> AddressTag? {
        guard let endpoint = address.endpointBytes else { return nil }
        let tag = cryptography.authenticate(nonce + endpoint.port + endpoint.host, key: credential.keys.discovery)
        return AddressTag(firstOf: tag.bytes)
    }

    private static func tag(
        _ nonce: [UInt8], _ credential: Credential, using cryptography: some Cryptography
    ) -> [UInt8] {
        Array(cryptography.authenticate(nonce, key: credential.keys.discovery).bytes.prefix(tagSize))
    }
}
