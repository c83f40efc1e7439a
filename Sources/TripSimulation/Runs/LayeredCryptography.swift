import ChangeLog
import DeltaCRDT
import SyncEngine

/// Primitives that are others' but where they say otherwise.
protocol LayeredCryptography: SessionCryptography {
    /// Those below.
    var sound: any SessionCryptography { get }
}

extension LayeredCryptography {
    func hash(_ message: [UInt8]) -> Bytes32 { sound.hash(message) }
    func hash(_ message: [UInt8], key: Bytes32) -> Bytes32 { sound.hash(message, key: key) }
    func signingPublicKey(seed: Bytes32) -> Bytes32 { sound.signingPublicKey(seed: seed) }
    func sign(_ message: [UInt8], seed: Bytes32) -> Signature { sound.sign(message, seed: seed) }

    func isValid(_ signature: Signature, of message: [UInt8], by publicKey: Bytes32) -> Bool {
        sound.isValid(signature, of: message, by: publicKey)
    }

    func agreementPublicKey(secret: Bytes32) -> Bytes32 { sound.agreementPublicKey(secret: secret) }
    func agree(secret: Bytes32, publicKey: Bytes32) -> Bytes32? { sound.agree(secret: secret, publicKey: publicKey) }

    func encrypt(_ plaintext: [UInt8], nonce: [UInt8], key: Bytes32, authenticating header: [UInt8]) -> [UInt8] {
        sound.encrypt(plaintext, nonce: nonce, key: key, authenticating: header)
    }

    func decrypt(_ ciphertext: [UInt8], nonce: [UInt8], key: Bytes32, authenticating header: [UInt8]) -> [UInt8]? {
        sound.decrypt(ciphertext, nonce: nonce, key: key, authenticating: header)
    }

    func deriveKey(from secret: Bytes32, label: String) -> Bytes32 { sound.deriveKey(from: secret, label: label) }
    func authenticate(_ message: [UInt8], key: Bytes32) -> Bytes32 { sound.authenticate(message, key: key) }

    func handshake(
        _ role: HandshakeRole, prologue: [UInt8], presharedKey: Bytes32, staticSecret: Bytes32, ephemeralSecret: Bytes32
    ) -> any Handshake {
        sound.handshake(
            role, prologue: prologue, presharedKey: presharedKey, staticSecret: staticSecret,
            ephemeralSecret: ephemeralSecret)
    }
}
