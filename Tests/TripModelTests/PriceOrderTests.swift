import Testing
import TripFixtures

@testable import TripModel

/// `caravan list --sort price`.
struct PriceOrderTests {
    @Test("the least that each pays stands first, by currency; then what is not shared out, then what has no price")
    func order() throws {
        var world = World(participants: [0, 1])
        let prices: [String?] = [
            nil, "90 EUR pp", "100 EUR in all", "80 EUR", "somewhat", "20 CHF pp", "50 EUR in all",
        ]
        try world.perform(
            .add(prices.enumerated().map { ItemDraft(title: "\($0)", fields: $1.map { [.price: $0] } ?? [:]) }), on: 0)
        try world.syncAll()
        try world.perform(.setName("Noah"), on: 1)
        try world.syncAll()
        let titles = world.view(0).items(sortedBy: .price).map(\.title)
        #expect(titles == ["5", "6", "2", "1", "3", "0", "4"])
    }
}
