import Testing
import TripFixtures

@testable import TripModel

/// Costs as people type them.
@Suite struct TypedCostTests {
    private func trip() throws -> World {
        var world = World(participants: [0, 1, 2])
        for (device, name) in ["Jie", "Mia", "Noah"].enumerated() { try world.perform(.setName(name), on: device) }
        try world.syncAll()
        return world
    }

    @Test("a cost is typed with names, and typed again it is the same")
    func typed() throws {
        let world = try trip()
        let view = world.view(0)
        let (jie, mia, noah) = (world.nodes[0].participant, world.nodes[1].participant, world.nodes[2].participant)
        for (typed, text) in [
            (
                TypedCost(amount: "84 EUR", payers: ["noah"], except: ["Mia"]),
                "EUR 8400 by \(noah):8400 for equally \(jie) \(noah)"
            ),
            (TypedCost(amount: "1 EUR"), "EUR 100 by \(jie):100 for equally \(jie) \(mia) \(noah)"),
            (
                TypedCost(amount: "1 EUR", payers: ["Mia", "Jie", "Noah"], sharers: ["Mia"]),
                "EUR 100 by \(jie):34 \(mia):33 \(noah):33 for equally \(mia)"
            ),
            (
                TypedCost(
                    amount: "50 CHF", rate: "0.9512 EUR", payers: ["Jie=20", "Mia=30"], way: .parts,
                    sharers: ["Noah=2", "Mia=1"]),
                "CHF 5000 @ 0.9512 EUR by \(jie):2000 \(mia):3000 for parts \(mia):1 \(noah):2"
            ),
            (
                TypedCost(amount: "10 EUR", way: .exactly, sharers: ["Noah=2.50", "Mia=7.5"]),
                "EUR 1000 by \(jie):1000 for exactly \(mia):750 \(noah):250"
            ),
            (
                TypedCost(amount: "10 EUR", way: .percent, sharers: ["Noah=33.33%", "Mia=66.67"]),
                "EUR 1000 by \(jie):1000 for percent \(mia):6667 \(noah):3333"
            ),
        ] {
            let cost = try typed.cost(in: view, by: jie)
            #expect(cost.text == text)
            #expect(try TypedCost(cost).cost(in: view, by: noah) == cost)
        }
    }

    @Test("a member whose name is another's id is not taken for them")
    func namedLikeAnID() throws {
        var world = try trip()
        let (jie, mia) = (world.nodes[0].participant, world.nodes[1].participant)
        try world.perform(.setName(mia.description), on: 2)
        try world.syncAll()
        let view = world.view(0)
        #expect(try view.person(named: mia.description) == mia)
        let cost = try TypedCost(amount: "1 EUR", payers: [mia.description]).cost(in: view, by: jie)
        #expect(cost.payers.map(\.person) == [mia])
    }

    @Test("a name that several members have needs an id, and a name that Caravan wrote doesn't")
    func severalOfAName() throws {
        var world = try trip()
        for device in [1, 2] { try world.perform(.setName("Sam"), on: device) }
        try world.syncAll()
        let (view, jie) = (world.view(0), world.nodes[0].participant)
        let sams = [world.nodes[1].participant, world.nodes[2].participant]
        for name in ["Sam", "sam"] {
            let error = #expect(throws: TripError.self) {
                try TypedCost(amount: "1 EUR", payers: [name]).cost(in: view, by: jie)
            }
            #expect(error?.message.hasPrefix("2 members are called “\(name)”; give an id (") == true)
            for sam in sams { #expect(error?.message.contains("\(sam.description.prefix(6)) Sam") == true) }
        }
        #expect(view.reference(to: jie) == "Jie")
        let (first, second) = (try view.person(shown: "Sam"), try view.person(shown: "Sam (2)"))
        #expect(view.reference(to: first) == first.description.prefix(6))
        #expect(try view.reference(to: second) == "Sam (2)" && view.person(named: "Sam (2)") == second)
    }

