import Foundation
import Testing
import TripModel
import TripService

@testable import PageServer

/// A trip as a calendar to subscribe to.
struct CalendarTests {
    /// The path of the calendar, as the page of days shows it.
    private func path(_ house: PageHouse) async throws -> String {
        let page = try await house.browser().get("/t/\(house.trip)/?view=days").body
        let start = try #require(page.range(of: "http://127.0.0.1:\(house.port)/calendar/"))
        return "/calendar/" + String(page[start.upperBound...].prefix { $0 != "\"" })
    }

    @Test("a program without a cookie reads the calendar at its address, as the trip is then")
    func subscribing() async throws {
        let house = try await PageHouse()
        try await house.add([NewItem(title: "Casa", fields: [.dates: "2026-06-12/2026-06-15"])])
        let path = try await path(house)
        #expect(path.count == "/calendar/.ics".count + 32)
        let program = Browser(port: house.port)
        let calendar = try await program.get(path)
        #expect(calendar.status == 200 && calendar.body.contains("SUMMARY:Casa"))
        #expect(calendar.headers["content-type"]?.hasPrefix("text/calendar") == true)
        #expect(try await program.ask("HEAD", path).status == 200)
        #expect(try await program.post(path, []).status == 405)
        try await house.add([NewItem(title: "Fado", fields: [.dates: "2026-06-13"])])
        #expect(try await program.get(path).body.contains("SUMMARY:Fado"))
        await house.close()
    }

    /// A home that ran and does no more, and the path of its calendar.
    private func ranBefore() async throws -> (PageHouse.Place, path: String, port: UInt16) {
        let house = try await PageHouse()
        try await house.add([NewItem(title: "Casa", fields: [.dates: "2026-06-12"])])
        let path = try await path(house)
        await house.close()
        return (house.place, path, house.port)
    }

    @Test("the address is the same after a restart, before anybody looks at the page; at another port it is dead")
    func restart() async throws {
        let (place, path, port) = try await ranBefore()
        let house = try await PageHouse(place)
        // Another program may have taken the port meanwhile, and may have been told the address.
        let isSame = house.port == port
        #expect(try await Browser(port: house.port).get(path).body.contains("SUMMARY:Casa") == isSame)
        #expect(try await (self.path(house) == path) == isSame)
        await house.close()
    }

    @Test("any other address, and a name that leads here from elsewhere, is told nothing of the trip")
    func elsewhere() async throws {
        let house = try await PageHouse()
        try await house.add([NewItem(title: "Casa", fields: [.dates: "2026-06-12"])])
        let path = try await path(house)
        let program = Browser(port: house.port)
        let other = path.dropLast(5) + (path.dropLast(4).last == "0" ? "1" : "0") + ".ics"
        for wrong in [String(other), "/calendar/", "/calendar/.ics", "/calendar/\(house.trip).ics", path + "/x"] {
            let answer = try await program.get(wrong)
            #expect(answer.status == 404 && !answer.body.contains("Casa"), "\(wrong)")
        }
        #expect(try await program.get(path, ["Host": "evil.example:\(house.port)"]).status == 421)
        // The address opens nothing else.
        #expect(try await program.get("/t/\(house.trip)/").status == 403)
        await house.close()
    }

    @Test("a program that asks too often is told to wait")
    func often() async throws {
        let house = try await PageHouse()
        try await house.add([NewItem(title: "Casa", fields: [.dates: "2026-06-12"])])
        let path = try await path(house)
        let program = Browser(port: house.port)
        var status = 200
        for _ in 0..<60 where status == 200 { status = try await program.get(path).status }
        #expect(status == 429)
        await house.close()
    }

    @Test("so many trips have an address that the file that keeps them can still be read")
    func bounded() throws {
        var memory = PageMemory()
        let tokens = (0..<PageMemory.calendarsMax).compactMap { memory.calendar(ofTrip: trip($0)) }
        #expect(tokens.count == PageMemory.calendarsMax && Set(tokens.map(\.text)).count == tokens.count)
        #expect(memory.calendar(ofTrip: trip(-1)) == nil)
        #expect(memory.calendar(ofTrip: trip(7)) == tokens[7] && memory.trip(ofCalendar: tokens[7]) == trip(7))
        #expect(memory.trip(ofCalendar: Token()) == nil)
        for _ in 0..<PageMemory.sessionsMax { _ = memory.begin(trip: nil, at: 0) }
        let folder = NSTemporaryDirectory() + "calendars-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = PageFile(folder: folder)
        try file.write(memory)
        #expect(file.read() == memory)
        // A file of before there were calendars.
        let old = Data("{\"mark\":\"01234567\",\"sessions\":[]}".utf8)
        #expect(try JSONDecoder().decode(PageMemory.self, from: old).trip(ofCalendar: tokens[7]) == nil)
    }

    private func trip(_ number: Int) -> String { String(repeating: "0", count: 40) + "\(number)" }
}
