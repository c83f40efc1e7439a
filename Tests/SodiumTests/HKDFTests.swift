import ChangeLog
import Testing

@testable import Sodium

struct HKDFTests {
    /// RFC 5869, appendix A.1 to A.3.
    @Test func vectorsOfTheRFC() throws {
        let cases = [
            (
                input: [UInt8](repeating: 0x0b, count: 22), salt: [UInt8](0x00...0x0c), info: [UInt8](0xf0...0xf9),
                output: "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"
            ),
            (
                input: [UInt8](0x00...0x4f), salt: [UInt8](0x60...0xaf), info: [UInt8](0xb0...0xff),
                output: """
                b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb41c65e590e09\
                da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87
                """
            ),
            (
                input: [UInt8](repeating: 0x0b, count: 22), salt: [], info: [],
                output: "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"
            ),
        ]
        for vector in cases {
            let key = HKDFSHA256.extract(vector.input.span, salt: vector.salt.span)
            let blocks = HKDFSHA256.expand(key, info: vector.info.span, blocks: 3)
            let output = blocks.flatMap { $0.bytes32.bytes }
            #expect(hex(output).hasPrefix(vector.output))
        }
    }
}
