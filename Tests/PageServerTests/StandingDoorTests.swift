import CaravanNode
import Foundation
import Synchronization
import Testing
import TripPage
import TripService

@testable import PageServer

/// A door that is always open on one Wi-Fi.
struct StandingDoorTests {
    /// The network that the machine is on, which a test changes.
    private final class Network: Sendable {
        let mark = Mutex<String?>("wlan0 a4:2b:b0:11:22:33")
        func become(_ other: String?) { mark.withLock { $0 = other } }
    }

    private func house(_ network: Network, _ place: PageHouse.Place? = nil) async throws -> PageHouse {
        try await PageHouse(place) { $0.network = { network.mark.withLock { $0 } } }
    }

    private func phone(_ door: GuestDoor) async throws -> Browser {
        let port = try #require(door.link.split(separator: "/")[1].split(separator: ":").last.flatMap { UInt16($0) })
        var phone = Browser(port: port)
        try #require(try await phone.enter(door.link).status == 303)
        return phone
    }

    @Test("it is open again by the same code after the node started again, until its host closes it")
    func restart() async throws {
        let network = Network()
        let (place, phone, door) = try await opened(network)
        #expect(door.closes == nil)
        try await openAgain(network, place, phone, door)
        let last = try await house(network, place)
        await last.server.tendStandingDoor()
        #expect(await last.server.door(of: last.trip) == nil)
        #expect(await last.server.standingTrip == nil)
        await last.close()
    }

    /// A home that ran with such a door, and a guest's phone. What ran goes when nobody holds it.
    private func opened(_ network: Network) async throws -> (PageHouse.Place, Browser, GuestDoor) {
        let house = try await house(network)
        let door = try await house.server.openDoor(toTrip: house.trip, minutes: nil)
        let phone = try await phone(door)
        try #require(try await phone.post("/t/\(house.trip)/who", [("name", "Mia")]).status == 303)
        await house.close()
        return (house.place, phone, door)
    }

    private func openAgain(
        _ network: Network, _ place: PageHouse.Place, _ phone: Browser, _ door: GuestDoor
    ) async throws {
        let house = try await house(network, place)
        let again = try #require(await house.server.door(of: house.trip))
        #expect(again.link == door.link && again.arrived == 1 && again.closes == nil)
        #expect(try await phone.get("/t/\(house.trip)/").body.contains("while your phone and the computer are on this"))
        let page = try await house.browser().get("/t/\(house.trip)/").body
        #expect(page.contains("Always open to guests on this Wi-Fi."))
        await house.server.closeToGuests()
        await house.close()
    }

    @Test("on another network nobody is let in, guests are told, and back on its own it opens by itself")
    func otherNetwork() async throws {
        let network = Network()
        let house = try await house(network)
        try await house.add([NewItem(title: "Casa do Rio")])
        let door = try await house.server.openDoor(toTrip: house.trip, minutes: nil)
        let phone = try await phone(door)
        try #require(try await phone.post("/t/\(house.trip)/who", [("name", "Mia")]).status == 303)
        let stream = try await RawConnection(port: phone.port)
        try await stream.send(phone.head("GET", "/t/\(house.trip)/stream"))
        try await stream.receives("Casa do Rio")
        for other in ["wlan0 00:11:22:33:44:55", nil] {
            network.become(other)
            // Before anything looks at the network by itself.
            #expect(try await phone.get("/t/\(house.trip)/").status == 503)
        }
        await house.server.tendStandingDoor()
        #expect(try await eventually { stream.received.contains("computer left this Wi-Fi") })
        #expect(await house.server.door(of: house.trip) == nil)
        network.become("wlan0 a4:2b:b0:11:22:33")
        await house.server.tendStandingDoor()
        #expect(await house.server.door(of: house.trip)?.link == door.link)
        #expect(try await phone.get("/t/\(house.trip)/").body.contains("Casa do Rio"))
        await house.close()
    }

    @Test("a machine that knows no router isn't always open, and says what to do")
    func noRouter() async throws {
        let network = Network()
        network.become(nil)
        let house = try await house(network)
        let form = [("do", "open-to-guests"), ("minutes", "always"), ("stream", "x")]
        let answer = try await house.browser().post("/t/\(house.trip)/act", form)
        #expect(answer.status == 422 && answer.body.contains("let guests in for some hours instead"))
        #expect(await house.server.door(of: house.trip) == nil)
        await house.close()
    }

    @Test("somebody who is no member any more lets nobody in")
    func removedHost() async throws {
        let house = try await house(Network())
        let browser = try await house.browser()
        _ = try await house.service.answer(.leave)
        for minutes in ["30", "always"] {
            let form = [("do", "open-to-guests"), ("minutes", minutes), ("stream", "x")]
            let answer = try await browser.post("/t/\(house.trip)/act", form)
            #expect(answer.status == 422 && answer.body.contains("Only members of the trip can let guests in"))
        }
        #expect(await house.server.door(of: house.trip) == nil)
        await house.close()
    }

    @Test("how long the page stays open is said when it changes, and undo goes back to what it was, by the same code")
    func undone() async throws {
        let house = try await house(Network())
        let browser = try await house.browser()
        let act = { (form: [(String, String)]) async throws -> String in
            let answer = try await browser.post("/t/\(house.trip)/act", form + [("stream", "x")])
            return try JSONDecoder().decode(Patch.self, from: Data(answer.body.utf8)).put["toast"] ?? answer.body
        }
        let open = { (minutes: String) async throws -> String in
            try await act([("do", "open-to-guests"), ("minutes", minutes)])
        }
        let undo = { (minutes: String) in #"name="minutes" value="\#(minutes)""# }
        let first = try await open("120")
        #expect(first.contains("Guests can now join") && first.contains("close-to-guests"), "\(first)")
        let door = try #require(await house.server.door(of: house.trip))
        let phone = try await phone(door)
        try #require(try await phone.post("/t/\(house.trip)/who", [("name", "Mia")]).status == 303)
        let shorter = try await open("30")
        #expect(shorter.contains("Closes in 30 minutes") && shorter.contains(undo("120")), "\(shorter)")
        let back = try await open("120")
        #expect(back.contains("Closes in 2 hours") && back.contains(undo("30")), "\(back)")
        let always = try await open("always")
        #expect(always.contains("Always open on this Wi-Fi") && always.contains(undo("120")), "\(always)")
        let timed = try await open("90")
        #expect(timed.contains("Closes in 1 hour 30 minutes") && timed.contains(undo("always")), "\(timed)")
        _ = try await open("always")
        let now = try #require(await house.server.door(of: house.trip))
        #expect(now.link == door.link && now.arrived == 1 && now.closes == nil)
        #expect(try await phone.get("/t/\(house.trip)/").status == 200)
        await house.close()
    }

    @Test("opened for a time, it is no longer open always")
    func endsInTime() async throws {
        let house = try await house(Network())
        let standing = try await house.server.openDoor(toTrip: house.trip, minutes: nil)
        let timed = try await house.server.openDoor(toTrip: house.trip, minutes: 30)
        #expect(timed.link == standing.link && timed.closes != nil)
        #expect(await house.server.standingTrip == nil)
        await house.close()
    }
}
