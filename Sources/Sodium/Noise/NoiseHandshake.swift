package import ChangeLog
package import SyncEngine

/// A handshake of any Noise protocol that `NoiseProtocol` names.
///
/// The first failure ends it: its secrets are let go, and it answers every later call with that failure. A call out of
/// turn ends a handshake that runs, and changes nothing in a complete one. It is a value, and a copy repeats the same
/// ephemeral key: write each message once.
package struct NoiseHandshake: Sendable {
    private enum Phase: Sendable {
        case running(HandshakeState)
        case complete(Outcome)
        case failed(HandshakeFailure)
    }

    private struct Outcome: Sendable {
        let initiatorCipher: CipherState
        let responderCipher: CipherState
        let hash: Bytes32?
        let remoteStaticKey: Bytes32?
    }

    private let role: HandshakeRole
    private var phase: Phase

    /// A handshake ready for its first message. One that lacks a key that the pattern asks for fails with `.weakKey`: at
    /// once where the key must be known beforehand, else at the message that needs it.
    package init(_ noise: NoiseProtocol, _ role: HandshakeRole, prologue: [UInt8], keys: HandshakeKeys) {
        self.role = role
        do {
            phase = .running(try HandshakeState(noise, role, prologue: prologue, keys: keys))
        } catch {
            phase = .failed(error)
        }
    }

    /// The hash of the whole handshake, the same on both sides and in no other session; nil before the end.
    package var handshakeHash: Bytes32? {
        guard case .complete(let outcome) = phase else { return nil }
        return outcome.hash
    }

    /// Carries out one step on the running state, and keeps it only if the step succeeded.
    private mutating func step(
        _ body: (inout HandshakeState) throws(HandshakeFailure) -> [UInt8]
    ) throws(HandshakeFailure) -> [UInt8] {
        switch phase {
        case .failed(let failure): throw failure
        case .complete: throw .outOfTurn
        case .running(var state):
            do {
                let answer = try body(&state)
                phase = state.isOver ? .complete(Self.outcome(of: state)) : .running(state)
                return answer
            } catch {
                phase = .failed(error)
                throw error
            }
        }
    }

    private static func outcome(of state: HandshakeState) -> Outcome {
        let (initiatorCipher, responderCipher) = state.split()
        return Outcome(
            initiatorCipher: initiatorCipher, responderCipher: responderCipher,
            hash: Bytes32(state.hash), remoteStaticKey: state.remoteStatic.flatMap { Bytes32($0) })
    }
}

extension NoiseHandshake: Handshake {
    package mutating func write(_ payload: [UInt8]) throws(HandshakeFailure) -> [UInt8] {
        try step { state throws(HandshakeFailure) in try state.writeMessage(payload) }
    }

    package mutating func read(_ message: [UInt8]) throws(HandshakeFailure) -> [UInt8] {
        try step { state throws(HandshakeFailure) in try state.readMessage(message) }
    }

    package mutating func show(_ staticSecret: Bytes32) {
        guard case .running(var state) = phase else { return }
        state.show(SecretBytes(staticSecret))
        phase = .running(state)
    }

    package var isComplete: Bool {
        if case .complete = phase { true } else { false }
    }

    package var remoteStaticKey: Bytes32? {
        switch phase {
        case .running(let state): state.remoteStatic.flatMap { Bytes32($0) }
        case .complete(let outcome): outcome.remoteStaticKey
        case .failed: nil
        }
    }

    package func transport() -> (sending: any TransportCipher, receiving: any TransportCipher)? {
        guard case .complete(let outcome) = phase else { return nil }
        switch role {
        case .initiator: return (outcome.initiatorCipher, outcome.responderCipher)
        case .responder: return (outcome.responderCipher, outcome.initiatorCipher)
        }
    }
}
