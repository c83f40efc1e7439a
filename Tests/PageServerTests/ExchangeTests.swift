import Foundation
import PageServer
import Testing
import TripModel
import TripService

/// Lists are imported through the page, and the trip is exported.
struct ExchangeTests {
    @Test("a pasted table is added once, is taken back by the toast, and what is malformed is said and not added")
    func importing() async throws {
        let house = try await PageHouse()
        let browser = try await house.browser()
        let table = "title,link\r\nCasa,https://a.b/1\r\n\"Loft, big\",https://a.b/2\r\n"
        let form = [("do", "import"), ("list", table), ("stream", "x")]
        let answer = try await browser.post("/t/\(house.trip)/act", form)
        #expect(answer.status == 200 && answer.body.contains("Added 2 items"))
        #expect(answer.body.contains("remove"), "the toast takes it back")
        #expect(try await house.view().items.map(\.title) == ["Casa", "Loft, big"])
        let again = try await browser.post("/t/\(house.trip)/act", form)
        #expect(again.body.contains("Added 0 items; skipped 2 duplicates"))
        for list in ["title,link\nfine,\nCasa,ftp://a", "[{\"title\": ", "", " \n"] {
            let refused = try await browser.post(
                "/t/\(house.trip)/act", [("do", "import"), ("list", list), ("stream", "x")])
            #expect(refused.status == 422)
        }
        #expect(try await house.view().items.count == 2)
        await house.close()
    }

    @Test("the page offers the forms that hold something, and each is a file")
    func exporting() async throws {
        let house = try await PageHouse()
        let browser = try await house.browser()
        _ = try await browser.post(
            "/t/\(house.trip)/act", [("do", "import"), ("list", "Casa https://a.b/1\nLoft")])
        let page = try await browser.get("/t/\(house.trip)/?view=ranking").body
        #expect(page.contains("/export/trip.csv\"") && !page.contains("/export/trip.gpx\""))
        #expect(page.contains("name=\"list\"") == false)
        #expect(try await browser.get("/t/\(house.trip)/").body.contains("name=\"list\""))
        for (name, beginning) in [
            ("trip.md", "Lisbon in June\n==============\n"), ("trip.csv", "title,"),
            ("trip.ics", "BEGIN:VCALENDAR\r\n"),
            ("trip.json", "{\n"), ("trip.url", "caravan:list?title=Lisbon%20in%20June&item=Casa&"),
        ] {
            let answer = try await browser.get("/t/\(house.trip)/export/\(name)")
            #expect(answer.status == 200 && answer.body.hasPrefix(beginning), "\(name)")
            let file = "Lisbon in June" + name.dropFirst(4), coded = file.replacing(" ", with: "%20")
            #expect(
                answer.headers["content-disposition"] == "attachment; filename=\"\(file)\"; filename*=UTF-8''\(coded)")
        }
        let nowhere = try await browser.get("/t/\(house.trip)/export/trip.gpx")
        #expect(nowhere.status == 404 && nowhere.body.hasPrefix("no item has a place"))
        #expect(try await browser.get("/t/\(house.trip)/export/trip.exe").status == 404)
        await house.close()
    }
}
