/// Whether bytes are UTF-8, eight at a time while they are ASCII.
enum UTF8Validation {
    static func isValid(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.withUnsafeBytes(isValid)
    }

    static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var position = 0
        while position < bytes.count {
            if position + 8 <= bytes.count {
                let word = bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
                if word & 0x8080_8080_8080_8080 == 0 {
                    position += 8
                    continue
                }
            }
            let length = scalarLength(bytes, position)
            if length == 0 { return false }
            position += length
        }
        return true
    }

    /// The length of the well-formed scalar at a position, 0 if there is none (The Unicode Standard 15, table 3-7).
    private static func scalarLength(_ bytes: UnsafeRawBufferPointer, _ position: Int) -> Int {
        let first = bytes[position]
        if first < 0x80 { return 1 }
        let length: Int
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch first {
        case 0xC2...0xDF: length = 2
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: length = 3
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        case 0xF1...0xF3: length = 4
        default: return 0
        }
        guard position + length <= bytes.count, second.contains(bytes[position + 1]) else { return 0 }
        for next in bytes[position + 2..<position + length] where next & 0xC0 != 0x80 { return 0 }
        return length
    }
}
