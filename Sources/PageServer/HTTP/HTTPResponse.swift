import NIOCore
import NIOHTTP1

/// What is answered to a request.
struct HTTPResponse: Sendable {
    enum Body: Sendable {
        case whole([UInt8])
        /// Server-sent events, one after the other, as long as somebody reads.
        case events(any EventSource)
    }

    var status: HTTPResponseStatus
    var headers: [(String, String)] = []
    var body: Body

    init(_ status: HTTPResponseStatus, _ headers: [(String, String)] = [], body: Body) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// A line of plain text that says what is wrong and what to do.
    static func line(_ status: HTTPResponseStatus, _ line: String, _ headers: [(String, String)] = []) -> HTTPResponse {
        HTTPResponse(
            status, [("Content-Type", "text/plain; charset=utf-8")] + headers, body: .whole(Array((line + "\n").utf8)))
    }

    static func html(_ markup: String, _ status: HTTPResponseStatus = .ok) -> HTTPResponse {
        HTTPResponse(status, [("Content-Type", "text/html; charset=utf-8")], body: .whole(Array(markup.utf8)))
    }

    static func redirect(to path: String, _ headers: [(String, String)] = []) -> HTTPResponse {
        HTTPResponse(.seeOther, [("Location", path)] + headers, body: .whole([]))
    }

    static let nothing = HTTPResponse(.noContent, body: .whole([]))

    /// On every answer to a request for this host. Nothing but the page's own files is loaded or run, nothing is framed, and
    /// nothing of it is kept.
    static func safety(for host: String?) -> [(String, String)] {
        let name = host.map { $0.prefix { $0 != ":" }.lowercased() } ?? ""
        // Browsers ignore it where the origin is not secure, and report an error each time (HTML, section 7.1.3).
        let isSecure = ["127.0.0.1", "localhost"].contains(name)
        return safety + (isSecure ? [("Cross-Origin-Opener-Policy", "same-origin")] : [])
    }

    private static let safety = [
        (
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; manifest-src 'self'; "
                + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
        ),
        // A stricter one sends a form with no script from "null" (Fetch, section 3.2.2), which could be anybody.
        ("Referrer-Policy", "same-origin"),
        ("X-Content-Type-Options", "nosniff"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
    ]
}

/// Where the events of a stream come from.
protocol EventSource: Sendable {
    /// The next text to write, which is made when the last one was taken; nil at the end.
    func next() async -> String?
    /// Nobody reads any more. From any thread.
    func end()
}
