import Testing
import TripModel
import TripService

@testable import TripPage

/// Where people share from: what a row says, who sees it, and how much of it is drawn.
@Suite struct SourcesTests {
    private typealias Sample = SampleTrip

    private func page(_ source: PageQuery.Source, _ change: (inout PageState) -> Void = { _ in }) -> PageState {
        Sample.state {
            ($0.query.view, $0.query.source) = (.sources, source)
            $0.sources = Sample.sources
            change(&$0)
        }
    }

    private func rows(_ state: PageState) -> [String] {
        let rows = TripPage.sourceRows(state)
        return TripPage.sourceList(state, rows, ListWindow(count: rows.count, at: state.query.at)).fragments
            .map(\.html.rendered)
    }

    @Test("a row is shared with one tap; what the trip has already says so, and leads there instead")
    func rowsOfAFeed() throws {
        let rows = rows(page(.feed("stays.csv")))
        try #require(rows.count == 3)
        #expect(rows[0].contains("name=\"do\" value=\"share\"") && rows[0].contains("value=\"feed:stays.csv\""))
        #expect(rows[0].contains("aria-label=\"Share Loft") && !rows[0].contains("<script>"))
        #expect(rows[0].contains("95 EUR/night") && rows[0].contains("https://example.org/rooms/7"))
        #expect(!rows[1].contains("value=\"share\"") && rows[1].contains("in the trip"))
        #expect(rows[1].contains("open=\(Sample.hostel.shortID)"))
        #expect(rows[2].contains("on your wish list") && !rows[2].contains("value=\"keep\""))
    }

    @Test("of what was looked at, what was removed is brought back, and what went for good is left out")
    func viewed() {
        let rows = rows(
            page(.viewed) {
                $0.trip = Sample.trip([Sample.casaDoRio], removed: [Sample.removedHostel])
                $0.sources?.viewed = [Sample.removedHostel.id, Sample.itemID(99), Sample.casaDoRio.id]
            })
        #expect(rows.count == 2)
        #expect(rows[0].contains("value=\"restore\"") && rows[1].contains("in the trip"))
    }

    @Test("a feed that isn't there has no heading, which would count its rows")
    func missingFeed() {
        #expect(TripPage.tools(page(.feed("stays.csv")), count: 3).html.rendered.contains("<h2"))
        #expect(!TripPage.tools(page(.feed("none")), count: 0).html.rendered.contains("<h2"))
    }

    @Test("a person who is out shares nothing, and a guest sees nothing of it, whatever the address says")
    func others() {
        let out = page(.feed("stays.csv")) { $0.status = Sample.status([], removal: RemovalView(.left, at: 0)) }
        #expect(rows(out).allSatisfy { !$0.contains("<form") })
        let guest = page(.wishes) { $0.viewer = Viewer(participant: Sample.lea.id, isGuest: true) }
        let document = TripPage.document(guest)
        #expect(!document.contains("Boat trip") && !document.contains("view=sources"))
        #expect(TripPage.document(page(.wishes)).contains("Boat trip"), "the test shows nothing")
    }

    @Test("the box of the wish list is another one than the trip's: its unsaved text is private")
    func boxes() {
        let wishes = TripPage.addBox(page(.wishes)).html.rendered
        let cards = TripPage.addBox(Sample.state()).html.rendered
        #expect(wishes.contains("for=\"wish\"") && wishes.contains("<input id=\"wish\" name=\"what\""))
        #expect(cards.contains("for=\"what\"") && cards.contains("<input id=\"what\" name=\"what\""))
        #expect(!wishes.contains("id=\"what\"") && !cards.contains("id=\"wish\""))
    }

    @Test("a feed of thousands is searched whole and drawn in a window")
    func window() {
        let many = page(.feed("stays.csv")) {
            $0.sources?.feed = .read(Offer.all((1...5_000).map { NewItem(title: "House \($0)") }))
        }
        let content = TripPage.content(many)
        #expect(content.lists.first { $0.id == "sources" }?.fragments.count == ListWindow.first)
        var searched = many
        searched.query.find = "4999 house"
        #expect(rows(searched).count == 1)
        var further = many
        further.query.at = 4_980
        #expect(rows(further).last?.contains("House 5000") == true)
    }

    @Test("what a row says names it: the same again is there once, and a word more is another")
    func ids() {
        let items = [
            NewItem(title: "a", fields: [.note: "b"]), NewItem(title: "a", fields: [.host: "b"]), NewItem(title: "a"),
            NewItem(title: "a", quantity: 1), NewItem(title: "a", fields: [.note: "b"]),
        ]
        let offers = Offer.all(items)
        #expect(offers.count == 4 && offers.allSatisfy { $0.id.utf8.count == 16 })
        #expect(offers.map(\.id) == Offer.all(items).map(\.id))
    }

    @Test(
        "a source is read from an address as it is written there; what is none is the wish list",
        arguments: [.wishes, .viewed, .feed("r/houses: a&b=<c>"), .feed("")] as [PageQuery.Source])
    func addresses(_ source: PageQuery.Source) {
        var query = PageQuery()
        (query.view, query.source) = (.sources, source)
        #expect(PageQuery(query.pairs) == query)
        #expect(PageQuery([("view", "sources"), ("from", "nowhere")]).source == .wishes)
        #expect(PageQuery.Source("feed:" + String(repeating: "x", count: 500))?.text.count == 105)
    }
}
