import SyncEngine

/// One side of a handshake while it runs: the interpreter of its pattern (Noise revision 34, section 5.3).
///
/// What throws leaves it half mixed: `NoiseHandshake` then throws it away. Public keys are derived when they are sent, so
/// that a stranger's first message costs a responder no curve operation where a preshared key refuses it.
struct HandshakeState: Sendable {
    private let role: HandshakeRole
    private var keys: HandshakeKeys
    private let mixesEphemerals: Bool
    private let messages: [[HandshakePattern.Token]]
    private var messagesDone = 0
    private var presharedKeysUsed = 0
    private var symmetric: SymmetricState
    private var remoteEphemeral: [UInt8]?
    /// The other side's static key, as soon as it was read or where it was known beforehand.
    private(set) var remoteStatic: [UInt8]?

    /// Fails with `.weakKey` where a key is missing that must be known beforehand.
    init(
        _ noise: NoiseProtocol, _ role: HandshakeRole, prologue: [UInt8], keys: HandshakeKeys
    ) throws(HandshakeFailure) {
        self.role = role
        self.keys = keys
        messages = noise.pattern.messages
        mixesEphemerals = noise.pattern.usesPresharedKeys
        symmetric = SymmetricState(protocolName: noise.name)
        symmetric.mixHash(prologue.span)
        if noise.pattern.knowsInitiator { try mixKeyKnownBeforehand(of: .initiator) }
        if noise.pattern.knowsResponder { try mixKeyKnownBeforehand(of: .responder) }
    }

    private mutating func mixKeyKnownBeforehand(of owner: HandshakeRole) throws(HandshakeFailure) {
        if owner != role { remoteStatic = keys.remoteStaticKey }
        guard let key = owner == role ? keys.staticSecret.map(X25519.publicKey(of:)) : remoteStatic else {
            throw .weakKey
        }
        symmetric.mixHash(key.span)
    }

    /// Takes another static key. One that is known beforehand, or was sent, stays what the other side knows.
    mutating func show(_ staticSecret: SecretBytes) { keys.staticSecret = staticSecret }

    /// True once the last message was written or read.
    var isOver: Bool { messagesDone == messages.count }

    private var isOwnTurn: Bool { messagesDone.isMultiple(of: 2) == (role == .initiator) }

    /// The hash of the whole handshake, once it is over, to bind other protocols to the session (section 11.2).
    var hash: [UInt8] { symmetric.hash }

    /// The ciphers of the session: what the initiator sends, what the responder sends.
    func split() -> (CipherState, CipherState) { symmetric.split() }

    mutating func writeMessage(_ payload: [UInt8]) throws(HandshakeFailure) -> [UInt8] {
        guard !isOver, isOwnTurn else { throw .outOfTurn }
        guard payload.count <= NoiseProtocol.messageLengthMax else { throw .length }
        var message: [UInt8] = []
        for token in messages[messagesDone] {
            switch token {
            case .e:
                let key = try ownPublicKey(keys.ephemeralSecret)
                message += key
                mixEphemeral(key)
            case .s:
                let key = try ownPublicKey(keys.staticSecret)
                message += try symmetric.encryptAndHash(key.span)
            default: try mix(token)
            }
        }
        message += try symmetric.encryptAndHash(payload.span)
        guard message.count <= NoiseProtocol.messageLengthMax else { throw .length }
        messagesDone += 1
        return message
    }

    mutating func readMessage(_ message: [UInt8]) throws(HandshakeFailure) -> [UInt8] {
        guard !isOver, !isOwnTurn else { throw .outOfTurn }
        guard message.count <= NoiseProtocol.messageLengthMax else { throw .length }
        var rest = message[...]
        for token in messages[messagesDone] {
            switch token {
            case .e:
                let key = try take(X25519.keyLength, from: &rest)
                remoteEphemeral = key
                mixEphemeral(key)
            case .s:
                let length = X25519.keyLength + (symmetric.hasKey ? CipherState.tagLength : 0)
                let sealed = try take(length, from: &rest)
                remoteStatic = try symmetric.decryptAndHash(sealed.span)
            default: try mix(token)
            }
        }
        guard !symmetric.hasKey || rest.count >= CipherState.tagLength else { throw .length }
        let payload = try symmetric.decryptAndHash(rest.span)
        messagesDone += 1
        return payload
    }

    private func take(_ count: Int, from rest: inout ArraySlice<UInt8>) throws(HandshakeFailure) -> [UInt8] {
        guard rest.count >= count else { throw .length }
        let taken = Array(rest.prefix(count))
        rest.removeFirst(count)
        return taken
    }

    private func ownPublicKey(_ secret: SecretBytes?) throws(HandshakeFailure) -> [UInt8] {
        guard let secret else { throw .weakKey }
        return X25519.publicKey(of: secret)
    }

    private mutating func mixEphemeral(_ key: [UInt8]) {
        symmetric.mixHash(key.span)
        if mixesEphemerals { symmetric.mixKey(key.span) }
    }

    /// Mixes in a shared secret: a preshared one, or that of one key of each side, the initiator's named first.
    private mutating func mix(_ token: HandshakePattern.Token) throws(HandshakeFailure) {
        let isInitiator = role == .initiator
        switch token {
        case .ee: try mixAgreement(keys.ephemeralSecret, remoteEphemeral)
        case .ss: try mixAgreement(keys.staticSecret, remoteStatic)
        case .es where isInitiator, .se where !isInitiator: try mixAgreement(keys.ephemeralSecret, remoteStatic)
        case .es, .se: try mixAgreement(keys.staticSecret, remoteEphemeral)
        case .psk:
            guard presharedKeysUsed < keys.presharedKeys.count else { throw .weakKey }
            keys.presharedKeys[presharedKeysUsed].withSpan { symmetric.mixKeyAndHash($0) }
            presharedKeysUsed += 1
        case .e, .s: break
        }
    }

    private mutating func mixAgreement(_ secret: SecretBytes?, _ key: [UInt8]?) throws(HandshakeFailure) {
        guard let secret, let key, let shared = X25519.agree(secret, key) else { throw .weakKey }
        shared.withSpan { symmetric.mixKey($0) }
    }
}
