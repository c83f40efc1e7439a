import Testing
import TripFixtures

@testable import TripModel

@Suite struct TimelineTests {
    private func trip(_ items: [(String, String?)], kind: [String: String] = [:]) throws -> TripView {
        var world = World(participants: [0])
        for (title, dates) in items {
            var fields: [Field: String] = [.chosen: Field.setValue]
            fields[.dates] = dates
            fields[.itemKind] = kind[title]
            _ = try world.add(ItemDraft(title: title, fields: fields), on: 0)
        }
        return world.view(0)
    }

    private func days(_ trip: TripView) -> [String] {
        trip.timeline.days.map { plan in
            plan.day.text + ": "
                + plan.entries.map { ($0.isDeparture ? "-" : "") + $0.item.title }.joined(separator: " ")
        }
    }

    @Test("departures come first, then whole days and arrivals, then times; the trip's days are all there")
    func parts() throws {
        let view = try trip(
            [
                ("Fado", "2026-06-13T21:00/PT3H"), ("Castle", "2026-06-13T09:30"), ("Market", "2026-06-13"),
                ("Hut", "2026-06-13/2026-06-15"), ("Casa", "2026-06-12/2026-06-13"), ("June", "2026-06-12/2026-06-15"),
                ("Tent", nil), ("Museum", nil),
            ], kind: ["June": "dates", "Tent": "bring"])
        #expect(
            days(view) == [
                "2026-06-12: Casa", "2026-06-13: -Casa Market Hut Castle Fado", "2026-06-14: ", "2026-06-15: -Hut",
            ])
        #expect(view.timeline.unplanned.map(\.title) == ["Museum"])
    }

    @Test("of several dates that are chosen none gives the days, and they are named if they differ")
    func rivals() throws {
        let kind = ["January": "dates", "February": "dates", "Again": "dates"]
        let january: (String, String?) = ("January", "2027-01-02/2027-01-05")
        let one = try trip([january, ("Again", january.1), ("Hut", nil)], kind: kind)
        #expect(one.rivalDates.isEmpty && one.timeline.days.count == 4)
        let two = try trip([january, ("February", "2027-02-02/2027-02-08")], kind: kind)
        #expect(two.rivalDates.map(\.title) == ["January", "February"])
        #expect(two.timeline.days.isEmpty && two.group.nights == nil)
    }

    @Test("what nobody has chosen is on no day")
    func chosen() throws {
        var world = World(participants: [0])
        _ = try world.add(ItemDraft(title: "Fair", fields: [.dates: "2026-06-12T10:00"]), on: 0)
        #expect(world.view(0).timeline.days.isEmpty && world.view(0).timeline.unplanned.isEmpty)
    }

    /// "On: A B. Next: C", at a time of 13 June in Lisbon.
    private func present(_ trip: TripView, _ hour: Int, _ minute: Int, day: String = "2026-06-13") throws -> String {
        let day = try #require(Day(day))
        let clock = hour * 60 + minute
        let present = trip.timeline.present(
            on: day, minute: clock,
            minutesSince1970: (day.ordinal - Day.ordinalOf1970) * DayTime.minutesInDay + clock - 60)
        let titles = { (entries: [TripTimeline.Entry]) in entries.map(\.item.title).joined(separator: " ") }
        return "On: \(titles(present.on)). Next: \(titles(present.next))"
    }

    @Test("what is on lasts as long as its plan, or an hour; what begins next is on the same day, and has a time")
    func present() throws {
        let view = try trip([
            ("Fado", "2026-06-12T23:00/PT2H"), ("Castle", "2026-06-13T09:30"), ("Market", "2026-06-13"),
            ("Lunch", "2026-06-13T12:00/PT90M"), ("Tram", "2026-06-13T12:00"), ("Late", "2026-06-14T00:30"),
        ])
        #expect(try present(view, 0, 59) == "On: Fado. Next: Castle")
        #expect(try present(view, 1, 0) == "On: . Next: Castle")
        #expect(try present(view, 9, 30) == "On: Castle. Next: Lunch Tram")
        #expect(try present(view, 10, 29) == "On: Castle. Next: Lunch Tram")
        #expect(try present(view, 10, 30) == "On: . Next: Lunch Tram")
        #expect(try present(view, 13, 0) == "On: Lunch. Next: ")
        #expect(try present(view, 13, 30) == "On: . Next: ")
        #expect(try present(view, 23, 59) == "On: . Next: ")
        #expect(try present(view, 12, 0, day: "2027-06-13") == "On: . Next: ")
    }

    @Test("what says its distance from UTC is on by the moment, wherever the reader's clock is")
    func presentElsewhere() throws {
        let view = try trip([("Dinner", "2026-06-13T20:00+09:00[Asia/Tokyo]/PT1H"), ("Tea", "2026-06-13T20:00")])
        #expect(try present(view, 11, 59) == "On: . Next: Dinner")
        #expect(try present(view, 12, 30) == "On: Dinner. Next: Tea")
        #expect(try present(view, 20, 0) == "On: Tea. Next: ")
    }

    @Test("a day over the date line is in the order of its moments, not of its clocks")
    func dateLine() throws {
        let items = [
            ("Beach", "2026-06-12T13:00-10:00[Pacific/Honolulu]/PT2H"),
            ("Flight", "2026-06-12T20:00+09:00[Asia/Tokyo]/PT7H30M"),
            ("Sushi", "2026-06-12T12:00+09:00[Asia/Tokyo]"),
        ]
        #expect(days(try trip(items)) == ["2026-06-12: Sushi Flight Beach"])
        // One time without a clock, and nobody knows: then the clocks decide.
        #expect(days(try trip(items + [("Nap", "2026-06-12T15:00")])) == ["2026-06-12: Sushi Beach Nap Flight"])
    }

    @Test("a plan takes the zone of the last plan before it, else of the first one after it")
    func zones() throws {
        let view = try trip([
            ("Sushi", "2026-06-11T12:00+09:00[Asia/Tokyo]"), ("Beach", "2026-06-13T13:00-10:00[Pacific/Honolulu]"),
        ])
        let zones = ["2026-06-10", "2026-06-12", "2026-06-13", "2026-07-01"].map { Day($0).flatMap(view.zoneName) }
        #expect(zones == ["Asia/Tokyo", "Asia/Tokyo", "Pacific/Honolulu", "Pacific/Honolulu"])
        #expect(try trip([("Nap", "2026-06-12T15:00")]).zoneName(near: try #require(Day("2026-06-12"))) == nil)
    }
}
