package import ChangeLog

/// What a session stands on, beside the log's primitives.
package protocol SessionCryptography: Cryptography {
    /// A handshake of `Noise_XXpsk0_25519_ChaChaPoly_SHA256`, ready for its first message.
    func handshake(
        _ role: HandshakeRole, prologue: [UInt8], presharedKey: Bytes32, staticSecret: Bytes32, ephemeralSecret: Bytes32
    ) -> any Handshake
}

package enum HandshakeRole: Hashable, Sendable {
    case initiator
    case responder
}

/// Why a handshake ended. There is nothing to retry with the same state.
package enum HandshakeFailure: Error, Hashable, Sendable {
    /// The message is shorter than its pattern, or longer than 65,535 bytes.
    case length
    /// A tag does not fit: another key, or altered bytes.
    case authentication
    /// A key of the other side gives an all-zero shared secret.
    case weakKey
    /// It is not this side's turn, or the handshake is over.
    case outOfTurn
}

/// One side of a Noise handshake (revision 34, section 5.3), as a value.
package protocol Handshake: Sendable {
    mutating func write(_ payload: [UInt8]) throws(HandshakeFailure) -> [UInt8]
    mutating func read(_ message: [UInt8]) throws(HandshakeFailure) -> [UInt8]
    /// Takes another static key, for a message that is still to be written.
    mutating func show(_ staticSecret: Bytes32)
    /// True once the last message was written or read.
    var isComplete: Bool { get }
    /// The other side's static key, once it was read.
    var remoteStaticKey: Bytes32? { get }
    /// The ciphers of a complete handshake; nil before.
    func transport() -> (sending: any TransportCipher, receiving: any TransportCipher)?
}

/// One direction of a session after its handshake (Noise revision 34, section 5.1).
package protocol TransportCipher: Sendable {
    /// The ciphertext, 16 bytes longer. Nil when the nonces are used up.
    mutating func seal(_ plaintext: [UInt8]) -> [UInt8]?
    /// The plaintext, or nil where anything was altered, left out or repeated.
    mutating func open(_ ciphertext: [UInt8]) -> [UInt8]?
    /// The same where it stands: the plaintext is the end of a buffer, from an index, and the ciphertext takes its place.
    /// False when the nonces are used up.
    mutating func seal(_ buffer: inout [UInt8], from start: Int) -> Bool
    /// The same for a ciphertext that is part of a buffer.
    mutating func open(_ buffer: [UInt8], in range: Range<Int>) -> [UInt8]?
    /// Noise's REKEY.
    mutating func rekey()
}

extension TransportCipher {
    package mutating func seal(_ buffer: inout [UInt8], from start: Int) -> Bool {
        guard let ciphertext = seal(Array(buffer[start...])) else { return false }
        buffer.replaceSubrange(start..., with: ciphertext)
        return true
    }

    package mutating func open(_ buffer: [UInt8], in range: Range<Int>) -> [UInt8]? { open(Array(buffer[range])) }
}
