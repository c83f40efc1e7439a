import Foundation
import Testing
import TripFixtures
import TripModel
import TripService

@testable import TripPage

/// The view of days: what is planned, and who may plan.
@Suite struct DaysViewTests {
    private func world() throws -> World {
        var world = World(participants: [0, 1])
        for (title, dates) in [("Castle", "2026-06-12T14:30/PT2H"), ("Museum", nil), ("Casa", "2026-06-12/2026-06-14")]
        {
            var fields: [Field: String] = [.chosen: "true"]
            fields[.dates] = dates
            _ = try world.add(ItemDraft(title: title, fields: fields), on: 0)
        }
        _ = try world.add(ItemDraft(title: "Fair", fields: [.dates: "2026-06-13"]), on: 0)
        try world.syncAll()
        return world
    }

    private func text(_ world: World, isGuest: Bool = false, change: (inout PageState) -> Void = { _ in }) -> String {
        let state = SampleTrip.state {
            $0.trip = world.view(0)
            $0.query.view = .days
            $0.viewer = Viewer(participant: world.nodes[0].participant, isGuest: isGuest)
            change(&$0)
        }
        return TripPage.content(state).fragments.first { $0.id == "view" }?.html.rendered ?? ""
    }

    @Test("members see days, times and what is not planned, and can plan; what nobody chose is on no day")
    func members() throws {
        let text = try text(world())
        for part in [
            "Fri 12 June", "14:30", "2 h", "until Sun 14 June", "Departure", "Not planned yet", "Museum",
            "Plan Museum", "Take off this day",
        ] { #expect(text.contains(part), "\(part)") }
        #expect(!text.contains("Fair"))
    }

    @Test("several chosen dates are named, and members read how to keep one")
    func rivalDates() throws {
        var world = World(participants: [0, 1])
        for dates in ["2027-01-02/2027-01-05", "2027-02-02/2027-02-08"] {
            let fields: [Field: String] = [.chosen: "true", .dates: dates, .itemKind: "dates"]
            _ = try world.add(ItemDraft(title: "When", fields: fields), on: 0)
        }
        let line = "Several dates are chosen: 2–5 January 2027; 2–8 February 2027."
        #expect(text(world).contains(line + " Keep one: press “★ Chosen” on the cards of the others."))
        #expect(!text(world).contains("Nothing is planned yet"))
        let guest = text(world, isGuest: true)
        #expect(guest.contains(line) && !guest.contains("Keep one"))
    }

    @Test("every day of a stay is there, also one without a plan")
    func stayDays() throws {
        let text = try text(world())
        #expect(text.contains("data-day=\"2026-06-13\"") && text.contains("Sat 13 June"))
        // Its night is told, and nothing of the days on which it begins and ends twice.
        #expect(text.components(separatedBy: "id=\"staying-").count == 2 && text.contains("id=\"staying-2026-06-13-"))
        var two = World(participants: [0])
        for dates in ["2026-06-12/2026-06-14", "2026-06-20"] {
            _ = try two.add(ItemDraft(title: dates, fields: [.chosen: "true", .dates: dates]), on: 0)
        }
        #expect(
            self.text(two).components(separatedBy: "<section").count == 5,
            "12, 13, 14 and 20, and no day between stay and plan")
        // A stay of a year is counted, and not drawn whole.
        var year = World(participants: [0])
        _ = try year.add(ItemDraft(title: "Year", fields: [.chosen: "true", .dates: "2026-01-01/2026-12-31"]), on: 0)
        #expect(self.text(year).contains("265 more"))
    }

