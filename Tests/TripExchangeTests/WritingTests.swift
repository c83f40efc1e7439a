import Testing
import TripFixtures
import TripModel
import TripService

@testable import TripExchange

/// What goes out, byte for byte.
struct WritingTests {
    private func trip() throws -> TripView {
        var world = World(participants: [0, 1])
        try world.perform(.setName("Jie"), on: 0)
        try world.perform(.setTitle("Sun; sea & <sand>"), on: 0)
        try world.perform(
            .add([
                ItemDraft(
                    title: "Casa *do* \"Rio\"",
                    fields: [
                        .link: "https://example.org/a,b?c=d&e=f", .price: "€120, a night", .place: "38.7,-9.1",
                        .note: "First; line\nSecond \\ line",
                    ]),
                ItemDraft(title: "=SUM(A1)", fields: [.done: "true"], quantity: 3),
            ]), on: 0)
        try world.syncAll()
        try world.perform(.setName("Noah"), on: 1)
        try world.perform(.vote([world.view(1).items[0].id], .for), on: 1)
        try world.syncAll()
        return world.view(0)
    }

    @Test("CSV quotes as RFC 4180 has it, and no cell is a formula")
    func csv() throws {
        let others = [
            "quantity", "list", "amenities", "tally", "votes_for", "votes_if_need_be", "votes_against", "going",
            "maybe_going", "not_going", "added_by", "added_at", "also_proposed",
        ]
        let columns = Field.ofPlans.map(\.name) + others
        func row(_ cells: [String: String]) -> String {
            #expect(cells.keys.allSatisfy(columns.contains))
            return columns.map { cells[$0] ?? "" }.joined(separator: ",") + "\r\n"
        }
        let first = row([
            "title": "\"Casa *do* \"\"Rio\"\"\"", "note": "\"First; line\nSecond \\ line\"",
            "link": "\"https://example.org/a,b?c=d&e=f\"", "price": "\"€120, a night\"", "place": "\"38.7,-9.1\"",
            "tally": "1", "votes_for": "Noah", "added_by": "Jie", "added_at": "2023-11-14T22:13:23Z",
        ])
        let second = row([
            "title": "'=SUM(A1)", "done": "true", "quantity": "3", "tally": "0", "added_by": "Jie",
            "added_at": "2023-11-14T22:13:23Z",
        ])
        #expect(
            try ExportFormat.csv.write(trip()) == columns.joined(separator: ",") + "\r\n" + first + second)
    }

    @Test("Markdown escapes what would be markup, links titles, and ticks what is done")
    func markdown() throws {
        #expect(
            try ExportFormat.markdown.write(trip()) == """
                Sun; sea & \\<sand\\>
                ===================

                - [Casa \\*do\\* "Rio"](<https://example.org/a,b?c=d&e=f>)
                  - note: First; line\u{20}\u{20}
                    Second \\\\ line
                  - price: €120, a night
                  - place: 38.7,-9.1
                  - votes: +1 (for: Noah)
                - [x] 3 =SUM(A1)

                """)
    }

    @Test("Markdown has no backslash where nothing would be read as something else, and no entity anywhere")
    func plainTitles() throws {
        let titles: [(title: String, quantity: Int64?, line: String)] = [
            ("After backup 2", nil, "After backup 2"), ("Milk 2 l", nil, "Milk 2 l"),
            ("10 kg rice", 1, "[ ] 10 kg rice"), ("500 g butter", nil, "500 g butter"),
            ("Train & boat!", nil, "Train & boat!"), ("C# in room #5", nil, "C# in room #5"),
            ("3 towels", nil, "\\3 towels"), ("towels x2", nil, "towels \\x2"), ("3 nights ×2", nil, "\\3 nights \\×2"),
            ("kg rice", 2, "[ ] 2 \\kg rice"), ("☐ ticks", nil, "\\☐ ticks"), ("R&amp;B", nil, "R\\&amp;B"),
            ("# 1", nil, "\\# 1"), ("https://example.org/x y", nil, "https\\://example.org/x y"),
            ("see www.example.org 2", nil, "see www\\.example.org 2"),
        ]
        var world = World(participants: [0])
        for one in titles { try world.perform(.add([ItemDraft(title: one.title, quantity: one.quantity)]), on: 0) }
        let text = try ExportFormat.markdown.write(world.view(0))
        #expect(text.split(separator: "\n").dropFirst(2).map(String.init) == titles.map { "- " + $0.line })
        let read = try ImportFormat(fileName: "a.txt", Array(text.utf8)).read(Array(text.utf8)).entries.map(\.item)
        #expect(read.map(\.title) == titles.map(\.title) && read.map(\.quantity) == titles.map(\.quantity))
        // What 1.0.0 wrote.
        let old = Array("- &#51; towels\n- https&#58;//example.org/x y\n".utf8)
        let before = try ImportFormat(fileName: "a.md", old).read(old).entries.map(\.item.title)
        #expect(before == ["3 towels", "https://example.org/x y"])
    }

    @Test("Markdown has the note of the trip below its title")
    func note() throws {
        var world = World(participants: [0])
        try world.perform(.setTitle("Lisbon"), on: 0)
        try world.perform(.editNote("Bus 28\n\n- *not* a list"), on: 0)
        try world.perform(.add([ItemDraft(title: "Casa")]), on: 0)
        #expect(
            try ExportFormat.markdown.write(world.view(0)) == """
                Lisbon
                ======

                  - note: Bus 28\u{20}\u{20}
                    \\\u{20}\u{20}
                    \\- \\*not\\* a list

                - Casa

                """)
    }

    @Test("every way to vote is written")
    func votes() throws {
        var world = World(participants: [0, 1, 2])
        let casa = try world.add(ItemDraft(title: "Casa"), on: 0)
        try world.syncAll()
        for (device, name, vote) in [(0, "Jie", Vote.against), (1, "Noah", .ifNeedBe), (2, "Ana", .for)] {
            try world.perform(.setName(name), on: device)
            try world.perform(.vote([casa], vote), on: device)
        }
        try world.syncAll()
        let trip = world.view(0)
        let markdown = try ExportFormat.markdown.write(trip)
        #expect(markdown.hasSuffix("  - votes: 0 (for: Ana; OK if need be: Noah; against: Jie)\n"))
        #expect(try ExportFormat.csv.write(trip).contains(",0,Ana,Noah,Jie,"))
    }

    @Test("who is going is written, and no import takes it for a note")
    func attendance() throws {
        var world = World(participants: [0, 1, 2])
        let casa = try world.add(ItemDraft(title: "Casa", fields: [.note: "attendance: is a word"]), on: 0)
        try world.syncAll()
        for (device, name, answer) in [(0, "Jie", Attendance.notGoing), (1, "Noah", .maybe), (2, "Ana", .going)] {
            try world.perform(.setName(name), on: device)
            try world.perform(.attend([casa], answer), on: device)
        }
        try world.syncAll()
        let trip = world.view(0)
        #expect(
            try ExportFormat.markdown.write(trip).hasSuffix(
                "  - attendance: going: Ana; maybe: Noah; not going: Jie\n"))
        #expect(try ExportFormat.csv.write(trip).contains(",0,,,,Ana,Noah,Jie,"))
        var record = ListingRecord()
        let text = OwnDescription.write(trip.items[0], without: [])
        #expect(text.hasSuffix("attendance: going: Ana; maybe: Noah; not going: Jie"))
        #expect(OwnDescription.read(text, into: &record) == nil && "\(record)".contains("attendance: is a word"))
        #expect(!"\(record)".contains("going: Ana"))
    }

    @Test("a calendar escapes texts, folds lines at 75 bytes and ends them in CRLF (RFC 5545)")
    func calendar() throws {
        let trip = try trip()
        let text = try ExportFormat.ics.write(trip)
        let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
        #expect(lines.last == "" && lines.allSatisfy { $0.utf8.count <= 75 && !$0.utf8.contains(0x0A) })
        let unfolded = text.replacing("\r\n ", with: "").split(separator: "\r\n")
        #expect(
            unfolded == [
                "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Caravan//Caravan//EN", "NAME:Sun\\; sea & <sand>",
                "BEGIN:VTODO", "UID:\(trip.items[0].id.digits)@caravan", "DTSTAMP:20231114T221323Z",
                "SUMMARY:Casa *do* \"Rio\"",
                "DESCRIPTION:First\\; line\\nSecond \\\\ line\\nprice: €120\\, a night\\nvotes: +1 (for: Noah)",
                "GEO:38.7;-9.1", "URL:https://example.org/a,b?c=d&e=f", "END:VTODO",
                "BEGIN:VTODO", "UID:\(trip.items[1].id.digits)@caravan", "DTSTAMP:20231114T221323Z", "SUMMARY:=SUM(A1)",
                "DESCRIPTION:quantity: 3", "STATUS:COMPLETED", "END:VTODO", "END:VCALENDAR",
            ])
    }

    @Test("what has dates is an event of whole days in a calendar, confirmed where it was chosen (RFC 5545)")
    func events() throws {
        var world = World(participants: [0])
        try world.perform(
            .add([
                ItemDraft(title: "Stay", fields: [.dates: "2026-12-30/2027-01-02", .chosen: "true", .price: "80 EUR"]),
                ItemDraft(title: "Fair", fields: [.dates: "2028-02-29"]),
            ]), on: 0)
        let lines = try ExportFormat.ics.write(world.view(0)).split(separator: "\r\n")
        let events = lines.filter { line in
            ["BEGIN:V", "DTSTART", "DTEND", "STATUS", "SUMMARY", "DESCRIPTION"].contains { line.hasPrefix($0) }
        }
        #expect(
            events == [
                "BEGIN:VCALENDAR", "BEGIN:VEVENT", "SUMMARY:Stay", "DTSTART;VALUE=DATE:20261230",
                "DTEND;VALUE=DATE:20270103", "STATUS:CONFIRMED", "DESCRIPTION:price: 80 EUR\\nchosen: true",
                "BEGIN:VEVENT", "SUMMARY:Fair", "DTSTART;VALUE=DATE:20280229", "DTEND;VALUE=DATE:20280301",
                "STATUS:TENTATIVE",
            ])
    }

    @Test("a deadline is the DUE of a to-do, which an event has beside it; what is done is completed (RFC 5545)")
    func deadlines() throws {
        var world = World(participants: [0])
        let fields: [(title: String, fields: [Field: String])] = [
            ("Tickets", [.due: "2026-06-03"]), ("Call", [.due: "2026-06-03T09:05", .done: "true"]),
            ("Rent", [.due: "2026-06-12T14:30+01:00[Europe/Lisbon]"]),
            ("Casa", [.dates: "2026-06-12/2026-06-15", .due: "2026-05-01", .done: "true"]),
        ]
        try world.perform(.add(fields.map { ItemDraft(title: $0.title, fields: $0.fields) }), on: 0)
        let trip = world.view(0)
        let ids = trip.items.map(\.id.digits)
        let text = try ExportFormat.ics.write(trip)
        let lines = text.replacing("\r\n ", with: "").split(separator: "\r\n").filter { line in
            ["BEGIN:V", "UID", "DUE", "STATUS", "SUMMARY", "DESC", "X-", "RELATED"].contains { line.hasPrefix($0) }
        }
        #expect(
            lines == [
                "BEGIN:VCALENDAR", "BEGIN:VTODO", "UID:\(ids[0])@caravan", "SUMMARY:Tickets", "DUE;VALUE=DATE:20260603",
                "BEGIN:VTODO", "UID:\(ids[1])@caravan", "SUMMARY:Call", "DUE:20260603T090500", "STATUS:COMPLETED",
                "BEGIN:VTODO", "UID:\(ids[2])@caravan", "SUMMARY:Rent", "DUE:20260612T133000Z",
                "X-CARAVAN-DUE:2026-06-12T14:30+01:00[Europe/Lisbon]",
                "BEGIN:VEVENT", "UID:\(ids[3])@caravan", "SUMMARY:Casa", "STATUS:TENTATIVE",
                "DESCRIPTION:due: 2026-05-01\\ndone: true",
                "BEGIN:VTODO", "UID:\(ids[3])-due@caravan", "SUMMARY:Casa", "RELATED-TO:\(ids[3])@caravan",
                "DUE;VALUE=DATE:20260501", "STATUS:COMPLETED",
            ])
        // An import has each item once, as it was.
        let bytes = Array(text.utf8)
        let read = try ImportFormat(detecting: bytes).read(bytes).entries.map(\.item.fields)
        let written = fields.map { item in item.fields.merging([.title: item.title]) { $1 } }
        #expect(read == written)
    }

    @Test("a time is in UTC if its clock is known, and the reader's own if not; its length is exact (RFC 5545)")
    func times() throws {
        var world = World(participants: [0])
        try world.perform(
            .add([
                ItemDraft(
                    title: "Fado",
                    fields: [.dates: "2026-03-29T00:30+00:00[Europe/Lisbon]/PT2H30M", .chosen: "true"]),
                ItemDraft(title: "Castle", fields: [.dates: "2026-06-12T09:05"]),
                ItemDraft(title: "Flight", fields: [.dates: "2026-12-31T20:00-10:00[Pacific/Honolulu]"]),
            ]), on: 0)
        let lines = try ExportFormat.ics.write(world.view(0)).split(separator: "\r\n")
        let events = lines.filter { line in
            ["DTSTART", "DTEND", "DURATION", "STATUS", "SUMMARY", "X-"].contains { line.hasPrefix($0) }
        }
        #expect(
            events == [
                "SUMMARY:Fado", "DTSTART:20260329T003000Z",
                "X-CARAVAN-DATES:2026-03-29T00:30+00:00[Europe/Lisbon]/PT2H30M", "DURATION:PT2H30M", "STATUS:CONFIRMED",
                "SUMMARY:Castle", "DTSTART:20260612T090500", "STATUS:TENTATIVE",
                "SUMMARY:Flight", "DTSTART:20270101T060000Z",
                "X-CARAVAN-DATES:2026-12-31T20:00-10:00[Pacific/Honolulu]", "STATUS:TENTATIVE",
            ])
    }

    @Test("GPX and KML hold the places, escaped, and say how many items have none")
    func places() throws {
        let trip = try trip()
        #expect(
            try ExportFormat.gpx.write(trip) == """
                <?xml version="1.0" encoding="UTF-8"?>
                <gpx version="1.1" creator="Caravan" xmlns="http://www.topografix.com/GPX/1/1">
                  <metadata><name>Sun; sea &amp; &lt;sand&gt;</name></metadata>
                  <wpt lat="38.7" lon="-9.1">
                    <name>Casa *do* &quot;Rio&quot;</name>
                    <desc>First; line
                Second \\ line
                price: €120, a night
                votes: +1 (for: Noah)</desc>
                    <link href="https://example.org/a,b?c=d&amp;e=f"/>
                  </wpt>
                </gpx>

                """)
        let kml = try ExportFormat.kml.write(trip)
        #expect(kml.contains("<Point><coordinates>-9.1,38.7</coordinates></Point>"))
        #expect(kml.contains("link: https://example.org/a,b?c=d&amp;e=f\n"))
        #expect(ExportFormat.gpx.leftOutCount(trip) == 1 && ExportFormat.csv.leftOutCount(trip) == 0)
    }

    @Test("forms that would hold nothing are refused, and say what to do")
    func nothing() throws {
        let empty = World(participants: [0]).view(0)
        for format in [ExportFormat.ics, .gpx, .kml] {
            let error = #expect(throws: ServiceError.self) { try format.write(empty) }
            #expect(error?.message.contains("; ") ?? false)
        }
        #expect(try ExportFormat.markdown.write(empty) == "Untitled trip\n=============\n")
    }
}
