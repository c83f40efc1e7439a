import Testing
import TripFixtures
import TripModel

@testable import TripText

/// What `caravan balances` prints.
@Suite struct BalanceTextTests {
    @Test("the balances say how the payer and the payee record a payment, and nobody else")
    func settling() throws {
        var world = World(participants: [0, 1, 2])
        for (device, name) in ["Jie", "Michelle", "Noah"].enumerated() { try world.perform(.setName(name), on: device) }
        try world.syncAll()
        let (jie, noah) = (world.nodes[0].participant, world.nodes[2].participant)
        for amount in ["30 EUR", "12 CHF"] {
            let cost = try TypedCost(amount: amount).cost(in: world.view(0), by: jie).text
            _ = try world.add(ItemDraft(title: amount, fields: [.cost: cost, .itemKind: ItemView.expenseKind]), on: 0)
        }
        let view = world.view(0)
        let lines = { (reader: ParticipantID?) in
            TerminalText.balances(view, for: reader).split(separator: "\n").filter { $0.contains(" pays ") }.map(
                String.init)
        }
        let plain = lines(nil)
        #expect(plain.count == 4 && plain.contains("  Noah pays Jie €10.00"))
        let payer = lines(noah)
        #expect(payer.filter { $0.contains("caravan settle") }.count == 2)
        #expect(payer.contains("  Noah pays Jie €10.00 (record it with `caravan settle \"Jie\" \"10.00 EUR\"`)"))
        #expect(payer.contains("  Michelle pays Jie €10.00"))
        let payee = lines(jie)
        #expect(
            payee.contains("  Noah pays Jie €10.00 (record it with `caravan settle \"Noah\" \"10.00 EUR\" --received`)")
        )
        #expect(payee.filter { $0.contains(" --received`)") }.count == 4)
    }
}
