import ChangeLog
import Testing

/// The bytes of hexadecimal digits; spaces between them are passed over.
func bytes(ofHex digits: String) throws -> [UInt8] {
    let values = try digits.filter { $0 != " " }.map { UInt8(try #require($0.hexDigitValue)) }
    try #require(values.count.isMultiple(of: 2))
    return stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] }
}

func bytes32(_ digits: String) throws -> Bytes32 {
    try #require(Bytes32(try bytes(ofHex: digits)))
}

func hex(_ bytes: [UInt8]) -> String {
    bytes.map { byte in [byte >> 4, byte & 15].map { String($0, radix: 16) }.joined() }.joined()
}
