import Sodium
import Testing

struct HandshakePatternTests {
    private let fundamental = "N K X NN NK NX KN KK KX XN XK XX IN IK IX"
    private let deferred = """
        NK1 NX1 X1N X1K XK1 X1K1 X1X XX1 X1X1 K1N K1K KK1 K1K1 K1X KX1 K1X1 I1N I1K IK1 I1K1 I1X IX1 I1X1
        """

    private func isKnown(_ pattern: some StringProtocol) -> Bool {
        NoiseProtocol(name: "Noise_\(pattern)_25519_ChaChaPoly_SHA256") != nil
    }

    @Test func knowsEveryPatternOfTheSpecification() {
        let names = fundamental.split(separator: " ") + deferred.split(separator: " ")
        #expect(names.count == 15 + 23)
        for name in names {
            #expect(isKnown(name), "\(name)")
            #expect(isKnown("\(name)psk0"), "\(name)")
            #expect(isKnown("\(name)psk1+psk0"), "\(name)")
        }
    }

    @Test func refusesWhatIsNoPattern() {
        for name in [
            "", "Q", "NNN", "XX2", "psk0", "XXpsk", "XXpsk4", "Npsk2", "XXpsk0+psk0", "XXpsk0+", "XX+psk0", "XXpsk01",
            "XXpsk0psk1", "XXfallback", "XXpsk٣", "xx", "1X",
        ] {
            #expect(!isKnown(name), "\(name)")
        }
    }

    @Test func refusesOtherPrimitives() {
        for name in [
            "", "Noise", "Noise_XX", "Noise_XX_448_ChaChaPoly_SHA256", "Noise_XX_25519_AESGCM_SHA256",
            "Noise_XX_25519_ChaChaPoly_BLAKE2b", "Noise_XX_25519_ChaChaPoly_SHA256_",
            "noise_XX_25519_ChaChaPoly_SHA256",
        ] {
            #expect(NoiseProtocol(name: name) == nil, "\(name)")
        }
    }
}
