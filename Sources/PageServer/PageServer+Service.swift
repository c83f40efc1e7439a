package import TripPage
package import TripService

extension PageServer: PageService {
    package func openToGuests(trip: String, minutes: Int) async throws(ServiceError) -> GuestPass {
        let door: GuestDoor = try await openToGuests(trip: trip, minutes: minutes)
        return GuestPass(link: door.link, closes: door.closes)
    }
}
