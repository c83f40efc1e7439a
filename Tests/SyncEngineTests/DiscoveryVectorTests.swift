import ChangeLog
import Foundation
import Sodium
import Testing

@testable import SyncEngine

/// Names and TXT records as the node in Python makes them (`Scripts/conform --write-vectors`).
struct DiscoveryVectorTests {
    private struct Vectors: Decodable {
        struct Instance: Decodable {
            let secret, nonce, name: String
            let addresses: [String]
            let port: UInt16
            let txt: [String: String]
        }

        let instances: [Instance]
    }

    private func bytes(_ hex: String) -> [UInt8] {
        stride(from: 0, to: hex.utf8.count, by: 2).compactMap { place in
            UInt8(hex.dropFirst(place).prefix(2), radix: 16)
        }
    }

    @Test("a name and the tags of its addresses are what another implementation makes")
    func instances() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let data = try Data(contentsOf: folder.appending(path: "Vectors/protocol-python.json"))
        let cryptography = try SodiumCryptography()
        for made in try JSONDecoder().decode(Vectors.self, from: data).instances {
            let secret = try #require(Bytes32(bytes(made.secret)))
            let credential = Credential(inviteSecret: secret, using: cryptography)
            let nonce = bytes(made.nonce).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            let name = InstanceName(credential: credential, nonce: nonce, using: cryptography)
            #expect(name.text == made.name)
            for (place, host) in made.addresses.prefix(AddressTag.count).enumerated() {
                let tag = name.addressTag(
                    of: PeerAddress(host: host, port: made.port), credential, using: cryptography)
                #expect(tag?.bytes == bytes(try #require(made.txt["a\(place)"])))
            }
        }
    }
}
