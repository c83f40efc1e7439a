import ChangeLog
import Convergence
import Sodium
import SyncEngine
import Testing
import TripSimulation

/// The quick primitives refuse what the real ones refuse, and make bytes of the same lengths.
struct FastCryptographyTests {
    private let fast = FastCryptography()

    /// Flips each bit of a message in turn.
    private func alterations(of bytes: [UInt8]) -> [[UInt8]] {
        (0..<bytes.count * 8).map { bit in
            var altered = bytes
            altered[bit / 8] ^= 1 << UInt8(bit % 8)
            return altered
        }
    }

    @Test func everyAlteredBitIsSeen() throws {
        var generator = SeededGenerator(seed: 1)
        for size in [0, 1, 7, 8, 9, 23, 24, 25, 31, 32, 33, 40, 63, 64, 65, 200] {
            let message = (0..<size).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
            let key = Bytes32.random(using: &generator)
            let nonce = Array(Bytes32.random(using: &generator).bytes.prefix(24))
            let sealed = fast.encrypt(message, nonce: nonce, key: key, authenticating: [1, 2])
            #expect(sealed.count == size + 16)
            #expect(fast.decrypt(sealed, nonce: nonce, key: key, authenticating: [1, 2]) == message)
            #expect(fast.decrypt(sealed, nonce: nonce, key: key, authenticating: [1, 3]) == nil)
            let signature = fast.sign(message, seed: key)
            let publicKey = fast.signingPublicKey(seed: key)
            #expect(fast.isValid(signature, of: message, by: publicKey))
            var hashes: Set = [fast.hash(message), fast.hash(message + [0])]
            for altered in alterations(of: message) {
                hashes.insert(fast.hash(altered))
                #expect(!fast.isValid(signature, of: altered, by: publicKey))
            }
            #expect(hashes.count == size * 8 + 2)
            let passed = alterations(of: sealed).count {
                fast.decrypt($0, nonce: nonce, key: key, authenticating: [1, 2]) != nil
            }
            #expect(passed == 0, "size \(size)")
            #expect(alterations(of: signature).allSatisfy { !fast.isValid($0, of: message, by: publicKey) })
            for length in sealed.indices {
                #expect(
                    fast.decrypt(Array(sealed.prefix(length)), nonce: nonce, key: key, authenticating: [1, 2]) == nil)
            }
        }
    }

    private func handshakes(
        _ cryptography: some SessionCryptography, keys: [Bytes32]
    ) -> (any Handshake, any Handshake) {
        (
            cryptography.handshake(
                .initiator, prologue: [7], presharedKey: keys[0], staticSecret: keys[1], ephemeralSecret: keys[2]),
            cryptography.handshake(
                .responder, prologue: [7], presharedKey: keys[0], staticSecret: keys[3], ephemeralSecret: keys[4])
        )
    }

    /// Lengths, keys shown, messages said.
    private func converse(_ cryptography: some SessionCryptography) throws -> [Int] {
        var generator = SeededGenerator(seed: 2)
        let keys = (0..<5).map { _ in Bytes32.random(using: &generator) }
        var (left, right) = handshakes(cryptography, keys: keys)
        let first = try left.write([])
        _ = try right.read(first)
        let second = try right.write([])
        _ = try left.read(second)
        let third = try left.write([])
        _ = try right.read(third)
        #expect(left.remoteStaticKey == cryptography.agreementPublicKey(secret: keys[3]))
        #expect(right.remoteStaticKey == cryptography.agreementPublicKey(secret: keys[1]))
        var sides = (try #require(left.transport()), try #require(right.transport()))
        var lengths = [first, second, third].map(\.count)
        for round in 0..<3 {
            let said = sides.0.sending.seal([UInt8](repeating: 9, count: 50))
            let sealed = try #require(said)
            lengths.append(sealed.count)
            let heard = [sides.1.receiving.open(sealed), sides.1.receiving.open(sealed)]
            #expect(heard == [[UInt8](repeating: 9, count: 50), nil], "the second time it is repeated")
            let answer = sides.1.sending.seal([])
            let back = try #require(answer)
            let empty = sides.0.receiving.open(back)
            #expect(empty == [])
            if round == 1 {
                sides.0.sending.rekey()
                sides.1.receiving.rekey()
            }
        }
        return lengths
    }

    @Test func handshakesAreAsLongAsTheRealOnes() throws {
        #expect(try converse(fast) == converse(SodiumCryptography()))
    }

    @Test func aHandshakeUnderAnotherKeyOrAlteredEnds() throws {
        var generator = SeededGenerator(seed: 3)
        let keys = (0..<5).map { _ in Bytes32.random(using: &generator) }
        var (left, _) = handshakes(fast, keys: keys)
        let first = try left.write([])
        var other = handshakes(fast, keys: [keys[4]] + keys.dropFirst()).1
        #expect(throws: HandshakeFailure.authentication) { _ = try other.read(first) }
        #expect(throws: HandshakeFailure.outOfTurn) { _ = try left.write([]) }
        for altered in alterations(of: first) {
            var right = handshakes(fast, keys: keys).1
            #expect(throws: HandshakeFailure.self) { _ = try right.read(altered) }
        }
        var right = handshakes(fast, keys: keys).1
        _ = try right.read(first)
        let second = try right.write([])
        for altered in alterations(of: second) {
            var left = handshakes(fast, keys: keys).0
            _ = try left.write([])
            #expect(throws: HandshakeFailure.self) { _ = try left.read(altered) }
        }
    }
}
