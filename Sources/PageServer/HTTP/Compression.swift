import CZlib
import NIOHTTP1

/// Texts of a response made smaller by gzip (RFC 1952), where the browser takes that (RFC 9110, section 12.5.3).
///
/// Anybody who listens on a network without TLS reads the page anyway, so lengths tell nothing more.
enum Compression {
    /// Shorter texts fit in one packet.
    static let bytesMin = 1_400
    /// More is sent as it is: it holds photos, which are compressed already.
    static let bytesMax = 4 << 20

    /// The body and the headers to send in place of these; nil where they are sent as they are.
    static func compress(
        _ bytes: [UInt8], type: String?, for request: HTTPHeaders
    ) -> (bytes: [UInt8], headers: [(String, String)])? {
        guard let type, isText(type), (bytesMin...bytesMax).contains(bytes.count),
            accepts(request[canonicalForm: "accept-encoding"].map(String.init)), let small = gzip(bytes),
            small.count < bytes.count
        else { return nil }
        return (small, [("Content-Encoding", "gzip")])
    }

    static func isText(_ type: String) -> Bool {
        type.hasPrefix("text/") && !type.hasPrefix("text/event-stream") || type.hasPrefix("application/json")
            || type.hasPrefix("image/svg")
    }

    /// Whether gzip is among the codings that are accepted, and not with the weight 0.
    static func accepts(_ codings: [String]) -> Bool {
        codings.contains { coding in
            let parts = coding.lowercased().split(separator: ";").map { $0.filter { $0 != " " } }
            guard let name = parts.first, name == "gzip" || name == "x-gzip" else { return false }
            return !parts.dropFirst().contains { $0.hasPrefix("q=") && Double($0.dropFirst(2)) ?? 0 == 0 }
        }
    }

    /// The bytes as a gzip member; nil where zlib fails.
    static func gzip(_ bytes: [UInt8]) -> [UInt8]? {
        var stream = z_stream()
        // 15 bits of window, and 16 for the header of gzip.
        guard
            deflateInit2_(
                &stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
                Int32(MemoryLayout<z_stream>.size)) == Z_OK
        else { return nil }
        defer { deflateEnd(&stream) }
        var input = bytes
        let bound = Int(deflateBound(&stream, UInt(bytes.count)))
        return input.withUnsafeMutableBufferPointer { input -> [UInt8]? in
            var isWhole = false
            let output = [UInt8](unsafeUninitializedCapacity: bound) { output, count in
                (stream.next_in, stream.avail_in) = (input.baseAddress, UInt32(input.count))
                (stream.next_out, stream.avail_out) = (output.baseAddress, UInt32(bound))
                isWhole = deflate(&stream, Z_FINISH) == Z_STREAM_END
                count = bound - Int(stream.avail_out)
            }
            return isWhole ? output : nil
        }
    }

    /// A tenth more bytes than the best level, in a third of its time.
    private static let level: Int32 = 5
}
