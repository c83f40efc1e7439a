import Testing
import TripModel
import TripService

@testable import TripPage

/// What the page says to somebody who is alone, removed, or in a trip that is over.
@Suite struct AloneTests {
    private typealias Sample = SampleTrip

    private func alone(_ removal: RemovalView?, _ isArchived: Bool) -> StatusView {
        StatusView(
            title: "Lisbon in June", you: "Noah (out)", changes: 1, listening: nil, discoveryProblem: nil,
            writingProblem: nil, removal: removal, devices: [], inTwoPlaces: [], isArchived: isArchived)
    }

    @Test("who was removed is called by their name alone, and only who can invite somebody is told to")
    func nobodyElse() {
        func text(_ removal: RemovalView?, isArchived: Bool = false) -> String {
            TripPage.statusView(Sample.state { $0.status = alone(removal, isArchived) }).rendered
        }
        let removed = text(RemovalView(.removed, by: "Jie", at: Sample.now))
        #expect(removed.contains("You’re Noah. ") && !removed.contains("invite somebody"))
        let one = text(nil)
        #expect(one.contains("You’re Noah (out). "), "a name that somebody chose")
        #expect(one.contains("nobody else is in the trip: invite somebody."))
        #expect(text(nil, isArchived: true).contains("nobody else is in the trip.</p>"))
    }

    @Test("an archived trip without anything asks nobody to add something")
    func archivedEmpty() {
        for view in [PageQuery.View.cards, .ranking, .bring] {
            let content = TripPage.content(
                Sample.state {
                    $0.trip = Sample.trip([])
                    $0.query.view = view
                    $0.status = alone(nil, true)
                })
            let html = content.fragments.first { $0.id == "view" }?.html.rendered ?? ""
            for words in ["starts here", "Add a place", "list above"] {
                #expect(!html.contains(words), "\(view): \(words)")
            }
        }
    }
}
