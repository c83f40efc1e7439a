import ChangeLog
import SyncEngine

/// Three messages of the same lengths, with the same refusals, as `Noise_XXpsk0`: → psk, e; ← e, ee, s, es; → s, se.
struct FastHandshake: Handshake {
    private let role: HandshakeRole
    private var staticSecret: Bytes32
    private let ephemeralSecret: Bytes32
    /// Follows from all secrets that both sides have shown to share.
    private var chain: Bytes32
    /// Follows from all bytes that were said.
    private var transcript: Bytes32
    private var remoteEphemeral: Bytes32?
    private(set) var remoteStaticKey: Bytes32?
    private var messageCount = 0
    private var failure: HandshakeFailure?

    init(
        _ role: HandshakeRole, prologue: [UInt8], presharedKey: Bytes32, staticSecret: Bytes32,
        ephemeralSecret: Bytes32
    ) {
        self.role = role
        self.staticSecret = staticSecret
        self.ephemeralSecret = ephemeralSecret
        transcript = FastCryptography.hash(.handshake, prologue)
        chain = FastCryptography.hash(.handshake, key: presharedKey, with: transcript)
    }

    mutating func show(_ staticSecret: Bytes32) { self.staticSecret = staticSecret }

    var isComplete: Bool { messageCount == 3 && failure == nil }

    private var isOwnTurn: Bool { messageCount < 3 && (messageCount % 2 == 0) == (role == .initiator) }

    // MARK: - Writing

    mutating func write(_ payload: [UInt8]) throws(HandshakeFailure) -> [UInt8] {
        if let failure { throw failure }
        guard isOwnTurn else { throw fail(.outOfTurn) }
        let cryptography = FastCryptography()
        var message: [UInt8] = []
        if messageCount < 2 {
            message = cryptography.agreementPublicKey(secret: ephemeralSecret).bytes
            mix(message)
        }
        if messageCount > 0 {
            if messageCount == 1 { try agree(ephemeralSecret, remoteEphemeral) }
            message += sealed(cryptography.agreementPublicKey(secret: staticSecret).bytes)
            try agree(staticSecret, remoteEphemeral)
        }
        message += sealed(payload)
        guard message.count <= 65_535 else { throw fail(.length) }
        messageCount += 1
        return message
    }

    private mutating func sealed(_ plaintext: [UInt8]) -> [UInt8] {
        let ciphertext = FastCipher.seal(plaintext, under: chain, authenticating: transcript.bytes)
        mix(ciphertext)
        return ciphertext
    }

    // MARK: - Reading

    mutating func read(_ message: [UInt8]) throws(HandshakeFailure) -> [UInt8] {
        if let failure { throw failure }
        guard messageCount < 3, !isOwnTurn else { throw fail(.outOfTurn) }
        guard message.count >= [48, 96, 64][messageCount], message.count <= 65_535 else { throw fail(.length) }
        var rest = message[...]
        if messageCount < 2 {
            remoteEphemeral = Bytes32(rest.prefix(32))
            mix(Array(rest.prefix(32)))
            rest = rest.dropFirst(32)
        }
        if messageCount > 0 {
            if messageCount == 1 { try agree(ephemeralSecret, remoteEphemeral) }
            let key = Bytes32(try opened(Array(rest.prefix(48))))
            rest = rest.dropFirst(48)
            try agree(ephemeralSecret, key)
            remoteStaticKey = key
        }
        let payload = try opened(Array(rest))
        messageCount += 1
        return payload
    }

    private mutating func opened(_ ciphertext: [UInt8]) throws(HandshakeFailure) -> [UInt8] {
        guard let plaintext = FastCipher.open(ciphertext, under: chain, authenticating: transcript.bytes) else {
            throw fail(.authentication)
        }
        mix(ciphertext)
        return plaintext
    }

    // MARK: - Keys

    private mutating func mix(_ bytes: [UInt8]) {
        transcript = FastCryptography.hash(.handshake, key: transcript, bytes)
    }

    private mutating func agree(_ secret: Bytes32, _ key: Bytes32?) throws(HandshakeFailure) {
        guard let key, let shared = FastCryptography().agree(secret: secret, publicKey: key) else {
            throw fail(.weakKey)
        }
        chain = FastCryptography.hash(.handshake, key: chain, with: shared)
    }

    private mutating func fail(_ reason: HandshakeFailure) -> HandshakeFailure {
        failure = failure ?? reason
        return reason
    }

    func transport() -> (sending: any TransportCipher, receiving: any TransportCipher)? {
        guard isComplete else { return nil }
        let base = FastCryptography.hash(.split, key: chain, with: transcript)
        let initiator = FastTransportCipher(key: FastCryptography.hash(.split, key: base, [1]))
        let responder = FastTransportCipher(key: FastCryptography.hash(.split, key: base, [2]))
        return role == .initiator ? (initiator, responder) : (responder, initiator)
    }
}
