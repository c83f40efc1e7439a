import Foundation
import PageServer
import Testing
import TripModel
import TripPage
import TripService

/// What others did since the owner last saw it, as the page marks it.
struct NewsTests {
    /// A page whose owner looked at it once, and a guest of theirs.
    private func start() async throws -> (house: PageHouse, browser: Browser, guest: String) {
        let house = try await PageHouse()
        let browser = try await house.browser()
        _ = try await browser.get("/t/\(house.trip)/")
        guard case .member(let guest) = try await house.service.answer(.admitGuest(name: "Mia")) else {
            throw ServiceError("no guest")
        }
        return (house, browser, guest.id)
    }

    private func news(_ house: PageHouse) async throws -> [ItemID]? {
        guard case .own(let own) = try await house.service.answer(.own) else { return nil }
        return own.news
    }

    private func page(_ house: PageHouse, _ browser: Browser, _ query: String = "") async throws -> String {
        let page = "/t/\(house.trip)/\(query)"
        // What was done a moment before is on it.
        let known = try await news(house)?.count ?? 0
        _ = try await eventually { try await browser.get(page).body.contains("<title>(\(known))") == (known > 0) }
        return try await browser.get(page).body
    }

    @Test("nothing is new before the first look, and nothing of one's own is")
    func begins() async throws {
        let house = try await PageHouse()
        try await house.add([NewItem(title: "Casa")])
        #expect(try await news(house) == nil)
        let browser = try await house.browser()
        let first = try await browser.get("/t/\(house.trip)/").body
        #expect(first.contains("<title>Lisbon in June</title>") && !first.contains("data-mark=\"new\""))
        #expect(try await news(house) == [])
        try await house.add([NewItem(title: "Loft")])
        #expect(try await news(house) == [])
        await house.close()
    }

    @Test("what others add, change and comment on is new until its card is opened; a vote of theirs is not")
    func marks() async throws {
        let (house, browser, guest) = try await start()
        let casa = try await house.add([NewItem(title: "Casa"), NewItem(title: "Loft")])[0]
        for request in [
            TripRequest.act(.vote(.for), on: .typed([casa])), .add([NewItem(title: "Quinta")]),
            .act(.comment("By the sea"), on: .typed([casa])),
        ] {
            _ = try await house.service.answer(.asGuest(guest: guest, request))
        }
        let first = try await page(house, browser)
        #expect(first.contains("<title>(2) Lisbon in June</title>") && first.contains("2 new</a>"))
        #expect(first.components(separatedBy: "data-mark=\"new\"").count == 3)
        let sorted = try await browser.get("/t/\(house.trip)/?sort=new").body
        #expect(sorted.contains("New (2)") && sorted.contains("Mark all as seen"))
        let places = ["Casa</a>", "Quinta</a>", "Loft</a>"].map { sorted.range(of: $0)!.lowerBound }
        #expect(places == places.sorted())

        _ = try await browser.get("/t/\(house.trip)/?open=\(casa)")
        #expect(try await page(house, browser).contains("<title>(1) Lisbon in June</title>"))
        _ = try await house.service.answer(.asGuest(guest: guest, .act(.comment("And cheap"), on: .typed([casa]))))
        #expect(try await page(house, browser).contains("<title>(2) Lisbon in June</title>"))
        // What was removed is not counted.
        _ = try await house.service.answer(.asGuest(guest: guest, .act(.remove, on: .typed(["Quinta"]))))
        #expect(
            try await eventually { try await browser.get("/t/\(house.trip)/").body.contains("<title>(1) Lisbon") })
        await house.close()
    }

    @Test("a page that is left tells what was seen; a hidden one asks for its title; both last over a restart")
    func seen() async throws {
        let again = try await PageHouse(try await leave())
        let browser = try await again.browser()
        #expect(try await browser.get("/t/\(again.trip)/").body.contains("<title>(1) Lisbon in June</title>"))
        #expect(try await browser.post("/t/\(again.trip)/act", [("do", "see"), ("stream", "x")]).status == 200)
        #expect(try await news(again) == [])
        #expect(
            try await eventually { try await !browser.get("/t/\(again.trip)/").body.contains("data-mark=\"new\"") })
        await again.close()
    }

    /// A page on which two of three new items were seen, and that was left.
    private func leave() async throws -> PageHouse.Place {
        let (house, browser, guest) = try await start()
        _ = try await house.service.answer(
            .asGuest(guest: guest, .add([NewItem(title: "Casa"), NewItem(title: "Loft"), NewItem(title: "Quinta")])))
        let (act, title) = ("/t/\(house.trip)/act", "/t/\(house.trip)/title")
        #expect(try await browser.get(title).body == "(3) Lisbon in June\n")
        let ids = try await house.view().items.map(\.shortID)
        let left = [("do", "see"), ("stream", "none"), ("item", ids[0]), ("item", ids[1])]
        #expect(try await eventually { try await page(house, browser).contains("3 new") })
        #expect(try await browser.post(act, left).status == 200)
        #expect(try await browser.get(title).body == "(1) Lisbon in June\n")
        #expect(try await browser.ask("POST", title, body: "").status == 403)
        await house.close()
        return house.place
    }

    @Test("a guest's page marks nothing, and can mark nothing as seen")
    func guests() async throws {
        let (house, browser, guest) = try await start()
        _ = try await house.service.answer(.asGuest(guest: guest, .add([NewItem(title: "Casa")])))
        #expect(try await page(house, browser).contains("1 new"))
        let door = try await house.server.openDoor(toTrip: house.trip, minutes: 10)
        var phone = Browser(port: try #require(UInt16(door.link.split(separator: "/")[1].split(separator: ":")[1])))
        _ = try await phone.enter(door.link)
        _ = try await phone.post("/t/\(house.trip)/who", [("name", "Noah")])
        let seen = try await phone.get("/t/\(house.trip)/?sort=new").body
        #expect(
            seen.contains("Casa") && !seen.contains("data-mark=\"new\"")
                && seen.contains("<title>Lisbon in June</title>"))
        #expect(try await phone.post("/t/\(house.trip)/act", [("do", "see"), ("stream", "x")]).status == 422)
        #expect(try await phone.get("/t/\(house.trip)/title").status == 404)
        #expect(try await news(house)?.count == 1)
        await house.close()
    }
}
