package import ChangeLog
package import SyncEngine

extension SodiumCryptography: SessionCryptography {
    /// No curve operation is done before the first message, and none by a responder for a message 1 under another psk.
    package func handshake(
        _ role: HandshakeRole, prologue: [UInt8], presharedKey: Bytes32, staticSecret: Bytes32, ephemeralSecret: Bytes32
    ) -> any Handshake {
        let keys = HandshakeKeys(
            staticSecret: staticSecret, ephemeralSecret: ephemeralSecret, presharedKeys: [presharedKey])
        return NoiseHandshake(sessionProtocol, role, prologue: prologue, keys: keys)
    }
}