    @Test("two plans at the same time say so at both, and plans that only touch don't")
    func overlap() throws {
        func marks(_ plans: [String]) throws -> [String] {
            var world = World(participants: [0])
            for (number, dates) in plans.enumerated() {
                _ = try world.add(ItemDraft(title: "P\(number)", fields: [.chosen: "true", .dates: dates]), on: 0)
            }
            return text(world).matches(of: #/at the same time as ([^<]*)/#).map { String($0.1) }
        }
        #expect(try marks(["2026-06-12T14:30/PT2H", "2026-06-12T16:00"]) == ["P1", "P0"])
        #expect(try marks(["2026-06-12T14:30/PT2H", "2026-06-12T16:30"]).isEmpty)
        #expect(try marks(["2026-06-12T14:30", "2026-06-12T14:30"]) == ["P1", "P0"])
        // How long the first takes, nobody said.
        #expect(try marks(["2026-06-12T14:30", "2026-06-12T15:00"]).isEmpty)
        #expect(
            try marks(["2026-06-12T14:30/PT2H", "2026-06-13T15:00", "2026-06-12", "2026-06-11/2026-06-14"]).isEmpty)
        // By the moment where both say their distance from UTC.
        #expect(try marks(["2026-06-12T14:30+01:00/PT1H", "2026-06-12T14:45+02:00/PT30M"]).isEmpty)
        #expect(
            try marks(["2026-06-12T10:00/PT5H", "2026-06-12T11:00", "2026-06-12T12:00"]) == [
                "P1 and 1 more", "P0", "P0",
            ])
    }

    @Test("what has dates and is not chosen is counted, so that nobody looks for it in vain")
    func notChosen() throws {
        let world = try world()
        #expect(text(world).contains("1 other item has dates"))
        var undecided = World(participants: [0])
        for number in 0..<3 {
            _ = try undecided.add(ItemDraft(title: "Fair \(number)", fields: [.dates: "2026-06-13"]), on: 0)
        }
        let text = text(undecided)
        #expect(text.contains("3 items have dates") && text.contains("Choose") && !text.contains("Nothing is planned"))
        let guest = self.text(undecided, isGuest: true)
        #expect(guest.contains("on a day, and members choose.") && !guest.contains("Choose"))
    }

    @Test("a stay's two days are picked from calendars, and no notation of them is shown")
    func stay() throws {
        let text = try text(world())
        #expect(text.contains("name=\"until\" value=\"2026-06-14\"") && !text.contains("type=\"text\" name=\"day\""))
        #expect(text.contains("off its days\">Take off its days<") && text.contains("off its day\">Take off this day<"))
        func days(_ until: String) throws -> PageAction {
            try PageAction(fields: [
                ("do", "schedule"), ("item", "b4e7c0ffee01"), ("day", "2026-06-12"), ("until", until),
            ])
        }
        for (until, day) in [("2026-06-15", "2026-06-12/2026-06-15"), ("2026-06-12", "2026-06-12"), ("", "2026-06-12")]
        {
            #expect(try days(until) == .plan("b4e7c0ffee01", TypedPlan(day: day), shown: []))
        }
    }

    @Test("guests see the days, and have no form to change them")
    func guests() throws {
        let text = try text(world(), isGuest: true)
        #expect(text.contains("14:30") && text.contains("Not planned yet") && !text.contains("<form"))
    }

    @Test("on the day itself the page says what is on now and what is next, by the reader's clock")
    func present() throws {
        let world = try world()
        // 12 June 2026, 11:00 in UTC.
        let morning: Int64 = 1_781_262_000_000
        let at = { (hours: Int64, offset: Int64) in
            text(world) { state in (state.now, state.secondsFromUTC) = (morning + hours * 3_600_000, offset * 3_600) }
        }
        #expect(at(0, 0).contains("<strong>Next</strong>") && !at(0, 0).contains("<strong>Now</strong>"))
        #expect(at(4, 0).contains("<strong>Now</strong>") && !at(4, 0).contains("<strong>Next</strong>"))
        #expect(at(0, 4).contains("<strong>Now</strong>"), "the reader is four hours east")
        #expect(!at(6, 0).contains("class=\"present\"") && !at(24, 0).contains("class=\"present\""))
        #expect(at(4, 0).contains("today") && at(4, 0).contains("href=\"#planned-"))
    }

    @Test("members move what has one day to another; a stay, and whatever a guest sees, stays where it is")
    func movable() throws {
        let world = try world()
        #expect(text(world).components(separatedBy: "data-mark=\"movable\"").count == 3, "Castle and Museum")
        #expect(text(world).contains("data-day=\"2026-06-14\"") && text(world).contains("data-day=\"\""))
        #expect(!text(world, isGuest: true).contains("draggable"))
    }

    @Test("two days that were written at the same moment are both shown, each with a button that keeps it")
    func versions() throws {
        var world = try world()
        let castle = try #require(world.view(0).items.first?.id)
        try world.perform(.act(.plan("2026-06-13"), on: [castle]), on: 0)
        try world.perform(.act(.plan("2026-06-14"), on: [castle]), on: 1)
        try world.syncAll()
        let text = text(world)
        #expect(text.contains("Sat 13 June") && text.contains("Sun 14 June"))
        #expect(text.components(separatedBy: "Keep this<").count == 3)
    }

    @Test("more days and items than the page draws are counted")
    func bounds() throws {
        var world = World(participants: [0])
        try world.perform(
            .add((0...101).map { ItemDraft(title: "Night \($0)", fields: [.dates: "2026-06-12", .chosen: "true"]) }),
            on: 0)
        try world.perform(
            .add([
                ItemDraft(
                    title: "Year", fields: [.dates: "2026-01-01/2026-12-31", .chosen: "true", .itemKind: "dates"])
            ]),
            on: 0)
        #expect(text(world).contains("265 more"))
    }
}
