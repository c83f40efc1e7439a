import ChangeLog
import Sodium
import SyncEngine
import Testing

struct HandshakeTests {
    private let sodium: SodiumCryptography

    init() throws {
        sodium = try SodiumCryptography()
    }

    /// The failure that `body` ends with, or nil.
    private func failure(_ body: () throws(HandshakeFailure) -> [UInt8]) -> HandshakeFailure? {
        do {
            _ = try body()
            return nil
        } catch {
            return error
        }
    }

    @Test func eachLearnsTheOthersStaticKeyAndNothingBefore() throws {
        var pair = SessionPair(sodium)
        #expect(pair.initiator.remoteStaticKey == nil && pair.responder.remoteStaticKey == nil)
        #expect(pair.initiator.transport() == nil)
        try pair.advance()
        #expect(pair.responder.remoteStaticKey == nil)
        try pair.advance()
        let responderKey = sodium.agreementPublicKey(secret: SessionPair.staticSecrets.responder)
        #expect(pair.initiator.remoteStaticKey == responderKey)
        #expect(!pair.initiator.isComplete && !pair.responder.isComplete && pair.responder.transport() == nil)
        try pair.advance()
        #expect(pair.initiator.isComplete && pair.responder.isComplete)
        #expect(pair.initiator.remoteStaticKey == responderKey)
        let initiatorKey = sodium.agreementPublicKey(secret: SessionPair.staticSecrets.initiator)
        #expect(pair.responder.remoteStaticKey == initiatorKey)
    }

    /// What a message is longer by than its payload: DESIGN's 48, 96 and 64 bytes.
    @Test func overheadOfEachMessage() throws {
        var pair = SessionPair(sodium)
        for overhead in [48, 96, 64] {
            var writer = pair.writer
            #expect(try writer.write([]).count == overhead)
            try pair.advance()
        }
    }

    /// Every byte of every message altered, and every length cut: refused, and the handshake is over.
    @Test func alteredAndCutMessagesEndTheHandshake() throws {
        var pair = SessionPair(sodium)
        for number in 0..<3 {
            let message = try writerMessage(pair)
            for index in message.indices {
                for mask in [0x01, 0x80, 0xff] as [UInt8] {
                    // X25519 passes over the top bit of a key, but every byte that is sent is hashed as it is.
                    var altered = message
                    altered[index] ^= mask
                    expectEnd(of: pair.reader, reading: altered, with: [.authentication], "message \(number), \(index)")
                }
                let cut = Array(message[..<index])
                expectEnd(
                    of: pair.reader, reading: cut, with: [.length, .authentication], "message \(number), \(index)")
            }
            expectEnd(of: pair.reader, reading: message + [0], with: [.authentication], "message \(number), longer")
            try pair.advance()
        }
    }

    private func writerMessage(_ pair: SessionPair) throws -> [UInt8] {
        var writer = pair.writer
        return try writer.write(Array("a payload".utf8))
    }

    /// Reads a bad message with a copy, which must fail, let go of what it knew, and answer alike ever after.
    private func expectEnd(
        of reader: any Handshake, reading message: [UInt8], with expected: Set<HandshakeFailure>, _ comment: Comment
    ) {
        var reader = reader
        let first = failure { () throws(HandshakeFailure) in try reader.read(message) }
        #expect(first.map(expected.contains) == true, comment)
        #expect(failure { () throws(HandshakeFailure) in try reader.read(message) } == first, comment)
        #expect(failure { () throws(HandshakeFailure) in try reader.write([]) } == first, comment)
        #expect(!reader.isComplete && reader.transport() == nil && reader.remoteStaticKey == nil, comment)
    }

    /// A good message after a bad one is refused too: nothing goes on from a half-mixed state.
    @Test func aGoodMessageDoesNotReviveAFailedHandshake() throws {
        var pair = SessionPair(sodium)
        for _ in 0..<3 {
            let good = try writerMessage(pair)
            var reader = pair.reader
            #expect(throws: HandshakeFailure.authentication) { try reader.read(good.dropLast() + [good.last! ^ 1]) }
            #expect(throws: HandshakeFailure.authentication) { try reader.read(good) }
            try pair.advance()
        }
    }

    @Test func anotherPresharedKeyOrPrologueIsRefusedAtTheFirstMessage() throws {
        let other = try #require(Bytes32([UInt8](repeating: 0x51, count: 32)))
        for pair in [
            SessionPair(responderPSK: other, sodium), SessionPair(responderPrologue: "caravan tesu", sodium),
        ] {
            let message = try writerMessage(pair)
            expectEnd(of: pair.reader, reading: message, with: [.authentication], "another psk or prologue")
        }
    }

