import TripPage
package import TripService

extension PageServer: PageService {
    package func openToGuests(trip: String, minutes: Int?) async throws(ServiceError) -> GuestPass {
        let door = try await openDoor(toTrip: trip, minutes: minutes)
        return GuestPass(link: door.link, closes: door.closes)
    }
}
