/// Many texts at once: 0 and the texts as they are, or 1 and the texts packed, whichever is shorter.
///
/// Packed is: the number of different bytes, all of them ASCII; these, ascending; the length of all texts plus one where they
/// have one length, else 0 and each one's length; and every byte of every text as its number among the different ones, in as
/// few bits as the greatest needs, at least one, the first in the lowest bits. Bits left over are 0.
extension TextColumn {
    /// Fewer texts are not worth a choice, and are written as they are, without the byte that says so.
    static var fewestPacked: Int { 16 }
    /// More empty texts than these are written as they are: packed, any number of them would take no bytes.
    @usableFromInline static var mostEmptyPacked: Int { 1 << 16 }

    /// What decides between the two forms.
    private struct Census {
        var isUsed = [Bool](repeating: false, count: 256)
        private var count = 0
        private(set) var bytes = 0
        /// What the lengths take, each before its text.
        private(set) var lengthsSize = 0
        /// The length of all texts; −1 while there are none, −2 where they differ.
        private(set) var commonLength = -1

        mutating func note(length: Int) {
            count += 1
            bytes += length
            lengthsSize += Self.size(length)
            if commonLength == -1 { commonLength = length } else if commonLength != length { commonLength = -2 }
        }

        /// The different bytes, ascending; nil if one is not ASCII.
        var alphabet: [UInt8]? {
            if isUsed[0x80...].contains(true) { return nil }
            return (0..<UInt8(0x80)).filter { isUsed[Int($0)] }
        }

        /// The alphabet to pack with, nil if the texts are not shorter for it.
        var packingAlphabet: [UInt8]? {
            guard let alphabet, commonLength != 0 || count <= mostEmptyPacked else { return nil }
            let lengths = commonLength >= 0 ? Self.size(commonLength + 1) : 1 + lengthsSize
            let packed = Self.size(alphabet.count) + alphabet.count + lengths + (bytes * Census.width(alphabet) + 7) / 8
            return packed < lengthsSize + bytes ? alphabet : nil
        }

        /// How many bits a byte takes.
        static func width(_ alphabet: [UInt8]) -> Int {
            max(1, Int.bitWidth - max(0, alphabet.count - 1).leadingZeroBitCount)
        }

        private static func size(_ length: Int) -> Int { max(1, (Int.bitWidth - length.leadingZeroBitCount + 6) / 7) }
    }

    // MARK: Encoding

    @usableFromInline
    func encode(_ slots: [UInt32], into encoder: inout CanonicalEncoder) {
        guard slots.count >= Self.fewestPacked else {
            for slot in slots { encode(Int(slot), into: &encoder) }
            return
        }
        var census = Census()
        for slot in slots {
            withUTF8(Int(slot)) { text in
                census.note(length: text.count)
                for byte in text { census.isUsed[Int(byte)] = true }
            }
        }
        guard let alphabet = census.packingAlphabet else {
            encoder.encode(byte: 0)
            for slot in slots { encode(Int(slot), into: &encoder) }
            return
        }
        encoder.encode(byte: 1)
        encoder.encode(count: alphabet.count)
        encoder.encode(fixed: alphabet)
        encoder.encode(count: max(0, census.commonLength + 1))
        if census.commonLength < 0 {
            for slot in slots { encoder.encode(count: withUTF8(Int(slot)) { $0.count }) }
        }
        pack(slots, alphabet, into: &encoder)
    }

    private func pack(_ slots: [UInt32], _ alphabet: [UInt8], into encoder: inout CanonicalEncoder) {
        let width = Census.width(alphabet)
        var codes = [UInt64](repeating: 0, count: 256)
        for (code, byte) in alphabet.enumerated() { codes[Int(byte)] = UInt64(code) }
        var pending: UInt64 = 0
        var filled = 0
        for slot in slots {
            withUTF8(Int(slot)) { text in
                for byte in text {
                    pending |= codes[Int(byte)] << UInt64(filled)
                    filled += width
                    while filled >= 8 {
                        encoder.encode(byte: UInt8(truncatingIfNeeded: pending))
                        pending >>= 8
                        filled -= 8
                    }
                }
            }
        }
        if filled > 0 { encoder.encode(byte: UInt8(truncatingIfNeeded: pending)) }
    }

    // MARK: Decoding

    /// Reads `count` texts.
    @usableFromInline
    mutating func append(count: Int, from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        guard count >= Self.fewestPacked else { return try appendPlain(count: count, from: &decoder) }
        let first = starts.count
        switch try decoder.decodeByte() {
        case 0:
            try appendPlain(count: count, from: &decoder)
            guard census(from: first).packingAlphabet == nil else { throw .notCanonical }
        case 1:
            try appendPacked(count: count, from: &decoder)
        default: throw .unknown
        }
    }

    private mutating func appendPlain(count: Int, from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        let end = bytes.count
        let region = try decoder.decodeTexts(count: count) { starts.append(end + $0) }
        bytes.append(contentsOf: region)
    }

    private func census(from first: Int) -> Census {
        var census = Census()
        for slot in first..<starts.count {
            withUTF8(slot) { text in
                census.note(length: text.count)
                for byte in text { census.isUsed[Int(byte)] = true }
            }
        }
        return census
    }

