/// Bytes packed by how often each comes (Huffman: *A Method for the Construction of Minimum-Redundancy Codes*, 1952), where that takes
/// fewer bytes than they do.
///
/// Written: twice their number, plus 1 where they are packed; then the bytes, or 128 bytes with the length of every byte's code, two in
/// each, that of the lesser in the lower half, and the codes, the first bit of each lowest. Codes of one length ascend with their bytes;
/// none has more than 12 bits.
enum PackedBytes {
    private static let longest = 12
    private static let header = 128

    static func encode(_ bytes: [UInt8], into encoder: inout CanonicalEncoder) {
        var counts = [Int](repeating: 0, count: 256)
        for byte in bytes { counts[Int(byte)] += 1 }
        let lengths = codeLengths(of: counts)
        let bits = zip(counts, lengths).reduce(0) { $0 + $1.0 * Int($1.1) }
        guard (bits + 7) / 8 + header < bytes.count else {
            encoder.encode(UInt64(bytes.count) << 1)
            encoder.encode(fixed: bytes)
            return
        }
        encoder.encode(UInt64(bytes.count) << 1 | 1)
        for pair in 0..<header { encoder.encode(byte: lengths[pair * 2] | lengths[pair * 2 + 1] << 4) }
        let codes = codes(of: lengths)
        var packed: [UInt8] = []
        packed.reserveCapacity((bits + 7) / 8)
        var (word, used): (UInt64, UInt64) = (0, 0)
        for byte in bytes {
            word |= UInt64(codes[Int(byte)]) << used
            used += UInt64(lengths[Int(byte)])
            while used >= 8 {
                packed.append(UInt8(truncatingIfNeeded: word))
                word >>= 8
                used -= 8
            }
        }
        if used > 0 { packed.append(UInt8(truncatingIfNeeded: word)) }
        encoder.encode(fixed: packed)
    }

    /// Reads bytes, of which there are at most eight for each byte that is left.
    static func decode(from decoder: inout CanonicalDecoder) throws(DecodingFailure) -> [UInt8] {
        let head = try decoder.decodeUInt64()
        guard head & 1 == 1 else {
            guard head >> 1 <= UInt64(decoder.remaining) else { throw .tooLarge }
            return Array(try decoder.decodeFixed(Int(head >> 1)))
        }
        guard head >> 1 <= UInt64(decoder.remaining) * 8 else { throw .tooLarge }
        var lengths: [UInt8] = []
        lengths.reserveCapacity(256)
        for pair in try decoder.decodeFixed(header) {
            lengths.append(pair & 15)
            lengths.append(pair >> 4)
        }
        let table = try table(of: lengths)
        let (bytes, size) = try unpack(Int(head >> 1), decoder.rest, table)
        decoder.skip(size)
        var counts = [Int](repeating: 0, count: 256)
        for byte in bytes { counts[Int(byte)] += 1 }
        guard codeLengths(of: counts) == lengths, size + header < bytes.count else { throw .notCanonical }
        return bytes
    }

    private static func unpack(
        _ count: Int, _ packed: ArraySlice<UInt8>, _ table: [UInt16]
    ) throws(DecodingFailure) -> (bytes: [UInt8], size: Int) {
        var bits = 0
        var isWhole = true
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { output, filled in
            packed.withUnsafeBytes { input in
                table.withUnsafeBufferPointer { table in
                    var (word, held, next): (UInt64, Int, Int) = (0, 0, 0)
                    while filled < count {
                        if held < longest {
                            if next + 8 <= input.count {
                                let more = input.loadUnaligned(fromByteOffset: next, as: UInt64.self)
                                word |= UInt64(littleEndian: more) << UInt64(held)
                                let taken = (63 - held) >> 3
                                next += taken
                                held += taken * 8
                                word &= held == 64 ? .max : (1 << UInt64(held)) - 1
                            } else {
                                while held <= 48, next < input.count {
                                    word |= UInt64(input[next]) << UInt64(held)
                                    next += 1
                                    held += 8
                                }
                            }
                        }
                        let entry = table[Int(word & UInt64(1 << longest - 1))]
                        let length = Int(entry >> 8)
                        guard length > 0, length <= held else {
                            isWhole = false
                            return
                        }
                        output[filled] = UInt8(truncatingIfNeeded: entry)
                        filled += 1
                        word >>= UInt64(length)
                        held -= length
                        bits += length
                    }
                    // What is left of the last byte is 0.
                    if word & (1 << UInt64(held & 7) - 1) != 0 { isWhole = false }
                }
            }
        }
        guard isWhole else { throw .notCanonical }
        return (bytes, (bits + 7) / 8)
    }

    /// Of all 12 bits that may come, the byte that they begin with, and above it the length of its code.
    private static func table(of lengths: [UInt8]) throws(DecodingFailure) -> [UInt16] {
        var room = 0
        for length in lengths where length > 0 {
            guard length <= longest else { throw .notCanonical }
            room += 1 << (longest - Int(length))
        }
        guard room <= 1 << longest else { throw .notCanonical }
        var table = [UInt16](repeating: 0, count: 1 << longest)
        let codes = codes(of: lengths)
        for (byte, length) in lengths.enumerated() where length > 0 {
            for index in stride(from: Int(codes[byte]), to: 1 << longest, by: 1 << Int(length)) {
                table[index] = UInt16(length) << 8 | UInt16(byte)
            }
        }
        return table
    }

    /// The codes of bytes, the first bit lowest.
    private static func codes(of lengths: [UInt8]) -> [UInt16] {
        var codes = [UInt16](repeating: 0, count: 256)
        var code = 0
        for length in 1...longest {
            for byte in 0..<256 where Int(lengths[byte]) == length {
                var reversed = 0
                for bit in 0..<length where code & 1 << bit != 0 { reversed |= 1 << (length - 1 - bit) }
                codes[byte] = UInt16(truncatingIfNeeded: reversed)
                code += 1
            }
            code <<= 1
        }
        return codes
    }

    /// How many bits the code of each byte has. Where one would have too many, counts are halved until none has.
    private static func codeLengths(of counts: [Int]) -> [UInt8] {
        var counts = counts
        while true {
            let lengths = unboundedLengths(of: counts)
            if lengths.allSatisfy({ $0 <= longest }) { return lengths }
            counts = counts.map { ($0 + 1) / 2 }
        }
    }

    private static func unboundedLengths(of counts: [Int]) -> [UInt8] {
        var lengths = [UInt8](repeating: 0, count: 256)
        let used = (0..<256).filter { counts[$0] > 0 }.sorted { (counts[$0], $0) < (counts[$1], $1) }
        if used.count == 1 { lengths[used[0]] = 1 }
        guard used.count > 1 else { return lengths }
        // Leaves by count. The nodes that are made of them are in ascending order too.
        var weights = used.map { counts[$0] }
        var parents = [Int](repeating: 0, count: used.count * 2 - 1)
        var (leaf, node) = (0, used.count)
        func least() -> Int {
            if leaf < used.count, node == weights.count || weights[leaf] <= weights[node] {
                leaf += 1
                return leaf - 1
            }
            node += 1
            return node - 1
        }
        while weights.count < used.count * 2 - 1 {
            let (first, second) = (least(), least())
            parents[first] = weights.count
            parents[second] = weights.count
            weights.append(weights[first] + weights[second])
        }
        var depths = [UInt8](repeating: 0, count: weights.count)
        for index in stride(from: weights.count - 2, through: 0, by: -1) {
            depths[index] = depths[parents[index]] + 1
            if index < used.count { lengths[used[index]] = depths[index] }
        }
        return lengths
    }
}
