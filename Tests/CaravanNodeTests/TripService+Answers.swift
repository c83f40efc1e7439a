import TripModel
import TripService

/// Answers of the kind that a test asks for.
extension TripService {
    func trip() async throws -> TripView {
        try await answer(.list, as: { if case .trip(let view) = $0 { view } else { nil } })
    }

    func titles() async throws -> [String] {
        let view = try await trip()
        return (view.items + view.removedItems).sorted { $0.number < $1.number }.map(\.title)
    }

    func members() async throws -> MembersView {
        try await answer(.members, as: { if case .members(let view) = $0 { view } else { nil } })
    }

    func memberNames() async throws -> [String] { try await members().people.map(\.name) }

    func status() async throws -> StatusView {
        try await answer(.status, as: { if case .status(let view) = $0 { view } else { nil } })
    }

    func invite(uses: Int = 1) async throws -> InviteView {
        try await answer(
            .invite(uses: uses, lifetime: nil), as: { if case .invite(let view) = $0 { view } else { nil } })
    }

    func history() async throws -> HistoryView {
        try await answer(.history, as: { if case .history(let view) = $0 { view } else { nil } })
    }

    @discardableResult
    func add(_ titles: String...) async throws -> TripAnswer {
        try await answer(.add(titles.map { NewItem(title: $0) }))
    }

    private func answer<Answer>(_ request: TripRequest, as kind: (TripAnswer) -> Answer?) async throws -> Answer {
        guard let answer = kind(try await answer(request)) else { throw ServiceError("an answer of another kind") }
        return answer
    }
}
