import Testing
import TripModel

@testable import TripPage

/// Who is to do an item and by when, on its open card.
struct TaskTests {
    private func task(_ fields: [Field: String], _ answer: Attendance? = nil, _ viewer: Viewer? = nil) -> String? {
        let person = SampleTrip.mia
        let item = SampleTrip.item(
            40, fields.mapValues { SampleTrip.value($0) }.merging([.title: SampleTrip.value("Tents")]) { $1 },
            attendance: answer.map { [(person, $0)] } ?? [])
        let state = SampleTrip.state {
            $0.trip = SampleTrip.trip([item])
            if let viewer { $0.viewer = viewer }
        }
        return TripPage.task(of: item, in: CardFrame(state), state)?.rendered
    }

    @Test("the person declines or answers again, members take what nobody does, and others have no button")
    func buttons() throws {
        let given = [Field.assignee: SampleTrip.mia.id.description, .due: "2999-06-03"]
        let asMia = Viewer(participant: SampleTrip.mia.id)
        #expect(task([:]) == nil)
        let others = try #require(task(given))
        #expect(others.contains("for Mia, by Mon 3 June 2999") && !others.contains("<button"))
        #expect(task(given, nil, asMia)?.contains("for you, by Mon 3 June 2999") ?? false)
        #expect(task(given, nil, asMia)?.contains("I can’t") ?? false)
        #expect(task(given, .notGoing, asMia)?.contains("I’ll do it") ?? false)
        let open = try #require(task(given, .notGoing))
        #expect(open.contains("Mia declined, anybody can take it") && open.contains("I’ll take it"))
        #expect(open.contains("value=\"\(SampleTrip.jie.id)\""))
        let guest = task(given, .notGoing, Viewer(participant: SampleTrip.lea.id, isGuest: true))
        #expect(guest.map { !$0.contains("<button") } ?? false)
        #expect(task([.due: "2020-01-02"])?.contains("was due Thu 2 January 2020") ?? false)
    }
}
