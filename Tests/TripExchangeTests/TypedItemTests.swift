import Testing
import TripFixtures
import TripModel
import TripService

@testable import TripExchange

/// What people type into the one box, or paste by the line.
struct TypedItemTests {
    @Test(
        "what is typed into the box is a name, a link, or both",
        arguments: [
            ("Casa do Rio", "Casa do Rio", nil), ("  Boat   trip ", "Boat trip", nil),
            (
                "https://www.airbnb.com/rooms/20417?adults=2", "airbnb.com: rooms 20417",
                "https://www.airbnb.com/rooms/20417?adults=2"
            ),
            (
                "https://booking.com/hotel/pt/casa-do%20rio.html", "booking.com: casa do rio",
                "https://booking.com/hotel/pt/casa-do%20rio.html"
            ),
            ("http://example.org", "example.org", "http://example.org"),
            ("Casa https://a.b/c", "Casa", "https://a.b/c"),
            ("javascript:alert(1)", "javascript:alert(1)", nil),
            ("https://a.b https://c.d", "https://a.b https://c.d", nil),
        ] as [(String, String, String?)])
    func typed(_ text: String, title: String, link: String?) {
        let item = NewItem(typed: text)
        #expect(item?.title == title)
        #expect(item?.fields[.link] == link)
    }

