import Testing
import TripFixtures
import TripModel
import TripService

@testable import TripExchange

/// A whole trip is exported in each form, and imported into an empty one.
struct TripRoundTripTests {
    /// An item as it was, and the list that it was in.
    private struct Kept: Hashable, CustomStringConvertible {
        let list: String?
        let title: String
        var fields: [Field: String]
        let quantity: Int64?
        var amenities: [String]

        var description: String { "\(list ?? "–"): \(title.debugDescription) \(fields) \(quantity ?? 0) \(amenities)" }
    }

    @Test("a trip with lists comes back from every form with all that the form holds", arguments: ExportFormat.allCases)
    func everyForm(_ format: ExportFormat) throws {
        for seed in 1...120 {
            var generator = SeededGenerator(seed: UInt64(seed))
            let view = try Self.trip(&generator)
            let bytes = Array(try format.write(view).utf8)
            let list = try ImportFormat(fileName: "trip." + format.fileExtension, bytes).read(bytes)
            let plan = try ImportPlan(list, into: World(participants: [0]).view(0), addingAll: true)
            var world = World(participants: [0])
            try Self.perform(plan, on: &world)
            let there = world.view(0)
            let read = Self.kept(there, format)
            let written = Self.kept(view, format)
            let isSame = read == written
            #expect(isSame, "seed \(seed): \(zip(read, written).first { $0 != $1 }.debugDescription), \(read.count)")
            let (name, title) = (
                list.name.map { Self.held($0, format) }, view.title.map { Self.held($0.value, format) }
            )
            #expect(format == .csv || name == title, "seed \(seed): \(name ?? "none"), not \(title ?? "none")")
            // In its own trip there is nothing new.
            let again = try ImportPlan(list, into: view)
            #expect(again.itemCount == 0 && again.note == nil, "seed \(seed)")
            let isNoted = format == .markdown || format == .json
            let note = isNoted ? view.note.map { Self.held($0.value, format) } : nil
            #expect(there.note.map { Self.held($0.value, format) } == note, "seed \(seed)")
            guard [.markdown, .json, .url].contains(format) else { continue }
            #expect(there.lists.map(\.kind) == view.lists.map(\.kind), "seed \(seed)")
            let notes = [there, view].map { $0.lists.map { $0.fields[.note].map { Self.held($0.value, format) } } }
            #expect(notes[0] == notes[1], "seed \(seed)")
        }
    }

    /// Two participants' trip: up to three lists, one of them perhaps empty, and fields of which more is proposed.
    private static func trip(_ generator: inout SeededGenerator) throws -> TripView {
        var world = World(participants: [0, 1])
        try world.perform(.setTitle(RoundTripTests.text(&generator, lines: false)), on: 0)
        let unlisted = (0...generator.below(4)).map { _ in draft(&generator) }
        try world.perform(.add(unlisted), on: 0)
        for number in 0..<generator.below(4) {
            let title = "\(number) " + RoundTripTests.text(&generator, lines: false)
            let items = (0..<generator.below(4)).map { _ in draft(&generator) }
            let place = try world.perform(
                .addList(title: title, kind: generator.below(2) == 0 ? .bring : nil, items), on: 0)
            if generator.below(2) == 0 {
                let note = RoundTripTests.text(&generator, lines: true)
                try world.perform(.editList(world.item(place), [.note: note]), on: 0)
            }
        }
        try world.syncAll()
        let item = world.view(0).items[0].id
        for device in 0...1 { try world.perform(.edit(item, [.price: "\(device)0 EUR"]), on: device) }
        try world.syncAll()
        try world.perform(.vote([item], .for), on: 1)
        // What is in no list is put into another order.
        if unlisted.count > 1 { try world.perform(.move([world.view(0).items[1].id], .before(item)), on: 1) }
        try world.syncAll()
        if generator.below(3) > 0 {
            try world.perform(.editNote(RoundTripTests.text(&generator, lines: true)), on: 0)
        }
        return world.view(0)
    }

    private static func draft(_ generator: inout SeededGenerator) -> ItemDraft {
        var draft = RoundTripTests.draft(&generator)
        // Maps hold what is somewhere.
        draft.fields[.place] = "-\(generator.below(90)).5,\(generator.below(180)).25"
        if generator.below(3) == 0 { draft.amenities = ["hot tub", "wifi"] }
        return draft
    }

    private static func perform(_ plan: ImportPlan, on world: inout World) throws {
        if let note = plan.note { try world.perform(.editNote(note.text, shown: note.shown), on: 0) }
        var before: ListID?
        for batch in plan.batches {
            let drafts = batch.items.map {
                ItemDraft(title: $0.title, fields: $0.fields, quantity: $0.quantity, amenities: $0.amenities)
            }
            switch batch.target {
            case .unlisted: try world.perform(.add(drafts), on: 0)
            case .listBefore: try world.perform(.add(drafts, to: before), on: 0)
            case .list(let id):
                try world.perform(.add(drafts, to: world.view(0).lists.first { $0.shortID == id }?.id), on: 0)
            case .newList(let part):
                let entry = try world.perform(.addList(title: part.title, kind: part.kind, drafts), on: 0)
                let list = world.item(entry)
                if let note = part.note { try world.perform(.editList(list, [.note: note]), on: 0) }
                before = list
            }
        }
    }

    private static func kept(_ view: TripView, _ format: ExportFormat) -> [Kept] {
        view.exportedParts.flatMap { list, items in
            items.map { item in
                Kept(
                    list: list.map { held($0.title, format) }, title: held(item.title, format),
                    fields: item.fields.filter { $0.key != .title }.mapValues { held($0.value, format) },
                    quantity: item.quantity, amenities: item.sayings.amenities)
            }
        }
    }

