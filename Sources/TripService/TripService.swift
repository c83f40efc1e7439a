/// The one interface to a trip: the command line, a page and tests ask here for what people do and read, and hear what
/// happens. A node answers in its own process; its client answers over the control socket; the same either way.
///
/// What goes through is typed and `Codable`. Frontends turn it into text (`TripText`) or HTML.
package protocol TripService: Sendable {
    /// Does what is asked, one request after the other, and returns once it is durable.
    ///
    /// - Throws: `ServiceError`, with nothing done unless it says otherwise.
    func answer(_ request: TripRequest) async throws(ServiceError) -> TripAnswer

    /// What happens from now on. Ends when the node does; at most 1,024 events wait for a slow reader, who misses
    /// the oldest and reads `TripEvent.missed`.
    func events() async throws(ServiceError) -> AsyncStream<TripEvent>
}
