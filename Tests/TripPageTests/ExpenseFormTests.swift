import Foundation
import Testing
import TripFixtures
import TripModel
import TripService

@testable import TripPage

/// What the form of an expense asks of the trip, and what it says is wrong.
@Suite struct ExpenseFormTests {
    /// A trip of Jie, Mia and Noah, in which Jie paid for a dinner of all.
    private func world(_ names: [String] = ["Jie", "Mia", "Noah"]) throws -> World {
        var world = World(participants: [0, 1, 2])
        for (device, name) in names.enumerated() { try world.perform(.setName(name), on: device) }
        try world.syncAll()
        let cost = try TypedCost(amount: "90 EUR").cost(in: world.view(0), by: world.nodes[0].participant)
        _ = try world.add(
            ItemDraft(title: "Dinner", fields: [.cost: cost.text, .itemKind: ItemView.expenseKind, .note: "late"]),
            on: 0)
        try world.syncAll()
        return world
    }

    private func ids(_ world: World) -> [String] { world.nodes.map { "\($0.participant)" } }

    private func taxi(_ world: World) -> ExpenseForm {
        var form = ExpenseForm()
        (form.title, form.amount, form.currency) = ("Taxi", "30", "EUR")
        form.payers = [ExpenseForm.Person(ids(world)[1])]
        form.sharers = ids(world).map { ExpenseForm.Person($0) }
        return form
    }

    private func cost(_ action: PageAction) -> Cost? {
        switch action {
        case .add(let items): items.first?.fields[.cost].flatMap { Cost($0) }
        case .act(.edit(let fields, _), _): fields[.cost].flatMap { $0 }.flatMap { Cost($0) }
        default: nil
        }
    }