    /// Of white space Markdown holds one blank, and line ends between lines that say something; XML has no sign for some others.
    private static func held(_ text: String, _ format: ExportFormat) -> String {
        guard format == .markdown else { return text }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
        return lines.joined(separator: "\n")
    }

    @Test("questions come back from JSON with their options, and other forms say that they leave them out")
    func questions() throws {
        var world = World(participants: [0])
        let draft = ItemDraft(
            title: "Where do we eat?", fields: [.question: "several threshold 50", .note: "On Friday"],
            options: ["Ramen", "Mussels"])
        try world.perform(.add([draft]), on: 0)
        let view = world.view(0)
        let bytes = Array(try ExportFormat.json.write(view).utf8)
        let list = try ImportFormat(fileName: "trip.json", bytes).read(bytes)
        let item = try #require(list.entries.first?.item)
        #expect(list.entries.count == 1 && item.title == draft.fields[.title])
        #expect(item.fields == [.question: "several threshold 50", .note: "On Friday"])
        #expect(Set(item.options) == ["Ramen", "Mussels"])
        #expect(try ImportPlan(list, into: view).itemCount == 0, "it is there already")
        #expect(try ImportPlan(list, into: World(participants: [0]).view(0)).itemCount == 1)
        for format in ExportFormat.allCases { #expect(format.leftOutQuestions(view) == (format == .json ? 0 : 1)) }
    }

    @Test("a trip's note comes back from JSON and Markdown whole, and other forms say that they leave it out")
    func note() throws {
        var world = World(participants: [0])
        // About as long as one person can make it, in letters of four bytes.
        let text = String(repeating: String(repeating: "🏡", count: 20) + "\n", count: 4_700)
        try world.perform(.setTitle("Lisbon"), on: 0)
        try world.perform(.editNote(text), on: 0)
        let view = world.view(0)
        for format in ExportFormat.allCases {
            let isKept = format == .json || format == .markdown
            #expect(format.leftOut(view).map(\.noun) == (isKept ? [] : ["note of the trip"]), "\(format)")
            guard isKept else { continue }
            let bytes = Array(try format.write(view).utf8)
            let list = try ImportFormat(fileName: "trip." + format.fileExtension, bytes).read(bytes)
            #expect(list.note == view.note?.value && list.entries.isEmpty && list.shortenedCount == 0, "\(format)")
            let plan = try ImportPlan(list, into: World(participants: [0]).view(0))
            #expect(plan.note?.text == view.note?.value && plan.note?.shown == "")
            #expect(
                plan.sentence(for: list, isDone: true) == "Added 0 items from “Lisbon”; wrote the note of the trip")
            #expect(try ImportPlan(list, into: view).note == nil)
        }
    }

    @Test("a line of a note that begins like an element or a field behind blanks is none of them in Markdown")
    func indented() throws {
        var world = World(participants: [0])
        let note = "Bus 28\n - Cabin\n  - price: 1 EUR\n\t+ Hut\n 1. Tent"
        try world.perform(.setTitle("Lisbon"), on: 0)
        try world.perform(.add([ItemDraft(title: "Casa", fields: [.note: note])]), on: 0)
        let text = try ExportFormat.markdown.write(world.view(0))
        for line in [" \\- Cabin", "  \\- price: 1 EUR", "\t\\+ Hut", " 1\\. Tent"] {
            #expect(text.contains("    \(line)"), "\(line)")
        }
        let bytes = Array(text.utf8)
        let list = try ImportFormat(fileName: "trip.md", bytes).read(bytes)
        // Of the blanks nothing comes back.
        #expect(list.entries.map(\.item.title) == ["Casa"])
        #expect(list.entries.first?.item.fields == [.note: "Bus 28\n- Cabin\n- price: 1 EUR\n+ Hut\n1. Tent"])
    }

    @Test(
        "a question that can't be one is refused, and nothing else is read",
        arguments: [
            (#"{"title": "Eat?", "question": {"answer_with": "shout"}}"#, "“shout” is no way to answer a question"),
            (#"{"title": " ", "question": {"answer_with": "one"}}"#, "a question without a title"),
        ])
    func wrongQuestions(element: String, words: String) throws {
        let bytes = Array(#"{"items": [{"title": "Casa"}], "questions": [\#(element)]}"#.utf8)
        let error = #expect(throws: ServiceError.self) { try ImportFormat.json.read(bytes) }
        #expect(error?.message.contains(words) ?? false, "\(error?.message ?? "")")
    }

    @Test("more than one change holds goes into a list of its own by several")
    func longList() throws {
        let text = "# Packing\n" + (1...10_500).map { "- [ ] Thing \($0)\n" }.joined()
        let list = try ImportFormat.lines.read(Array(text.utf8))
        let plan = try ImportPlan(list, into: World(participants: [0]).view(0))
        #expect(plan.changes.map(\.count) == [9_999, 501] && plan.newLists == ["Packing"])
        var world = World(participants: [0])
        try Self.perform(plan, on: &world)
        #expect(world.view(0).lists.map(\.items.count) == [10_500])
        // Of long texts the bytes are the bound.
        let details = String(repeating: "ü", count: 5_000)
        let long = try ImportFormat.csv.read(
            Array(("title,details,list\n" + (1...250).map { "Thing \($0),\(details),Packing\n" }.joined()).utf8))
        var other = World(participants: [0])
        try Self.perform(try ImportPlan(long, into: other.view(0)), on: &other)
        #expect(other.view(0).lists.map(\.items.count) == [250])
    }
}
