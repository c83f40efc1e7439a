import CZlib
import Foundation
import NIOHTTP1
import Testing

@testable import PageServer

/// Texts go out by gzip where a browser takes that.
struct CompressionTests {
    /// What a gzip member holds.
    private func inflated(_ bytes: [UInt8], room: Int) -> [UInt8]? {
        var stream = z_stream()
        guard inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            return nil
        }
        defer { inflateEnd(&stream) }
        var input = bytes
        var output = [UInt8](repeating: 0, count: room)
        let status = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                (stream.next_in, stream.avail_in) = (input.baseAddress, UInt32(input.count))
                (stream.next_out, stream.avail_out) = (output.baseAddress, UInt32(output.count))
                return inflate(&stream, Z_FINISH)
            }
        }
        return status == Z_STREAM_END ? Array(output.prefix(room - Int(stream.avail_out))) : nil
    }

    @Test("what was compressed is the same bytes again", arguments: [1, 1_400, 70_000, 4 << 20])
    func same(_ count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) }
        let small = try #require(Compression.gzip(bytes))
        #expect(inflated(small, room: count + 1) == bytes)
    }

    @Test("the page is a fifth of its bytes, where gzip is accepted, and as it is elsewhere")
    func page() async throws {
        let house = try await PageHouse()
        let browser = try await house.browser()
        let plain = try await browser.get("/t/\(house.trip)/")
        #expect(plain.headers["content-encoding"] == nil && plain.headers["vary"] == "Accept-Encoding")
        let style = try #require(plain.body.split(separator: "\"").first { $0.hasPrefix("/style/page.css") })
        for path in ["/t/\(house.trip)/", String(style)] {
            let whole = try await browser.get(path)
            let small = try await browser.get(path, ["Accept-Encoding": "br, gzip;q=0.8"])
            #expect(small.headers["content-encoding"] == "gzip", "\(path)")
            let count = try #require(small.headers["content-length"].flatMap { Int($0) })
            #expect(count * 3 < whole.body.utf8.count, "\(path): \(count) of \(whole.body.utf8.count)")
        }
        await house.close()
    }

    @Test("a browser that refuses gzip gets none, and neither does a picture or a short text")
    func refused() {
        let text = [UInt8](repeating: 0x20, count: 9_000)
        for (accepted, type, bytes, isSmaller) in [
            ("gzip", "text/html", text, true), ("gzip;q=0", "text/html", text, false), ("br", "text/html", text, false),
            ("GZIP ; q=1", "application/json", text, true), ("gzip", "image/jpeg", text, false),
            ("gzip", "text/html", Array(text.prefix(100)), false),
        ] {
            let small = Compression.compress(bytes, type: type, for: HTTPHeaders([("Accept-Encoding", accepted)]))
            #expect((small != nil) == isSmaller, "\(accepted), \(type)")
        }
    }
}
