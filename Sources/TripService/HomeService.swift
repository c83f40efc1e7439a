/// The trips of a home, each with its door: what a page that shows several asks.
package protocol HomeService: Sendable {
    /// The trips that run here, sorted by id.
    func trips() async -> [TripEntry]
    /// A trip's door; nil for one that does not run here.
    func trip(_ id: String) async -> (any TripService)?
    /// Starts a trip, which runs from then on.
    /// - Returns: its id.
    func create(title: String, name: String) async throws(ServiceError) -> String
    /// Joins a trip by an invite's link, and waits until a member lets the person in. It runs from then on.
    /// - Returns: its id.
    func join(link: String, name: String) async throws(ServiceError) -> String
}

extension HomeService {
    /// What is meant where no trip is named: the trip in use, or else the first that runs. Nil where none runs.
    package func tripInUse() async -> TripEntry? {
        let trips = await trips()
        return trips.first(where: \.isInUse) ?? trips.first
    }
}