    @Test("a name is found in any case in every script, one in the case that was typed first")
    func otherCase() throws {
        var world = try trip()
        try world.perform(.setName("Élodie"), on: 1)
        try world.perform(.setName("Дмитрий"), on: 2)
        try world.syncAll()
        let (first, second) = (world.nodes[1].participant, world.nodes[2].participant)
        for name in ["élodie", "ÉLODIE", "Élodie"] { #expect(try world.view(0).person(named: name) == first) }
        #expect(try world.view(0).person(named: "дмитрий ") == second)
        try world.perform(.setName("Émilé"), on: 1)
        try world.perform(.setName("émilé"), on: 2)
        try world.syncAll()
        let view = world.view(0)
        #expect(try view.person(named: "Émilé") == first && view.person(named: "émilé") == second)
        let error = #expect(throws: TripError.self) { try view.person(named: "ÉMILÉ") }
        #expect(error?.message.hasPrefix("2 members are called “ÉMILÉ”; give an id (") == true)
    }

    @Test("what is wrong is named, with what to write")
    func refused() throws {
        let world = try trip()
        let (view, jie) = (world.view(0), world.nodes[0].participant)
        for (typed, saying) in [
            (TypedCost(amount: "84"), "no currency"),
            (TypedCost(amount: "1.009 EUR"), "can be read in two ways; write 1009 or, with 2 decimals, 1.00"),
            (TypedCost(amount: "0.009 EUR"), "“0.009 EUR” has more than 2 decimals; write 0.01"),
            (TypedCost(amount: "0,505 EUR"), "“0,505 EUR” has more than 2 decimals; write 0.50"),
            (TypedCost(amount: "84 EUR", payers: ["Noha"]), "did you mean “Noah”?"),
            (TypedCost(amount: "84 EUR", payers: ["Noah=80"]), "add up to €84.00"),
            (TypedCost(amount: "84 EUR", payers: ["Noah=80", "Mia"]), "NAME=AMOUNT for each"),
            (TypedCost(amount: "84 EUR", rate: "0.5"), "0.9512 EUR"),
            (TypedCost(amount: "20 EUR", rate: "1,450 KRW"), "can be read in two ways; write 1450 or 1.4500"),
            (TypedCost(amount: "20 EUR", rate: "1.450,123 KRW 2"), "is invalid; write it like 0.9512 EUR"),
            (TypedCost(amount: "84 EUR", rate: "2 EUR"), "already in EUR, so it needs no rate; leave the rate out"),
            (TypedCost(amount: "0.01 EUR", rate: "0.01 CHF"), "an amount that is too small or too large"),
            (TypedCost(amount: "84 EUR", way: .percent, sharers: ["Noah=50", "Mia=49.99"]), "up to 100"),
            (TypedCost(amount: "84 EUR", way: .parts, sharers: ["Noah"]), "NAME=NUMBER"),
            (TypedCost(amount: "84 EUR", way: .parts, sharers: ["Noah=1", "noah=1"]), "twice"),
            (TypedCost(amount: "84 EUR", sharers: ["Noah"], except: ["Mia"]), "“Mia” has no share"),
            (TypedCost(amount: "84 EUR", except: ["Jie", "Mia", "Noah"]), "no sharer"),
        ] {
            do throws(TripError) {
                _ = try typed.cost(in: view, by: jie)
                Issue.record("\(typed) is a cost")
            } catch { #expect(error.message.contains(saying), "\(error.message)") }
        }
    }

    @Test("a rate is read like an amount, and as it is shown in the form")
    func rates() throws {
        let world = try trip()
        let (view, jie) = (world.view(0), world.nodes[0].participant)
        for (typed, digits, again) in [
            ("1450", "1450", "1450 KRW"), ("1 450,5 krw", "1450.5", "1450.5 KRW"), ("1,450.5", "1450.5", "1450.5 KRW"),
            ("1.0850", "1.085", "1.0850 KRW"), ("0.951 KRW", "0.951", "0.951 KRW"),
        ] {
            let rate = typed.lowercased().contains("krw") ? typed : typed + " KRW"
            let cost = try TypedCost(amount: "20 EUR", rate: rate).cost(in: view, by: jie)
            #expect(cost.rate?.digits == digits && TypedCost(cost).rate == again)
            #expect(try TypedCost(amount: "20 EUR", rate: again).cost(in: view, by: jie).rate == cost.rate)
        }
    }

    @Test("the home currency is that of the oldest expense; expenses are in no list of the plan")
    func home() throws {
        var world = try trip()
        let jie = world.nodes[0].participant
        let cost = try TypedCost(amount: "50 CHF", rate: "0.95 EUR").cost(in: world.view(0), by: jie)
        _ = try world.add(
            ItemDraft(title: "Fondue", fields: [.cost: cost.text, .itemKind: ItemView.expenseKind]), on: 0)
        _ = try world.add(ItemDraft(title: "Cabin", fields: [.cost: cost.text]), on: 0)
        let view = world.view(0)
        #expect(view.costs.home?.code == "EUR")
        #expect(try TypedCost(amount: "7").cost(in: view, by: jie).amount.words == "€7.00")
        #expect(view.costs.expenses.map(\.item.title) == ["Fondue", "Cabin"])
        #expect(view.plan.items.map(\.title) == ["Cabin"])
    }
}
