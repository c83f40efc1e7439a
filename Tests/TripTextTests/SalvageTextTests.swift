import Testing
import TripService

@testable import TripText

struct SalvageTextTests {
    private func text(
        mended: Int = 0, lost: [SalvageView.Loss] = [], waiting: [SalvageView.Waiting] = [], isWhole: Bool = false,
        folder: String? = "/h/trips/46ea66.damaged-1"
    ) -> String {
        TerminalText.salvage(
            SalvageView(
                id: "46ea669282b134c0", title: "Lisbon in June", kept: 45, mended: mended, lost: lost,
                waiting: waiting, isWhole: isWhole, damagedFolder: folder),
            style: TextStyle())
    }

    @Test("what is lost and what waits is told by author and time")
    func lines() {
        let minute: Int64 = 60_000
        let told = text(
            mended: 1,
            lost: [
                .init(author: "Jie", count: 1, after: 0, before: minute),
                .init(author: "Noah", count: 2, after: minute, before: nil),
                .init(author: nil, count: 3, after: nil, before: nil),
            ],
            waiting: [.init(author: "Noah", count: 2, from: 0, to: minute)])
        #expect(
            told == """
                Recovered “Lisbon in June”: 45 changes
                Repaired: 1 flipped bit
                Lost: 1 change by Jie, between 1970-01-01 00:00 UTC and 1970-01-01 00:01 UTC
                Lost: 2 changes by Noah, after 1970-01-01 00:01 UTC
                Lost: 3 changes, author unknown
                Waiting: 2 changes by Noah, 1970-01-01 00:00 UTC to 1970-01-01 00:01 UTC, which build on lost ones
                What other members have comes back when you sync: run `caravan up` near them
                The damaged folder is kept as /h/trips/46ea66.damaged-1

                """)
    }

    @Test("a dry run says what it would do, and a whole trip that nothing is damaged")
    func otherwise() {
        #expect(text(folder: nil) == "Would recover “Lisbon in June”: 45 changes\n")
        #expect(text(isWhole: true, folder: nil) == "Nothing is damaged in “Lisbon in June”: 45 changes\n")
    }
}
