import Testing
import TripFixtures
import TripModel
import TripService

@testable import TripExchange

/// An exported item is imported again unchanged.
struct RoundTripTests {
    @Test("\"Mussels Party\" becomes its link, byte for byte")
    func musselsParty() throws {
        var world = World(participants: [0])
        try world.perform(.setTitle("Mussels Party"), on: 0)
        try world.perform(.add(["Mussels", "Fries", "Andalouse sauce"].map { ItemDraft(title: $0) }), on: 0)
        let link = try ExportFormat.url.write(world.view(0))
        #expect(link == "caravan:list?title=Mussels%20Party&item=Mussels&item=Fries&item=Andalouse%20sauce\n")
        let list = try ImportFormat(detecting: Array(link.utf8)).read(Array(link.utf8))
        #expect(list.name == "Mussels Party")
        #expect(list.entries.map(\.item.title) == ["Mussels", "Fries", "Andalouse sauce"])
    }

    @Test("any list is read back from CSV, JSON and its link as the same titles, fields and quantities")
    func everyForm() throws {
        for seed in 1...150 {
            var generator = SeededGenerator(seed: UInt64(seed))
            var world = World(participants: [0])
            let title = Self.text(&generator, lines: false)
            try world.perform(.setTitle(title), on: 0)
            let drafts = (0...generator.below(8)).map { _ in Self.draft(&generator) }
            try world.perform(.add(drafts), on: 0)
            let view = world.view(0)
            let written = view.items.map { item in
                NewItem(
                    title: item.title, fields: item.fields.mapValues(\.value), quantity: item.quantity)
            }
            for format in [ExportFormat.csv, .json, .url] {
                let bytes = Array(try format.write(view).utf8)
                let detected = try ImportFormat(detecting: bytes)
                let list = try detected.read(bytes)
                let read = list.entries.map { entry in
                    // The title stands among the fields of a view, and not of every reader's items.
                    NewItem(
                        title: entry.item.title, fields: entry.item.fields.merging([.title: entry.item.title]) { $1 },
                        quantity: entry.item.quantity)
                }
                let isSame = read == written
                #expect(isSame, "seed \(seed), \(format): \(zip(read, written).first { $0 != $1 }.debugDescription)")
                #expect(format == .csv || list.name == view.title?.value, "seed \(seed), \(format)")
                #expect(try ImportPlan(list, into: view).changes.isEmpty, "seed \(seed), \(format)")
            }
        }
    }

    /// Texts of what forms treat in their own way.
    static func text(_ generator: inout SeededGenerator, lines: Bool) -> String {
        let parts =
            [
                "a", "Casa", "&", "=", "?", "#", "%", "+", "%20", "\"", "'", ",", ";", "\\", "/", "<b>", "]]>", "ü",
                "民宿",
                "🏡", "e\u{301}", "-", "@", " ", "=1+1", "{", "[", "\u{202F}", "é", "null", "true", "007",
                "3 ", " x2", "1. ", "www.a.b ", " https://a.b/c ", "price: ", "&#51;", "- ", "# ", "BEGIN:", "; ", "|",
            ] + (lines ? ["\n", "\n\n", "\t", "\nprice: 3", "\n price: 4", "\ndetails: 5\n", "\nlist: 6\n- "] : [])
        let text = (0...generator.below(6)).map { _ in generator.pick(parts) }.joined()
        return TextClasses.trimmed("x" + text).isEmpty
            ? "x" : TextClasses.trimmed(generator.below(2) == 0 ? "x" + text : text + "x")
    }

    static func draft(_ generator: inout SeededGenerator) -> ItemDraft {
        var fields: [Field: String] = [:]
        for field in Field.texts where field != .due && generator.below(2) == 0 {
            switch field.kind {
            case .heading, .cost, .person, .day, .question: continue
            case .phrase:
                let text = text(&generator, lines: false)
                // A price isn't below 0.
                fields[field] = field == .price ? text.replacing("-", with: "/") : text
            case .prose: fields[field] = text(&generator, lines: true)
            case .link: fields[field] = "https://example.org/\(generator.below(1_000))?q=%20&r=+#ü"
            case .place: fields[field] = "-\(generator.below(90)).5,\(generator.below(180)).25"
            case .flag: fields[field] = Field.setValue
            case .word: fields[field] = "idea"
            case .dates:
                fields[field] = generator.pick([
                    "2026-06-12/2026-06-15", "2026-06-12", "2026-06-12T14:30", "2026-03-29T23:50/PT45M",
                    "2026-06-12T14:30+01:00[Europe/Lisbon]/PT2H", "2026-06-12T00:00-10:00",
                ])
            case .count: fields[field] = "\(1 + generator.below(9))"
            }
        }
        // Without a draw: the texts of each seed stay as they were.
        if fields.count % 2 == 0 { fields[.due] = fields.count % 4 == 0 ? "2026-06-03" : "2026-06-03T18:00" }
        let quantity = generator.below(2) == 0 ? Int64(1 + generator.below(9)) : nil
        return ItemDraft(title: text(&generator, lines: false), fields: fields, quantity: quantity)
    }

    @Test("percent-encoding gives back every text, and a plus stays one")
    func percentEncoding() {
        for text in ["", "a b", "C++", "100 %", "ü🏡", "a&b=c?d#e/f", "%41", "\u{0}\n"] {
            let encoded = PercentEncoding.encode(text)
            #expect(encoded.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x26 && $0 != 0x2B })
            #expect(PercentEncoding.decode(encoded) == text)
        }
        #expect(PercentEncoding.decode("C++") == "C++")
        for malformed in ["%", "%4", "%4G", "%ff", "a%"] { #expect(PercentEncoding.decode(malformed) == nil) }
    }

    @Test("a list that is longer than a link may be is refused, and not cut")
    func longLink() throws {
        var world = World(participants: [0])
        try world.perform(
            .add((0..<200).map { ItemDraft(title: "\($0) " + String(repeating: "ü", count: 150)) }), on: 0)
        let error = #expect(throws: ServiceError.self) { try ExportFormat.url.write(world.view(0)) }
        #expect(error?.message.contains("32 KiB") ?? false)
    }
}
