import Testing
import TripModel

@testable import TripPage

@Suite struct RankingTests {
    private static func items(_ tallies: [Int]) -> [ItemView] {
        tallies.enumerated().map { index, tally in
            let voters = SampleTrip.people.prefix(abs(tally)).map { SampleTrip.vote($0, tally > 0 ? .for : .against) }
            return SampleTrip.item(index + 1, [.title: SampleTrip.value("Item \(index + 1)")], votes: Array(voters))
        }
    }

    private static func state(_ tallies: [Int], _ change: (inout PageState) -> Void = { _ in }) -> PageState {
        SampleTrip.state {
            $0.trip = TripView(
                title: nil, participants: SampleTrip.trip.participants, items: items(tallies), removedItems: [])
            change(&$0)
        }
    }

    private static func list(_ id: String, _ state: PageState) -> [Fragment] {
        TripPage.content(state).lists.first { $0.id == id }?.fragments ?? []
    }

    @Test("who has as many votes shares a rank, and the next one counts on after them")
    func ties() {
        let state = Self.state([1, 3, 3, -1, 1])
        let ranked = TripPage.ranked(TripPage.rankedItems(state), limit: 10)
        #expect(ranked.map(\.item.number) == [2, 3, 1, 5, 4])
        #expect(ranked.map(\.rank) == [1, 1, 3, 3, 5])
    }

    @Test("the leaders are the best of those that anybody wants, first come first among equals")
    func leaders() {
        let tallies = [0, 1, 2, 3, 4, 5, 6, 7, 7, 1, 2, -1]
        let leaders = Self.list("leaders", Self.state(tallies)).map(\.id)
        let best = Self.items(tallies).filter { $0.tally > 0 }.sorted { ($1.tally, $0.number) < ($0.tally, $1.number) }
        #expect(leaders == best.prefix(8).map { "l-" + $0.shortID })
    }

    @Test("a row says what its rank is worth")
    func praise() {
        let rows = Self.list("ranking", Self.state([3, 2, -1]) { $0.query.view = .ranking }).map(\.html.rendered)
        #expect(rows.count == 3)
        #expect(rows[0].contains("most wanted") && rows[0].contains("nobody against"))
        #expect(!rows[1].contains("most wanted") && rows[1].contains("nobody against"))
        #expect(!rows[2].contains("nobody against") && rows[2].contains("aria-label=\"against: you\""))
    }

    @Test("a row shows who is fine with it if need be, after those who are for it")
    func ifNeedBe() {
        let people = SampleTrip.people
        let state = Self.state([]) {
            let votes = [SampleTrip.vote(people[1], .for), SampleTrip.vote(people[2], .ifNeedBe)]
            let item = SampleTrip.item(1, [.title: SampleTrip.value("Rafting")], votes: votes)
            $0.trip = TripView(title: nil, participants: [], items: [item], removedItems: [])
            $0.query.view = .ranking
        }
        let row = Self.list("ranking", state).first?.html.rendered ?? ""
        let words = "for: \(people[1].name); OK if need be: \(people[2].name)"
        #expect(row.contains("aria-label=\"\(words)\""), "\(row)")
        #expect(!row.contains("\"against: "))
    }

    @Test("items are ticked into the comparison and out of it, three at most")
    func compare() {
        let ids = Self.items([3, 2, 1, 0]).map(\.shortID)
        let rows = { (compared: [String]) in
            Self.list(
                "ranking",
                Self.state([3, 2, 1, 0]) {
                    $0.query.view = .ranking
                    $0.query.compare = compared
                }
            ).map(\.html.rendered)
        }
        #expect(rows([])[0].contains("view=ranking&amp;compare=\(ids[0])#r-\(ids[0])\""))
        let second = rows([ids[0], ids[1]])[1]
        #expect(second.contains("view=ranking&amp;compare=\(ids[0])#r-\(ids[1])\" aria-current=\"true\""))
        #expect(!rows([ids[0], ids[1], ids[2]])[3].contains("<a class=\"compare-link\""))
    }

    @Test("a comparison has a row for each field that somebody wrote, and tells what differs")
    func comparison() {
        let items = [
            SampleTrip.item(
                1, [.title: SampleTrip.value("A"), .price: SampleTrip.value("€90"), .host: SampleTrip.value("Ana")]),
            SampleTrip.item(
                2, [.title: SampleTrip.value("B"), .price: SampleTrip.value("€70"), .host: SampleTrip.value("Ana")]),
        ]
        let view = TripPage.compareView(
            SampleTrip.state {
                $0.trip = TripView(title: nil, participants: [], items: items, removedItems: [])
                $0.query.compare = items.map(\.shortID)
            }
        ).rendered
        #expect(view.contains(#"<tr class="differs"><th scope="row">Price</th>"#))
        #expect(view.contains(#"<tr class="same"><th scope="row">Host</th>"#))
        #expect(
            view.contains(
                #"<td class="best"><span dir="auto">€70</span><span class="praise">lowest</span></td>"#
            ))
        #expect(!view.contains(">Note<"))
    }
}

@Suite struct ListTests {
    private static func list(_ id: String, _ change: (inout PageState) -> Void) -> [String] {
        TripPage.content(SampleTrip.state(change)).lists.first { $0.id == id }?.fragments.map(\.id) ?? []
    }

    @Test("what is counted is among things to bring, and all else among the cards")
    func split() {
        #expect(Self.list("cards") { _ in } == ["c-" + SampleTrip.casaDoRio.shortID, "c-" + SampleTrip.hostel.shortID])
        #expect(Self.list("bring") { $0.query.view = .bring } == ["b-" + SampleTrip.stove.shortID])
    }

    @Test(
        "a case-insensitive search finds texts and voters among all items",
        arguments: [
            ("AMÉLIA", [SampleTrip.casaDoRio]), ("stove", [SampleTrip.stove]), ("ming", []),
            ("小明", [SampleTrip.casaDoRio]), ("noah", [SampleTrip.casaDoRio, SampleTrip.hostel]), ("zzz", []),
            ("rio casa", [SampleTrip.casaDoRio]), (" noah  rio ", [SampleTrip.casaDoRio]), ("rio zzz", []),
        ])
    func search(_ text: String, found: [ItemView]) {
        #expect(Self.list("cards") { $0.query.find = text } == found.map { "c-" + $0.shortID })
    }

    @Test("a search that finds nothing says so, and an empty trip begins with its three steps")
    func nothing() {
        let lost = TripPage.document(SampleTrip.state { $0.query.find = "<zzz>" })
        #expect(lost.contains("“&lt;zzz&gt;”") && lost.contains("Show everything"))
        let empty = TripPage.document(
            SampleTrip.state { $0.trip = TripView(title: nil, participants: [], items: [], removedItems: []) })
        #expect(empty.contains("Add something") && empty.contains("Invite your friends"))
    }

    @Test("removed items are listed apart, and brought back by one button")
    func removed() {
        let state = SampleTrip.state {
            $0.trip = TripView(title: nil, participants: [], items: [], removedItems: [SampleTrip.removedHostel])
        }
        let content = TripPage.content(state)
        #expect(
            content.lists.first { $0.id == "removed" }?.fragments.map(\.id)
                == ["c-" + SampleTrip.removedHostel.shortID])
        #expect(TripPage.document(state).contains(#"<input type="hidden" name="do" value="restore">"#))
        #expect(content.fragments.first { $0.id == "removed-head" }?.html.rendered.contains("Removed (1)") == true)
    }
}
