import Testing
import TripFixtures

@testable import TripModel

/// `caravan list --sort price`.
struct PriceOrderTests {
    @Test(
        "what is free stands first, then the least that each pays, then what is not shared out, then what has no price")
    func order() throws {
        var world = World(participants: [0, 1])
        let prices: [String?] = [
            nil, "90 EUR pp", "100 EUR in all", "80 EUR", "somewhat", "20 CHF pp", "50 EUR in all", "0 EUR", "free",
            "0",
        ]
        try world.perform(
            .add(prices.enumerated().map { ItemDraft(title: "\($0)", fields: $1.map { [.price: $0] } ?? [:]) }), on: 0)
        try world.syncAll()
        try world.perform(.setName("Noah"), on: 1)
        try world.syncAll()
        let titles = world.view(0).items(sortedBy: .price).map(\.title)
        #expect(titles == ["7", "8", "9", "5", "6", "2", "1", "3", "0", "4"])
    }

    @Test("a part of the list sorts by what each pays for the nights of the chosen dates, which are not in it")
    func part() throws {
        var world = World(participants: [0])
        let dates = try world.add(
            ItemDraft(title: "May", fields: [.itemKind: "dates", .dates: "2026-05-10/2026-05-17"]), on: 0)
        try world.perform(.act(.mark(.chosen, true), on: [dates]), on: 0)
        let prices = ["140 EUR/night", "900 EUR in all", "28 EUR/night pp"]
        try world.perform(.add(prices.map { ItemDraft(title: $0, fields: [.price: $0, .itemKind: "stay"]) }), on: 0)
        let part = world.view(0).keeping { $0.kind == .stay }
        let received = try #require(TripView(bytes: part.bytes))
        for view in [part, received, part.plan, part.numbering(\.number)] {
            #expect(view.group.nights == 7)
            #expect(view.items(sortedBy: .price).map(\.title) == [prices[2], prices[1], prices[0]])
        }
    }
}
