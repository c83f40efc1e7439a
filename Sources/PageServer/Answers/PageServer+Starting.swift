import NIOHTTP1
import TripPage
import TripService

/// A wish to join, from the form until a member has let the person in.
enum PageJoin: Sendable {
    case waiting
    case joined(id: String)
    case refused(StartForm, String)
}

// Trips that are started and joined in the browser.
extension PageServer {
    func start(_ request: HTTPRequest) async -> HTTPResponse {
        if request.method == .POST {
            guard let form = request.form.flatMap({ fields in StartForm { fields[$0] } }) else { return Self.noForm }
            return await begin(form)
        }
        if let refusal = request.refusal(unless: .GET) { return refusal }
        switch joining {
        case .waiting: return await startPage(.joining, headers: [("Refresh", "2")])
        case .joined(let id):
            joining = nil
            return .redirect(to: address(ofTrip: id))
        case .refused(let form, let reason):
            joining = nil
            return await startPage(.refused(form, reason))
        case nil:
            guard let reason = refusedRestore else { return await startPage(.asking) }
            refusedRestore = nil
            return await startPage(.refused(.restore, reason))
        }
    }

    private func begin(_ form: StartForm) async -> HTTPResponse {
        if case .waiting = joining { return .redirect(to: "/start") }
        switch form {
        case .new(let title, let name):
            // A double click sends a form twice.
            if let started, started.form == form, started.at.duration(to: .now) < .seconds(10) {
                return await answer(started.trip, to: form)
            }
            let trip = Task { [home] in
                do throws(ServiceError) {
                    return Result<String, ServiceError>.success(try await home.create(title: title, name: name))
                } catch { return .failure(error) }
            }
            started = (form, .now, trip)
            return await answer(trip, to: form)
        case .restore: return Self.noForm
        case .join(let link, let name), .device(let link, let name):
            if case .device = form, !home.isForDevice(link: link) {
                let reason =
                    "this link isn’t for a device of yours: press “Add another device” on your first device, and paste its link"
                return await startPage(.refused(form, reason), .unprocessableEntity)
            }
            if case .join = form, home.isForDevice(link: link) {
                let reason =
                    "this link adds a device of a person who takes part: if that is you, press “\(TripPage.moreHeading)”, and paste it "
                    + "there; otherwise ask for an invite"
                return await startPage(.refused(form, reason), .unprocessableEntity)
            }
            joining = .waiting
            // A member may take a minute: meanwhile the page asks again and again.
            Task {
                do throws(ServiceError) {
                    finish(.joined(id: try await home.join(link: link, name: name)))
                } catch { finish(.refused(form, error.message)) }
            }
            return .redirect(to: "/start")
        }
    }

    private func answer(_ trip: Task<Result<String, ServiceError>, Never>, to form: StartForm) async -> HTTPResponse {
        switch await trip.value {
        case .success(let id): return .redirect(to: address(ofTrip: id))
        case .failure(let error): return await startPage(.refused(form, error.message), .unprocessableEntity)
        }
    }

    private func finish(_ attempt: PageJoin) { joining = attempt }

    /// Restores a trip from the file of a form.
    func restore(_ request: HTTPRequest) async -> HTTPResponse {
        // Its form is on the page of all that somebody can start with.
        if request.refusal(unless: .GET) == nil { return .redirect(to: "/start") }
        if let refusal = request.refusal(unless: .POST) { return refusal }
        guard let form = MultipartForm(request) else { return Self.noForm }
        do throws(ServiceError) {
            guard let file = form.files("backup").first else { throw ServiceError("choose the backup’s file first") }
            let id = try await sealing { () throws(ServiceError) in
                try await self.home.restore(backup: file, under: Array((form["passphrase"] ?? "").utf8))
            }
            return .redirect(to: address(ofTrip: id))
        } catch {
            refusedRestore = error.message
            return .redirect(to: "/start")
        }
    }

    private func startPage(
        _ state: StartState, _ status: HTTPResponseStatus = .ok, headers: [(String, String)] = []
    ) async -> HTTPResponse {
        var response = HTTPResponse.html(TripPage.startDocument(state, trips: await home.trips()), status)
        response.headers += headers
        return response
    }
}
