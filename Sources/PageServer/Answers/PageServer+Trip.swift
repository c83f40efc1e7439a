import NIOHTTP1
import TripModel
import TripPage
import TripService

/// A request of somebody who was let in, about a trip.
struct Visit: Sendable {
    let session: Token
    let viewer: Viewer
    let feed: TripFeed
    /// The guest's id, where it is one.
    var guest: String?
}

// What lies below /t/TRIP/, for the owner and for guests.
extension PageServer {
    func answer(_ request: HTTPRequest, _ visit: Visit) async -> HTTPResponse {
        switch request.path.dropFirst(2).joined(separator: "/") {
        case "": return await page(request, visit)
        case "stream": return await stream(request, visit)
        case "look": return await look(request, visit)
        case "act": return await act(request, visit)
        case "note": return await note(request, visit)
        case "backup" where visit.guest == nil && !visit.viewer.isGuest: return await backup(request, visit)
        case "photo": return await photograph(request, visit)
        case let name where name.hasPrefix("photo/"): return await photo(request, visit)
        case let name where name.hasPrefix("picture/") && visit.guest == nil:
            return await picture(request, visit, name: String(name.dropFirst("picture/".count)))
        case let name where name.hasPrefix("export/") && visit.guest == nil:
            return await export(request, visit, name: String(name.dropFirst("export/".count)))
        default: return Self.nowhere
        }
    }

    private func page(_ request: HTTPRequest, _ visit: Visit) async -> HTTPResponse {
        if let refusal = request.refusal(unless: .GET) ?? limitedReading(visit, .guestPages) { return refusal }
        guard let query = PageQuery(text: request.query) else { return Self.unreadable }
        guard !visit.viewer.isGuest || query == query.forGuests else {
            return .redirect(to: address(ofTrip: visit.feed.trip))
        }
        if !visit.viewer.isGuest, request.method != .HEAD {
            await visit.feed.ownerLooks()
            await visit.feed.ownerOpens(query)
            await visit.feed.readFeed(query, waits: true)
        }
        let toast = request.method == .HEAD ? nil : toasts.removeValue(forKey: visit.session)
        return .html(await visit.feed.document(for: visit.viewer, query, toast: toast))
    }

    static let unreadable = HTTPResponse.line(.badRequest, "this address can’t be read: go to /")

    private func stream(_ request: HTTPRequest, _ visit: Visit) async -> HTTPResponse {
        if let refusal = request.refusal(unless: .GET) ?? limitedReading(visit, .guestPages) { return refusal }
        guard let fields = PostedFields(request.query) else { return Self.unreadable }
        let query = PageQuery(fields.pairs)
        if !visit.viewer.isGuest { await visit.feed.readFeed(query, waits: false) }
        let stream = PageStream(
            session: visit.session, viewer: visit.viewer, query: query, drawn: fields["drawn"],
            feed: visit.feed)
        if request.method != .HEAD { await visit.feed.add(stream) }
        return HTTPResponse(.ok, body: .events(stream))
    }

    private func look(_ request: HTTPRequest, _ visit: Visit) async -> HTTPResponse {
        if let refusal = request.refusal(unless: .POST) ?? limited(visit) { return refusal }
        guard let form = request.form, let id = form["stream"], let query = PageQuery(text: form["query"] ?? "") else {
            return Self.noForm
        }
        guard let stream = await visit.feed.stream(id, of: visit.session) else {
            return .line(.gone, "this page is no longer connected: reload it")
        }
        if !visit.viewer.isGuest {
            await visit.feed.ownerOpens(query)
            await visit.feed.readFeed(query, waits: false)
        }
        await stream.look(visit.viewer.isGuest ? query.forGuests : query)
        return .nothing
    }

    static let noForm = HTTPResponse.line(.badRequest, "this form can’t be read: reload the page")

    private func picture(_ request: HTTPRequest, _ visit: Visit, name: String) async -> HTTPResponse {
        if let refusal = request.refusal(unless: .GET) { return refusal }
        guard name.hasSuffix(".png"), let bytes = await options.picture(visit.feed.trip, String(name.dropLast(4)))
        else { return Self.nowhere }
        return HTTPResponse(.ok, [("Content-Type", "image/png")], body: .whole(bytes))
    }

    /// What to say to a session that posts more often than people do; nil where it does not.
    func limited(_ visit: Visit) -> HTTPResponse? {
        limited(visit.session, visit.viewer.isGuest ? .guests : .owner)
    }

    func limited(_ token: Token, _ limit: RateLimit) -> HTTPResponse? {
        guard rates.take(from: token, limit, at: .now) else {
            return .line(.tooManyRequests, "too many requests: wait a moment", [("Retry-After", "1")])
        }
        return nil
    }

    /// What to say to a guest who reads more often than people do; nil for anybody else.
    func limitedReading(_ visit: Visit, _ limit: RateLimit) -> HTTPResponse? {
        visit.viewer.isGuest ? limited(visit.session, limit) : nil
    }
}

extension PageServer {
    /// What a page that nobody sees is called now. Such a page has no stream, and the trip isn't kept up to date for it.
    func title(_ request: HTTPRequest, session: Token) async -> HTTPResponse {
        if let refusal = request.refusal(unless: .GET) ?? limited(session, .owner) { return refusal }
        guard let service = await home.trip(request.path[1]), let own = try? await service.own(),
            let status = try? await service.status()
        else { return Self.nowhere }
        let news = own.news ?? []
        let items = news.isEmpty ? [] : (try? await service.items(news)) ?? []
        let count = items.count { !$0.isRemoved && !$0.isOfCosts }
        return .line(.ok, TripPage.windowTitle(status.title, newCount: count))
    }
}

extension PageQuery {
    /// Reads a query as it stands in an address. Nil where it is malformed.
    init?(text: String) {
        guard let fields = PostedFields(text) else { return nil }
        self.init(fields.pairs)
    }
}
