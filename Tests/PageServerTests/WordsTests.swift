import Foundation
import PageServer
import Testing
import TripModel
import TripService

/// What pages find, and the words in which they tell what was done.
struct WordsTests {
    private func act(_ house: PageHouse, _ browser: Browser, _ form: [(String, String)]) async throws -> Answer {
        try await browser.post("/t/\(house.trip)/act", form + [("stream", "x")])
    }

    @Test("a search needs no accents, and finds what somebody said of an item")
    func search() async throws {
        let house = try await PageHouse()
        let browser = try await house.browser()
        let ids = try await house.add([NewItem(title: "Gîte d’Argentière"), NewItem(title: "Dinner")])
        let found = { (text: String) in
            let page = try await browser.get("/t/\(house.trip)/?find=\(text)").body
            return ids.map { page.contains("id=\"c-\($0)\"") }
        }
        for text in ["gite", "ARGENTIERE", "g%C3%AEte"] { #expect(try await found(text) == [true, false], "\(text)") }
        #expect(try await found("vegetarian") == [false, false])
        _ = try await act(house, browser, [("do", "comment"), ("item", ids[1]), ("text", "Vegetarian food, too")])
        var isFound = false
        _ = try await eventually {
            isFound = try await found("vegetarian") == [false, true]
            return isFound
        }
        #expect(isFound)
        await house.close()
    }

    @Test("the button that undoes an edit leads to a line that says so")
    func undone() async throws {
        let house = try await PageHouse()
        let browser = try await house.browser()
        let id = try await house.add([NewItem(title: "Ski pass")])[0]
        func edit(_ price: String, _ more: [(String, String)]) async throws -> String {
            let edit = [("do", "edit"), ("item", id), ("write", "price"), ("price", price)]
            return try await act(house, browser, edit + more).body.replacing("\\\"", with: "\"")
        }
        let saved = try await edit("90", [])
        #expect(saved.contains("Saved “Ski pass”") && saved.contains("name=\"undoes\" value=\"edit\""), "\(saved)")
        let undone = try await edit("", [("undoes", "edit")])
        #expect(undone.contains("Undone: “Ski pass”") && !undone.contains("Saved"), "\(undone)")
        await house.close()
    }

    @Test("an edit with several values that cannot be is refused, each in a line at its field")
    func severalFaults() async throws {
        let house = try await PageHouse()
        let browser = try await house.browser()
        let id = try await house.add([NewItem(title: "Casa")])[0]
        let answer = try await browser.post(
            "/t/\(house.trip)/act",
            [
                ("do", "edit"), ("item", id), ("fields", "beds,link,note"), ("beds", "0"), ("link", "ftp://x"),
                ("note", "kept"), ("stream", "x"),
            ])
        let patch = try JSONDecoder().decode(Patch.self, from: Data(answer.body.utf8))
        #expect(
            answer.status == 422 && Set(patch.put.keys).isSuperset(of: ["f-\(id)-beds-fault", "f-\(id)-link-fault"]))
        #expect(try await house.view().items.first?.fields.keys.contains(.note) == false)
        await house.close()
    }

    @Test("a number of beds that is nought is refused, also where there was none")
    func beds() async throws {
        let house = try await PageHouse()
        let browser = try await house.browser()
        let id = try await house.add([NewItem(title: "Hut")])[0]
        for beds in ["0", " 00"] {
            let answer = try await act(
                house, browser, [("do", "edit"), ("item", id), ("fields", "beds"), ("beds", beds)])
            #expect(answer.status == 422 && answer.body.contains("must be between 1 and 9999"), "\(answer.body)")
        }
        await house.close()
    }

    @Test("an item that somebody chose and somebody planned says who planned it")
    func planned() async throws {
        let house = try await PageHouse()
        let browser = try await house.browser()
        let id = try await house.add([NewItem(title: "Castle")])[0]
        let page = { try await browser.get("/t/\(house.trip)/?open=\(id)").body }
        _ = try await act(house, browser, [("do", "mark"), ("item", id), ("mark", "chosen"), ("set", "yes")])
        #expect(try await eventually { try await page().contains(" chose this") })
        _ = try await act(house, browser, [("do", "schedule"), ("item", id), ("day", "2026-06-12")])
        #expect(try await eventually { try await page().contains(" planned this") })
        #expect(try await !page().contains(" chose this"))
        await house.close()
    }
}