    @Test("a new expense is paid by those who are ticked, and shared as the form says")
    func adding() throws {
        let world = try world()
        let (jie, mia, noah) = (ids(world)[0], ids(world)[1], ids(world)[2])
        var form = taxi(world)
        (form.dates, form.category, form.note) = ("2026-06-12", "transport", "")
        let action = try form.action(in: world.view(0), by: world.nodes[0].participant)
        guard case .add(let items) = action, let item = items.first else { return _ = Issue.record("\(action)") }
        #expect(item.title == "Taxi" && item.fields[.itemKind] == ItemView.expenseKind)
        #expect(
            item.fields[.dates] == "2026-06-12" && item.fields[.category] == "transport" && item.fields[.note] == nil)
        #expect(cost(action)?.payers.map { "\($0.person)" } == [mia] && cost(action)?.shares.count == 3)
        // Two payers with amounts, and an amount with a currency of its own.
        (form.amount, form.currency) = ("12,50 CHF", "")
        form.payers = [ExpenseForm.Person(jie, "10"), ExpenseForm.Person(noah, "2.50")]
        (form.way, form.sharers) = (.percent, [ExpenseForm.Person(jie, "25"), ExpenseForm.Person(mia, "75")])
        let split = try #require(cost(try form.action(in: world.view(0), by: world.nodes[0].participant)))
        #expect(split.amount == Money(1_250, try #require(Currency(code: "CHF"))) && split.way == .percent)
        // The same currency twice is no contradiction.
        form.currency = "chf"
        #expect(cost(try form.action(in: world.view(0), by: world.nodes[0].participant)) == split)
        #expect(Set(split.payers.map(\.number)) == [1_000, 250] && Set(split.shares.map(\.number)) == [2_500, 7_500])
        // The number beside a single payer says nothing.
        form.payers = [ExpenseForm.Person(noah, "1")]
        #expect(
            cost(try form.action(in: world.view(0), by: world.nodes[0].participant))?.payers.map(\.number) == [1_250])
        // A sign that several currencies share, beside the one that is meant.
        (form.amount, form.currency) = ("$20", "cad")
        #expect(
            cost(try form.action(in: world.view(0), by: world.nodes[0].participant))?.amount.currency.code == "CAD")
    }

    @Test("a name from right to left stays beside its checkbox: its label is set as the page is")
    func nameBesideBox() throws {
        let world = try world(["Jie", "נועה", "Noah"])
        let content = TripPage.content(
            SampleTrip.state {
                $0.trip = world.view(0)
                $0.viewer = Viewer(participant: world.nodes[0].participant)
                $0.query.view = .costs
                $0.query.isEditing = true
            })
        let form = content.fragments.first { $0.id == "view" }?.html.rendered ?? ""
        #expect(form.components(separatedBy: "\"><span dir=\"auto\">נועה</span></label>").count == 3, "\(form)")
    }

    @Test(
        "an amount without a currency is refused in words that name its field, and the field shows none that isn't there"
    )
    func currency() {
        do {
            _ = try Money(typed: "84", home: nil)
            Issue.record("an amount without a currency")
        } catch {
            #expect(
                PlainWords.told(error.message) == "The amount has no currency; write a code, like EUR, in Currency")
        }
        let content = TripPage.content(
            SampleTrip.state {
                $0.query.view = .costs
                $0.query.isEditing = true
            })
        let form = content.fragments.first { $0.id == "view" }?.html.rendered ?? ""
        #expect(form.contains("name=\"currency\"") && !form.contains("placeholder=\"EUR\""))
    }

    private static let faults: [(ExpenseForm.Part, String, @Sendable (inout ExpenseForm) -> Void)] = [
        (.title, "has no name", { $0.title = " " }), (.amount, "is not an amount", { $0.amount = "thirty" }),
        (.amount, "is in CHF, but Currency says “EUR”; change one of them", { $0.amount = "30 CHF" }),
        (
            .amount, "is in EUR, but Currency says “CHF”; change one of them",
            { ($0.amount, $0.currency) = ("€30", "CHF") }
        ),
        (.amount, "is in EUR, but Currency says “euros”", { ($0.amount, $0.currency) = ("30 EUR", "euros") }),
        (.amount, "is not a currency", { $0.currency = "QQQ" }), (.amount, "Write the amount.", { $0.amount = "" }),
        (.rate, "rate", { $0.rate = "much" }), (.payers, "Nobody paid", { $0.payers = [] }),
        (.payers, "nobody called", { $0.payers = [ExpenseForm.Person("00")] }),
        (.payers, "has no number", { $0.payers = [$0.sharers[0], ExpenseForm.Person($0.sharers[1].id, "5")] }),
        (
            .payers, "does not add up",
            { $0.payers = [ExpenseForm.Person($0.sharers[0].id, "5"), ExpenseForm.Person($0.sharers[1].id, "5")] }
        ),
        (
            .sharers, "Untick people who don’t share it",
            {
                $0.way = .parts
                $0.sharers = [ExpenseForm.Person($0.sharers[0].id, "1"), ExpenseForm.Person($0.sharers[1].id, "0")]
            }
        ),
        (
            .sharers, "Untick people who don’t share it",
            {
                $0.way = .exactly
                $0.sharers = [ExpenseForm.Person($0.sharers[0].id, "30"), ExpenseForm.Person($0.sharers[1].id, "0")]
            }
        ),
        (
            .sharers, "The shares add up to €20.00, €10.00 less than €30.00",
            {
                $0.way = .exactly
                $0.sharers = [ExpenseForm.Person($0.sharers[0].id, "20")]
            }
        ),
        (
            .sharers, "The shares add up to €31.00, €1.00 more than €30.00",
            {
                $0.way = .exactly
                $0.sharers = [ExpenseForm.Person($0.sharers[0].id, "20"), ExpenseForm.Person($0.sharers[1].id, "11")]
            }
        ),
        (.amount, "The amount must be more than 0", { $0.amount = "0" }),
        (.sharers, "Nobody shares", { $0.sharers = [] }), (.sharers, "has no number", { $0.way = .parts }),
        (
            .sharers, "do not add up to 100",
            {
                $0.way = .percent
                $0.sharers = [ExpenseForm.Person($0.sharers[0].id, "99")]
            }
        ),
        (
            .sharers, "isn’t a number",
            {
                $0.way = .parts
                $0.sharers = [ExpenseForm.Person($0.sharers[0].id, "1=2")]
            }
        ),
        (.dates, "isn’t a date", { $0.dates = "tomorrow" }),
    ]

    @Test("each fault is said at its part alone", arguments: faults.indices)
    func faulty(_ index: Int) throws {
        let (part, words, change) = Self.faults[index]
        let world = try world()
        var form = taxi(world)
        change(&form)
        do throws(RefusedExpense) {
            Issue.record("\(try form.action(in: world.view(0), by: world.nodes[0].participant))")
        } catch {
            #expect(
                Array(error.faults.keys) == [part] && error.faults[part]?.contains(words) == true, "\(error.faults)")
            #expect(error.form == form)
        }
    }

    @Test("an edit writes what differs from what was shown")
    func editing() throws {
        let world = try world()
        let view = world.view(0)
        let expense = try #require(view.costs.expenses.first)
        var form = ExpenseForm(expense)
        let unchanged = try form.action(in: view, by: world.nodes[0].participant)
        #expect(unchanged.request() == nil, "\(unchanged)")
        (form.amount, form.note) = ("96", "")
        let action = try form.action(in: view, by: world.nodes[0].participant)
        #expect(cost(action)?.amount.minorUnits == 9_600)
        guard case .act(.edit(let fields, let shown), let items) = action else { return _ = Issue.record("\(action)") }
        #expect(Set(fields.keys) == [.cost, .note] && fields[.note] == .some(nil))
        #expect(shown == [.cost: [expense.cost.text], .note: ["late"]] && items == [expense.item.shortID])
    }

    @Test("of two versions that were written at once, saving the form keeps what it shows")
    func versions() throws {
        var world = try world()
        let id = try #require(world.view(0).costs.expenses.first?.item.id)
        for (device, amount) in [(0, "91 EUR"), (1, "92 EUR")] {
            let cost = try TypedCost(amount: amount).cost(in: world.view(device), by: world.nodes[device].participant)
            try world.perform(.edit(id, [.cost: cost.text]), on: device)
        }
        try world.syncAll()
        let expense = try #require(world.view(2).costs.expenses.first)
        #expect(expense.versions == 2)
        let action = try ExpenseForm(expense).action(in: world.view(2), by: world.nodes[2].participant)
        #expect(cost(action) == expense.cost)
        guard case .act(.edit(_, let shown), _) = action else { return _ = Issue.record("\(action)") }
        #expect(shown[.cost]?.count == 2)
    }

    @Test("somebody who is called like another person's id doesn't pay for them")
    func names() throws {
        var world = try world()
        let jie = ids(world)[0]
        try world.perform(.setName(jie), on: 1)
        try world.syncAll()
        var form = taxi(world)
        form.payers = [ExpenseForm.Person(jie)]
        let view = world.view(2)
        do throws(RefusedExpense) {
            let cost = cost(try form.action(in: view, by: world.nodes[2].participant))
            #expect(cost?.payers.map { "\($0.person)" } == [jie])
        } catch {
            #expect(Set(error.faults.keys).isSubset(of: [.amount, .payers]))
        }
    }
}
