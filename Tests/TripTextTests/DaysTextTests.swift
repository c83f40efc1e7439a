import Testing
import TripFixtures
import TripModel

@testable import TripText

/// What `caravan days` prints.
@Suite struct DaysTextTests {
    @Test("days and list say that several dates are chosen, and what to do")
    func rivalDates() throws {
        var world = World(participants: [0])
        for dates in ["2027-01-02/2027-01-05", "2027-02-02/2027-02-08"] {
            let fields: [Field: String] = [.chosen: Field.setValue, .dates: dates, .itemKind: "dates"]
            _ = try world.add(ItemDraft(title: "When", fields: fields), on: 0)
        }
        let view = world.view(0)
        let line =
            "Several dates are chosen: 1 (2–5 January 2027) and 2 (2–8 February 2027). To give the trip its days and nights, "
            + "keep one, and unmark the others with `caravan choose ITEM --not`.\n"
        #expect(TerminalText.days(view) == line)
        #expect(TerminalText.list(view).hasSuffix("\n\n" + line))
        try world.perform(.mark([view.items[1].id], .chosen, false), on: 0)
        #expect(!TerminalText.list(world.view(0)).contains("Several dates"))
    }
}
