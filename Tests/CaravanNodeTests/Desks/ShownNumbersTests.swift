import Testing
import TripModel
import TripService

@testable import CaravanNode

/// What numbers of lists mean.
struct ShownNumbersTests {
    @Test("a row is named by the number that it was shown with, and not by one that another row was shown with")
    func rows() throws {
        var shown = ShownLists()
        func place(_ text: String, _ rows: [UInt64]) throws -> Int? {
            try shown.place(numbered: text, in: .wishes, rows, row: "wish", listing: "caravan wishes")
        }
        let all = shown.show([10, 20, 30], of: .wishes)
        #expect(all == [1, 2, 3])
        #expect(try place("3", [20, 30]) == 1)
        let gone = #expect(throws: ServiceError.self) { try place("1", [20, 30]) }
        #expect(gone?.message == "wish 1 no longer exists; see `caravan wishes`")
        #expect(try place("0", [20]) == nil && place("x", [20]) == nil && place("1234567890", [20]) == nil)
        // Part of a list: the others keep what they mean.
        let part = shown.show([20, 30, 40], at: [2, 7], of: .wishes)
        #expect(part.count == 1)
        #expect(try place("2", [20, 30, 40]) == 0)
    }
}
