/// The trips of a home, each with its door: what a page that shows several asks.
package protocol HomeService: Sendable {
    /// The trips that run here, sorted by id.
    func trips() async -> [TripEntry]
    /// A trip's door; nil for one that does not run here.
    func trip(_ id: String) async -> (any TripService)?
}

extension HomeService {
    /// What is meant where no trip is named: the trip in use, or else the first that runs. Nil where none runs.
    package func tripInUse() async -> TripEntry? {
        let trips = await trips()
        return trips.first(where: \.isInUse) ?? trips.first
    }
}
