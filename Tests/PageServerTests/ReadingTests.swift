import Testing
import TripService

@testable import PageServer

struct ReadingTests {
    @Test("a page that missed events reads everything again")
    func missed() {
        var reading = Reading()
        reading.note(.missed(3))
        #expect(reading.isWhole && reading.members && reading.invites && reading.history && reading.own)
    }
}
