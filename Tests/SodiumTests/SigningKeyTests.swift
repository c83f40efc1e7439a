import ChangeLog
import Testing

@testable import Sodium

struct SigningKeyTests {
    /// More seeds than are kept: the newest are, and each still signs as itself.
    @Test func keptKeysAreBounded() throws {
        let sodium = try SodiumCryptography()
        var keeping = sodium
        let seeds = (0..<80 as Range<UInt8>).compactMap { Bytes32([UInt8](repeating: $0, count: 32)) }
        for seed in seeds { keeping = keeping.keeping(signingSeed: seed) }
        #expect(keeping.signingKeys.count == SodiumCryptography.signingKeysMax)
        let newest = seeds.suffix(SodiumCryptography.signingKeysMax)
        #expect(zip(keeping.signingKeys, newest).allSatisfy { key, seed in key.isOf(seed) })
        for seed in seeds { #expect(keeping.sign([1], seed: seed) == sodium.sign([1], seed: seed)) }
    }

    /// A seed that differs in its last byte alone is another key.
    @Test func aKeyIsOfOneSeed() throws {
        let seed = try #require(Bytes32(0..<32 as Range<UInt8>))
        let other = try #require(Bytes32(Array(0..<31) + [0]))
        let key = SigningKey(seed: seed)
        #expect(key.isOf(seed))
        #expect(!key.isOf(other))
    }
}
