import ChangeLog

/// The message that opens a handshake (Documentation/Protocol.md, section 8). It names its secret, recognizable only with that
/// secret, and its destination, so that nobody can relay it.
enum FirstMessage {
    /// The bytes that the accepting side sends at once. They are part of the prologue, so that a recorded first message is
    /// useless everywhere.
    static let serverNonceSize = 16
    static let selectorSize = 16
    private static let ephemeralSize = 32
    private static let payloadSize = 19
    /// Bytes of each of the handshake's messages.
    static let length = selectorSize + ephemeralSize + payloadSize + 16
    static let secondLength = 32 + 48 + 16 + 16
    static let thirdLength = 48 + 16 + 16

    static func prologue(serverNonce: [UInt8]) -> [UInt8] {
        Array("caravan \(ProtocolVersion.current)".utf8) + serverNonce
    }

    /// - Parameter message: what the handshake wrote, which begins with the ephemeral key.
    static func selector(
        of message: some Collection<UInt8>, serverNonce: [UInt8], under credential: Credential,
        using cryptography: some Cryptography
    ) -> [UInt8] {
        let tag = cryptography.authenticate(
            serverNonce + Array(message.prefix(ephemeralSize)), key: credential.keys.selector)
        return Array(tag.bytes.prefix(selectorSize))
    }

    /// - Parameter isNamed: whether a person named the address, which a router may translate.
    static func payload(dialled address: PeerAddress, isNamed: Bool) -> [UInt8] {
        let host = address.hostBytes ?? [UInt8](repeating: 0, count: 16)
        return host + [UInt8(address.port >> 8), UInt8(address.port & 255), isNamed ? 1 : 0]
    }

    /// Whether a message received at an address was sent to that address.
    static func isMeant(_ payload: [UInt8], for address: PeerAddress) -> Bool {
        guard payload.count == payloadSize, payload[18] <= 1 else { return false }
        return payload[18] == 1
            || payload.prefix(18) == FirstMessage.payload(dialled: address, isNamed: false).prefix(18)
    }
}
