/// A Noise protocol (revision 34, section 8): a handshake pattern with X25519, ChaCha20-Poly1305 and SHA-256.
package struct NoiseProtocol: Hashable, Sendable {
    /// The longest message, in bytes, of a handshake or after it (section 3).
    package static let messageLengthMax = 65_535

    /// The name, from which the first hash is made.
    package let name: String
    let pattern: HandshakePattern

    /// Reads a name such as `Noise_XXpsk0_25519_ChaChaPoly_SHA256`; nil for other primitives or an unknown pattern.
    package init?(name: String) {
        let parts = name.split(separator: "_", omittingEmptySubsequences: false)
        guard parts.count == 5, parts[0] == "Noise", parts[2...] == ["25519", "ChaChaPoly", "SHA256"],
            let pattern = HandshakePattern(name: parts[1])
        else { return nil }
        self.name = name
        self.pattern = pattern
    }
}
