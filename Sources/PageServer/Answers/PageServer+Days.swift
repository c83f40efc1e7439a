import TripModel
import TripPage
import TripService

// Plans, which are read against the trip: what an item has, and the zone of the plans around it.
extension PageServer {
    func plan(_ item: String, _ typed: TypedPlan, shown: [String], _ visit: Visit) async throws(ServiceError) -> Toast {
        let (known, trip) = await visit.feed.planned(item)
        guard let known else { throw ServiceError("that item is no longer there") }
        if let refused = RefusedPlan(item: item, typed) {
            return Toast("Not planned: correct what is marked", isProblem: true, refusedPlan: refused)
        }
        let span: DateSpan
        do { span = try typed.span(over: known.dates, in: trip, clock: options.clock) } catch {
            throw ServiceError(error)
        }
        return try await perform(.act(.plan(span.text, shown: shown), on: [item]), visit)
    }
}
