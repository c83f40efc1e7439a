import Foundation
import Testing
import TripExchange
import TripFixtures
import TripModel
import TripService

@testable import TripPage

/// The view of costs, and where expenses are not shown.
@Suite struct CostsViewTests {
    private func world() throws -> World {
        var world = World(participants: [0, 1, 2])
        for (device, name) in ["Jie", "Mia", "Noah"].enumerated() { try world.perform(.setName(name), on: device) }
        try world.syncAll()
        let cost = try TypedCost(amount: "90 EUR", payers: ["Noah"]).cost(
            in: world.view(0), by: world.nodes[0].participant)
        let fields: [Field: String] = [.cost: cost.text, .itemKind: ItemView.expenseKind]
        _ = try world.add(ItemDraft(title: "Dinner", fields: fields), on: 0)
        _ = try world.add(ItemDraft(title: "Casa do Rio"), on: 0)
        return world
    }

    private func state(_ world: World, _ view: PageQuery.View, as device: Int = 0) -> PageState {
        SampleTrip.state {
            $0.trip = world.view(device)
            $0.query.view = view
            $0.viewer = Viewer(participant: world.nodes[device].participant)
        }
    }

    @Test("a vote on a cost is called a dispute, as its button is")
    func dispute() throws {
        let world = try world()
        let dinner = try #require(world.view(0).items.first { $0.title == "Dinner" })
        let say = { (vote: Vote?, act: Receipt.Act) in
            Toast(
                .act(.vote(vote), on: [dinner.shortID]), Receipt(act, [dinner]), before: [dinner],
                viewer: world.nodes[0].participant
            ).text
        }
        #expect(say(.against, .votedAgainst) == "You disputed “Dinner”")
        #expect(say(nil, .unvoted) == "Withdrew your dispute of “Dinner”")
    }

    @Test("an item with an expense's title is new, for a guest sees no costs")
    func known() throws {
        let view = try world().view(0)
        #expect(KnownItems(view).holder(of: NewItem(title: "Dinner")) == nil)
        #expect(KnownItems(view).holder(of: NewItem(title: "Casa do Rio")) != nil)
    }

    /// Sentences without the marks of the names in them.
    private func sentences(_ content: PageContent) -> String {
        text(content).replacingOccurrences(of: "<span dir=\"auto\">", with: "")
            .replacingOccurrences(of: "</span>", with: "")
    }

    private func text(_ content: PageContent) -> String {
        content.fragments.map(\.html.rendered).joined()
            + content.lists.flatMap(\.fragments).map(\.html.rendered).joined()
    }

    @Test("expenses are among the costs, and in no other view of what is planned")
    func places() throws {
        let world = try world()
        #expect(text(TripPage.content(state(world, .costs))).contains("Dinner"))
        for view in [PageQuery.View.cards, .ranking, .bring, .map] {
            #expect(!text(TripPage.content(state(world, view))).contains("Dinner"), "\(view)")
        }
        #expect(text(TripPage.content(state(world, .cards))).contains("Casa do Rio"))
    }

    @Test("members add and edit expenses, and who is out only reads them")
    func forms() throws {
        let world = try world()
        var state = state(world, .costs)
        let expense = try #require(state.trip.costs.expenses.first?.item)
        #expect(text(TripPage.content(state)).contains("Add an expense"))
        #expect(text(TripPage.content(state)).contains("aria-label=\"Edit Dinner\""))
        state.query.isEditing = true
        #expect(text(TripPage.content(state)).contains("id=\"cost-form\""))
        state.query.open = expense.shortID
        #expect(text(TripPage.content(state)).contains("id=\"cost-form-\(expense.shortID)\""))
        state.query.open = "ffffffffffff"
        #expect(text(TripPage.content(state)).contains("no longer there"))
        state.status = SampleTrip.status([], removal: RemovalView(.removed, by: "Jie", at: SampleTrip.now))
        for isEditing in [true, false] {
            (state.query.open, state.query.isEditing) = (nil, isEditing)
            #expect(!text(TripPage.content(state)).contains("Add an expense"))
            #expect(text(TripPage.content(state)).contains("Dinner"))
        }
    }

