import Foundation
import Testing
import TripExchange
import TripFixtures
import TripModel
import TripService

/// Tables of expenses: those of Splitwise and Spliit, and our own, there and back.
@Suite struct CostFileTests {
    private func trip() throws -> World {
        var world = World(participants: [0, 1, 2])
        for (device, name) in ["Jie", "Mia", "Noah"].enumerated() { try world.perform(.setName(name), on: device) }
        try world.syncAll()
        return world
    }

    private func read(
        _ text: String, _ world: World, _ reading: CostFile.Reading = .init()
    ) throws -> [NewItem] {
        try CostFile(Array(text.utf8), in: world.view(0), by: world.nodes[0].participant, reading).items
    }

    /// The balances that a trip has once all is added, by name.
    private func balances(_ items: [NewItem], _ world: World) throws -> [String: Int64] {
        var world = world
        for item in items { _ = try world.add(ItemDraft(title: item.title, fields: item.fields), on: 0) }
        let view = world.view(0)
        let euro = try #require(Currency(code: "EUR"))
        let shares = view.costs.ledger.balances(in: euro)
        return Dictionary(uniqueKeysWithValues: shares.map { (view.displayName(of: $0.person), $0.number) })
    }

    @Test("a table of Splitwise gives the balances of its last row")
    func splitwise() throws {
        let world = try trip()
        let text = """
            Date,Description,Category,Cost,Currency,Jie,Mia,Noah

            2026-06-12,Dinner,Dining out,84.00,EUR,-28.00,-28.00,56.00
            2026-06-12,"Taxi, airport",Taxi,30.00,EUR,10.00,-15.00,5.00
            2026-06-13,Mia paid Noah,Payment,20.00,EUR,0.00,20.00,-20.00
            2026-06-13,Own lunch,General,9.00,EUR,0.00,0.00,0.00

            2026-06-20,Total balance, , ,EUR,-18.00,-23.00,41.00
            """
        let items = try read(text, world)
        #expect(items.map(\.title) == ["Dinner", "Taxi, airport", "Mia paid Noah"])
        #expect(items[0].fields[.dates] == "2026-06-12" && items[0].fields[.category] == "Dining out")
        #expect(try balances(items, world) == ["Jie": -1_800, "Mia": -2_300, "Noah": 4_100])
    }

    @Test("amounts of Splitwise are read with marks between their digits, as typed ones are")
    func grouped() throws {
        let world = try trip()
        for (total, half) in [
            ("1,000.00", "500.00"), ("1.000,00", "500,00"), ("2,000,000", "1,000,000"), ("12,50", "6,25"),
        ] {
            let text =
                "Date,Description,Category,Cost,Currency,Jie,Mia\n2026-06-12,D,C,\"\(total)\",EUR,\"\(half)\",\"-\(half)\""
            let cost = try read(text, world).first.flatMap { Cost($0.fields[.cost] ?? "") }
            #expect(cost?.amount == (try Money(typed: "\(total) EUR", home: nil)), "\(total)")
        }
    }

    @Test("who is unknown can be named with what the error gives to paste")
    func unknownPerson() throws {
        for (name, hint) in [
            ("Mya", "did you mean “Mia”? Name that person with "),
            ("Zoe (out)", "see `caravan members`, or name that person with "),
        ] {
            let text = "Date,Description,Category,Cost,Currency,Jie,\(name)\n2026-06-12,D,C,8.00,EUR,4.00,-4.00"
            let error = #expect(throws: ServiceError.self) { try read(text, try trip()) }
            let told = "row 2: there is nobody called “\(name)” in this trip; \(hint)--person \"\(name)=NAME\""
            #expect(error?.message == told)
        }
    }