    @Test(
        "a price and days behind a name are its fields, and other words stay in it",
        arguments: [
            ("Casa do Rio, €120 a night, 12-15 June 2026", "Casa do Rio", "€120 a night", "12-15 June 2026"),
            ("Dinner, by the river, 84 EUR", "Dinner, by the river", "84 EUR", nil),
            ("Fado, 2026-06-12 20:00 https://a.b/c", "Fado", nil, "2026-06-12 20:00"),
            ("Bread, butter, 2 eggs", "Bread, butter, 2 eggs", nil, nil), ("€90", "€90", nil, nil),
            ("Room 12, 1200", "Room 12, 1200", nil, nil), ("Boat, 90 EUR, 80 EUR", "Boat, 90 EUR", "80 EUR", nil),
            (
                "Hotel, 95 USD per night, 12 June - 16 June 2027, sleeps 4", "Hotel, sleeps 4", "95 USD per night",
                "12 June - 16 June 2027"
            ),
            ("Inn, June 14, 2027", "Inn", nil, "June 14, 2027"),
            ("Fado, 12 June 2026, 14:30, 2 h, €30", "Fado", "€30", "12 June 2026, 14:30, 2 h"),
            ("Tent, 2, 12 June 2026", "Tent, 2", nil, "12 June 2026"),
            // Days without a year, or in figures that countries order differently, are left to people.
            ("Valley, 14 June", "Valley, 14 June", nil, nil), ("Inn, 14/06/2027", "Inn, 14/06/2027", nil, nil),
        ] as [(String, String, String?, String?)])
    func facts(_ text: String, title: String, price: String?, dates: String?) {
        let item = NewItem(typed: text)
        #expect(
            item?.title == title && item?.fields[.price] == price && item?.fields[.dates] == dates, "\(item as Any)")
    }

    @Test("a link brings the days that it asks for, and no marks of who shared it")
    func booking() {
        let link = "https://www.airbnb.com/rooms/20417?check_in=2026-06-12&check_out=2026-06-15&adults=4"
        let item = NewItem(typed: link + "&source_impression_id=p3_1&UTM_source=chat&fbclid=x#photos")
        #expect(item?.fields == [.link: link + "#photos", .dates: "2026-06-12/2026-06-15"])
        let plain = NewItem(typed: "https://a.b/c?utm_medium=x#y")
        #expect(plain?.fields == [.link: "https://a.b/c#y"])
        // Days that are none, or end before they begin, are left to people.
        for query in [
            "check_in=soon&check_out=later", "check_in=2026-06-15&check_out=2026-06-12", "check_in=2026-06-12",
        ] {
            #expect(NewItem(typed: "https://a.b/c?\(query)")?.fields[.dates] == nil, "\(query)")
        }
    }

    @Test(
        "a line of a list is an item with how many of it",
        arguments: [
            ("towels", "towels", 1), ("3 towels", "towels", 3), ("3x towels", "towels", 3), ("3 × towels", "towels", 3),
            ("towels ×3", "towels", 3), ("- [ ] 2 tents", "tents", 2), ("• map", "map", 1), ("2026", "2026", 1),
            ("route 66", "route 66", 1), ("1000 napkins", "1000 napkins", 1), ("0 worries", "0 worries", 1),
        ] as [(Substring, String, Int64)])
    func lines(_ line: Substring, title: String, quantity: Int64) {
        let item = NewItem(line: line)
        #expect(item?.title == title)
        #expect(item?.quantity == quantity)
    }

    @Test(
        "a blank parts thousands in a line of a list, and a pack's size is none of them",
        arguments: [
            ("10 000 beads", "beads", 10_000), ("10\u{202F}000 beads", "beads", 10_000),
            ("- [ ] 1 000 000 grains", "grains", 1_000_000), ("1. 1 050 x cards", "cards", 1_050),
            ("2 500 g packs", "500 g packs", 2), ("10 000", "10 000", 1),
            ("1 000 000 000 seeds", "1 000 000 000 seeds", 1), ("999 000 000 000 beads", "999 000 000 000 beads", 1),
            ("0 000 beads", "0 000 beads", 1),
        ] as [(Substring, String, Int64)])
    func thousands(_ line: Substring, title: String, quantity: Int64) {
        let item = NewItem(line: line)
        #expect(item?.title == title && item?.quantity == quantity, "\(item as Any)")
    }

    @Test(
        "a number before a unit measures, and stays in the title",
        arguments: [
            ("2 kg pasta", "2 kg pasta", 1), ("- [ ] 3 L water", "3 L water", 1), ("10 000 g rice", "10 000 g rice", 1),
            ("500 ml", "500 ml", 1), ("3 × 2 kg rice", "2 kg rice", 3), ("2 kg rice ×3", "2 kg rice", 3),
            ("2 kilos", "kilos", 2), ("2 gloves", "gloves", 2),
        ] as [(Substring, String, Int64)])
    func measures(_ line: Substring, title: String, quantity: Int64) {
        let item = NewItem(line: line)
        #expect(item?.title == title && item?.quantity == quantity, "\(item as Any)")
    }

    @Test("Markdown is read so, too, and a title that begins with such a number comes back as it was")
    func thousandsInMarkdown() throws {
        let pasted = Array("# Crafts\n- 10 000 beads\n- [ ] 2 000 000 pins\n".utf8)
        let items = try ImportFormat(fileName: "a.md", pasted).read(pasted).entries.map(\.item)
        #expect(items.map(\.title) == ["beads", "2 000 000 pins"], "a quantity has a bound")
        #expect(items.map(\.quantity) == [10_000, 1])
        var world = World(participants: [0])
        for (title, quantity) in [
            ("10 000 beads", nil), ("10 000 beads", 3), ("000 beads", 10), ("000", 10), ("1 050 x cards", nil),
            ("2 kg rice", nil), ("2 kg rice", 3), ("kg rice", 2), ("beads", 10_000),
        ] as [(String, Int64?)] {
            try world.perform(.add([ItemDraft(title: title, quantity: quantity)]), on: 0)
        }
        let view = world.view(0)
        let written = Array(try ExportFormat.markdown.write(view).utf8)
        let read = try ImportFormat(fileName: "a.md", written).read(written).entries.map(\.item)
        #expect(read.map(\.title) == view.items.map(\.title))
        #expect(read.map(\.quantity) == view.items.map(\.quantity))
    }

    @Test("a line with a link is called by its words, or by the link, and counted as others are")
    func linkedLines() {
        let bare = NewItem(line: "https://www.ikea.com/frakta?utm_source=x")?.withLinkOfTitle
        let typed = NewItem(typed: "https://www.ikea.com/frakta")
        #expect(bare?.title == typed?.title && bare?.fields == typed?.fields && bare?.quantity == 1)
        let named = NewItem(line: "- [x] 3 bags https://www.ikea.com/frakta")?.withLinkOfTitle
        #expect(named?.title == "bags" && named?.quantity == 3)
        #expect(named?.fields == [.link: "https://www.ikea.com/frakta", .done: "true"])
        #expect(NewItem(line: "2 tents")?.withLinkOfTitle == NewItem(title: "tents", quantity: 2))
    }

    @Test("a ticked line is done, and a blank one is nothing")
    func ticked() {
        #expect(NewItem(line: "- [x] tent")?.fields == [.done: "true"])
        #expect(NewItem(line: " - ") == nil)
    }
}
