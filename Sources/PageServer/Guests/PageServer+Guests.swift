import NIOHTTP1
import TripModel
import TripPage
import TripService

// What guests reach: the cards of one trip, and who they are.
extension PageServer {
    func answerGuest(_ request: HTTPRequest) async -> HTTPResponse {
        guard let trip = entrance?.trip, let port = entrance?.listener.port else { return Self.closed(request) }
        if entrance?.closes == nil, memory.standing.map(isOnNetwork) != true { return Self.closed(request) }
        if let refusal = Origins(options.addresses(), port: port).refusal(of: request) { return refusal }
        if let file = Asset.answer(to: request) { return file }
        let feed: TripFeed
        do { feed = try await self.feed(of: trip) } catch { return .line(.notFound, error.message) }
        let session = guestSession(of: request, trip: trip)
        if request.path.first == "enter" { return await enterAsGuest(request, session, feed) }
        guard let session else {
            // The trip of a phone that was let in to another one may be opened again.
            let other = memory.session(among: request.cookies(guestCookie), at: WallTime.now.milliseconds)
            return other?.trip == nil
                ? .line(.forbidden, "to join, scan the code that your host shows you") : Self.closedLine
        }
        if request.path == [""] { return request.refusal(unless: .GET) ?? .redirect(to: address(ofTrip: trip)) }
        guard request.path.first == "t", request.path.count >= 2, request.path[1] == trip else { return Self.nowhere }
        if request.path.count == 2 { return request.refusal(unless: .GET) ?? .redirect(to: address(ofTrip: trip)) }
        guard let guest = session.guest else { return await introduce(request, session, feed) }
        guard await feed.guest(guest) != nil, let participant = ParticipantID(guest) else {
            return .line(
                .forbidden,
                "you’re no longer a guest of this trip: to join as a new one, scan the code that \(await feed.host) shows"
            )
        }
        // Said again, as by two taps, it is said already.
        if request.method == .POST, request.path.dropFirst(2) == ["who"] {
            return .redirect(to: address(ofTrip: trip))
        }
        let viewer = Viewer(participant: participant, isGuest: true)
        return await answer(request, Visit(session: session.token, viewer: viewer, feed: feed, guest: guest))
    }

    /// How long the body of a guest's request may be.
    func guestRoom(for request: HTTPRequest) -> BodyRoom {
        var session: BrowserSession?
        if let entrance, Origins(options.addresses(), port: entrance.listener.port).refusal(of: request) == nil {
            session = guestSession(of: request, trip: entrance.trip)
        }
        return room(for: request, of: session, in: guestUploads)
    }

    /// What guests meet while the door is closed: that it is, with the page's style, and nothing of the trip.
    private static func closed(_ request: HTTPRequest) -> HTTPResponse {
        Asset.answer(to: request) ?? closedLine
    }

    static let closedLine = HTTPResponse.line(
        .serviceUnavailable, "guests can’t use this page now: ask your host to let guests in again")

    private func guestSession(of request: HTTPRequest, trip: String) -> BrowserSession? {
        let session = memory.session(among: request.cookies(guestCookie), at: WallTime.now.milliseconds)
        return session?.trip == trip ? session : nil
    }

    /// Admits a phone that shows the code, as long as the code has phones left. A phone that was here is admitted as itself.
    private func enterAsGuest(
        _ request: HTTPRequest, _ session: BrowserSession?, _ feed: TripFeed
    ) async -> HTTPResponse {
        if let refusal = request.refusal(unless: .GET, orHead: false) { return refusal }
        await renewCodeAfterRemoval(feed)
        if let session {
            var isKnown = true
            if let guest = session.guest { isKnown = await feed.guest(guest) != nil }
            if isKnown { return .redirect(to: address(ofTrip: feed.trip)) }
        }
        // A terminal archives a trip without closing its door.
        guard (try? await requireOpen(feed.trip)) != nil else { return Self.closedLine }
        guard request.path.count == 2, let code = GuestCode(request.path[1]), let entrance, entrance.trip == feed.trip,
            entrance.code == code, WallTime.now.milliseconds < entrance.closes ?? .max
        else {
            return .line(.forbidden, "this code has expired: scan the one that your host shows now")
        }
        guard entrance.arrived < GuestDoor.phonesMax else {
            return .line(
                .forbidden,
                "this code has admitted \(GuestDoor.phonesMax) phones, its maximum: ask \(await feed.host) to stop letting guests in and "
                    + "start again, which makes a new code")
        }
        let session = memory.begin(trip: feed.trip, at: WallTime.now.milliseconds)
        self.entrance?.arrived += 1
        memory.standing?.arrived += 1
        do { try save() } catch { return .line(.internalServerError, error.message) }
        await tellOfDoor()
        return .redirect(to: address(ofTrip: feed.trip), [("Set-Cookie", cookie(session, named: guestCookie))])
    }

    /// Asks who somebody is who has not said, and hears it.
    private func introduce(_ request: HTTPRequest, _ session: BrowserSession, _ feed: TripFeed) async -> HTTPResponse {
        let viewer = Viewer(participant: nil, isGuest: true)
        let visit = Visit(session: session.token, viewer: viewer, feed: feed)
        guard request.path.count == 3, request.path[2] == "who" else {
            guard request.path.count == 3, request.path[2].isEmpty else {
                return .line(.forbidden, "first say who you are: go to /")
            }
            if let refusal = request.refusal(unless: .GET) ?? limited(visit.session, .guestPages) { return refusal }
            return .html(await whoAreYou(visit))
        }
        if let refusal = request.refusal(unless: .POST) ?? limited(visit) { return refusal }
        guard let form = request.form else { return Self.noForm }
        do throws(ServiceError) { try await introduce(form, session.token, feed) } catch {
            return .html(await whoAreYou(visit, problem: error.message), .unprocessableEntity)
        }
        return .redirect(to: address(ofTrip: feed.trip))
    }

    /// Notes who the guest of a session is, once: whatever else the session says meanwhile waits for that, and makes nobody.
    private func introduce(_ form: PostedFields, _ session: Token, _ feed: TripFeed) async throws(ServiceError) {
        if let underWay = introductions[session] {
            _ = try await underWay.value.get()
            return
        }
        // The request was looked at before this one was over.
        guard memory.session(session, at: WallTime.now.milliseconds)?.guest == nil else { return }
        let introduction = Task { () -> Result<String, ServiceError> in
            do throws(ServiceError) { return .success(try await guest(form, feed)) } catch { return .failure(error) }
        }
        introductions[session] = introduction
        let result = await introduction.value
        introductions[session] = nil
        memory.note(guest: try result.get(), of: session)
        try save()
    }

    /// The guest that a form names: one who was here before, or somebody new.
    private func guest(_ form: PostedFields, _ feed: TripFeed) async throws(ServiceError) -> String {
        if let id = form["again"] {
            guard await feed.guest(id) != nil else {
                throw ServiceError("that guest isn’t here any more: choose another face or enter your name")
            }
            return id
        }
        guard case .member(let member) = try await feed.service.answer(.admitGuest(name: form["name"] ?? "")) else {
            throw ServiceError("you couldn’t join: try again")
        }
        try await feed.readMembers()
        return member.id
    }

    private func whoAreYou(_ visit: Visit, problem: String? = nil) async -> String {
        let toast = problem.map { Toast($0, isProblem: true) }
        return TripPage.document(await visit.feed.state(for: visit.viewer, PageQuery(), toast: toast))
    }
}