    @Test("a table of Spliit has shares, those of the payer above 0; rounded shares add up again")
    func spliit() throws {
        let world = try trip()
        let text = """
            \u{FEFF}"Date","Description","Category","Currency","Cost","Original cost","Original currency","Conversion rate",\
            "Is Reimbursement","Split mode","Jie","Mia","Noah"
            "2026-06-12","Dinner","Dining Out","EUR","100.00","","","","No","Evenly",-33.33,-33.33,33.33
            "2026-06-13","Hut","Hotel","€","50.00","","","","No","Unevenly – By shares",16.67,-33.33,0
            "2026-06-14","Back","Payment","EUR","10.00","","","","Yes","Evenly",-10,0,0
            """
        #expect(throws: ServiceError.self) { try read(text, world) }
        let items = try read(text, world, .init(payer: "Mia"))
        #expect(items.count == 3)
        let cost = try #require(items[0].fields[.cost].flatMap { Cost($0) })
        #expect(cost.way == .equally && cost.owed.map(\.number) == [3_334, 3_333, 3_333])
        #expect(
            try balances(items, world) == ["Jie": -3_334 + 3_333 - 1_000, "Mia": -3_333 - 3_333 + 1_000, "Noah": 6_667])
    }

    @Test("our own table is read as it was written, names like formulas included")
    func own() throws {
        var world = try trip()
        try world.perform(.setName("=Noah; +1"), on: 2)
        try world.syncAll()
        let (jie, mia) = (world.nodes[0].participant, world.nodes[1].participant)
        let ids = [jie, mia].sorted()
        for (title, text, field) in [
            ("-5 °C, \"gloves\"", "EUR 8400 by \(jie):8400 for equally \(ids[0]) \(ids[1])", Field.cost),
            (
                "Fondue", "CHF 5000 @ 0.9512 EUR by \(ids[0]):2000 \(ids[1]):3000 for parts \(ids[0]):2 \(ids[1]):1",
                .cost
            ),
            ("Raclette", "CHF 5000 @ 1.085 EUR by \(jie):5000 for equally \(ids[0]) \(ids[1])", .cost),
            ("Boat", "KWD 1001 by \(mia):1001 for percent \(ids[0]):3333 \(ids[1]):6667", .cost),
            ("Payment", "EUR 100 by \(jie):100 for exactly \(mia):100", .payment),
        ] {
            let draft = ItemDraft(
                title: title, fields: [field: text, .dates: "2026-06-12", .note: "=1+1", .category: "food"])
            _ = try world.add(draft, on: 0)
        }
        let text = CostTable.write(world.view(0))
        #expect(text.hasPrefix("date,title,category,amount,currency,rate,paid_by,split,shares,note\r\n"))
        let items = try read(text, world)
        let written = world.view(0).items.map { $0.fields[.cost]?.value ?? $0.fields[.payment]?.value }
        #expect(items.map { $0.fields[.cost] } == written)
        // As earlier versions wrote a rate that can be read in two ways.
        let earlier = text.replacing("1.0850 EUR", with: "1.085 EUR")
        #expect(try earlier != text && read(earlier, world).map { $0.fields[.cost] } == written)
        #expect(items[0].title == "-5 °C, \"gloves\"" && items[0].fields[.note] == "=1+1")
    }

    @Test("of two people with one name, our own table tells which; a table of another program doesn't")
    func oneName() throws {
        var world = try trip()
        for device in [1, 2] { try world.perform(.setName("Sam"), on: device) }
        try world.syncAll()
        for amount in ["8 EUR", "9 EUR"] {
            let payer = try world.view(0).person(shown: amount == "8 EUR" ? "Sam" : "Sam (2)").description
            let cost = try TypedCost(amount: amount, payers: [payer]).cost(
                in: world.view(0), by: world.nodes[0].participant)
            _ = try world.add(
                ItemDraft(title: amount, fields: [.cost: cost.text, .itemKind: ItemView.expenseKind]), on: 0)
        }
        let view = world.view(0)
        let items = try read(CostTable.write(view), world)
        #expect(items.map { $0.fields[.cost] } == view.items.map { $0.fields[.cost]?.value })
        let other = "Date,Description,Category,Cost,Currency,Jie,Sam\n2026-06-12,D,C,8.00,EUR,4.00,-4.00"
        let error = #expect(throws: ServiceError.self) { try read(other, world) }
        #expect(error?.message.contains("2 members are called “Sam”") == true)
        _ = try read(other, world, .init(people: ["Sam": "Sam (2)"]))
    }

    @Test(
        "a row that is not understood is named, and nothing is read",
        arguments: [
            (
                "Date,Description,Category,Cost,Currency,Jie,Anna\n2026-06-12,D,C,8.00,EUR,4.00,-4.00",
                "row 2: there is nobody called “Anna”"
            ),
            ("Date,Description,Category,Cost,Currency,Jie,Mia\n2026-06-12,D,C,8.00,EUR,4.00,-3.00", "add up to 0"),
            ("Date,Description,Category,Cost,Currency,Jie,Mia\n2026-06-12,D,C,8.00,$,4.00,-4.00", "--currency"),
            (
                "Date,Description,Category,Cost,Currency,Jie,Mia\n2026-06-12,D,C,8.001,EUR,4.00,-4.00",
                "not an amount in EUR; write it like 1200.50"
            ),
            ("Date,Description,Category,Cost,Currency,Jie,Mia\n2026-06-12,D,C,\"1,000\",EUR,4.00,-4.00", "in two ways"),
            ("Date,Description,Category,Cost,Currency,Jie,Mia\n2026-06-12,D,C,-8,EUR,4.00,-4.00", "not above 0"),
            (
                "Date,Description,Category,Cost,Currency,Jie,Mia\n2026-06-12,D,C,99999999999999999999,EUR,4,-4",
                "not an amount"
            ),
            ("title,price\na,b", "not a table of expenses"), ("", "not a table of expenses"),
        ])
    func refused(text: String, saying: String) throws {
        let world = try trip()
        do {
            _ = try read(text, world)
            Issue.record("it is read")
        } catch let error as ServiceError { #expect(error.message.contains(saying), "\(error.message)") }
    }

    @Test("names of other programs are given, and the currency")
    func given() throws {
        let world = try trip()
        let text = "Date,Description,Category,Cost,Currency,J. Chen,Mia\n2026-06-12,D,C,8,$,4,-4"
        let items = try read(text, world, .init(people: ["J. Chen": "Jie"], currency: Currency(code: "EUR")))
        #expect(try balances(items, world) == ["Jie": 400, "Mia": -400])
    }
}
