import Foundation
import Testing
import TripModel

@testable import caravan

/// Values that people type: they mean on the command line what they mean on the page, or are refused in a line.
struct TypedValueTests {
    private func home(_ scratch: ScratchFolder) async throws -> Product {
        let caravan = Product(home: scratch.path + "/home")
        try await caravan.done("new", "Fjords", "--as", "Jie")
        return caravan
    }

    @Test("a blank parts thousands in a list's items and in lines")
    func thousands() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch)
        try await caravan.done("lists", "new", "Crafts", "10 000 beads", "2 500 g packs")
        let path = scratch.path + "/things"
        try Data("1 050 pins\n- 3 reels\n".utf8).write(to: URL(fileURLWithPath: path))
        let input = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        let added = try await caravan.start(["add", "--lines"], input: input).ended(within: 30)
        #expect(added.status == 0, added.summary)
        let counts = ["beads": 10_000, "500 g packs": 2, "pins": 1_050, "reels": 3] as [String: Int64]
        for (title, count) in counts {
            #expect(try await caravan.json("show", title)["quantity"] == .number(count), "\(title)")
        }
    }

    @Test("a deadline that has passed is refused, in the words of the page; one of a file is kept")
    func pastDeadline() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch)
        try await caravan.done("add", "Casa", "--due", "2099-01-02")
        for words in [["add", "Loft"], ["edit", "Casa"], ["ask", "Where to?", "Lisbon"]] {
            let refused = try await caravan.run(words + ["--due", "2020-01-03"])
            #expect(refused.isRefusal(saying: "3 January 2020 has passed; choose today or a later"), refused.summary)
        }
        #expect(try await caravan.json("list")["items"].elements.map { $0["due"].text } == ["2099-01-02"])
        #expect(try await caravan.json("questions").elements.isEmpty)
        try await caravan.done("edit", "Casa", "--due", try #require(Reader.today).text)
        let path = scratch.path + "/a.csv"
        try Data("title,due\nBook,2020-01-02\n".utf8).write(to: URL(fileURLWithPath: path))
        try await caravan.done("import", path)
        #expect(try await caravan.json("show", "Book")["due"].text == "2020-01-02")
    }

    @Test("“none” clears dates, deadlines and days, as it clears a time and the day of an expense")
    func noDates() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch)
        try await caravan.done("add", "Casa", "--dates", "2099-06-12..15", "--due", "2099-05-01", "--price", "none")
        try await caravan.done("edit", "Casa", "--dates", "none", "--due", "none")
        let casa = try await caravan.json("show", "Casa")
        #expect(casa["dates"].text == nil && casa["due"].text == nil && casa["price"].text == "none")
        try await caravan.done("plan", "Casa", "--on", "2099-06-12")
        let both = try await caravan.run("plan", "Casa", "--on", "none", "--at", "14:30")
        #expect(both.isRefusal(saying: "--on none cannot be combined with", status: 64), both.summary)
        try await caravan.done("plan", "Casa", "--on", "none")
        #expect(try await caravan.json("show", "Casa")["dates"].text == nil)
        #expect(try await caravan.done("plan", "Casa", "--on", "none").hasPrefix("Nothing changed: "))
    }

    @Test("days are typed as they are shown: over New Year, with their nights, and with a time zone")
    func shownDays() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch)
        try await caravan.done("add", "Hut")
        for (typed, kept) in [
            ("30 December 2027 – 2 January 2028 (3 nights)", "2027-12-30/2028-01-02"),
            ("16 June 2027, 19:00, 2 h (Europe/Rome)", "2027-06-16T19:00+02:00[Europe/Rome]/PT2H"),
        ] {
            try await caravan.done("edit", "Hut", "--dates", typed)
            #expect(try await caravan.json("show", "Hut")["dates"].text == kept)
            #expect(try await caravan.done("show", "Hut").contains(typed))
        }
    }

    @Test("a title that the days gave follows them, and comes back when that is undone")
    func titleOfDates() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch)
        try await caravan.done("add", "--kind", "dates", "--dates", "2027-06-12..20")
        #expect(try await caravan.done("edit", "1", "--dates", "2027-06-13..21") == "Edited 1 “13–21 June 2027”\n")
        try await caravan.done("undo")
        let item = try await caravan.json("show", "1")
        #expect(item["title"].text == "12–20 June 2027" && item["dates"].text == "2027-06-12/2027-06-20")
    }

    @Test("words replace coordinates, and new coordinates name the address that stays")
    func onePlace() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch)
        try await caravan.done("add", "Castle", "--place", "46.36,14.09")
        try await caravan.done("edit", "Castle", "--place", "Piran harbour")
        let castle = try await caravan.json("show", "Castle")
        #expect(castle["place"].text == nil && castle["address"].text == "Piran harbour")
        let found = try await caravan.run("edit", "Castle", "--place", "45.52,13.56")
        #expect(found.status == 0 && found.errors.isEmpty, found.summary)
        let moved = try await caravan.run("edit", "Castle", "--place", "46.36,14.09")
        #expect(moved.errors == "The address is still “Piran harbour”; `--clear address` clears it.\n", moved.summary)
        let both = try await caravan.run("edit", "Castle", "--place", "46.37,14.1", "--address", "Bled")
        #expect(both.status == 0 && both.errors.isEmpty, both.summary)
    }

    @Test("a price below 0 is refused, whichever command writes it")
    func negativePrice() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch)
        try await caravan.done("add", "Casa", "--price", "80-90 EUR")
        for words in [["add", "Loft"], ["edit", "Casa"], ["wish", "Loft"]] {
            let refused = try await caravan.run(words + ["--price", "€-5"])
            #expect(refused.isRefusal(saying: "the price is below 0; write a price of 0 or more"), refused.summary)
        }
        #expect(try await caravan.json("list")["items"].elements.map { $0["price"].text } == ["80-90 EUR"])
    }
}