    @Test func keysOfSmallOrderAreRefused() throws {
        // Under the right psk, a hostile initiator's message 1 with a weak ephemeral key is well formed: what the
        // responder refuses is to answer it.
        let nn = try #require(NoiseProtocol(name: "Noise_NN_25519_ChaChaPoly_SHA256"))
        let secret = try #require(Bytes32([UInt8](repeating: 0x77, count: 32)))
        for point in smallOrderPoints {
            var responder = NoiseHandshake(
                nn, .responder, prologue: [], keys: HandshakeKeys(ephemeralSecret: secret))
            #expect(try responder.read(bytes(ofHex: point)) == [])
            #expect(throws: HandshakeFailure.weakKey) { try responder.write([]) }
            #expect(throws: HandshakeFailure.weakKey) { try responder.write([]) }

            var initiator = NoiseHandshake(
                nn, .initiator, prologue: [], keys: HandshakeKeys(ephemeralSecret: secret))
            _ = try initiator.write([])
            let message = try bytes(ofHex: point) + [UInt8](repeating: 0, count: 16)
            #expect(throws: HandshakeFailure.weakKey) { try initiator.read(message) }
        }
    }

    @Test func messagesOverTheLimitAreRefused() throws {
        var pair = SessionPair(sodium)
        for overhead in [48, 96, 64] {
            let longest = [UInt8](repeating: 1, count: 65_535 - overhead)
            var writer = pair.writer
            var reader = pair.reader
            let message = try writer.write(longest)
            #expect(message.count == 65_535)
            #expect(try reader.read(message) == longest)

            writer = pair.writer
            #expect(throws: HandshakeFailure.length) { try writer.write(longest + [1]) }
            #expect(throws: HandshakeFailure.length) { try writer.write([]) }
            expectEnd(of: pair.reader, reading: message + [0], with: [.length], "too long")
            try pair.advance()
        }
    }

    @Test func aCallOutOfTurnEndsARunningHandshakeAndLeavesACompleteOne() throws {
        var pair = SessionPair(sodium)
        for _ in 0..<3 {
            let message = try writerMessage(pair)
            var writer = pair.writer
            #expect(throws: HandshakeFailure.outOfTurn) { try writer.read(message) }
            #expect(throws: HandshakeFailure.outOfTurn) { try writer.write([]) }
            var reader = pair.reader
            #expect(throws: HandshakeFailure.outOfTurn) { try reader.write([]) }
            #expect(throws: HandshakeFailure.outOfTurn) { try reader.read(message) }
            try pair.advance()
        }
        #expect(throws: HandshakeFailure.outOfTurn) { try pair.initiator.write([]) }
        #expect(throws: HandshakeFailure.outOfTurn) { try pair.responder.read([]) }
        #expect(pair.initiator.isComplete && pair.initiator.transport() != nil)
        #expect(pair.responder.isComplete && pair.responder.transport() != nil)
    }

    /// A key that a pattern asks for and that is not given is a failure, at the start or at the message that needs it.
    @Test func missingKeysAreFailures() throws {
        let secret = SessionPair.psk
        for (name, keys) in [
            ("XX", HandshakeKeys()),
            ("NK", HandshakeKeys(ephemeralSecret: secret)),
            ("KN", HandshakeKeys(ephemeralSecret: secret)),
            ("XXpsk0", HandshakeKeys(staticSecret: secret, ephemeralSecret: secret)),
            ("NNpsk0+psk1", HandshakeKeys(ephemeralSecret: secret, presharedKeys: [secret])),
        ] {
            let noise = try #require(NoiseProtocol(name: "Noise_\(name)_25519_ChaChaPoly_SHA256"))
            var handshake = NoiseHandshake(noise, .initiator, prologue: [], keys: keys)
            #expect(throws: HandshakeFailure.weakKey, "\(name)") { try handshake.write([]) }
        }
    }

    /// The same secrets give the same bytes, so that a simulated run can be repeated.
    @Test func handshakeIsDeterministic() throws {
        var one = SessionPair(sodium)
        var two = SessionPair(sodium)
        for _ in 0..<3 {
            #expect(try writerMessage(one) == writerMessage(two))
            try one.advance()
            try two.advance()
        }
    }
}
