import Testing
import TripFixtures

@testable import TripModel

/// What two people do at the same moment with expenses and payments: each row of the table in Documentation/Content.md, by
/// replicas that were apart.
@Suite struct CostConflictTests {
    private let jie = ParticipantID(high: 7, low: 1)
    private let mia = ParticipantID(high: 7, low: 2)
    private let noah = ParticipantID(high: 7, low: 3)
    private let euro = Currency(code: "EUR")

    /// Jie paid €90 for all three; all have it.
    private func trip() throws -> (World, dinner: ItemID) {
        var world = World(participants: [0, 1, 2])
        let dinner = try world.add(expense(9_000, for: [jie, mia, noah]), on: 0)
        try world.syncAll()
        return (world, dinner)
    }

    private func cost(_ units: Int64, by payer: ParticipantID? = nil, for people: [ParticipantID]) throws -> Cost {
        let money = Money(units, try #require(euro))
        return try Cost(money, payers: [Share(payer ?? jie, units)], .equally, people.map { Share($0, 1) })
    }

    private func expense(_ units: Int64, for people: [ParticipantID]) throws -> ItemDraft {
        let cost = try cost(units, for: people)
        return ItemDraft(title: "Dinner", fields: [.cost: cost.text, .itemKind: ItemView.expenseKind])
    }

    private func payment(_ units: Int64, from payer: ParticipantID, to receiver: ParticipantID) throws -> ItemDraft {
        let cost = try Cost(payment: Money(units, try #require(euro)), from: payer, to: receiver)
        return ItemDraft(title: "Payment", fields: [.payment: cost.text, .itemKind: ItemView.paymentKind])
    }

    /// What each of the three is owed, the same at each device.
    private func balances(_ world: World) throws -> [Int64] {
        let all = try world.nodes.indices.map { device in
            let ledger = world.view(device).costs.ledger
            let shares = ledger.balances(in: try #require(euro))
            return [jie, mia, noah].map { person in shares.first { $0.person == person }?.number ?? 0 }
        }
        #expect(Set(all).count == 1)
        #expect(all[0].reduce(0, +) == 0)
        return all[0]
    }

    @Test("of two edits of one cost both stay; the one that is shown counts, until somebody picks")
    func edits() throws {
        var (world, dinner) = try trip()
        #expect(try balances(world) == [6_000, -3_000, -3_000])
        try world.perform(.edit(dinner, [.cost: try cost(6_000, for: [jie, mia]).text]), on: 1)
        try world.perform(.edit(dinner, [.cost: try cost(3_000, for: [jie, noah]).text]), on: 2)
        try world.syncAll()
        let expense = try #require(world.view(0).costs.expenses.first)
        #expect(expense.versions == 2)
        let shown = expense.cost.amount.minorUnits
        #expect(try balances(world) == (shown == 6_000 ? [3_000, -3_000, 0] : [1_500, 0, -1_500]))
        try world.perform(.edit(dinner, [.cost: try cost(3_000, for: [jie, noah]).text]), on: 0)
        try world.syncAll()
        #expect(world.view(2).costs.expenses.map(\.versions) == [1])
        #expect(try balances(world) == [1_500, 0, -1_500])
    }

    @Test("amount, payers and shares are one value: no mixture of two edits is ever shown")
    func oneValue() throws {
        var (world, dinner) = try trip()
        let (one, other) = (try cost(6_000, by: mia, for: [jie]), try cost(3_000, by: noah, for: [mia]))
        try world.perform(.edit(dinner, [.cost: one.text]), on: 1)
        try world.perform(.edit(dinner, [.cost: other.text]), on: 2)
        try world.syncAll()
        #expect([one, other].contains(try #require(world.view(0).costs.expenses.first?.cost)))
    }

    @Test("an edit of an expense wins over its removal, which counts once")
    func removal() throws {
        var (world, dinner) = try trip()
        try world.perform(.remove([dinner]), on: 1)
        try world.perform(.edit(dinner, [.category: "food"]), on: 2)
        try world.syncAll()
        #expect(try balances(world) == [6_000, -3_000, -3_000])
        try world.perform(.remove([dinner]), on: 0)
        try world.syncAll()
        #expect(try balances(world) == [0, 0, 0])
        try world.perform(.restore([dinner]), on: 0)
        try world.perform(.restore([dinner]), on: 1)
        try world.syncAll()
        #expect(try balances(world) == [6_000, -3_000, -3_000])
    }

    @Test("a payment that both people record counts twice, and is shown twice")
    func both() throws {
        var (world, _) = try trip()
        _ = try world.add(try payment(3_000, from: mia, to: jie), on: 0)
        _ = try world.add(try payment(3_000, from: mia, to: jie), on: 1)
        try world.syncAll()
        #expect(world.view(2).costs.payments.map(\.mayBeTwice) == [true, true])
        #expect(try balances(world) == [0, 3_000, -3_000])
        // The same person may pay the same amount again, and others too.
        _ = try world.add(try payment(500, from: mia, to: jie), on: 1)
        _ = try world.add(try payment(500, from: mia, to: jie), on: 1)
        #expect(world.view(1).costs.payments.map(\.mayBeTwice) == [true, true, false, false])
    }

    @Test("the other person disputes a payment; it counts all the same, and the dispute is shown")
    func dispute() throws {
        var (world, _) = try trip()
        let paid = try world.add(try payment(3_000, from: mia, to: jie), on: 1)
        try world.syncAll()
        try world.perform(.vote([paid], .against), on: 2)
        try world.syncAll()
        #expect(world.view(0).costs.payments.map(\.isDisputed) == [false])
        try world.perform(.vote([paid], .against), on: 0)
        try world.perform(.comment(paid, "I paid in cash"), on: 1)
        try world.syncAll()
        #expect(world.view(2).costs.payments.map(\.isDisputed) == [true])
        #expect(try balances(world) == [3_000, 0, -3_000])
    }

    @Test("nobody else records, changes, removes or brings back a payment, whatever their device writes")
    func ownHand() throws {
        var (world, _) = try trip()
        let paid = try world.add(try payment(3_000, from: mia, to: jie), on: 1)
        try world.syncAll()
        let forged = try payment(500, from: mia, to: jie)
        #expect(throws: TripError.self) { try world.perform(.add([forged]), on: 2) }
        for device in [0, 2] {
            #expect(throws: TripError.self) { try world.perform(.remove([paid]), on: device) }
            #expect(throws: TripError.self) {
                try world.perform(.edit(paid, [.payment: forged.fields[.payment]]), on: device)
            }
            let text = Text(try #require(forged.fields[.payment]))
            let name = OperationReference.there(paid.operation)
            try world.write(
                TripContent.encode([
                    .item(name, .remove),
                    .item(name, .edit([FieldWrite(field: .payment, value: .text(text), siblings: [])])),
                    .item(name, .edit([FieldWrite(field: .payment, value: .cleared, siblings: [])])),
                ]), on: device)
        }
        try world.write(
            TripContent.encode([
                .add(
                    fields: try TripReplica.checked(forged.fields, of: "the item"), quantity: 0, position: nil)
            ]), on: 2)
        try world.syncAll()
        #expect(world.view(0).costs.payments.map(\.amount.minorUnits) == [3_000])
        #expect(try balances(world) == [3_000, 0, -3_000])
        // A payment that its own author removed stays removed, even if others vote on it at the same time or restore it.
        try world.perform(.remove([paid]), on: 1)
        try world.perform(.vote([paid], .against), on: 0)
        try world.syncAll()
        #expect(world.view(0).costs.payments.isEmpty)
        try world.write(TripContent.encode([.item(.there(paid.operation), .restore)]), on: 2)
        try world.syncAll()
        #expect(try balances(world) == [6_000, -3_000, -3_000])
        try world.perform(.restore([paid]), on: 1)
        try world.syncAll()
        #expect(try balances(world) == [3_000, 0, -3_000])
    }

    @Test(
        "nobody changes a payment's title, day or marks, whatever their device writes; its own author does not either")
    func writtenOnce() throws {
        var (world, _) = try trip()
        let paid = try world.add(try payment(3_000, from: mia, to: jie), on: 1)
        try world.syncAll()
        let actions: [TripAction] = [
            .edit(paid, [.title: "Nothing"]), .edit(paid, [.dates: "2026-06-12"]), .edit(paid, [.cost: "x"]),
            .mark([paid], .chosen, true), .claim([paid], 1),
        ]
        for device in world.nodes.indices {
            for action in actions {
                let refused = #expect(throws: TripError.self) { try world.perform(action, on: device) }
                #expect(refused?.code == .malformedValue, "\(action)")
            }
            let writes = [Field.title, .note, .chosen].map { field in
                FieldWrite(field: field, value: .text(Text(field == .chosen ? "true" : "Nothing")), siblings: [])
            }
            try world.write(TripContent.encode([.item(.there(paid.operation), .edit(writes))]), on: device)
        }
        try world.syncAll()
        let item = try #require(world.view(0).costs.payments.first?.item)
        #expect(item.title == "Payment" && item.fields[.note] == nil && item.fields[.chosen] == nil)
        #expect(TripReplica.history(of: world.changes).flatMap(\.events).count == 2)
    }

    @Test("undo takes back an expense, an edit of its cost, and a payment")
    func undo() throws {
        var (world, dinner) = try trip()
        func undoLast(_ device: Int) throws {
            let changes = world.nodes[device].order.map { world.change($0, in: world.nodes[device].order) }
            let node = world.nodes[device]
            let undoing = try #require(node.replica.undoing(lastOf: node.participant, among: changes))
            #expect(undoing.obstacles.isEmpty)
            try world.write(try undoing.content(), on: device)
            try world.syncAll()
        }
        try world.perform(.edit(dinner, [.cost: try cost(6_000, for: [jie, mia]).text]), on: 1)
        try undoLast(1)
        #expect(try balances(world) == [6_000, -3_000, -3_000])
        _ = try world.add(try payment(3_000, from: mia, to: jie), on: 1)
        try world.syncAll()
        #expect(try balances(world) == [3_000, 0, -3_000])
        try undoLast(1)
        #expect(try balances(world) == [6_000, -3_000, -3_000])
        _ = try world.add(try expense(300, for: [jie, mia, noah]), on: 0)
        try undoLast(0)
        #expect(try balances(world) == [6_000, -3_000, -3_000])
    }

    @Test("an older version keeps an expense as an item, and passes its cost on")
    func olderVersion() throws {
        var world = World(participants: [0, 1, 2])
        world.nodes[1].vocabulary.fieldMax = Field.chosen.rawValue
        let dinner = try world.add(try expense(9_000, for: [jie, mia, noah]), on: 0)
        try world.syncAll()
        #expect(world.view(1).items.map(\.title) == ["Dinner"])
        #expect(world.view(1).costs.expenses.isEmpty)
        try world.perform(.edit(dinner, [.title: "Supper"]), on: 1)
        try world.syncAll()
        let expense = try #require(world.view(2).costs.expenses.first)
        #expect(expense.item.title == "Supper" && expense.cost.amount.minorUnits == 9_000)
    }

    @Test("history tells amounts, and nothing of what had no effect")
    func history() throws {
        var (world, dinner) = try trip()
        try world.perform(.edit(dinner, [.cost: try cost(6_000, for: [jie, mia]).text]), on: 1)
        let paid = try world.add(try payment(3_000, from: mia, to: jie), on: 1)
        try world.syncAll()
        try world.write(TripContent.encode([.item(.there(paid.operation), .remove)]), on: 2)
        try world.syncAll()
        let entries = TripReplica.history(of: world.changes)
        #expect(entries.count == 3)
        let words = entries.flatMap(\.events).map { event -> String in
            switch event {
            case .item(_, let title, .added(_, _, let cost?, _), _): "\(title) \(Field.cost.words(of: cost))"
            case .item(_, let title, .edited(let edits), _):
                title + edits.map { " " + $0.field.words(of: $0.value ?? "") }.joined()
            default: "\(event)"
            }
        }
        #expect(words == ["Dinner €90.00 for 3 people", "Dinner €60.00 for 2 people", "Payment €30.00"])
    }
}
