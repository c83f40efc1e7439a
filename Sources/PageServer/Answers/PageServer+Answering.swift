import NIOHTTP1
import TripPage
import TripService

// The owner's page: who may see it, and what lies at which address.
extension PageServer {
    func answer(_ request: HTTPRequest) async -> HTTPResponse {
        if let refusal = origins.refusal(of: request) { return refusal }
        if let file = Asset.answer(to: request) { return file }
        if request.path.first == "enter" { return enter(request) }
        if request.path.first == "calendar" { return await calendar(request) }
        guard let session = session(of: request), session.trip == nil else {
            return .line(.forbidden, "this browser has no access: open the link that `caravan open` prints")
        }
        switch request.path.first {
        case "" where request.path.count == 1:
            if let refusal = request.refusal(unless: .GET) { return refusal }
            return await tripInUse()
        case "start" where request.path.count == 1: return await start(request)
        case "start" where request.path == ["start", "restore"]: return await restore(request)
        #if DEBUG
        case "components":
            return request.refusal(unless: .GET)
                ?? .html(TripPage.componentBrowser(dir: PostedFields(request.query)?["dir"] ?? "ltr"))
        #endif
        case "t" where request.path.count == 2:
            return request.refusal(unless: .GET) ?? .redirect(to: address(ofTrip: request.path[1]))
        case "t" where request.path.count == 3 && request.path[2] == "title":
            return await title(request, session: session.token)
        case "t" where request.path.count >= 3:
            let feed: TripFeed
            do { feed = try await self.feed(of: request.path[1]) } catch {
                // A trip of this home may run again.
                return .line(error.code == .notAnswering ? .conflict : .notFound, error.message)
            }
            let visit = Visit(session: session.token, viewer: await feed.owner, feed: feed)
            return await answer(request, visit)
        default: return Self.nowhere
        }
    }

    /// The answer to a request, a refusal as a page where a person reads it.
    func readableAnswer(to request: HTTPRequest) async -> HTTPResponse {
        let response = await answer(request)
        guard response.status.code >= 400 else { return response }
        var title: String?
        if let session = session(of: request), session.trip == nil { title = await home.tripInUse()?.title }
        return response.readable(for: request, title: title)
    }

    /// How long the body of a request to the owner's page may be.
    func room(for request: HTTPRequest) -> BodyRoom {
        let session = origins.refusal(of: request) == nil ? session(of: request) : nil
        return room(for: request, of: session?.trip == nil ? session : nil, in: uploads)
    }

    static let nowhere = HTTPResponse.line(.notFound, "there’s nothing at this address: go to /")

    func address(ofTrip id: String, query: String = "") -> String {
        "/t/\(id)/" + (query.isEmpty ? "" : "?\(query)")
    }

    /// Lets in whoever shows a token of `link()`, once.
    private func enter(_ request: HTTPRequest) -> HTTPResponse {
        if let refusal = request.refusal(unless: .GET, orHead: false) { return refusal }
        let now = WallTime.now.milliseconds
        guard request.path.count == 2, let token = Token(request.path[1]), links.use(token, at: now) else {
            // The link again, in a browser that it let in.
            if session(of: request) != nil { return .redirect(to: "/") }
            return .line(.forbidden, "this link was used or has expired: `caravan open` prints a new one")
        }
        let session = memory.begin(trip: nil, at: now)
        do { try save() } catch { return .line(.internalServerError, error.message) }
        return .redirect(to: "/", [("Set-Cookie", cookie(session, named: ownerCookie))])
    }

    private func tripInUse() async -> HTTPResponse {
        guard let trip = await home.tripInUse() else {
            return .redirect(to: "/start")
        }
        return .redirect(to: address(ofTrip: trip.id))
    }

    // MARK: - Sessions

    var ownerCookie: String { "caravan-" + memory.mark }
    var guestCookie: String { "caravan-guest-" + memory.mark }

    func cookie(_ session: BrowserSession, named name: String) -> String {
        "\(name)=\(session.token.text); Path=/; HttpOnly; SameSite=Strict; Max-Age=\(BrowserSession.lifetime / 1_000)"
    }

    private func session(of request: HTTPRequest) -> BrowserSession? {
        memory.session(among: request.cookies(ownerCookie), at: WallTime.now.milliseconds)
    }
}

extension HTTPRequest {
    /// Nil where the request is made by this method, or only asks for the head of what it would get; else what to say.
    func refusal(unless method: HTTPMethod, orHead: Bool = true) -> HTTPResponse? {
        if self.method == method || orHead && method == .GET && self.method == .HEAD { return nil }
        let allowed = method == .GET && orHead ? "GET, HEAD" : method.rawValue
        return .line(.methodNotAllowed, "this address takes only \(allowed): go to /", [("Allow", allowed)])
    }
}