    @Test("a sentence says who paid for which people, with “you” for the reader")
    func sentences() throws {
        var world = try world()
        try world.syncAll()
        #expect(sentences(TripPage.content(state(world, .costs, as: 2))).contains("You paid for yourself, "))
        let asMia = sentences(TripPage.content(state(world, .costs, as: 1)))
        #expect(asMia.contains("Noah paid for you, ") && asMia.contains(" and themself") && !asMia.contains(", You"))
    }

    @Test("a name from right to left is set by itself within the sentence of an expense and of a payment")
    func isolated() throws {
        var world = try world()
        try world.perform(.setName("נועה"), on: 2)
        let euro = try #require(Currency(code: "EUR"))
        let payment = try Cost(
            payment: Money(500, euro), from: world.nodes[2].participant, to: world.nodes[0].participant)
        let paid: [Field: String] = [.payment: payment.text, .itemKind: ItemView.paymentKind]
        _ = try world.add(ItemDraft(title: "Payment from נועה", fields: paid), on: 0)
        try world.syncAll()
        let page = text(TripPage.content(state(world, .costs)))
        let name = "<span><span dir=\"auto\">נועה</span>"
        #expect(page.contains("\(name) paid for "), "\(page)")
        #expect(page.contains("\(name) paid <span dir=\"auto\">you</span></span>"), "\(page)")
    }

    @Test("within a sentence the reader is “you”, and at its beginning “You”, also as one of several payers")
    func you() throws {
        var world = try world()
        let cost = try TypedCost(amount: "90 EUR", payers: ["Noah=30", "Mia=60"]).cost(
            in: world.view(0), by: world.nodes[0].participant)
        let fields: [Field: String] = [.cost: cost.text, .itemKind: ItemView.expenseKind]
        _ = try world.add(ItemDraft(title: "Taxi", fields: fields), on: 0)
        let euro = try #require(Currency(code: "EUR"))
        let payment = try Cost(
            payment: Money(500, euro), from: world.nodes[0].participant, to: world.nodes[2].participant)
        let paid: [Field: String] = [.payment: payment.text, .itemKind: ItemView.paymentKind]
        _ = try world.add(ItemDraft(title: "Payment to Noah", fields: paid), on: 0)
        try world.syncAll()
        let wanted = [
            0: ["You paid Noah", " paid for you and themselves"],
            1: ["You and Noah paid for yourselves and Jie", "Jie paid Noah"],
            2: ["You and Mia paid for yourselves and Jie", "Jie paid you"],
        ]
        for (device, sentences) in wanted {
            let page = self.sentences(TripPage.content(state(world, .costs, as: device)))
            for sentence in sentences { #expect(page.contains(sentence), "\(device): \(sentence)") }
            for wrong in ["paid You", "and You", ", You"] { #expect(!page.contains(wrong), "\(device): \(wrong)") }
        }
    }

    @Test("balances and payments are shown, and only the two people of a payment can record it")
    func settling() throws {
        var world = try world()
        try world.syncAll()
        let page = text(TripPage.content(state(world, .costs)))
        #expect(page.contains("+€60.00") && page.contains("−€30.00") && page.contains("You</span> pay "))
        #expect(page.components(separatedBy: "I paid</button>").count == 2)
        #expect(
            text(TripPage.content(state(world, .costs, as: 2))).components(separatedBy: "I was paid</button>").count
                == 3)
        // What the button sends is a payment that settles it.
        let euro = try #require(Currency(code: "EUR"))
        let transfer = try #require(world.view(0).costs.transfers(in: euro).first)
        let cost = try Cost(payment: Money(transfer.minorUnits, euro), from: transfer.from, to: transfer.to)
        let action = PageAction.add([
            NewItem(title: "Payment to Noah", fields: [.payment: cost.text, .itemKind: ItemView.paymentKind])
        ])
        #expect(try PageAction(fields: action.fields) == action)
    }
}
