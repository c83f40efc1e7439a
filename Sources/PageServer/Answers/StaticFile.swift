import NIOHTTP1
import TripPage

/// The page's own style and script: the same for everybody, and kept by browsers until they change.
enum StaticFile {
    private static let types = ["css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8"]

    /// Nil for an address where no file lies.
    static func answer(to request: HTTPRequest) -> HTTPResponse? {
        guard let bytes = TripPage.file(request.path.joined(separator: "/")),
            let type = request.path.last?.split(separator: ".").last.flatMap({ types[String($0)] })
        else { return nil }
        if let refusal = request.refusal(unless: .GET) { return refusal }
        let tag = "\"\(String(fingerprint(bytes), radix: 16))\""
        let headers = [("Cache-Control", "no-cache"), ("ETag", tag)]
        if request.header("if-none-match") == tag { return HTTPResponse(.notModified, headers, body: .whole([])) }
        return HTTPResponse(.ok, headers + [("Content-Type", type)], body: .whole(bytes))
    }

    /// FNV-1a, 64 bits: the same wherever the bytes are.
    private static func fingerprint(_ bytes: [UInt8]) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
