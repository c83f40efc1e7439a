import Testing

@testable import Sodium

struct SecretStreamTests {
    private let key: PassphraseKey
    private let sealed: [[UInt8]]
    private let header: [UInt8]
    private static let chunks: [[UInt8]] = [[1, 2, 3], [], Array(0..<200), [9]]

    init() throws {
        key = try .quick()
        let sealer = SecretStreamSealer(key: key)
        header = sealer.header
        sealed = SecretStreamTests.chunks.enumerated().map { index, chunk in
            chunk.withUnsafeBytes { sealer.seal($0, isLast: index == 3, context: [5]) }
        }
    }

    /// The chunks up to the one that is said to be the last.
    private func open(_ sealed: [[UInt8]], context: [UInt8] = [5]) throws -> [[UInt8]]? {
        let opener = try SecretStreamOpener(key: key, header: header)
        var chunks: [[UInt8]] = []
        for one in sealed {
            let (chunk, isLast) = try opener.open(one, context: context)
            chunks.append(chunk.withUnsafeBytes { Array($0) })
            if isLast { return chunks }
        }
        return nil
    }

    @Test func itOpensInOrderAndWhole() throws {
        #expect(try open(sealed) == Self.chunks)
        #expect(zip(sealed, Self.chunks).allSatisfy { $0.count == $1.count + SecretStream.sealSize })
        #expect(try open(Array(sealed.prefix(3))) == nil, "without its last chunk it must not end")
    }

    @Test func anythingElseIsRefused() throws {
        let others = [
            [sealed[1], sealed[0], sealed[2], sealed[3]], [sealed[0], sealed[0]], [sealed[0], sealed[2], sealed[3]],
            [sealed[3]], Array(sealed.dropFirst()), [[]], [sealed[0].dropLast()],
        ]
        for other in others { #expect(throws: PassphraseFailure.wrongPassphrase) { try open(other) } }
        #expect(throws: PassphraseFailure.wrongPassphrase) { try open(sealed, context: [6]) }
        for chunk in sealed.indices {
            for offset in sealed[chunk].indices {
                var altered = sealed
                altered[chunk][offset] ^= 0x40
                #expect(throws: PassphraseFailure.wrongPassphrase) { try open(altered) }
            }
        }
        #expect(throws: PassphraseFailure.malformed) { try SecretStreamOpener(key: key, header: [1, 2]) }
        let other = try PassphraseKey.quick()
        #expect(throws: PassphraseFailure.wrongPassphrase) {
            try SecretStreamOpener(key: other, header: header).open(sealed[0], context: [5])
        }
    }
}
