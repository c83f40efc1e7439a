import TripModel
import TripPage
import TripService

// The service's answers, each as what was asked for.
extension TripService {
    func view() async throws(ServiceError) -> TripView {
        guard case .trip(let view) = try await answer(.view) else { throw unasked }
        return view
    }

    func note() async throws(ServiceError) -> FieldView? {
        guard case .note(let note) = try await answer(.note) else { throw unasked }
        return note
    }

    func writers() async throws(ServiceError) -> [WriterView] {
        guard case .writers(let writers) = try await answer(.writers) else { throw unasked }
        return writers
    }

    func items(_ ids: [ItemID]) async throws(ServiceError) -> [ItemView] {
        guard case .items(let items) = try await answer(.items(ids)) else { throw unasked }
        return items
    }

    func members() async throws(ServiceError) -> MembersView {
        guard case .members(let view) = try await answer(.members) else { throw unasked }
        return view
    }

    func status() async throws(ServiceError) -> StatusView {
        guard case .status(let view) = try await answer(.status) else { throw unasked }
        return view
    }

    func own() async throws(ServiceError) -> OwnView {
        guard case .own(let view) = try await answer(.own) else { throw unasked }
        return view
    }

    func recentHistory(_ count: Int) async throws(ServiceError) -> HistoryView {
        guard case .history(let view) = try await answer(.recentHistory(count)) else { throw unasked }
        return view
    }

    func openInvites() async throws(ServiceError) -> [InviteView] {
        guard case .invites(let invites) = try await answer(.invites) else { throw unasked }
        return invites.filter { $0.left > 0 }
    }

    private var unasked: ServiceError {
        ServiceError("the node gave an unexpected answer: restart it with `caravan up`")
    }
}

extension PageQuery {
    /// What of it guests are shown.
    var forGuests: PageQuery {
        var query = self
        if !TripPage.guestViews.contains(view) { query.view = .cards }
        query.source = PageQuery().source
        return query
    }
}