    private mutating func appendPacked(count: Int, from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        let alphabet = Array(try decoder.decodeFixed(try decoder.decodeCount(limit: 0x80)))
        guard alphabet.allSatisfy({ $0 < 0x80 }), zip(alphabet, alphabet.dropFirst()).allSatisfy({ $0 < $1 }) else {
            throw .notCanonical
        }
        var census = Census()
        let lengths = try Self.decodeLengths(count, &census, from: &decoder)
        let (bits, overflow) = census.bytes.multipliedReportingOverflow(by: Census.width(alphabet))
        guard !overflow, bits <= decoder.remaining * 8 else { throw .tooLarge }
        let packed = try decoder.decodeFixed((bits + 7) / 8)
        try unpack(packed, lengths, count, alphabet, &census)
        guard census.packingAlphabet == alphabet else { throw .notCanonical }
    }

    /// Reads the lengths of texts, one where it is that of all.
    private static func decodeLengths(
        _ count: Int, _ census: inout Census, from decoder: inout CanonicalDecoder
    ) throws(DecodingFailure) -> [Int] {
        // No text can have more bytes than there are bits.
        let most = decoder.remaining * 8
        let common = try decoder.decodeUInt64()
        if common > 0 {
            guard common - 1 <= UInt64(most / count) else { throw .tooLarge }
            for _ in 0..<count { census.note(length: Int(common - 1)) }
            return [Int(common - 1)]
        }
        guard count <= decoder.remaining else { throw .tooLarge }
        var lengths: [Int] = []
        lengths.reserveCapacity(count)
        for _ in 0..<count {
            let length = try decoder.decodeUInt64()
            guard length <= UInt64(most - census.bytes) else { throw .tooLarge }
            census.note(length: Int(length))
            lengths.append(Int(length))
        }
        guard census.commonLength < 0 else { throw .notCanonical }
        return lengths
    }

    private mutating func unpack(
        _ packed: ArraySlice<UInt8>, _ lengths: [Int], _ count: Int, _ alphabet: [UInt8], _ census: inout Census
    ) throws(DecodingFailure) {
        let room = (starts.count + count) / 8
        starts.reserveCapacity(starts.count + count + room)
        var reader = BitReader(packed, Census.width(alphabet), alphabet)
        let end = bytes.count
        let size = census.bytes + census.lengthsSize
        let unpacked = [UInt8](unsafeUninitializedCapacity: size + size / 8) { output, written in
            for index in 0..<count {
                var rest = lengths[lengths.count == 1 ? 0 : index]
                starts.append(end + written)
                let length = rest
                while rest >= 0x80 {
                    output[written] = UInt8(truncatingIfNeeded: rest) | 0x80
                    rest >>= 7
                    written += 1
                }
                output[written] = UInt8(rest)
                written += 1
                reader.read(into: UnsafeMutableBufferPointer(rebasing: output[written..<written + length]))
                written += length
            }
        }
        guard reader.isSound else { throw .notCanonical }
        if bytes.isEmpty { bytes = unpacked } else { bytes.append(contentsOf: unpacked) }
        for (code, byte) in alphabet.enumerated() { census.isUsed[Int(byte)] = reader.hasRead(code) }
    }

    /// Reads numbers of a few bits, and gives the bytes that they stand for.
    private struct BitReader {
        private let packed: ArraySlice<UInt8>
        private let width: Int
        /// The byte for each number; not ASCII where there is none.
        private let table: [UInt8]
        private var position = 0
        private var used: (UInt64, UInt64) = (0, 0)
        private var union: UInt8 = 0

        init(_ packed: ArraySlice<UInt8>, _ width: Int, _ alphabet: [UInt8]) {
            self.packed = packed
            self.width = width
            table = alphabet + Array(repeating: 0xFF, count: 1 << width - alphabet.count)
        }

        /// Whether every number stood for a byte, and the bits left over are 0.
        var isSound: Bool {
            let rest = position & 7
            return union < 0x80 && (rest == 0 || packed[packed.startIndex + position >> 3] >> UInt8(rest) == 0)
        }

        func hasRead(_ code: Int) -> Bool { (code < 64 ? used.0 : used.1) & 1 << UInt64(code & 63) != 0 }

        mutating func read(into bytes: UnsafeMutableBufferPointer<UInt8>) {
            let mask = UInt64(1) << UInt64(width) - 1
            // As many as surely lie in 8 bytes that begin with the byte of the first.
            let most = 57 / width
            var (used0, used1, seen) = (used.0, used.1, union)
            table.withUnsafeBufferPointer { table in
                var next = 0
                while next < bytes.count {
                    var bits = load(position >> 3) >> UInt64(position & 7)
                    let stop = min(next + most, bytes.count)
                    position += (stop - next) * width
                    while next < stop {
                        let code = bits & mask
                        bits >>= UInt64(width)
                        let byte = table[Int(code)]
                        seen |= byte
                        if code < 64 { used0 |= 1 << code } else { used1 |= 1 << (code & 63) }
                        bytes[next] = byte
                        next += 1
                    }
                }
            }
            (used, union) = ((used0, used1), seen)
        }

        /// The 8 bytes from an offset, the first in the lowest bits, as if zeros followed the last.
        private func load(_ offset: Int) -> UInt64 {
            packed.withUnsafeBytes { packed in
                if offset + 8 <= packed.count {
                    return UInt64(littleEndian: packed.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
                }
                var word: UInt64 = 0
                for index in offset..<max(offset, packed.count) {
                    word |= UInt64(packed[index]) << UInt64((index - offset) * 8)
                }
                return word
            }
        }
    }
}
