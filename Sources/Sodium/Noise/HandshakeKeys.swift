package import ChangeLog

/// What one side brings to a handshake. A pattern asks for some of these; the rest may be left out.
package struct HandshakeKeys: Sendable {
    var staticSecret: SecretBytes?
    let ephemeralSecret: SecretBytes?
    let remoteStaticKey: [UInt8]?
    let presharedKeys: [SecretBytes]

    /// - Parameters:
    ///   - ephemeralSecret: 32 random bytes for this handshake alone.
    ///   - remoteStaticKey: the other side's, where it is known beforehand.
    ///   - presharedKeys: one for each `psk` of the pattern, in the order in which they come.
    package init(
        staticSecret: Bytes32? = nil, ephemeralSecret: Bytes32? = nil, remoteStaticKey: Bytes32? = nil,
        presharedKeys: [Bytes32] = []
    ) {
        self.staticSecret = staticSecret.map(SecretBytes.init)
        self.ephemeralSecret = ephemeralSecret.map(SecretBytes.init)
        self.remoteStaticKey = remoteStaticKey?.bytes
        self.presharedKeys = presharedKeys.map(SecretBytes.init)
    }
}
