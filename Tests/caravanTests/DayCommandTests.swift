import Foundation
import TestTiers
import Testing
import TripModel

@testable import caravan

/// Days as people run the commands, between two homes.
struct DayCommandTests {
    @Test("a plan of one home is a day of both; two plans at the same moment are both kept", .tags(.slow))
    func days() async throws {
        let trip = try await Gathering()
        let noah = try await trip.joined("noah", as: "Noah")
        let node = try await trip.node(of: noah)
        let jie = trip.founder
        try await jie.done("add", "Castle")
        try await jie.done("add", "Casa do Rio")
        try await jie.done("add", "Museum")
        try await jie.done("choose", "Museum")
        let refused = try await jie.run("plan", "Castle", "--at", "14:30")
        #expect(refused.isRefusal(saying: "there is no day yet; give one with --on"), refused.summary)
        let timeless = try await jie.run("plan", "Castle", "--on", "2026-06-12", "--for", "2h")
        #expect(timeless.isRefusal(saying: "needs a time; give it with --at"), timeless.summary)
        let planned = try await jie.done(
            "plan", "Castle", "--on", "2026-06-12", "--at", "14:30", "--for", "2h", "--zone", "lisbon")
        #expect(planned.contains("“Castle” for 12 June 2026, 14:30, 2 h (Europe/Lisbon)"), "\(planned)")
        try await jie.done("plan", "Casa do Rio", "--on", "2026-06-12..15")
        try await trip.settle(noah)
        for home in [jie, noah] {
            let text = try await home.done("days")
            for part in [
                "Friday 12 June 2026", "Casa do Rio · until 15 June 2026", "14:30  Castle · 2 h · Europe/Lisbon",
                "Casa do Rio · departure", "Not planned yet", "Museum",
            ] { #expect(text.contains(part), "\(part) in \(text)") }
            let json = try await home.json("days")
            let castle = json["days"].elements[0]["items"].elements[1]
            #expect(castle["start"].text == "14:30" && castle["utc_offset"].text == "+01:00")
            #expect(json["unplanned"].elements.map { $0["title"].text } == ["Museum"])
        }
        #expect(try await noah.done("history").contains("Jie planned “Castle” for 12 June 2026, 14:30, 2 h"))
        let calendar = try await noah.done("export", "--as", "ics")
        #expect(calendar.contains("DTSTART:20260612T133000Z") && calendar.contains("DURATION:PT2H"))

        // Lisbon's clocks go back on 25 October; the second plan takes its zone from the first.
        let late = try await noah.done("plan", "Museum", "--on", "2026-10-26", "--at", "10:00")
        #expect(late.contains("10:00 (Europe/Lisbon)"), "\(late)")
        #expect(try await noah.done("export", "--as", "ics").contains("DTSTART:20261026T100000Z"))
        #expect(try await noah.done("unplan", "Museum").contains("Took"))
        #expect(
            try await noah.done("history").contains("Noah took “Museum” off its day (was “26 October 2026, 10:00"))
        #expect(try await noah.done("undo").contains("Museum"))
        try await noah.done("unplan", "Museum")
        #expect(try await noah.done("days").contains("Not planned yet"))
        _ = node
    }

    @Test("a zone is named by its last part, and its rules say how far it is from UTC")
    func zones() throws {
        let day = { (text: String) in try #require(Day(text)) }
        let summer = try ClockRules.zone(named: "lisbon", on: day("2026-06-12"), at: 870)
        #expect(summer.name == "Europe/Lisbon" && summer.offset == 60)
        #expect(try ClockRules.zone(named: "Europe/Lisbon", on: day("2026-12-12"), at: 870).offset == 0)
        #expect(try ClockRules.zone(named: "new york", on: day("2026-06-12"), at: 0).offset == -240)
        for name in ["kolkata", "Asia/Kolkata", "Asia/Calcutta"] {
            #expect(try ClockRules.zone(named: name, on: day("2026-06-12"), at: 0).offset == 330, "\(name)")
        }
        #expect(try ClockRules.zone(named: "utc", on: day("2026-06-12"), at: 0).offset == 0)
        // Clocks in Lisbon go from 01:00 to 02:00 on 29 March, and from 02:00 to 01:00 on 25 October.
        #expect(try ClockRules.zone(named: "Lisbon", on: day("2026-03-29"), at: 59).offset == 0)
        #expect(throws: TripError.self) { try ClockRules.zone(named: "Lisbon", on: day("2026-03-29"), at: 90) }
        #expect(try ClockRules.zone(named: "Lisbon", on: day("2026-03-29"), at: 120).offset == 60)
        #expect(try ClockRules.zone(named: "Lisbon", on: day("2026-10-25"), at: 90).offset == 60)
        #expect(try ClockRules.zone(named: "Lisbon", on: day("2026-10-25"), at: 120).offset == 0)
        #expect(throws: TripError.self) { try ClockRules.zone(named: "Atlantis", on: day("2026-06-12"), at: 0) }
    }
}
