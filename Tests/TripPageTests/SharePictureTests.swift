import Foundation
import FoundationXML
import Testing
import TripFixtures
import TripModel

@testable import TripPage

/// Pictures of a trip for a chat.
struct SharePictureTests {
    /// A trip of five people, with items that bear these titles, the first wanted most.
    private func trip(_ title: String, _ items: String..., note: String? = nil, names: [String] = []) throws -> TripView
    {
        var world = World(participants: [0, 1, 2, 3, 4])
        try world.perform(.setTitle(title), on: 0)
        var ids: [ItemID] = []
        for (index, item) in items.enumerated() {
            var fields: [Field: String] = index == 2 ? [:] : [.price: "€\(30 + index) each", .host: "Ana & Rui"]
            if let note { fields[.note] = note }
            ids.append(try world.add(ItemDraft(title: item, fields: fields), on: 0))
        }
        try world.syncAll()
        let names = names.isEmpty ? ["Jie", "Noah", "Mia", "Michelle Wu", "小明"] : names
        for (device, name) in names.enumerated() { try world.perform(.setName(name), on: device) }
        for (index, id) in ids.enumerated() {
            for device in 0..<max(0, 4 - index) {
                try world.perform(.vote([id], device == 3 ? .against : .for), on: device)
            }
        }
        try world.syncAll()
        return world.view(0)
    }

    private func trips() throws -> [(name: String, TripView)] {
        let long = "A very long title that goes on and on, as titles do when somebody pastes a whole listing into it"
        return [
            (
                "usual",
                try trip(
                    "Lisbon in June", "Casa do Rio", "Surf camp at Ericeira", "Boat to Berlengas", "Tram 28",
                    "Pastéis de Belém", note: "Ten minutes from the river, with a terrace for all of us and a kitchen.")
            ),
            ("empty", try trip("Somewhere")),
            (
                "long",
                try trip(
                    long, long, String(repeating: "W", count: 180), String(repeating: "民宿", count: 60),
                    String(repeating: "🏕️", count: 60), note: String(repeating: "A long story. ", count: 60),
                    names: ["Wilhelmina Wolkenstein", "👩‍👩‍👧‍👦", "مريم", "A", "Ελένη Παπαδοπούλου"])
            ),
            (
                "right-to-left",
                try trip(
                    "טיול לליסבון (יוני)", "בית על הנהר…", "رحلة بالقارب 12:30 — Berlengas!", "Casa (בית)",
                    note: "קרוב לים.")
            ),
            (
                "hostile",
                try trip(
                    "</text><script>alert(1)</script>", "\"/><image href=\"file:///etc/passwd\"/>", "&amp; ' ]]>",
                    "a\u{FFFF}b\u{1FFFE}c", note: "<!--")
            ),
        ]
    }

    @Test("every picture is a drawing of its size that any reader of XML takes, whatever is in the trip")
    func wellFormed() throws {
        for (name, view) in try trips() {
            for shape in SharePicture.Shape.allCases {
                for item in [nil] + view.items.map({ Optional($0.id) }) {
                    let svg = SharePicture.svg(view, shape: shape, item: item)
                    let reader = Reader(svg)
                    #expect(reader.isWellFormed, "\(name): \(svg.prefix(300))")
                    #expect(reader.root == "svg" && reader.size == [shape.width, shape.height])
                    let allowed: Set = ["svg", "rect", "circle", "polygon", "text"]
                    #expect(reader.elements.subtracting(allowed) == [], "\(name)")
                    #expect(!svg.contains("\u{202E}"))
                }
            }
        }
    }

    @Test("no text is wider than the room that it has")
    func nothingIsCutByTheEdge() throws {
        for (name, view) in try trips() {
            for shape in SharePicture.Shape.allCases {
                for item in [nil] + view.items.map({ Optional($0.id) }) {
                    for text in Reader(SharePicture.svg(view, shape: shape, item: item)).texts {
                        let width = Lettering(size: text.size, colour: "", isBold: text.isBold).width(of: text.text)
                        let left =
                            text.anchor == "start" ? text.x : text.anchor == "end" ? text.x - width : text.x - width / 2
                        #expect(left >= 8 && left + width <= shape.width - 8, "\(name) \(shape): \(text)")
                        #expect((8...shape.height - 8).contains(text.y), "\(name) \(shape): \(text)")
                    }
                }
            }
        }
    }

    @Test("a list shows those that are wanted most, with the votes that count and how many voted")
    func list() throws {
        let view = try #require(try trips().first)
        let texts = Reader(SharePicture.svg(view.1, shape: .card)).texts.map(\.text)
        #expect(texts.first == "Lisbon in June")
        #expect(texts.contains("4 of 5 voted · 5 things proposed") && texts.contains("and 1 more"))
        let titles = view.1.items(sortedBy: .votes).map(\.title)
        #expect(texts.filter(titles.contains) == Array(titles.prefix(4)), "highest first, and no more than four")
        #expect(texts.contains("€30 each · Ana & Rui"))
        let sticker = Reader(SharePicture.svg(view.1, shape: .sticker)).texts.map(\.text)
        #expect(sticker.contains("Lisbon in June") && sticker.contains("4 of 5 voted"))
        #expect(sticker.filter(titles.contains).count == 3 || sticker.contains { $0.hasSuffix("…") })
        #expect(SharePicture.label(view.1).hasPrefix("Lisbon in June · 4 of 5 voted · Surf camp at Ericeira 3 · "))
    }

