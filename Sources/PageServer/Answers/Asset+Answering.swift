import NIOHTTP1
import TripPage

extension Asset {
    private static let types = [
        "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8", "ico": "image/svg+xml",
        "png": "image/png", "webmanifest": "application/manifest+json",
    ]

    /// The page's own style, script or icon, which browsers keep. Nil for an address where none of them is.
    static func answer(to request: HTTPRequest) -> HTTPResponse? {
        guard let file = TripPage.asset(request.path),
            let type = request.path.last?.split(separator: ".").last.flatMap({ types[String($0)] })
        else { return nil }
        if let refusal = request.refusal(unless: .GET) { return refusal }
        let tag = "\"\(file.fingerprint)\""
        // What an address with this fingerprint holds never changes.
        let isNamed = request.query == "v=\(file.fingerprint)"
        let headers = [
            ("Cache-Control", isNamed ? "max-age=31536000, immutable" : "no-cache"), ("ETag", tag),
        ]
        if request.header("if-none-match") == tag { return HTTPResponse(.notModified, headers, body: .whole([])) }
        return HTTPResponse(.ok, headers + [("Content-Type", type)], body: .whole(file.bytes))
    }
}
