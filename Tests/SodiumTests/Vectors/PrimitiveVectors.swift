import ChangeLog
import Foundation
import Testing

/// `Tests/Vectors/primitives.json`: vectors that `Scripts/primitive-vectors` made with implementations that are not ours.
struct PrimitiveVectors: Decodable {
    struct Fold: Decodable {
        let count: Int
        let fold: String
    }

    struct Signatures: Decodable {
        struct Case: Decodable {
            let comment: String
            let key: String
            let message: String
            let signature: String
            let valid: Bool
            let seed: String?
        }

        let cases: [Case]
        let count: Int
        let fold: String
    }

    struct Agreements: Decodable {
        struct Case: Decodable {
            let comment: String
            let secret: String
            let point: String
            /// Nil where it would be all zero.
            let shared: String?
        }

        let cases: [Case]
        let iterated1000: String
        let count: Int
        let fold: String
    }

    struct Derivation: Decodable {
        let ikm: String
        let salt: String
        let info: String
        let blocks: UInt8
        let start: String
        let fold: String
    }

    struct Hashes: Decodable {
        let count: Int
        let plain: String
        let keyed: String
    }

    struct Sealed: Decodable {
        let comment: String
        let key: String
        let plaintext: String
        let sealed: String
    }

    let ed25519: Signatures
    let x25519: Agreements
    let hkdf: [Derivation]
    let hmac: Fold
    let blake2b: Hashes
    let chachapoly: Fold
    let xchachapoly: Fold
    let poly1305Edges: [Sealed]

    static func read() throws -> PrimitiveVectors {
        let file = URL(filePath: #filePath).appending(path: "../../../Vectors/primitives.json").standardizedFileURL
        return try JSONDecoder().decode(PrimitiveVectors.self, from: Data(contentsOf: file))
    }

    /// The bytes that the script calls `material`.
    static func material(_ label: String, _ number: Int, _ count: Int, _ cryptography: some Cryptography) -> [UInt8] {
        var bytes: [UInt8] = []
        var block = 0
        while bytes.count < count {
            let words = [number, block].flatMap { word in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> $0) } }
            bytes += cryptography.hash(Array(label.utf8) + words).bytes
            block += 1
        }
        return Array(bytes.prefix(count))
    }
}
