import ChangeLog
import Sodium
import SyncEngine
import Testing

/// The two sides of one session, with fixed keys.
struct SessionPair {
    static let psk = Bytes32([UInt8](repeating: 0x50, count: 32))!
    static let staticSecrets = (
        initiator: Bytes32([UInt8](repeating: 0x11, count: 32))!,
        responder: Bytes32([UInt8](repeating: 0x22, count: 32))!
    )

    var initiator: any Handshake
    var responder: any Handshake
    private(set) var messagesDone = 0

    init(
        responderPSK: Bytes32 = psk, responderPrologue: String = "caravan test", _ sodium: SodiumCryptography
    ) {
        initiator = sodium.handshake(
            .initiator, prologue: Array("caravan test".utf8), presharedKey: Self.psk,
            staticSecret: Self.staticSecrets.initiator,
            ephemeralSecret: Bytes32([UInt8](repeating: 0x33, count: 32))!)
        responder = sodium.handshake(
            .responder, prologue: Array(responderPrologue.utf8), presharedKey: responderPSK,
            staticSecret: Self.staticSecrets.responder,
            ephemeralSecret: Bytes32([UInt8](repeating: 0x44, count: 32))!)
    }

    /// The side that writes next, and the one that reads.
    var writer: any Handshake {
        get { messagesDone.isMultiple(of: 2) ? initiator : responder }
        set { if messagesDone.isMultiple(of: 2) { initiator = newValue } else { responder = newValue } }
    }

    var reader: any Handshake {
        get { messagesDone.isMultiple(of: 2) ? responder : initiator }
        set { if messagesDone.isMultiple(of: 2) { responder = newValue } else { initiator = newValue } }
    }

    /// Exchanges one message, with its number as the payload.
    mutating func advance() throws {
        let payload = [UInt8(messagesDone)]
        let message = try writer.write(payload)
        #expect(try reader.read(message) == payload)
        messagesDone += 1
    }

    /// Exchanges all three messages.
    mutating func complete() throws {
        while messagesDone < 3 { try advance() }
    }
}

/// Seals, or fails the test.
func seal(_ plaintext: [UInt8], with cipher: inout any TransportCipher) throws -> [UInt8] {
    let sealed = cipher.seal(plaintext)
    return try #require(sealed)
}
