import ChangeLog
import DeltaCRDT
import SyncEngine

/// Primitives with one fault, to see that the laws notice.
struct FaultyCryptography: LayeredCryptography {
    let sound: any SessionCryptography
    let mutation: TripMutation?

    func isValid(_ signature: Signature, of message: [UInt8], by publicKey: Bytes32) -> Bool {
        let isTaken =
            mutation == .acceptedSignatures || mutation == .skippedSignatures && (message.last ?? 0) % 2 == 0
        if mutation == .believedReceipts, message.starts(with: "caravan mailbox".utf8) { return true }
        return isTaken || sound.isValid(signature, of: message, by: publicKey)
    }

    func encrypt(_ plaintext: [UInt8], nonce: [UInt8], key: Bytes32, authenticating header: [UInt8]) -> [UInt8] {
        if mutation == .plaintext { return plaintext + [UInt8](repeating: 0, count: 16) }
        return sound.encrypt(plaintext, nonce: nonce, key: key, authenticating: header)
    }

    func decrypt(_ ciphertext: [UInt8], nonce: [UInt8], key: Bytes32, authenticating header: [UInt8]) -> [UInt8]? {
        if mutation == .plaintext { return ciphertext.count >= 16 ? Array(ciphertext.dropLast(16)) : nil }
        return sound.decrypt(ciphertext, nonce: nonce, key: key, authenticating: header)
    }

    func deriveKey(from secret: Bytes32, label: String) -> Bytes32 {
        let isShared = mutation == .sharedMailboxKey && label == "caravan mailbox"
        return sound.deriveKey(from: isShared ? Bytes32(words: (0, 0, 0, 0)) : secret, label: label)
    }

    func authenticate(_ message: [UInt8], key: Bytes32) -> Bytes32 {
        // Every selector is taken for one of ours.
        sound.authenticate(message, key: mutation == .answeredStrangers ? Bytes32(words: (0, 0, 0, 0)) : key)
    }

    func handshake(
        _ role: HandshakeRole, prologue: [UInt8], presharedKey: Bytes32, staticSecret: Bytes32, ephemeralSecret: Bytes32
    ) -> any Handshake {
        let key = mutation == .answeredStrangers ? Bytes32(words: (0, 0, 0, 0)) : presharedKey
        let handshake = sound.handshake(
            role, prologue: prologue, presharedKey: key, staticSecret: staticSecret, ephemeralSecret: ephemeralSecret)
        return mutation == .plaintext ? ReadableHandshake(sound: handshake) : handshake
    }
}

/// A handshake whose session hides nothing.
private struct ReadableHandshake: Handshake {
    var sound: any Handshake

    mutating func write(_ payload: [UInt8]) throws(HandshakeFailure) -> [UInt8] { try sound.write(payload) }
    mutating func read(_ message: [UInt8]) throws(HandshakeFailure) -> [UInt8] { try sound.read(message) }
    mutating func show(_ staticSecret: Bytes32) { sound.show(staticSecret) }
    var isComplete: Bool { sound.isComplete }
    var remoteStaticKey: Bytes32? { sound.remoteStaticKey }

    func transport() -> (sending: any TransportCipher, receiving: any TransportCipher)? {
        isComplete ? (ReadableCipher(), ReadableCipher()) : nil
    }
}

private struct ReadableCipher: TransportCipher {
    mutating func seal(_ plaintext: [UInt8]) -> [UInt8]? { plaintext + [UInt8](repeating: 0, count: 16) }
    mutating func open(_ ciphertext: [UInt8]) -> [UInt8]? {
        ciphertext.count >= 16 ? Array(ciphertext.dropLast(16)) : nil
    }
    mutating func rekey() {}
}
