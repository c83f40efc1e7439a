import Testing
import TripFixtures
import TripModel
import TripService

@testable import TripPage

/// A trip of many items, each with a few fields and votes.
private func large(_ count: Int) throws -> TripView {
    var world = World(participants: [0])
    try world.perform(.setName("Jie"), on: 0)
    for start in stride(from: 0, to: count, by: 500) {
        let drafts = (start..<min(start + 500, count)).map {
            ItemDraft(
                title: "Casa number \($0) with a name of some length",
                fields: [.price: "€\($0) a night", .host: "Ana", .link: "https://www.example.org/rooms/\($0)"])
        }
        try world.perform(.add(drafts), on: 0)
    }
    return world.view(0)
}

@Suite struct DocumentTests {
    @Test(
        "every view's document holds the fragments and lists of its content, each id once",
        arguments: PageQuery.View.allCases)
    func document(_ view: PageQuery.View) {
        let state = SampleTrip.state {
            $0.query.view = view
            $0.query.compare = [SampleTrip.casaDoRio.shortID, SampleTrip.hostel.shortID]
            $0.query.open = SampleTrip.stove.shortID
        }
        let content = TripPage.content(state)
        let document = TripPage.document(state)
        for fragment in content.fragments + content.lists.flatMap(\.fragments) {
            #expect(fragment.html.rendered.contains("id=\"\(fragment.id)\""))
            #expect(document.contains(fragment.html.rendered), "\(fragment.id)")
        }
        for list in content.lists { #expect(document.contains("id=\"\(list.id)\" data-list=\"\(list.id)\"")) }
        let ids = document.split(separator: " id=\"").dropFirst().map { $0.prefix { $0 != "\"" } }
        #expect(Set(ids).count == ids.count, "\(ids.sorted())")
        #expect(document.hasPrefix("<!DOCTYPE html><html lang=\"en\""))
        #expect(document.split(separator: "<h1").count == 2)
    }

    @Test("views whose name isn't in sight among the tabs begin with it")
    func names() {
        for (view, name) in [(PageQuery.View.days, "Days"), (.costs, "Costs"), (.questions, "Questions")] {
            let content = TripPage.content(SampleTrip.state { $0.query.view = view })
            let html = content.fragments.first { $0.id == "view" }?.html.rendered ?? ""
            #expect(html.hasPrefix("<div id=\"view\"><h2>\(name)</h2>"), "\(view)")
        }
    }

    @Test("every view has the same fragments and lists, so that a patch leads from any to any")
    func frame() {
        let names = { (view: PageQuery.View, viewer: Viewer) in
            let content = TripPage.content(
                SampleTrip.state {
                    $0.query.view = view
                    $0.viewer = viewer
                })
            return Set(content.fragments.map(\.id)).union(content.lists.map { "list " + $0.id })
        }
        let first = names(.cards, Viewer(participant: SampleTrip.jie.id))
        for view in PageQuery.View.allCases {
            #expect(names(view, Viewer(participant: SampleTrip.jie.id)) == first)
            #expect(names(view, Viewer(participant: SampleTrip.lea.id, isGuest: true)) == first)
            #expect(names(view, Viewer(participant: nil, isGuest: true)) == first)
        }
    }

    @Test("nothing that runs or styles stands in a document: both are files", arguments: PageQuery.View.allCases)
    func inline(_ view: PageQuery.View) {
        let document = TripPage.document(SampleTrip.state { $0.query.view = view })
        #expect(!document.contains(" style=") && !document.contains("<style") && !document.contains(" onclick"))
        #expect(document.split(separator: "<script").count == 2)
        #expect(document.contains("<script src=\"/script/page.js?v=\(TripPage.script.fingerprint)\" defer></script>"))
    }

    @Test("a guest's page holds the trip's items and nothing else of it", arguments: PageQuery.View.allCases)
    func guest(_ view: PageQuery.View) {
        let document = TripPage.document(
            SampleTrip.state {
                $0.query.view = view
                $0.viewer = Viewer(participant: SampleTrip.lea.id, isGuest: true)
            })
        for text in ["view=members", "view=history", "view=status", "view=trips", "192.168.1.20", "\"deed\""] {
            #expect(!document.contains(text), "\(text)")
        }
    }

    @Test("a guest who has not said who they are sees the question and no item")
    func entrance() {
        let document = TripPage.document(SampleTrip.state { $0.viewer = Viewer(participant: nil, isGuest: true) })
        #expect(document.contains("Who are you?") && document.contains("Lisbon in June"))
        #expect(!document.contains("Casa do Rio") && !document.contains("Hostel"))
    }

    @Test("a trip of 1,000 items is shown first in less than 200 kB, and more is asked for at its end")
    func size() throws {
        let trip = try large(1_000)
        let state = SampleTrip.state { $0.trip = trip }
        let document = TripPage.document(state)
        #expect(document.utf8.count < 200_000, "\(document.utf8.count) bytes")
        #expect(document.contains("?at=120\">Show more (940 left)</a>"))
        let cards = TripPage.content(state).lists.first { $0.id == "cards" }
        #expect(cards?.fragments.count == 60)
    }

    @Test(
        "links alone lead through all rows, each shown once on the way there and on the way back",
        arguments: [1, 60, 61, 150, 151, 1_000])
    func links(_ count: Int) throws {
        func follow(_ end: String, from query: PageQuery) throws -> PageQuery? {
            let window = ListWindow(count: count, at: query.at)
            let state = SampleTrip.state { $0.query = query }
            let html = try #require(TripPage.beyond(window, state).first { $0.id == end }?.html)
            return html.values(of: .href).first.map { address in
                PageQuery(
                    address.split(separator: "?").last!.split(separator: "&").map {
                        let pair = $0.split(separator: "=")
                        return (String(pair[0]), String(pair[1]))
                    })
            }
        }
        var (query, rows) = (PageQuery(), [Int]())
        while true {
            rows += ListWindow(count: count, at: query.at).range
            guard let next = try follow("later", from: query) else { break }
            query = next
        }
        #expect(rows == Array(0..<count))
        var back = Set(ListWindow(count: count, at: query.at).range)
        while let next = try follow("earlier", from: query) {
            query = next
            back.formUnion(ListWindow(count: count, at: query.at).range)
        }
        #expect(back == Set(0..<count))
    }

    @Test("what is drawn reaches from before the reader to beyond them, and stays within the rows that there are")
    func window() {
        #expect(ListWindow(count: 1_000, at: 300).range == 240..<390)
        #expect(ListWindow(count: 1_000, at: 0).range == 0..<90)
        #expect(ListWindow(count: 100, at: 999_990).range == 30..<100)
        #expect(ListWindow(count: 0, at: 60).range.isEmpty && ListWindow(count: 0, at: nil).range.isEmpty)
        #expect(ListWindow(count: 100, at: nil, open: 59).range == 0..<60)
        for columns in 1...3 { #expect(ListWindow.step % columns == 0) }
    }

    @Test("a card that is linked to is shown, however far down it stands")
    func opened() throws {
        let trip = try large(100)
        let state = SampleTrip.state {
            $0.trip = trip
            $0.query.open = $0.trip.items[99].shortID
        }
        let cards = try #require(TripPage.content(state).lists.first { $0.id == "cards" })
        #expect(cards.fragments[0].id == "c-" + state.trip.items[99].shortID)
        #expect(cards.fragments[0].html.rendered.contains("card expanded"))
    }

    @Test("only cards that are new are drawn, where one remembers what was drawn")
    func remembered() throws {
        let trip = try large(200)
        var state = SampleTrip.state { $0.trip = trip }
        var drawn: [ItemID: (card: CollapsedCard, fragment: Fragment)] = [:]
        var count = 0
        let draw = { (card: CollapsedCard) -> Fragment in
            if let known = drawn[card.item.id], known.card == card { return known.fragment }
            count += 1
            let fragment = TripPage.card(card)
            drawn[card.item.id] = (card, fragment)
            return fragment
        }
        #expect(TripPage.content(state, drawing: draw) == TripPage.content(state))
        #expect(count == 60)
        state.now += 1_000
        state.query.at = 60
        #expect(TripPage.content(state, drawing: draw) == TripPage.content(state))
        #expect(count == 150)
    }
}

@Suite struct EscapingTests {
    private static let attack = "\"><script>alert(1)</script>&'"

    /// An item whose every text is an attack, proposals and names included.
    private static func attacked(_ number: Int, isRemoved: Bool = false) -> ItemView {
        let mallory = SampleTrip.Person(id: SampleTrip.mia.id, name: attack)
        var fields: [Field: FieldView] = [:]
        for field in Field.allCases {
            fields[field] = SampleTrip.value(
                attack + "\(number)", by: mallory, beside: [("javascript:" + attack, mallory), ("data:x", mallory)])
        }
        return SampleTrip.item(
            number, fields, votes: [SampleTrip.vote(mallory, .for)], quantity: number == 1 ? nil : 3,
            isRemoved: isRemoved, by: mallory)
    }

    @Test("script in any text is text, in every view", arguments: PageQuery.View.allCases, [true, false])
    func script(_ view: PageQuery.View, isEditing: Bool) {
        let items = [Self.attacked(1), Self.attacked(2)]
        let state = SampleTrip.state {
            $0.trip = TripView(
                title: SampleTrip.value(Self.attack),
                participants: SampleTrip.people.map {
                    ParticipantView(id: $0.id, name: Self.attack, displayName: Self.attack, isOut: false)
                },
                items: items, removedItems: [Self.attacked(3, isRemoved: true)])
            $0.query = PageQuery([
                ("view", view.rawValue), ("open", items[isEditing ? 0 : 1].shortID), ("edit", isEditing ? "1" : "0"),
                ("find", view == .cards && !isEditing ? "<script>" : ""),
                ("compare", items.map(\.shortID).joined(separator: ",")),
            ])
            $0.toast = Toast(
                Self.attack, undo: .act(.edit([.title: Self.attack], shown: [:]), on: [items[0].shortID]))
        }
        let document = TripPage.document(state)
        #expect(!document.contains("<script>") && document.split(separator: "<script").count == 2)
        #expect(!document.contains("href=\"javascript") && !document.contains("href=\"data"))
        #expect(document.contains("&lt;script&gt;alert(1)"))
    }
}

@Suite struct PageQueryTests {
    @Test("a query is read from its address as it was written there")
    func roundTrip() {
        var query = PageQuery()
        #expect(query.text.isEmpty && PageQuery(query.pairs) == query)
        query.view = .compare
        query.sort = .recent
        query.find = "Casa & <Río>"
        query.open = "b4e7c0ffee01"
        query.isEditing = true
        query.at = 180
        query.compare = ["b4e7c0ffee01", "b4e7c0ffee02"]
        #expect(PageQuery(query.pairs) == query)
        #expect(query.text.contains("find=Casa%20%26%20%3CR%C3%ADo%3E"))
    }

    @Test("what an address gets wrong is passed over, and bounds hold")
    func bounds() {
        let query = PageQuery([
            ("view", "kitchen"), ("at", "-5"), ("at", "99999999999999999999"), ("open", "<script>"), ("edit", "2"),
            ("compare", "b4e7,b4e8,b4e9,b4ea,zz"), ("find", String(repeating: "a", count: 1_000)), ("other", "x"),
        ])
        #expect(query.view == .cards && query.at == 0 && query.open == nil && !query.isEditing)
        #expect(query.compare == ["b4e7", "b4e8", "b4e9"] && query.find.count == PageQuery.findMax)
    }
}
