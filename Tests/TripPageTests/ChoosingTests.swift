import Foundation
import Testing
import TripModel

@testable import TripPage

/// What a late-comer asks the list for: one kind, what they did not vote on, and what was decided.
@Suite struct ChoosingTests {
    private static let items = [
        SampleTrip.item(
            1, [.title: SampleTrip.value("Casa"), .itemKind: SampleTrip.value("stay")],
            votes: [SampleTrip.vote(SampleTrip.jie, .for)]),
        SampleTrip.item(2, [.title: SampleTrip.value("Surf"), .itemKind: SampleTrip.value("activity")]),
        SampleTrip.item(
            3,
            [
                .title: SampleTrip.value("Loft"), .itemKind: SampleTrip.value("stay"),
                .chosen: SampleTrip.value(Field.setValue),
            ],
            votes: [SampleTrip.vote(SampleTrip.mia, .for)]),
        SampleTrip.item(4, [.title: SampleTrip.value("Stove")], quantity: 1),
    ]

    private func state(_ change: (inout PageState) -> Void) -> PageState {
        SampleTrip.state {
            $0.trip = SampleTrip.trip(Self.items)
            $0.query = PageQuery()
            change(&$0)
        }
    }

    private func titles(_ list: String, _ change: (inout PageQuery) -> Void) -> [Int] {
        let content = TripPage.content(state { change(&$0.query) })
        let fragments = content.lists.first { $0.id == list }?.fragments ?? []
        return fragments.compactMap { fragment in Self.items.first { fragment.id.hasSuffix($0.shortID) }?.number }
    }

    @Test("as added, what was chosen comes first")
    func chosenFirst() {
        #expect(titles("cards") { _ in } == [3, 1, 2])
        #expect(titles("cards") { $0.sort = .recent } != [3, 1, 2])
    }

    @Test("what the viewer did not vote on comes first, and is counted, where they ask for that")
    func unvotedFirst() {
        #expect(titles("cards") { $0.priority = .unvoted } == [2, 3, 1])
        let tools = TripPage.tools(state { _ in }, count: 3).html.rendered
        #expect(tools.contains("Not voted yet (2)") && tools.contains("sort=unvoted"))
        let guest = TripPage.tools(state { $0.viewer = Viewer(participant: nil) }, count: 3).html.rendered
        #expect(!guest.contains("Not voted yet"))
    }

    @Test(
        "cards and the ranking show one kind, of those that are there",
        arguments: [("cards", [3, 1]), ("ranking", [1, 3])])
    func kinds(_ list: String, _ expected: [Int]) {
        #expect(
            titles(list) {
                $0.view = list == "cards" ? .cards : .ranking
                $0.kind = .stay
            } == expected)
        let tools = TripPage.tools(state { $0.query.kind = .stay }, count: 2).html.rendered
        #expect(tools.contains(">Stays</a>") && tools.contains(">Activities</a>") && !tools.contains(">Ideas</a>"))
        #expect(tools.contains("Not voted yet (1)"))
    }

    @Test("what is new comes first where the viewer asks for that, is marked and counted, with what is to be packed")
    func newFirst() {
        let news = Set([Self.items[1], Self.items[3]].map(\.id))
        let all = state { $0.news = news }
        #expect(TripPage.content(all).title == "(2) Lisbon in June")
        #expect(TripPage.header(all).html.rendered.contains(">2 new</a>"))
        #expect(TripPage.tools(all, count: 3).html.rendered.contains("New (2)"))
        let sorted = TripPage.content(
            state {
                $0.news = news
                $0.query.priority = .new
            })
        let cards = sorted.lists.first { $0.id == "cards" }?.fragments ?? []
        #expect(cards.map { $0.html.rendered.contains("data-mark=\"new\"") } == [true, true, false, false])
        #expect(sorted.fragments.first { $0.id == "view" }?.html.rendered.contains("Mark all as seen") == true)
        let none = state { $0.query.priority = .new }
        #expect(TripPage.content(none).title == "Lisbon in June")
        #expect(TripPage.newsBar(none).rendered.contains("Nothing new since you last looked"))
        #expect(!TripPage.header(none).html.rendered.contains("new"))
    }

    @Test("a card that is not new, and a page on which nothing is, cost no byte more")
    func costsNothing() {
        let (item, frame) = (Self.items[0], CardFrame(state { _ in }))
        let (old, new) = (
            TripPage.card(CollapsedCard(item: item, frame: frame, notice: nil)),
            TripPage.card(CollapsedCard(item: item, frame: frame, notice: nil, isNew: true))
        )
        let mark = TripPage.newMark.rendered
        #expect(new.html.rendered.replacingOccurrences(of: mark, with: "") == old.html.rendered)
        #expect(new.html.rendered.contains(mark) && !old.html.rendered.contains(mark))
        // What a vote changes is the same part of the card.
        #expect(old.markup.parts.map(\.id) == new.markup.parts.map(\.id))
    }

    @Test("an address says the kind and the order, and what is not known is passed over")
    func addresses() {
        var query = PageQuery()
        (query.kind, query.priority) = (.stay, .unvoted)
        #expect(query.text == "sort=unvoted&kind=stay" && PageQuery(query.pairs) == query)
        query.priority = .new
        #expect(query.text == "sort=new&kind=stay" && PageQuery(query.pairs) == query)
        #expect(PageQuery([("kind", "castle"), ("sort", "best")]) == PageQuery())
    }

    @Test("the one that leads can be chosen in the ranking")
    func decides() {
        let rows =
            TripPage.content(state { $0.query.view = .ranking }).lists.first { $0.id == "ranking" }?.fragments ?? []
        #expect(rows.map { $0.html.rendered.contains("★ Cho") } == [true, true, false])
        // What is chosen says so on its button.
        #expect(TripPage.choice(SampleTrip.casaDoRio, PageTarget(SampleTrip.state())).rendered.contains(">★ Choose<"))
        let chosen = SampleTrip.item(9, [.title: SampleTrip.value("Casa"), .chosen: SampleTrip.value("true")])
        let button = TripPage.choice(chosen, PageTarget(SampleTrip.state())).rendered
        #expect(button.contains(">★ Chosen<") && button.contains("aria-label=\"Chosen: Casa\""))
    }
}
