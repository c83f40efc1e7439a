import ChangeLog
import Sodium
import Testing

/// Each primitive against vectors of its specification, through the protocol that the core uses.
struct PrimitiveTests {
    private let sodium: SodiumCryptography

    init() throws {
        sodium = try SodiumCryptography()
    }

    /// BLAKE2b-256; the values agree with Python's hashlib.
    @Test func blake2b() throws {
        let empty = "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8"
        let abc = "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319"
        #expect(sodium.hash([]).description == empty)
        #expect(sodium.hash(Array("abc".utf8)).description == abc)
        let key = try bytes32("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f")
        #expect(
            sodium.hash([], key: key).description == "4e51e7a913fc80137da52880fecca175bf81e117d5c68126dc2774033517ea0d")
        #expect(
            sodium.hash(Array(0..<255), key: key).description
                == "f60f5c4a575c43db6c93608515866ea998e04b35792f5a92b27aa5880cd6721e")
    }

    /// RFC 8032, section 7.1, tests 1 and 3.
    @Test func ed25519() throws {
        for (seed, key, message, signature) in [
            (
                "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
                "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
                """
                e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46b\
                d25bf5f0595bbe24655141438e7a100b
                """
            ),
            (
                "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
                "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
                """
                6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc659\
                4a7c15e9716ed28dc027beceea1ec40a
                """
            ),
        ] {
            let seed = try bytes32(seed)
            let key = try bytes32(key)
            let message = try bytes(ofHex: message)
            for cryptography in [sodium, sodium.keeping(signingSeed: key), sodium.keeping(signingSeed: seed)] {
                #expect(cryptography.signingPublicKey(seed: seed) == key)
                #expect(hex(cryptography.sign(message, seed: seed)) == signature)
            }
            let bytes = try bytes(ofHex: signature)
            #expect(sodium.isValid(bytes, of: message, by: key))
            #expect(!sodium.isValid(bytes, of: message + [0], by: key))
            #expect(!sodium.isValid(bytes, of: message, by: seed))
            #expect(!sodium.isValid(bytes.dropLast(), of: message, by: key))
            #expect(!sodium.isValid(bytes + [0], of: message, by: key))
            #expect(!sodium.isValid([], of: message, by: key))
            for index in bytes.indices {
                var altered = bytes
                altered[index] ^= 1
                #expect(!sodium.isValid(altered, of: message, by: key))
            }
        }
    }

    /// RFC 7748, sections 5.2 and 6.1.
    @Test func x25519() throws {
        let scalar = try bytes32("a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4")
        let point = try bytes32("e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c")
        let product = "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552"
        #expect(sodium.agree(secret: scalar, publicKey: point)?.description == product)

        let bob = try bytes32("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb")
        let alicesKey = try bytes32("8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a")
        let shared = "4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742"
        #expect(
            sodium.agreementPublicKey(secret: bob).description
                == "de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f")
        #expect(sodium.agree(secret: bob, publicKey: alicesKey)?.description == shared)
    }

    /// The points of small order, and what they are equal to modulo 2^255 - 19.
    @Test func x25519RefusesAnAllZeroSecret() throws {
        let secret = try bytes32("a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4")
        for point in smallOrderPoints {
            #expect(sodium.agree(secret: secret, publicKey: try bytes32(point)) == nil, "\(point)")
        }
    }

    /// draft-irtf-cfrg-xchacha-03, appendix A.3.1.
    @Test func xchacha20Poly1305() throws {
        let text = """
            Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would \
            be it.
            """
        let header = try bytes(ofHex: "50515253c0c1c2c3c4c5c6c7")
        let key = try bytes32("808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f")
        let nonce = try bytes(ofHex: "404142434445464748494a4b4c4d4e4f5051525354555657")
        let sealed = try bytes(
            ofHex: """
                bd6d179d3e83d43b9576579493c0e939572a1700252bfaccbed2902c21396cbb731c7f1b0b4aa6440bf3a82f4eda7e39\
                ae64c6708c54c216cb96b72e1213b4522f8c9ba40db5d945b11b69b982c1bb9e3f3fac2bc369488f76b2383565d3fff9\
                21f9664c97637da9768812f615c68b13b52ec0875924c1c7987947deafd8780acf49
                """)
        let plaintext = Array(text.utf8)
        #expect(sodium.encrypt(plaintext, nonce: nonce, key: key, authenticating: header) == sealed)
        #expect(sodium.decrypt(sealed, nonce: nonce, key: key, authenticating: header) == plaintext)

        for index in sealed.indices {
            var altered = sealed
            altered[index] ^= 0x80
            #expect(sodium.decrypt(altered, nonce: nonce, key: key, authenticating: header) == nil)
            let cut = Array(sealed[..<index])
            #expect(sodium.decrypt(cut, nonce: nonce, key: key, authenticating: header) == nil)
        }
        let other = try #require(Bytes32(nonce + [0, 1, 2, 3, 4, 5, 6, 7]))
        #expect(sodium.decrypt(sealed, nonce: nonce, key: other, authenticating: header) == nil)
        #expect(sodium.decrypt(sealed, nonce: nonce.reversed(), key: key, authenticating: header) == nil)
        #expect(sodium.decrypt(sealed, nonce: nonce.dropLast(), key: key, authenticating: header) == nil)
        #expect(sodium.decrypt(sealed, nonce: nonce + [0], key: key, authenticating: header) == nil)
        #expect(sodium.decrypt(sealed, nonce: nonce, key: key, authenticating: []) == nil)

        let empty = sodium.encrypt([], nonce: nonce, key: key, authenticating: [])
        #expect(empty.count == 16)
        #expect(sodium.decrypt(empty, nonce: nonce, key: key, authenticating: []) == [])
    }

    /// RFC 4231, sections 4.2 to 4.4: a shorter key is the same as one filled up with zeros.
    @Test func hmacSHA256() throws {
        func key(_ bytes: [UInt8]) throws -> Bytes32 {
            try #require(Bytes32(bytes + [UInt8](repeating: 0, count: 32 - bytes.count)))
        }
        let first = try key([UInt8](repeating: 0x0b, count: 20))
        #expect(
            sodium.authenticate(Array("Hi There".utf8), key: first).description
                == "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7")
        let second = try key(Array("Jefe".utf8))
        #expect(
            sodium.authenticate(Array("what do ya want for nothing?".utf8), key: second).description
                == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
        let third = try key([UInt8](repeating: 0xaa, count: 20))
        #expect(
            sodium.authenticate([UInt8](repeating: 0xdd, count: 50), key: third).description
                == "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe")
    }

    /// The values agree with the HKDF of Python's `cryptography`.
    @Test func derivedKeys() throws {
        let secret = try bytes32("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f")
        #expect(
            sodium.deriveKey(from: secret, label: "session").description
                == "de90c04b999a121692e6b08ab0966f08b72ca9331c5c5598c6b6641d51f2afef")
        #expect(
            sodium.deriveKey(from: secret, label: "").description
                == "37ad29109f43265287804b674e2653d0a513718907f97fca97c95bded8104bbf")
    }
}

/// Every u-coordinate whose product with a clamped scalar is zero, non-canonical forms included.
let smallOrderPoints = [
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0100000000000000000000000000000000000000000000000000000000000000",
    "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
    "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
]
