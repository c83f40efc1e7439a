/// The trips of a home, each with its door: what a page that shows several asks.
package protocol HomeService: Sendable {
    /// The trips that run here, sorted by id.
    func trips() async -> [TripEntry]
    /// A trip's door; nil for one that does not run here.
    func trip(_ id: String) async -> (any TripService)?
}
