import Foundation
import Testing

@testable import TripModel

/// What the numbers of other lists than the trip's mean to the people at one device.
struct ShownListsTests {
    @Test("a number means the row that was shown with it, until the list is shown again")
    func stays() {
        var shown = ShownLists()
        shown.showed([11, 22, 33], as: .invites)
        // The first is gone, and another came.
        let rows: [UInt64] = [44, 22, 33]
        #expect(shown.meaning(of: 1, among: rows, in: .invites) == .gone)
        #expect(shown.meaning(of: 2, among: rows, in: .invites) == .row(1))
        #expect(shown.meaning(of: 2, among: [33, 44], in: .invites) == .gone)
        #expect(shown.meaning(of: 4, among: rows, in: .invites) == .nothing)
        // Of another list they say nothing.
        #expect(shown.meaning(of: 1, among: rows, in: .wishes) == .row(0))
        // A row that was not shown and stands in the place of a number that was not shown has it; one that was shown does not.
        #expect(shown.meaning(of: 4, among: rows + [55], in: .invites) == .row(3))
        #expect(shown.meaning(of: 4, among: [44, 55, 66, 22], in: .invites) == .shownAs(2))
        shown.showed(rows, as: .invites)
        #expect(shown.meaning(of: 1, among: rows, in: .invites) == .row(0))
    }

    @Test("used before anything was shown, a number goes on meaning what it meant then")
    func used() {
        var shown = ShownLists()
        #expect(shown.meaning(of: 1, among: [11, 22], in: .wishes) == .row(0))
        #expect(shown.meaning(of: 1, among: [22], in: .wishes) == .gone)
        #expect(shown.meaning(of: 2, among: [22], in: .wishes) == .row(0))
    }

    @Test("a part that is shown keeps the numbers that were shown, and takes new ones for new rows")
    func part() {
        var shown = ShownLists()
        shown.showed([11, 22, 33], as: .feed("a.csv"))
        let rows: [UInt64] = [44, 11, 22, 55]
        #expect(shown.numbers(ofRowsAt: [0, 2, 3], in: rows, of: .feed("a.csv")) == [4, 2, 5])
        #expect(
            [1, 2, 4, 5].map { shown.meaning(of: $0, among: rows, in: .feed("a.csv")) }
                == [1, 2, 0, 3].map { .row($0) })
        #expect(shown.meaning(of: 3, among: rows, in: .feed("a.csv")) == .gone)
    }

    @Test("they are kept between commands, and what was shown longest ago is forgotten first")
    func bounds() throws {
        var shown = ShownLists()
        let long = Array(1...UInt64(ShownLists.rowsMax / 4))
        for number in 1...6 { shown.showed(long, as: .feed("\(number).csv")) }
        let kept = try JSONDecoder().decode(ShownLists.self, from: JSONEncoder().encode(shown))
        #expect(kept == shown)
        #expect(shown.meaning(of: 2, among: [1], in: .feed("6.csv")) == .gone)
        #expect(shown.meaning(of: 1, among: [7], in: .feed("1.csv")) == .row(0), "nothing of it is remembered")
        var many = ShownLists()
        for number in 0...ShownLists.countMax { many.showed([1, 2], as: .feed("\(number)")) }
        #expect(many.meaning(of: 1, among: [2], in: .feed("1")) == .gone)
        #expect(many.meaning(of: 1, among: [2], in: .feed("0")) == .row(0))
    }
}
