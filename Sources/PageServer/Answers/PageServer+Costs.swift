import TripPage
import TripService

// Expenses, which are read against the trip: its people, and its home currency.
extension PageServer {
    func save(_ form: ExpenseForm, _ visit: Visit) async throws(ServiceError) -> Toast {
        switch await visit.feed.action(of: form, by: visit.viewer) {
        case .success(let action): return try await perform(action, visit)
        case .failure(let refused):
            return Toast("Not saved: correct what is marked", isProblem: true, refused: refused)
        }
    }
}
