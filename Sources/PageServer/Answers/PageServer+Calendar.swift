import NIOHTTP1
import TripExchange
import TripPage
import TripService

// A trip for programs that subscribe to calendars. They send no cookie, so the address itself is the secret.
extension PageServer {
    /// The address of a trip's calendar, on loopback; nil where there is none.
    func calendarAddress(ofTrip trip: String) -> String? {
        let known = memory
        guard let token = memory.calendar(ofTrip: trip) else { return nil }
        if memory != known {
            do { try save() } catch {
                memory = known
                return nil
            }
        }
        return "http://\(address)/calendar/\(token.text).ics"
    }

    /// The same for every address that is no calendar's.
    func calendar(_ request: HTTPRequest) async -> HTTPResponse {
        if let refusal = request.refusal(unless: .GET) { return refusal }
        guard request.path.count == 2, let name = request.path.last, name.hasSuffix(".ics"),
            let token = Token(String(name.dropLast(4))), let trip = memory.trip(ofCalendar: token)
        else { return Self.nowhere }
        if let refusal = limited(token, .calendars) { return refusal }
        guard let service = await home.trip(trip), case .trip(let view)? = try? await service.answer(.view) else {
            return .line(
                .serviceUnavailable,
                "this trip isn’t running here: start it with `caravan up`, or remove this calendar if you left the trip"
            )
        }
        do throws(ServiceError) {
            let text = try ExportFormat.ics.write(view)
            return HTTPResponse(.ok, [("Content-Type", ExportFormat.ics.mediaType)], body: .whole(Array(text.utf8)))
        } catch {
            // A program that was told that there is nothing might forget the address.
            return .line(.serviceUnavailable, error.message, [("Retry-After", "3600")])
        }
    }
}