    @Test("an item that is done, or removed, is not among what is wanted")
    func doneAndRemoved() throws {
        var world = World(participants: [0])
        let done = try world.add(ItemDraft(title: "Flights", fields: [.done: "true"]), on: 0)
        let removed = try world.add(ItemDraft(title: "Hostel"), on: 0)
        _ = try world.add(ItemDraft(title: "Cabin"), on: 0)
        try world.perform(.vote([done, removed], .for), on: 0)
        try world.perform(.remove([removed]), on: 0)
        let texts = Reader(SharePicture.svg(world.view(0), shape: .card)).texts.map(\.text)
        #expect(texts.contains("Cabin") && !texts.contains("Flights") && !texts.contains("Hostel"))
    }

    @Test("costs, and things to bring, are no part of what is proposed")
    func costs() throws {
        var world = World(participants: [0])
        try world.perform(.setName("Jie"), on: 0)
        let cost = try TypedCost(amount: "84 EUR", payers: ["Jie"]).cost(
            in: world.view(0), by: world.nodes[0].participant)
        let bill = try world.add(
            ItemDraft(title: "Bar bill", fields: [.cost: cost.text, .itemKind: ItemView.expenseKind]), on: 0)
        _ = try world.add(ItemDraft(title: "Tents", fields: [.itemKind: "bring"]), on: 0)
        _ = try world.add(ItemDraft(title: "Cabin"), on: 0)
        try world.perform(.vote([bill], .against), on: 0)
        let texts = Reader(SharePicture.svg(world.view(0), shape: .card)).texts.map(\.text)
        #expect(texts.contains("Cabin") && !texts.contains("Bar bill") && !texts.contains("Tents"))
        #expect(texts.contains("0 of 1 voted · 1 thing proposed"))
    }

    @Test("text is cut to its width at whole characters, and lines break between words")
    func lettering() {
        let letters = Lettering(size: 20, colour: "")
        #expect(letters.fitted("short", to: 200) == "short")
        for text in [
            "A very long title indeed", "👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦",
            "é\u{301}é\u{301}é\u{301}é\u{301}é\u{301}é\u{301}é\u{301}é\u{301}é\u{301}é\u{301}",
        ] {
            let cut = letters.fitted(text, to: 100)
            #expect(cut.hasSuffix("…") && text.hasPrefix(String(cut.dropLast())) && letters.width(of: cut) <= 100)
        }
        let lines = letters.lines(of: "one two three four five six", width: 110, atMost: 9)
        #expect(lines.joined(separator: " ") == "one two three four five six" && lines.count > 1)
        #expect(lines.allSatisfy { letters.width(of: $0) <= 110 })
        #expect(letters.lines(of: String(repeating: "民", count: 30), width: 110, atMost: 3).count == 3)
        #expect(letters.lines(of: "more", width: 1, atMost: 2).count == 2, "something of it is shown")
        #expect(letters.lines(of: "more", width: 100, atMost: 0) == [] && letters.fitted("", to: 10) == "")
    }

    @Test("pictures have the colours of the page")
    func colours() throws {
        let tokens = String(decoding: PackageResources.tokens_css, as: UTF8.self)
        for (number, hue) in ShareColours.hues.enumerated() {
            let rule = ".hue-\(number) { --hue-ground: \(hue.ground); --hue-far: \(hue.far); --hue-ink: \(hue.ink); }"
            #expect(tokens.contains(rule), "\(rule)")
        }
        for (name, colour) in [("ink", ShareColours.ink), ("accent", ShareColours.accent), ("good", ShareColours.good)]
        {
            #expect(tokens.contains("--color-\(name): \(colour);"))
        }
        #expect(UInt64(ShareColours.hues.count) == TripPage.hueCount)
    }

    @Test("pictures are written to a folder, to be looked at", .enabled(if: folder != nil))
    func look() throws {
        for (name, view) in try trips() {
            for shape in SharePicture.Shape.allCases {
                for (index, item) in ([nil] + view.items.map({ Optional($0.id) })).enumerated() {
                    let svg = SharePicture.svg(view, shape: shape, item: item)
                    let path = "\(Self.folder ?? "")/\(name)-\(shape)-\(index).svg"
                    try svg.write(toFile: path, atomically: true, encoding: .utf8)
                }
            }
        }
    }

    private static let folder = ProcessInfo.processInfo.environment["CARAVAN_PICTURES"]
}

/// What a reader of XML finds in a drawing.
private final class Reader: NSObject, XMLParserDelegate {
    struct Text { var text = "", x = 0, y = 0, size = 0, isBold = false, anchor = "" }

    private(set) var isWellFormed = false
    private(set) var root = ""
    private(set) var size: [Int] = []
    private(set) var elements: Set<String> = []
    private(set) var texts: [Text] = []
    private var isInText = false

    init(_ svg: String) {
        super.init()
        let parser = XMLParser(data: Data(svg.utf8))
        parser.delegate = self
        isWellFormed = parser.parse()
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        elements.insert(name)
        if root.isEmpty {
            root = name
            size = ["width", "height"].compactMap { attributes[$0].flatMap { Int($0) } }
        }
        isInText = name == "text"
        guard isInText else { return }
        let number = { attributes[$0].flatMap { Int($0) } ?? 0 }
        texts.append(
            Text(
                x: number("x"), y: number("y"), size: number("font-size"), isBold: attributes["font-weight"] == "bold",
                anchor: attributes["text-anchor"] ?? ""))
    }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
        isInText = false
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) {
        if isInText, !texts.isEmpty {
            texts[texts.count - 1].text += text.filter { $0 != "\u{2068}" && $0 != "\u{2069}" }
        }
    }
}
