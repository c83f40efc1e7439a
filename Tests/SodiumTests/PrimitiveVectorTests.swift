import ChangeLog
import Testing

@testable import Sodium

/// Each primitive, as the core and Noise use it, against what implementations that are not ours say of the same input.
struct PrimitiveVectorTests {
    private let sodium: SodiumCryptography
    private let vectors: PrimitiveVectors

    init() throws {
        sodium = try SodiumCryptography()
        vectors = try PrimitiveVectors.read()
    }

    private func material(_ label: String, _ number: Int, _ count: Int) -> [UInt8] {
        PrimitiveVectors.material(label, number, count, sodium)
    }

    private func material32(_ label: String, _ number: Int) throws -> Bytes32 {
        try #require(Bytes32(material(label, number, 32)))
    }

    /// What the script calls `fold`.
    private func fold(_ outputs: [[UInt8]]) -> String { sodium.hash(outputs.flatMap { $0 }).description }

    @Test func signatures() throws {
        let vectors = vectors.ed25519
        #expect(vectors.cases.count >= 40 && vectors.cases.contains { !$0.valid })
        for vector in vectors.cases {
            let (key, message) = (try bytes32(vector.key), try bytes(ofHex: vector.message))
            let signature = try bytes(ofHex: vector.signature)
            #expect(sodium.isValid(signature, of: message, by: key) == vector.valid, "\(vector.comment)")
            guard let seed = try vector.seed.map(bytes32) else { continue }
            #expect(sodium.signingPublicKey(seed: seed) == key)
            #expect(sodium.sign(message, seed: seed) == signature)
            expectEveryBitCounts(signature) { sodium.isValid($0, of: message, by: key) }
            expectEveryBitCounts(message) { sodium.isValid(signature, of: $0, by: key) }
            expectEveryBitCounts(key.bytes) {
                Bytes32($0).map { sodium.isValid(signature, of: message, by: $0) } ?? false
            }
        }
        var outputs: [[UInt8]] = []
        for number in 0..<vectors.count {
            let seed = try material32("ed25519 seed", number)
            outputs += [
                sodium.signingPublicKey(seed: seed).bytes,
                sodium.sign(material("ed25519 message", number, number * 3), seed: seed),
            ]
        }
        #expect(fold(outputs) == vectors.fold)
    }

