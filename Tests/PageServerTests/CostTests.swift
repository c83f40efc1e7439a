import Foundation
import PageServer
import Testing
import TripModel
import TripService

/// Expenses on the page.
struct CostTests {
    private func jie(_ house: PageHouse) async throws -> String {
        try #require(try await house.view().participants.first).id.description
    }

    private func dinner(_ house: PageHouse, amount: String = "84") async throws -> [(String, String)] {
        let jie = try await jie(house)
        return [
            ("do", "expense"), ("title", "Dinner"), ("amount", amount), ("currency", "EUR"), ("payer", jie),
            ("paid-\(jie)", ""), ("way", "equally"), ("sharer", jie), ("share-\(jie)", ""), ("note", "with Rui"),
            ("back", "view=costs"),
        ]
    }

    @Test("a form adds an expense, and one without script that is refused comes back with what was typed")
    func adding() async throws {
        let house = try await PageHouse()
        let browser = try await house.browser()
        let act = "/t/\(house.trip)/act"
        let done = try await browser.post(act, try await dinner(house))
        #expect(done.headers["location"] == "/t/\(house.trip)/?view=costs")
        #expect(try await house.view().costs.expenses.first?.cost.amount.minorUnits == 8_400)
        let refused = try await browser.post(act, try await dinner(house, amount: "thirty"))
        #expect(refused.headers["location"] == "/t/\(house.trip)/?view=costs&edit=1")
        let page = try await browser.get("/t/\(house.trip)/?view=costs&edit=1").body
        #expect(
            page.contains("value=\"thirty\"") && page.contains("with Rui") && page.contains("aria-invalid=\"true\""))
        #expect(page.contains("is not an amount; write it like 84 EUR or 12.50 CHF."))
        await house.close()
    }

    @Test("the name of a card says nothing of an expense, nor does that of another expense")
    func sameName() async throws {
        let house = try await PageHouse()
        try await house.add([NewItem(title: "Dinner")])
        let browser = try await house.browser()
        for _ in 1...2 {
            let answer = try await browser.post("/t/\(house.trip)/act", try await dinner(house) + [("stream", "x")])
            #expect(answer.status == 200 && answer.body.contains("Added “Dinner”"), "\(answer.body)")
            #expect(!answer.body.contains("already had"), "\(answer.body)")
        }
        await house.close()
    }

    @Test("a live page gets the lines of all parts of a form that was refused, and nothing is written")
    func refused() async throws {
        let house = try await PageHouse()
        let browser = try await house.browser()
        let form = try await dinner(house, amount: "thirty") + [("stream", "x")]
        let answer = try await browser.post("/t/\(house.trip)/act", form)
        let patch = try JSONDecoder().decode(Patch.self, from: Data(answer.body.utf8))
        #expect(answer.status == 422 && patch.put.count == 7, "\(patch.put)")
        #expect(patch.put["cost-form-fault-amount"]?.contains("is not an amount") == true)
        #expect(patch.put["cost-form-fault-title"]?.hasSuffix("></p>") == true)
        #expect(try await house.view().items.isEmpty)
        await house.close()
    }

    @Test("an expense that nobody paid is refused, in the form of a new one as in that of one that is edited")
    func nobodyPaid() async throws {
        let house = try await PageHouse()
        let browser = try await house.browser()
        let act = "/t/\(house.trip)/act"
        // A box that isn't ticked isn't sent.
        let unticked = try await dinner(house).filter { $0.0 != "payer" } + [("stream", "x")]
        let new = try await browser.post(act, unticked)
        #expect(new.status == 422 && new.body.contains("Nobody paid; choose who did."), "\(new.body)")
        #expect(try await house.view().items.isEmpty)
        _ = try await browser.post(act, try await dinner(house))
        let item = try #require(try await house.view().costs.expenses.first?.item)
        let edited = try await browser.post(act, unticked + [("item", item.shortID), ("shown-title", "Dinner")])
        #expect(edited.status == 422 && edited.body.contains("Nobody paid; choose who did."), "\(edited.body)")
        await house.close()
    }

    @Test("an expense is edited and removed, and the edit is undone in place of the new value alone")
    func editing() async throws {
        let house = try await PageHouse()
        let browser = try await house.browser()
        let act = "/t/\(house.trip)/act"
        _ = try await browser.post(act, try await dinner(house))
        let item = try #require(try await house.view().costs.expenses.first?.item)
        let shown =
            [("item", item.shortID), ("shown-title", "Dinner"), ("shown-note", "with Rui")]
            + [("shown-cost", try #require(item.fields[.cost]?.value))]
        let edited = try await browser.post(act, try await dinner(house, amount: "96") + shown + [("stream", "x")])
        #expect(edited.status == 200 && edited.body.contains("Saved “Dinner”"), "\(edited.body)")
        #expect(try await house.view().costs.expenses.first?.cost.amount.minorUnits == 9_600)
        let removed = try await browser.post(act, [("do", "remove"), ("item", item.shortID), ("stream", "x")])
        #expect(removed.status == 200)
        #expect(try await house.view().costs.expenses.isEmpty)
        await house.close()
    }
}
