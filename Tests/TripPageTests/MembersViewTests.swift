import Testing
import TripModel
import TripService

@testable import TripPage

/// Members as they are listed, their names, and the ways out of a trip.
@Suite struct MembersViewTests {
    private typealias Sample = SampleTrip

    @Test("the box for a name holds the one that its person set, without what tells them apart")
    func ownName() {
        let waiting = Sample.state { state in
            state.trip = TripView(
                title: nil,
                participants: [
                    ParticipantView(
                        id: Sample.jie.id, name: "Jie", displayName: "Jie (2) (waiting)", isOut: true, isWaiting: true)
                ], items: [], removedItems: [])
            state.status = StatusView(
                title: "", you: "Jie (2) (waiting)", changes: 1, listening: nil, discoveryProblem: nil,
                writingProblem: nil, removal: nil, devices: [], inTwoPlaces: [])
        }
        #expect(TripPage.namesView(waiting)?.rendered.contains(#"value="Jie""#) == true)
    }

    @Test(
        "how to leave a trip and to delete its copy is said where people look for the end of a trip, and among the trips"
    )
    func leaving() {
        let sync = TripPage.statusView(Sample.state()).rendered
        #expect(sync.contains("caravan leave") && sync.contains("caravan delete"))
        let out = TripPage.statusView(
            Sample.state { $0.status = Sample.status([], removal: RemovalView(.left, at: 0)) }
        ).rendered
        #expect(!out.contains("caravan leave") && out.contains("caravan delete"))
        #expect(TripPage.tripsView(Sample.state()).rendered.contains("#archive"))
    }

    @Test("a person who waits is not struck through, as removed people are")
    func waitingRow() {
        let row = { (waiting: RemovalView.Waiting?) in
            let removal = RemovalView(.removed, by: "Mia", at: 0, waiting: waiting)
            let person = Sample.member(Sample.noah, depth: 1, sponsor: Sample.mia, removal: removal)
            return TripPage.memberRow(person, mayTakeOut: false, state: Sample.state()).rendered
        }
        #expect(row(nil).contains(#"class="person depth-1 out""#))
        #expect(row(.init(host: "Mal", keeper: "Jie")).contains(#"class="person depth-1 in""#))
    }
}
