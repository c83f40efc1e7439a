package import TripService

// The page of the node that runs a home, as commands reach it.
extension Home: PageService {
    private static let notRunning = ServiceError("no node is running to serve the page; start one with `caravan up`")

    package func link() async throws(ServiceError) -> String {
        guard case .pageLink(let link)? = try await ControlClient(home: self).askOnAnotherThread(.pageLink) else {
            throw Self.notRunning
        }
        return link
    }

    package func openToGuests(trip: String, minutes: Int?) async throws(ServiceError) -> GuestPass {
        let answer = try await ControlClient(home: self).askOnAnotherThread(.openToGuests(trip: trip, minutes: minutes))
        guard case .guestPass(let pass)? = answer else { throw Self.notRunning }
        return pass
    }

    /// Nothing where no node runs.
    package func closeToGuests() async throws(ServiceError) {
        _ = try await ControlClient(home: self).askOnAnotherThread(.closeToGuests)
    }
}
