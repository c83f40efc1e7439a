/// Cuts a stream of bytes into frames: two bytes of length, most significant first, then as many bytes.
///
/// Holds at most one unfinished frame, so at most 65,537 bytes.
struct FrameReader: Sendable {
    private var buffer: [UInt8] = []
    private var start = 0

    /// Appends what came, a chunk of the transport.
    mutating func append(_ bytes: [UInt8]) {
        if start > 0 {
            buffer.removeFirst(start)
            start = 0
        }
        buffer.append(contentsOf: bytes)
    }

    /// The length of the next frame, as soon as it is here.
    var nextLength: Int? {
        buffer.count - start >= 2 ? Int(buffer[start]) << 8 | Int(buffer[start + 1]) : nil
    }

    /// The next whole frame, without its length.
    mutating func next() -> [UInt8]? {
        guard buffer.count - start >= 2 else { return nil }
        let length = Int(buffer[start]) << 8 | Int(buffer[start + 1])
        guard buffer.count - start - 2 >= length else { return nil }
        defer { start += 2 + length }
        return Array(buffer[start + 2..<start + 2 + length])
    }

    /// A frame with its length before it.
    static func frame(_ bytes: [UInt8]) -> [UInt8] {
        precondition(bytes.count <= 65_535, "a frame is at most 65,535 bytes")
        return [UInt8(bytes.count >> 8), UInt8(bytes.count & 255)] + bytes
    }
}
