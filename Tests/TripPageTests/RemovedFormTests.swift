import Testing
import TripModel

@testable import TripPage

/// Somebody removes an item while another person types in its form.
@Suite struct RemovedFormTests {
    private let item = SampleTrip.removedHostel

    private func content(_ change: (inout PageState) -> Void = { _ in }) -> PageContent {
        TripPage.content(
            SampleTrip.state {
                $0.trip = SampleTrip.trip([SampleTrip.casaDoRio, SampleTrip.idea], removed: [item])
                $0.history = SampleTrip.history([
                    HistoryEntry(
                        participant: SampleTrip.noah.id, stamp: SampleTrip.stamp(9), wallTime: SampleTrip.now,
                        events: [
                            .item(
                                id: item.id, title: "Hostel by the station", event: .removed(upheldBy: []),
                                broughtBack: false)
                        ])
                ])
                $0.query.open = item.shortID
                $0.query.isEditing = true
                change(&$0)
            })
    }

    private func list(_ id: String, of content: PageContent) -> [Fragment] {
        content.lists.first { $0.id == id }?.fragments ?? []
    }

    @Test("the form stays in its place among the cards, names the remover, and has Restore in place of Save")
    func form() throws {
        let content = content()
        let cards = list("cards", of: content)
        #expect(cards.map(\.id) == [1, 2, 4].map { "c-" + SampleTrip.shortID($0) })
        let card = cards[1].html.rendered
        #expect(card.contains("class=\"edit\"") && card.contains("name=\"title\""))
        #expect(card.contains(">Noah</span> removed this item. Restore it to save your text."))
        #expect(card.contains("name=\"do\" value=\"restore\"") && !card.contains(">Save</button>"))
        #expect(list("removed", of: content).isEmpty)
        // It is there only for the person whose form is open.
        let closed = self.content { $0.query.isEditing = false }
        #expect(list("cards", of: closed).count == 2 && list("removed", of: closed).count == 1)
        let guest = self.content { $0.viewer = Viewer(participant: SampleTrip.lea.id, isGuest: true) }
        #expect(list("cards", of: guest).count == 2)
    }

    @Test("where the history no longer tells who removed it, the form says that somebody did")
    func unknown() {
        let cards = list("cards", of: content { $0.history = SampleTrip.history([]) })
        #expect(cards.count == 3 && cards[1].html.rendered.contains(">Somebody</span> removed this item."))
    }
}
