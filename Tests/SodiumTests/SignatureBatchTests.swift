import ChangeLog
import Sodium
import Testing

/// Many signatures at once are judged as each alone.
struct SignatureBatchTests {
    @Test("of many signatures those that do not hold are named, wherever they stand and however many there are")
    func batches() throws {
        let sodium = try SodiumCryptography()
        let seeds = (0..<3).map { Bytes32(words: (UInt64($0), 1, 2, 3)) }
        for count in [0, 1, 16, 17, 100] {
            let wrong = Set((0..<count).filter { $0 % 7 == 3 })
            let checks = (0..<count).map { number in
                let (seed, message) = (seeds[number % 3], [UInt8(number)])
                return SignatureCheck(
                    signature: sodium.sign(wrong.contains(number) ? message + [1] : message, seed: seed),
                    message: message, key: sodium.signingPublicKey(seed: seed))
            }
            #expect(sodium.areValid(checks) == (0..<count).map { !wrong.contains($0) })
        }
    }
}
