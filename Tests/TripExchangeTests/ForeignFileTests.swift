import Testing
import TripModel
import TripService

@testable import TripExchange

/// Calendars and maps of other programs, and what only looks like one.
struct ForeignFileTests {
    private func read(_ text: String) throws(ServiceError) -> ImportedList {
        let bytes = Array(text.utf8)
        return try ImportFormat(detecting: bytes).read(bytes)
    }

    @Test("a calendar of another program: days, times, folded and escaped texts, what was cancelled, alarms (RFC 5545)")
    func calendar() throws {
        let lines = [
            "BEGIN:VCALENDAR", "PRODID:-//Other//EN", "X-WR-CALNAME:Lisbon\\, June", "BEGIN:VTIMEZONE",
            "TZID:Europe/Lisbon", "BEGIN:STANDARD", "DTSTART:19701025T020000", "END:STANDARD", "END:VTIMEZONE",
            "BEGIN:VEVENT", "SUMMARY;LANGUAGE=en;X-A=\"a:b;c\":Fado\\; at nig", " ht\\, late",
            "DTSTART;TZID=Europe/Lisbon:20260612T210000", "DTEND;TZID=Europe/Lisbon:20260613T010000",
            "LOCATION:Alfama\\, Lisbon", "GEO:38.711;-9.13", "URL:https://a.b/c?d=1\\,2",
            "DESCRIPTION:<b>Bring</b> &amp;\\ncash",
            "BEGIN:VALARM", "TRIGGER:-PT15M", "SUMMARY:alarm", "DESCRIPTION:alarm", "END:VALARM", "STATUS:CONFIRMED",
            "END:VEVENT",
            "BEGIN:VEVENT", "SUMMARY:Stay", "DTSTART;VALUE=DATE:20260612", "DURATION:P3D", "END:VEVENT",
            "BEGIN:VEVENT", "SUMMARY:Stay 2", "DTSTART;VALUE=DATE:20261231", "DTEND;VALUE=DATE:20270102", "END:VEVENT",
            "BEGIN:VEVENT", "SUMMARY:Off", "DTSTART:20260612T210000Z", "STATUS:CANCELLED", "END:VEVENT",
            "BEGIN:VEVENT", "DTSTART:20260614T090000Z", "URL:mailto:a@b.c", "LOCATION:38.7\\,-9.1", "END:VEVENT",
            "BEGIN:VTODO", "SUMMARY:Tickets", "DUE:20260601T120000Z", "STATUS:COMPLETED", "END:VTODO",
            "BEGIN:VTODO", "SUMMARY:Rent", "DTSTART;VALUE=DATE:20260602", "DUE;VALUE=DATE:20260605", "END:VTODO",
            "END:VCALENDAR",
        ]
        for ending in ["\r\n", "\n"] {
            let list = try read(lines.joined(separator: ending) + ending)
            #expect(list.name == "Lisbon, June" && list.hiddenCount == 1 && list.parts.isEmpty)
            let items = list.entries.map { entry in entry.item.fields }
            #expect(
                items == [
                    [
                        .title: "Fado; at night, late", .dates: "2026-06-12T21:00/PT4H", .address: "Alfama, Lisbon",
                        .place: "38.711,-9.13", .link: "https://a.b/c?d=1\\,2", .note: "Bring &\ncash",
                    ],
                    [.title: "Stay", .dates: "2026-06-12/2026-06-14"],
                    [.title: "Stay 2", .dates: "2026-12-31/2027-01-01"],
                    [
                        .title: "14 June 2026, 09:00 (UTC)", .dates: "2026-06-14T09:00+00:00", .place: "38.7,-9.1",
                    ],
                    [.title: "Tickets", .due: "2026-06-01T12:00+00:00", .done: "true"],
                    [.title: "Rent", .dates: "2026-06-02", .due: "2026-06-05"],
                ])
        }
    }

    @Test(
        "an event keeps its time if it takes less than a day by one clock, and its days if not",
        arguments: [
            (["DTSTART:20260612T143000", "DTEND:20260612T160000"], "2026-06-12T14:30/PT1H30M"),
            (["DTSTART:20260612T143000Z", "DURATION:PT90M"], "2026-06-12T14:30+00:00/PT1H30M"),
            (["DTSTART;TZID=Asia/Tokyo:20260612T143000"], "2026-06-12T14:30"),
            // A flight: its two clocks do not say how long it takes.
            (
                ["DTSTART;TZID=Asia/Tokyo:20260612T200000", "DTEND;TZID=Pacific/Honolulu:20260612T083000"],
                "2026-06-12T20:00"
            ),
            (["DTSTART:20260612T150000", "DTEND:20260615T100000"], "2026-06-12/2026-06-15"),
            (["DTSTART:20260612T000000", "DTEND:20260613T000000"], "2026-06-12"),
            (["DTSTART:20260612T000000"], "2026-06-12"), (["DTSTART:20260612T250000"], "2026-06-12"),
            (["DTSTART:20260612T000000", "DURATION:P3D"], "2026-06-12/2026-06-15"),
            (["DTSTART:20260612T160000", "DTEND:20260612T140000"], "2026-06-12"),
        ])
    func times(lines: [String], kept: String) throws {
        let all = ["BEGIN:VCALENDAR", "BEGIN:VEVENT", "SUMMARY:x"] + lines + ["END:VEVENT", "END:VCALENDAR", ""]
        #expect(try read(all.joined(separator: "\r\n")).entries.map { $0.item.fields[.dates] } == [kept])
    }

    @Test("GPX of another program: waypoints, named points of routes; tracks are left out and counted")
    func gpx() throws {
        let list = try read(
            """
            <?xml version="1.0" encoding="UTF-8" standalone="no" ?>
            <!-- of a watch -->
            <gpx:gpx xmlns:gpx="http://www.topografix.com/GPX/1/1" creator='Watch' version="1.1">
              <gpx:metadata><gpx:name>Sintra</gpx:name><gpx:link href="https://no.one"/></gpx:metadata>
              <gpx:wpt lat="38.7877777777777777777" lon="-9.39"><gpx:ele>450</gpx:ele>
                <gpx:name>Pena &amp; park &#x2014; <![CDATA[<top>]]></gpx:name>
                <gpx:desc>price: no field&lt;br/&gt;of ours</gpx:desc><gpx:link href="https://a.b/p"><gpx:text>x</gpx:text></gpx:link>
                <gpx:extensions><gpx:name>other</gpx:name></gpx:extensions></gpx:wpt>
              <gpx:wpt lat="38.8" lon="-9.4"/>
              <gpx:rte><gpx:name>Way</gpx:name><gpx:rtept lat="38.1" lon="-9.1"><gpx:name>Start</gpx:name></gpx:rtept>
                <gpx:rtept lat="38.2" lon="-9.2"/></gpx:rte>
              <gpx:trk><gpx:name>Run</gpx:name><gpx:trkseg><gpx:trkpt lat="38.1" lon="-9.1"/></gpx:trkseg></gpx:trk>
            </gpx:gpx>
            """)
        #expect(list.name == "Sintra" && list.shapeCount == 2)
        #expect(
            list.entries.map(\.item.fields) == [
                [
                    .title: "Pena & park — <top>", .place: "38.787777777777777,-9.39", .link: "https://a.b/p",
                    .note: "price: no field\nof ours",
                ],
                [.title: "38.8,-9.4", .place: "38.8,-9.4"], [.title: "Start", .place: "38.1,-9.1"],
            ])
        let track = "<gpx><trk><trkseg><trkpt lat=\"1\" lon=\"2\"/></trkseg></trk></gpx>"
        let error = #expect(throws: ServiceError.self) { try read(track) }
        #expect(error?.message.hasPrefix("it holds only lines, areas or unnamed points") ?? false)
    }

    @Test("KML of another program: placemarks in folders become items of lists, lines and areas are left out")
    func kml() throws {
        let list = try read(
            """
            <?xml version='1.0' encoding='utf-8'?>\r
            <kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>Lisbon</name><Style id="s"/>\r
            <Placemark><name>Alone</name><address>Rua 1, Lisbon</address></Placemark>
            <Folder><name>Food</name>
              <Placemark><name>Bakery</name><description><![CDATA[<p>Good<br>bread</p>]]></description>
                <Point><altitudeMode>x</altitudeMode><coordinates>
                  -9.1,38.7,12.5
                </coordinates></Point></Placemark>
              <Folder><Placemark><name>Inner</name><Point><coordinates>-9.2,38.8</coordinates></Point></Placemark></Folder>
            </Folder>
            <Placemark><name>Tram</name><LineString><coordinates>-9.1,38.7 -9.2,38.8</coordinates></LineString></Placemark>
            </Document></kml>
            """)
        #expect(list.name == "Lisbon" && list.shapeCount == 1 && list.parts.map(\.title) == ["Food"])
        #expect(
            list.entries.map(\.item.fields) == [
                [.title: "Alone", .address: "Rua 1, Lisbon"],
                [.title: "Bakery", .note: "Good\nbread", .place: "38.7,-9.1"], [.title: "Inner", .place: "38.8,-9.2"],
            ])
        #expect(list.entries.map(\.part) == [nil, 0, 0])
    }

    @Test(
        "what is malformed, deep or long, and every document type, is refused in one line that says where",
        arguments: [
            (
                "<!DOCTYPE gpx [<!ENTITY a SYSTEM \"file:///etc/passwd\">]>\n<gpx><wpt lat=\"1\" lon=\"2\"><name>&a;</name></wpt></gpx>",
                "line 1: it declares a document type, which is not read"
            ),
            ("<?xml version=\"1.0\"?>\n<!DOCTYPE kml><kml/>", "line 2: it declares a document type, which is not read"),
            ("<gpx><wpt lat=\"1\" lon=\"2\"><name>&a;</name></wpt></gpx>", "line 1: an “&” begins no entity of XML"),
            ("<gpx><wpt lat=\"1\" lon=\"2\"><name>&#0;</name></wpt></gpx>", "line 1: an “&” begins no entity of XML"),
            ("<gpx><wpt lat=\"1\" lon=\"2\"><name>a</nam></wpt></gpx>", "line 1: “</nam>” closes no element"),
            (
                "<gpx>\n<wpt lat=\"91\" lon=\"2\"><name>a</name></wpt></gpx>",
                "waypoint 1: “91,2” is not a place in degrees"
            ),
            ("<gpx><wpt lat=\"1\" lon=\"2\"><name>a", "line 1: the XML ends in the middle"),
            ("<gpx><wpt lat=\"1\" lon=2/></gpx>", "line 1: this is not XML"),
            ("<gpx/><gpx/>", "line 1: a second root element"),
            ("<gpx/> x", "line 1: text is outside the root element"),
            (
                "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><gpx/>",
                "line 1: its encoding is iso-8859-1; save it in UTF-8"
            ),
            ("<gpx>" + String(repeating: "<a>", count: 100_000), "line 1: the XML is nested deeper than 64 levels"),
            (
                "<gpx><wpt><name>" + String(repeating: "x", count: 300_000) + "</name></wpt></gpx>",
                "line 1: a text has more than 256 KiB"
            ),
            (
                "<gpx><wpt><name>"
                    + String(repeating: "<![CDATA[" + String(repeating: "x", count: 1_000) + "]]>", count: 300),
                "line 1: a text has more than 256 KiB"
            ),
            ("<gpx></gpx>", "it contains nothing to add"),
            ("BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:a\r\n", "line 3: the calendar ends in the middle"),
            ("BEGIN:VCALENDAR\nBEGIN:VEVENT\nEND:VCALENDAR\n", "line 3: “VCALENDAR” ends and was not begun"),
            ("BEGIN:VCALENDAR\nSUMMARY\nEND:VCALENDAR\n", "line 2: this is not a calendar line"),
            ("BEGIN:VCALENDAR\nEND:VCALENDAR\n", "it contains nothing to add"),
            (
                "BEGIN:VCALENDAR\nBEGIN:VEVENT\nEND:VEVENT\nEND:VCALENDAR\n",
                "event 1: neither a title nor a link; give one"
            ),
            (
                String(repeating: "BEGIN:VCALENDAR\n", count: 100),
                "line 65: the calendar is nested deeper than 64 levels"
            ),
            ("BEGIN:VCALENDAR\nX:" + String(repeating: "x\n ", count: 300_000), "line 2: it has more than 256 KiB"),
            (
                "BEGIN:VCALENDAR\n" + String(repeating: "BEGIN:VEVENT\nSUMMARY:a\nEND:VEVENT\n", count: 20_001),
                "event 20001: more than 20000 events"
            ),
        ] as [(String, String)])
    func refused(_ text: String, _ beginning: String) {
        let error = #expect(throws: ServiceError.self) { try read(text) }
        #expect(error?.message.hasPrefix(beginning) ?? false, "\(error?.message ?? "none")")
    }

    @Test(
        "lists that people paste are not taken for a program's file",
        arguments: [
            "Bread, butter; jam\nMilk\n", "19:30 Fado\n21:00 Dinner: Alfama\n", "Tent; stove;\nMap\nRope\n",
            "<3 Lisbon\n", "a=b\nCasa\nLoft\n",
            "https://a.b/?x={y};\nhttps://a.b/?z={w};\n", "- a=1\n- b=2\n- c=3\n", "Casa\n",
        ])
    func lists(_ text: String) throws { #expect(try !read(text).entries.isEmpty) }

    @Test("a text of 20,000 lines is told from a list, and one of 60 MiB read, in a moment")
    func pace() throws {
        let track =
            "<gpx><wpt lat=\"1\" lon=\"2\"><name>a</name></wpt><trk><trkseg>\n"
            + String(repeating: "<trkpt lat=\"38.123456\" lon=\"-9.123456\"><ele>1</ele></trkpt>\n", count: 20_000)
            + "</trkseg></trk></gpx>"
        let list = try read(track)
        #expect(list.entries.count == 1 && list.shapeCount == 20_000)
    }
}
