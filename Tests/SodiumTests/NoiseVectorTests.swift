import Sodium
import Testing

struct NoiseVectorTests {
    @Test func frozenVectorOfTheSessionsProtocol() throws {
        try NoiseVector(json: NoiseVector.xxPSK0).check()
    }

    @Test(.enabled(if: NoiseVector.publicFile != nil, "skipped: the public vectors are not on this machine"))
    func everyPublicVector() throws {
        let vectors = try NoiseVector.publicCollection()
        #expect(vectors.count >= 110)
        for vector in vectors { try vector.check() }
    }
}
