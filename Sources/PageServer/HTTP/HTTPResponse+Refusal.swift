import NIOHTTP1
import TripModel
import TripPage

extension HTTPResponse {
    /// A line of text that refuses a request, as a page where a person reads it: what asks for HTML. The page's script and other
    /// programs get the line.
    ///
    /// - Parameter title: that of the trip to which `/` leads, nil for none, and for somebody who may not read it.
    func readable(for request: HTTPRequest, title: String? = nil) -> HTTPResponse {
        guard status.code >= 400, request.header("accept")?.contains("text/html") == true,
            case .whole(let bytes) = body,
            headers.contains(where: { $0.0 == "Content-Type" && $0.1.hasPrefix("text/plain") })
        else { return self }
        var line = String(decoding: bytes, as: UTF8.self)
        if line.hasSuffix("\n") { line.removeLast() }
        var ways: [(label: String, path: PagePath)] = []
        if Self.passing.contains(status.code), request.method == .GET {
            ways.append(("Try again", PagePath(request.path)))
        }
        if line.hasSuffix(Self.toStart) {
            line.removeLast(Self.toStart.count)
            let trip = title ?? ""
            ways.append(("Go to \(trip.isBlank ? "the trip" : trip.quoted)", PagePath([""])))
        }
        let page = HTTPResponse.html(TripPage.refusal(line, ways: ways), status)
        return HTTPResponse(status, headers.filter { $0.0 != "Content-Type" } + page.headers, body: page.body)
    }

    private static let toStart = ": go to /"
    /// Conflict, Too Many Requests, Internal Server Error, Service Unavailable.
    private static let passing: Set<UInt> = [409, 429, 500, 503]
}
