import ChangeLog

/// What opens a handshake (Documentation/Protocol.md, section 8): which secret it is under, told to those who hold that alone,
/// and where it was sent, so that nobody can pass it on.
enum FirstMessage {
    /// What whoever accepts a connection says at once: it stands in the prologue, so that a recorded first message is worth
    /// nothing anywhere.
    static let greetingSize = 16
    static let selectorSize = 16
    private static let ephemeralSize = 32
    private static let payloadSize = 19
    /// Bytes of each of the handshake's messages.
    static let length = selectorSize + ephemeralSize + payloadSize + 16
    static let secondLength = 32 + 48 + 16 + 16
    static let thirdLength = 48 + 16 + 16

    static func prologue(greeting: [UInt8]) -> [UInt8] { Array("caravan \(ProtocolVersion.current)".utf8) + greeting }

    /// - Parameter message: what the handshake wrote, which begins with the ephemeral key.
    static func selector(
        of message: some Collection<UInt8>, greeting: [UInt8], under credential: Credential,
        using cryptography: some Cryptography
    ) -> [UInt8] {
        let tag = cryptography.authenticate(
            greeting + Array(message.prefix(ephemeralSize)), key: credential.keys.selector)
        return Array(tag.bytes.prefix(selectorSize))
    }

    /// - Parameter isNamed: whether a person named the address, which may be another on the way.
    static func payload(dialled address: PeerAddress, isNamed: Bool) -> [UInt8] {
        let host = address.hostBytes ?? [UInt8](repeating: 0, count: 16)
        return host + [UInt8(address.port >> 8), UInt8(address.port & 255), isNamed ? 1 : 0]
    }

    /// Whether a message that came at an address was sent there.
    static func isMeant(_ payload: [UInt8], for address: PeerAddress) -> Bool {
        guard payload.count == payloadSize, payload[18] <= 1 else { return false }
        return payload[18] == 1
            || payload.prefix(18) == FirstMessage.payload(dialled: address, isNamed: false).prefix(18)
    }
}