    @Test func agreements() throws {
        let vectors = vectors.x25519
        #expect(vectors.cases.contains { $0.shared == nil } && vectors.cases.count >= 50)
        for vector in vectors.cases {
            let (secret, point) = (try bytes32(vector.secret), try bytes32(vector.point))
            #expect(
                sodium.agree(secret: secret, publicKey: point)?.description == vector.shared, "\(vector.comment)")
            let held = X25519.agree(SecretBytes(secret), point.bytes)
            #expect(held?.bytes32.description == vector.shared, "\(vector.comment)")
        }
        var (scalar, point) = (try bytes32("09" + String(repeating: "00", count: 31)), [UInt8](repeating: 0, count: 32))
        point[0] = 9
        for _ in 0..<1_000 {
            let publicKey = try #require(Bytes32(point))
            let shared = try #require(sodium.agree(secret: scalar, publicKey: publicKey))
            (point, scalar) = (scalar.bytes, shared)
        }
        #expect(scalar.description == vectors.iterated1000)
        let outputs = try (0..<vectors.count).map { number in
            let (secret, point) = (try material32("x25519 secret", number), try material32("x25519 point", number))
            return try #require(sodium.agree(secret: secret, publicKey: point)).bytes
        }
        #expect(fold(outputs) == vectors.fold)
    }

    @Test func derivedKeys() throws {
        #expect(vectors.hkdf.count >= 20)
        for vector in vectors.hkdf {
            let (input, salt) = (try bytes(ofHex: vector.ikm), try bytes(ofHex: vector.salt))
            let info = try bytes(ofHex: vector.info)
            let key = HKDFSHA256.extract(input.span, salt: salt.span)
            let blocks = HKDFSHA256.expand(key, info: info.span, blocks: vector.blocks)
            #expect(blocks.first?.bytes32.description == vector.start)
            #expect(fold(blocks.map(\.bytes32.bytes)) == vector.fold)
        }
    }

    @Test func hashes() throws {
        let plain = (0..<vectors.blake2b.count).map { sodium.hash(material("blake2b message", $0, $0)).bytes }
        #expect(fold(plain) == vectors.blake2b.plain)
        let keyed = try (0..<vectors.blake2b.count).map { number in
            sodium.hash(material("blake2b message", number, number), key: try material32("blake2b key", number)).bytes
        }
        #expect(fold(keyed) == vectors.blake2b.keyed)

        let codes = (0..<vectors.hmac.count).map { number in
            hmac(material("hmac message", number, number * 2), key: material("hmac key", number, number))
        }
        #expect(fold(codes) == vectors.hmac.fold)
        let key = try material32("hmac key", 32)
        #expect(sodium.authenticate(material("hmac message", 32, 64), key: key).bytes == codes[32])
    }

    /// Noise's: the nonce is a number.
    @Test func chachaPoly() throws {
        var outputs: [[UInt8]] = []
        for number in 0..<vectors.chachapoly.count {
            let key = try material32("chachapoly key", number)
            let header = material("chachapoly header", number, number % 70)
            let plaintext = material("chachapoly plaintext", number, number * 2)
            var cipher = CipherState(key: key, nonce: UInt64(number) << (number % 57))
            let receiver = cipher
            let sealed = cipher.encrypt(plaintext.span, authenticating: header.span) ?? []
            outputs.append(sealed)
            guard number % 16 < 2 else { continue }
            #expect(open(sealed, header, with: receiver) == plaintext)
            #expect(open(sealed + [0], header, with: receiver) == nil)
            expectEveryBitCounts(sealed) { open($0, header, with: receiver) != nil }
            expectEveryBitCounts(header) { open(sealed, $0, with: receiver) != nil }
            for length in sealed.indices { #expect(open(Array(sealed[..<length]), header, with: receiver) == nil) }
        }
        #expect(fold(outputs) == vectors.chachapoly.fold)

        #expect(vectors.poly1305Edges.count == 8)
        for vector in vectors.poly1305Edges {
            var cipher = CipherState(key: try bytes32(vector.key), nonce: 1)
            var receiver = cipher
            let (plaintext, sealed) = (try bytes(ofHex: vector.plaintext), try bytes(ofHex: vector.sealed))
            #expect(cipher.seal(plaintext) == sealed, "\(vector.comment)")
            #expect(receiver.open(sealed) == plaintext, "\(vector.comment)")
        }
    }

    @Test func xchachaPoly() throws {
        var outputs: [[UInt8]] = []
        for number in 0..<vectors.xchachapoly.count {
            let (key, nonce) = (try material32("xchachapoly key", number), material("xchachapoly nonce", number, 24))
            let header = material("xchachapoly header", number, number % 70)
            let plaintext = material("xchachapoly plaintext", number, number * 2)
            let sealed = sodium.encrypt(plaintext, nonce: nonce, key: key, authenticating: header)
            outputs.append(sealed)
            guard number % 16 < 2 else { continue }
            func opens(_ sealed: [UInt8], _ nonce: [UInt8], _ header: [UInt8]) -> Bool {
                sodium.decrypt(sealed, nonce: nonce, key: key, authenticating: header) == plaintext
            }
            #expect(opens(sealed, nonce, header) && !opens(sealed + [0], nonce, header))
            expectEveryBitCounts(sealed) { opens($0, nonce, header) }
            expectEveryBitCounts(nonce) { opens(sealed, $0, header) }
            expectEveryBitCounts(header) { opens(sealed, nonce, $0) }
            for length in sealed.indices { #expect(!opens(Array(sealed[..<length]), nonce, header)) }
        }
        #expect(fold(outputs) == vectors.xchachapoly.fold)
    }

    /// Extraction is the code of the input under the salt.
    private func hmac(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
        HKDFSHA256.extract(message.span, salt: key.span).bytes32.bytes
    }

    private func open(_ sealed: [UInt8], _ header: [UInt8], with cipher: CipherState) -> [UInt8]? {
        var cipher = cipher
        return cipher.decrypt(sealed.span, authenticating: header.span)
    }

    /// Every bit of `bytes` flipped by itself makes `accepts` say no.
    private func expectEveryBitCounts(_ bytes: [UInt8], _ accepts: ([UInt8]) -> Bool) {
        for index in bytes.indices {
            for bit in 0..<8 as Range<UInt8> {
                var altered = bytes
                altered[index] ^= 1 << bit
                if accepts(altered) { Issue.record("byte \(index), bit \(bit) does not count") }
            }
        }
    }
}
