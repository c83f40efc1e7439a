import ChangeLog
import Foundation
import Sodium
import SyncEngine
import Testing

/// A test vector in the form that the public collections share: hexadecimal, messages in turns from the initiator on.
struct NoiseVector: Decodable {
    struct Message: Decodable {
        let payload: String
        let ciphertext: String
    }

    let protocolName: String
    let source: String?
    let initPrologue: String
    let initStatic: String?
    let initEphemeral: String?
    let initRemoteStatic: String?
    let initPsks: [String]?
    let respPrologue: String
    let respStatic: String?
    let respEphemeral: String?
    let respRemoteStatic: String?
    let respPsks: [String]?
    let handshakeHash: String?
    let messages: [Message]

    init(json: String) throws {
        self = try Self.decoder.decode(NoiseVector.self, from: Data(json.utf8))
    }

    private static var decoder: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return decoder
    }

    /// The public collection, in `CARAVAN_SHARED` or beside the repository.
    static let publicFile: URL? = {
        let repository = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL
        let beside = repository.appending(path: "../shared").standardizedFileURL
        let shared = ProcessInfo.processInfo.environment["CARAVAN_SHARED"].map { URL(filePath: $0) } ?? beside
        let file = shared.appending(path: "vectors/noise-25519-chachapoly-sha256.json")
        return FileManager.default.isReadableFile(atPath: file.path) ? file : nil
    }()

    static func publicCollection() throws -> [NoiseVector] {
        struct Collection: Decodable { let vectors: [NoiseVector] }
        return try decoder.decode(Collection.self, from: Data(contentsOf: #require(publicFile))).vectors
    }
}

extension NoiseVector {
    /// A session of both roles, each checked message by message against the vector and read by the other.
    func check() throws {
        let noise = try #require(NoiseProtocol(name: protocolName), "\(protocolName) is unknown")
        var initiator = NoiseHandshake(
            noise, .initiator, prologue: try bytes(ofHex: initPrologue),
            keys: try keys(initStatic, initEphemeral, initRemoteStatic, initPsks))
        var responder = NoiseHandshake(
            noise, .responder, prologue: try bytes(ofHex: respPrologue),
            keys: try keys(respStatic, respEphemeral, respRemoteStatic, respPsks))
        var rest = messages[...]
        var isInitiatorsTurn = true
        while !initiator.isComplete, let message = rest.popFirst() {
            let sent: [UInt8]
            let read: [UInt8]
            let payload = try bytes(ofHex: message.payload)
            if isInitiatorsTurn {
                sent = try initiator.write(payload)
                read = try responder.read(sent)
            } else {
                sent = try responder.write(payload)
                read = try initiator.read(sent)
            }
            #expect(hex(sent) == message.ciphertext, "\(self.protocolName), \(self.source ?? "frozen")")
            #expect(read == payload)
            isInitiatorsTurn.toggle()
        }
        try checkOutcome(initiator, responder)
        try checkTransport(initiator, responder, rest)
    }

    private func checkOutcome(_ initiator: NoiseHandshake, _ responder: NoiseHandshake) throws {
        #expect(initiator.isComplete && responder.isComplete)
        #expect(initiator.handshakeHash == responder.handshakeHash)
        if let handshakeHash {
            #expect(initiator.handshakeHash?.description == handshakeHash, "\(protocolName)")
        }
    }

    private func checkTransport(
        _ initiator: NoiseHandshake, _ responder: NoiseHandshake, _ rest: ArraySlice<Message>
    ) throws {
        var (initiatorSends, initiatorReceives) = try #require(initiator.transport())
        var (responderSends, responderReceives) = try #require(responder.transport())
        let isOneWay = protocolName.contains(/_[NKX](psk|_)/)
        // A one-way pattern has one message, and all that follow are the initiator's.
        #expect(rest.count >= 1)
        for (index, message) in zip(rest.indices, rest) {
            let payload = try bytes(ofHex: message.payload)
            if isOneWay || index.isMultiple(of: 2) {
                let sealed = try seal(payload, with: &initiatorSends)
                #expect(hex(sealed) == message.ciphertext, "\(self.protocolName), message \(index)")
                #expect(responderReceives.open(sealed) == payload)
            } else {
                let sealed = try seal(payload, with: &responderSends)
                #expect(hex(sealed) == message.ciphertext, "\(self.protocolName), message \(index)")
                #expect(initiatorReceives.open(sealed) == payload)
            }
        }
    }

    private func keys(
        _ staticSecret: String?, _ ephemeral: String?, _ remoteStatic: String?, _ psks: [String]?
    ) throws -> HandshakeKeys {
        HandshakeKeys(
            staticSecret: try staticSecret.map(bytes32), ephemeralSecret: try ephemeral.map(bytes32),
            remoteStaticKey: try remoteStatic.map(bytes32), presharedKeys: try (psks ?? []).map(bytes32))
    }
}
