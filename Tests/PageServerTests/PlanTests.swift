import Foundation
import PageServer
import Testing
import TripModel
import TripService

/// Days on the page.
struct PlanTests {
    private func item(_ house: PageHouse) async throws -> ItemView { try #require(try await house.view().items.first) }

    @Test("a form plans an item, changes its day and takes it off, and buries no day that it did not show")
    func planning() async throws {
        let house = try await PageHouse()
        let id = try await house.add([NewItem(title: "Castle")])[0]
        let browser = try await house.browser()
        let act = "/t/\(house.trip)/act"
        let form = { (day: String, start: String, length: String) in
            [
                ("do", "schedule"), ("item", id), ("day", day), ("start", start), ("length", length),
                ("back", "view=days"),
            ]
        }
        let done = try await browser.post(act, form("2026-06-12", "14:30", "2h"))
        #expect(done.headers["location"] == "/t/\(house.trip)/?view=days")
        #expect(try await item(house).fields[.dates]?.value == "2026-06-12T14:30/PT2H")
        #expect(try await item(house).isChosen)
        #expect(try await browser.get("/t/\(house.trip)/?view=days").body.contains("Fri 12 June"))
        _ = try await browser.post(
            act, form("2026-06-13", "", "2h") + [("shown-dates", "2026-06-12T14:30/PT2H")])
        #expect(try await item(house).fields[.dates]?.value == "2026-06-13")
        // The form had not shown the present day.
        _ = try await browser.post(act, form("2026-06-14", "", ""))
        #expect(try await item(house).fields[.dates]?.alternatives.map(\.value) == ["2026-06-13"])
        _ = try await browser.post(act, [("do", "plan"), ("item", id), ("dates", "")])
        #expect(try await item(house).fields[.dates] == nil)
        #expect(try await item(house).isChosen)
        await house.close()
    }

    @Test(
        "a plan that says too little changes nothing",
        arguments: [
            ("", "14:30", ""), ("soon", "", ""), ("2026-06-12", "25:00", ""), ("2026-06-12", "14:30", "2"),
            ("2026-06-12", "", "3h"), ("2026-06-12", "", "two hours"),
        ])
    func refused(_ day: String, _ start: String, _ length: String) async throws {
        let house = try await PageHouse()
        let id = try await house.add([NewItem(title: "Castle")])[0]
        let browser = try await house.browser()
        _ = try await browser.post(
            "/t/\(house.trip)/act",
            [("do", "schedule"), ("item", id), ("day", day), ("start", start), ("length", length)])
        #expect(try await item(house).fields[.dates] == nil)
        await house.close()
    }

    @Test("a length without a time is refused in a line at its field, which keeps what was typed")
    func lengthAlone() async throws {
        let house = try await PageHouse()
        let id = try await house.add([NewItem(title: "Castle")])[0]
        let browser = try await house.browser()
        _ = try await browser.post(
            "/t/\(house.trip)/act", [("do", "mark"), ("item", id), ("mark", "chosen"), ("set", "yes")])
        let form = [
            ("do", "schedule"), ("item", id), ("day", "2026-06-12"), ("start", ""), ("length", "3h"),
            ("back", "view=days"),
        ]
        let line = "class=\"fault\" data-mark=\"fault\" dir=\"auto\">A length needs a time"
        let live = try await browser.post("/t/\(house.trip)/act", form + [("stream", "x")])
        #expect(live.status == 422 && live.body.replacing("\\\"", with: "\"").contains(line), "\(live.body)")
        let sent = try await browser.post("/t/\(house.trip)/act", form)
        let page = try await browser.get(sent.headers["location"] ?? "/").body
        #expect(page.contains(line) && page.contains("name=\"length\" value=\"3h\""), "\(page)")
        await house.close()
    }
}
