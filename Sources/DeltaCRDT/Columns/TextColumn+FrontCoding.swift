/// Texts in ascending order of their encodings, each but the first written as how many bytes it shares with the one before, at
/// most 32 and no fewer than it can, how many more it has, and these.
extension TextColumn {
    /// So that few bytes cannot stand for many long values.
    static var mostShared: Int { 32 }

    /// Reads `count` texts that follow the last one here.
    mutating func append(frontCoded count: Int, from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        guard let last = starts.last else { throw .notCanonical }
        let first = Array(bytes[last...])
        let region = decoder.rest
        let (size, length) = try Self.measure(region, count, first.count)
        var starts: [Int] = []
        starts.reserveCapacity(count)
        var failure: DecodingFailure?
        let decoded = [UInt8](unsafeUninitializedCapacity: first.count + size) { output, written in
            first.withUnsafeBytes { UnsafeMutableRawBufferPointer(output).copyMemory(from: $0) }
            written = first.count
            do throws(DecodingFailure) {
                try region.withUnsafeBufferPointer { input throws(DecodingFailure) in
                    let input = UnsafeRawBufferPointer(input)
                    try Self.expand(input, count, UnsafeMutableRawBufferPointer(output), &written, &starts)
                }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        decoder.skip(length)
        bytes.append(contentsOf: decoded[first.count...])
        self.starts.append(contentsOf: starts.lazy.map { $0 + last })
    }

    /// How many bytes the texts have, and how many they were written in.
    private static func measure(
        _ region: ArraySlice<UInt8>, _ count: Int, _ firstSize: Int
    ) throws(DecodingFailure) -> (size: Int, length: Int) {
        try region.withUnsafeBufferPointer { input throws(DecodingFailure) in
            let input = UnsafeRawBufferPointer(input)
            var position = 0
            var size = 0
            var previous = firstSize
            for _ in 0..<count {
                let shared = try readLength(input, &position)
                guard shared <= min(previous, mostShared) else { throw .notCanonical }
                let added = try readLength(input, &position)
                guard added > 0 else { throw .notCanonical }
                guard added <= input.count - position else { throw .tooLarge }
                position += added
                previous = shared + added
                size += previous
            }
            return (size, position)
        }
    }

    /// Writes out the texts, the first of which is written already. `input` was measured, and `output` has room for them all.
    private static func expand(
        _ input: UnsafeRawBufferPointer, _ count: Int, _ output: UnsafeMutableRawBufferPointer, _ written: inout Int,
        _ starts: inout [Int]
    ) throws(DecodingFailure) {
        var position = 0
        var previous = 0..<written
        for _ in 0..<count {
            let shared = try readLength(input, &position)
            let added = try readLength(input, &position)
            let start = written
            for offset in 0..<shared { output[start + offset] = output[previous.lowerBound + offset] }
            for offset in 0..<added { output[start + shared + offset] = input[position + offset] }
            written = start + shared + added
            position += added
            let text = UnsafeRawBufferPointer(rebasing: output[start..<written])
            let before = UnsafeRawBufferPointer(rebasing: output[previous])
            guard isAscending(before, text, shared) else { throw .notCanonical }
            try check(text)
            starts.append(start)
            previous = start..<written
        }
    }

    /// Whether a text follows another with which it shares its first bytes, and shares no more that it could.
    private static func isAscending(
        _ before: UnsafeRawBufferPointer, _ after: UnsafeRawBufferPointer, _ shared: Int
    ) -> Bool {
        guard shared < before.count else { return true }
        if before[shared] != after[shared] { return before[shared] < after[shared] }
        return shared == mostShared && before.lexicographicallyPrecedes(after)
    }

    /// Throws unless the bytes are one text as the encoder writes it.
    private static func check(_ text: UnsafeRawBufferPointer) throws(DecodingFailure) {
        var position = 0
        let length = try readLength(text, &position)
        guard length == text.count - position else { throw .notCanonical }
        guard UTF8Validation.isValid(UnsafeRawBufferPointer(rebasing: text[position...])) else { throw .invalidText }
    }

    private static func readLength(
        _ input: UnsafeRawBufferPointer, _ position: inout Int
    ) throws(DecodingFailure) -> Int {
        guard position < input.count else { throw .truncated }
        let first = input[position]
        position += 1
        if first < 0x80 { return Int(first) }
        var length = UInt64(first & 0x7F)
        var shift: UInt64 = 7
        while true {
            guard position < input.count else { throw .truncated }
            let byte = input[position]
            position += 1
            guard shift < 63 else { throw .notCanonical }
            length |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 {
                guard byte > 0 else { throw .notCanonical }
                return Int(clamping: length)
            }
            shift += 7
        }
    }
}
