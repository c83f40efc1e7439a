import CSodium
import ChangeLog
import Sodium
import SyncEngine
import Testing

struct TransportTests {
    private typealias Ciphers = (sending: any TransportCipher, receiving: any TransportCipher)

    private func session() throws -> (initiator: Ciphers, responder: Ciphers) {
        var pair = SessionPair(try SodiumCryptography())
        try pair.complete()
        return (try #require(pair.initiator.transport()), try #require(pair.responder.transport()))
    }

    @Test func bothDirectionsCarryAndDiffer() throws {
        var (initiator, responder) = try session()
        for length in [0, 1, 200, 65_519] {
            let plaintext = [UInt8](repeating: 7, count: length)
            let there = try seal(plaintext, with: &initiator.sending)
            let back = try seal(plaintext, with: &responder.sending)
            #expect(there.count == length + 16)
            #expect(there != back)
            #expect(responder.receiving.open(there) == plaintext)
            #expect(initiator.receiving.open(back) == plaintext)
        }
    }

    @Test func alteredOrCutMessagesAreRefusedAndTheDueOneStillOpens() throws {
        var (initiator, responder) = try session()
        let sealed = try seal(Array("two votes".utf8), with: &initiator.sending)
        for index in sealed.indices {
            var altered = sealed
            altered[index] ^= 0x40
            #expect(responder.receiving.open(altered) == nil)
            #expect(responder.receiving.open(Array(sealed[..<index])) == nil)
        }
        #expect(responder.receiving.open(sealed + [0]) == nil)
        #expect(responder.receiving.open(sealed) == Array("two votes".utf8))
    }

    @Test func droppedRepeatedSwappedAndReflectedMessagesAreRefused() throws {
        var (initiator, responder) = try session()
        let sealed = try (0..<3 as Range<UInt8>).map { try seal([$0], with: &initiator.sending) }
        #expect(responder.receiving.open(sealed[1]) == nil)
        #expect(initiator.receiving.open(sealed[0]) == nil)
        #expect(responder.receiving.open(sealed[0]) == [0])
        #expect(responder.receiving.open(sealed[0]) == nil)
        #expect(responder.receiving.open(sealed[2]) == nil)
        #expect(responder.receiving.open(sealed[1]) == [1])
        #expect(responder.receiving.open(sealed[2]) == [2])
    }

    @Test func messagesOverTheLimitAreRefused() throws {
        var (initiator, responder) = try session()
        #expect(initiator.sending.seal([UInt8](repeating: 0, count: 65_520)) == nil)
        let sealed = try seal([1], with: &initiator.sending)
        #expect(responder.receiving.open(sealed) == [1])
    }

    /// What libsodium seals under SessionPair's psk and a nonce of RFC 8439's 12 bytes, with no limit of Noise's.
    private func sealed(_ plaintext: [UInt8], nonce: [UInt8]) -> [UInt8] {
        var sealed = [UInt8](repeating: 0, count: plaintext.count + 16)
        crypto_aead_chacha20poly1305_ietf_encrypt(
            &sealed, nil, plaintext, UInt64(plaintext.count), nil, 0, nil, nonce, SessionPair.psk.bytes)
        return sealed
    }

    @Test func anOverlongMessageIsRefusedWhateverItsTag() {
        for (length, isAccepted) in [(65_519, true), (65_520, false)] {
            let plaintext = [UInt8](repeating: 1, count: length)
            var cipher = CipherState(key: SessionPair.psk, nonce: 0)
            let message = sealed(plaintext, nonce: [UInt8](repeating: 0, count: 12))
            #expect(cipher.open(message) == (isAccepted ? plaintext : nil))
        }
    }

    /// Four zero bytes, then the number, little-endian (Noise, section 12.3); the number 2^64 - 1 opens nothing.
    @Test func nonceOnTheWire() {
        for (number, bytes) in [
            (1, [1, 0, 0, 0, 0, 0, 0, 0]), (0x0102_0304_0506_0708, [8, 7, 6, 5, 4, 3, 2, 1]),
            (.max - 1, [254, 255, 255, 255, 255, 255, 255, 255]), (.max, [255, 255, 255, 255, 255, 255, 255, 255]),
        ] as [(UInt64, [UInt8])] {
            let message = sealed([7], nonce: [0, 0, 0, 0] + bytes)
            var cipher = CipherState(key: SessionPair.psk, nonce: number)
            #expect(cipher.open(message) == (number == .max ? nil : [7]))
        }
    }

    @Test func rekeyAgreesOnBothSidesAndCutsOffTheOldKey() throws {
        var (initiator, responder) = try session()
        for round in 0..<3 as Range<UInt8> {
            let before = try seal([round], with: &initiator.sending)
            #expect(responder.receiving.open(before) == [round])
            let old = initiator.sending
            initiator.sending.rekey()
            var stale = old
            let underOldKey = try seal([round], with: &stale)
            let underNewKey = try seal([round], with: &initiator.sending)
            #expect(underOldKey != underNewKey)
            #expect(responder.receiving.open(underNewKey) == nil)
            responder.receiving.rekey()
            #expect(responder.receiving.open(underOldKey) == nil)
            #expect(responder.receiving.open(underNewKey) == [round])
        }
    }

    /// The value agrees with `noiseprotocol`'s CipherState: key 00…1f, message 0 before REKEY and message 1 after it.
    @Test func rekeyFrozen() throws {
        let key = try #require(Bytes32(0..<32 as Range<UInt8>))
        var cipher = CipherState(key: key, nonce: 0)
        #expect(cipher.seal(Array("before".utf8)).map(hex) == "7add245edf83d4d447006686355444e51afaeea46ece")
        cipher.rekey()
        #expect(cipher.seal(Array("after".utf8)).map(hex) == "591348e4065f9fd2ffc331c5233f19d20b3d47c7fd")
    }

    /// The number 2^64 - 1 is never used for a message, and the one before it is the last.
    @Test func noncesEnd() throws {
        var sending: any TransportCipher = CipherState(key: SessionPair.psk, nonce: .max - 1)
        var receiving = sending
        let last = try seal([1], with: &sending)
        #expect(sending.seal([2]) == nil)
        #expect(receiving.open(last) == [1])
        #expect(receiving.open(last) == nil)
        sending.rekey()
        #expect(sending.seal([2]) == nil)
    }

    /// A copy goes on by itself: what one seals does not move the other's number.
    @Test func ciphersAreValues() throws {
        var one = CipherState(key: SessionPair.psk, nonce: 0)
        var two = one
        #expect(one.seal([1]) == two.seal([1]))
        one.rekey()
        #expect(one.seal([1]) != two.seal([1]))
    }
}
