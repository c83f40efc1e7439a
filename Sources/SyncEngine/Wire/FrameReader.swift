/// Cuts a stream of bytes into frames: two bytes of length, most significant first, then as many bytes.
///
/// Once all frames were taken, it holds at most one unfinished, so at most 65,537 bytes.
struct FrameReader: Sendable {
    private(set) var buffer: [UInt8] = []
    private var start = 0

    /// Appends what came, a chunk of the transport.
    mutating func append(_ bytes: [UInt8]) {
        if start == buffer.count {
            // Mostly a chunk is whole frames, and is read where it lies.
            buffer = bytes
            start = 0
            return
        }
        if start > 0 {
            buffer.removeFirst(start)
            start = 0
        }
        buffer.append(contentsOf: bytes)
    }

    /// The next bytes, which are no frame; nil where fewer are here.
    mutating func take(_ count: Int) -> [UInt8]? {
        guard buffer.count - start >= count else { return nil }
        defer { start += count }
        return Array(buffer[start..<start + count])
    }

    /// The length of the next frame, as soon as it is here.
    var nextLength: Int? {
        buffer.count - start >= 2 ? Int(buffer[start]) << 8 | Int(buffer[start + 1]) : nil
    }

    var hasFrame: Bool { nextLength.map { waitingBytes - 2 >= $0 } ?? false }

    /// Bytes that were not taken.
    var waitingBytes: Int { buffer.count - start }

    /// Where in the buffer the next whole frame lies, without its length; it counts as read. Once there is none, what was
    /// read is let go.
    mutating func nextRange() -> Range<Int>? {
        guard let length = nextLength, buffer.count - start - 2 >= length else {
            if start == buffer.count, start > 0 { (buffer, start) = ([], 0) }
            return nil
        }
        defer { start += 2 + length }
        return start + 2..<start + 2 + length
    }

    /// The next whole frame, without its length.
    mutating func next() -> [UInt8]? { nextRange().map { Array(buffer[$0]) } }

    /// A frame with its length before it.
    static func frame(_ bytes: [UInt8]) -> [UInt8] {
        precondition(bytes.count <= 65_535, "a frame is at most 65,535 bytes")
        return [UInt8(bytes.count >> 8), UInt8(bytes.count & 255)] + bytes
    }
}
