import Testing

@testable import SyncEngine

/// How messages are cut into fragments, and which fragments are refused.
struct SecureChannelTests {
    /// A cipher under which everything can be read.
    private struct OpenCipher: TransportCipher {
        mutating func seal(_ plaintext: [UInt8]) -> [UInt8]? { plaintext + [UInt8](repeating: 0, count: 16) }
        mutating func open(_ ciphertext: [UInt8]) -> [UInt8]? { Array(ciphertext.dropLast(16)) }
        mutating func rekey() {}
    }

    private func channel() -> SecureChannel { SecureChannel((OpenCipher(), OpenCipher()), reader: FrameReader()) }

    /// What is read of one fragment.
    private func read(_ fragment: [UInt8]) throws -> [UInt8]? {
        var channel = channel()
        channel.append(FrameReader.frame(fragment + [UInt8](repeating: 0, count: 16)))
        return try channel.next().map { Array($0.bytes[$0.range]) }
    }

    private func fragment(of length: Int, in bucket: Int, paddedWith padding: UInt8 = 0) -> [UInt8] {
        [0, UInt8(length >> 8), UInt8(length & 255)] + [UInt8](repeating: 7, count: length)
            + [UInt8](repeating: padding, count: bucket - length - 3)
    }

    @Test("messages of all lengths are read as they were written")
    func lengths() throws {
        for length in [1, 109, 110, 237, 238, 65_515, 65_516, 65_517, 200_000] {
            var channel = channel()
            let message = (0..<length).map { UInt8(truncatingIfNeeded: $0) }
            let frames = channel.seal(message)
            channel.append(try #require(frames))
            let read = try channel.next()
            let part = try #require(read)
            #expect(Array(part.bytes[part.range]) == message)
        }
    }

    @Test("a fragment is refused in any bucket but the least that holds it, and with padding that is not zeros")
    func buckets() throws {
        #expect(try read(fragment(of: 109, in: 112)) == [UInt8](repeating: 7, count: 109))
        #expect(try read(fragment(of: 110, in: 240)) == [UInt8](repeating: 7, count: 110))
        for (length, bucket) in [(109, 240), (110, 496), (1, 65_519), (20, 111), (20, 113), (237, 241)] {
            #expect(throws: SecureChannel.Failure.malformed, "\(length) bytes in \(bucket)") {
                try read(fragment(of: length, in: bucket))
            }
        }
        #expect(throws: SecureChannel.Failure.malformed) { try read(fragment(of: 20, in: 112, paddedWith: 1)) }
    }
}
