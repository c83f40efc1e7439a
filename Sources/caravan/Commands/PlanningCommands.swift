import ArgumentParser
import TripModel
import TripService

struct Add: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add an item.",
        discussion: """
            Examples: caravan add "Casa do Rio" --price "120 EUR/night" --kind stay --dates 2026-06-12..15,
            caravan add https://example.org/rooms/1, caravan add --kind dates --dates 2026-06-12..15,
            caravan add --lines --list Packing < things.txt
            A link alone is enough; dates alone are called by their days.
            """)

    @Argument(help: "What it is called, or a link.")
    var title: String?

    @OptionGroup var fields: FieldOptions

    @Option(help: ArgumentHelp("How many.", valueName: "n"))
    var quantity: Int64?

    @Option(help: ArgumentHelp("The list that it goes to the end of.", valueName: "list"))
    var list: String?

    @Option(help: ArgumentHelp("Something that is there; may be given several times.", valueName: "word"))
    var amenity: [String] = []

    @Flag(help: "Read things from standard input, a line each: 3 towels.")
    var lines = false

    @Option(
        help: ArgumentHelp("A picture to attach; may be given several times.", valueName: "file"),
        completion: .file())
    var photo: [String] = []

    @OptionGroup var trip: TripOptions

    func validate() throws {
        guard !lines || title == nil && fields.given.isEmpty && quantity == nil && amenity.isEmpty && photo.isEmpty
        else {
            throw ValidationError("--lines takes everything from standard input: give --list alone beside it")
        }
        guard lines || item != nil else { throw ValidationError("Missing expected argument '<title>'") }
    }

    private var item: NewItem? {
        NewItem(title: title, fields: fields.given, quantity: quantity, amenities: amenity)
    }

    func run() async throws {
        let parts = NewPhoto.parts(of: try await NewPhoto.read(from: photo))
        var items = lines ? try PastedLines.read() : [item].compactMap(\.self)
        if let photos = parts.first { items[0].photos = photos }
        guard parts.count > 1 else { return try await trip.ask(.add(items, list: list)) }
        let answer = try await trip.answer(.add(items, list: list))
        Reader.show(answer, json: false)
        guard case .done(let receipt) = answer, let added = receipt.items.first else { throw TripOptions.otherAnswer }
        for part in parts.dropFirst() { try await trip.ask(.attach(item: added.shortID, photos: part)) }
    }
}

/// Things a line each, as people paste them.
enum PastedLines {
    /// The most bytes of them: what fits one change.
    private static let bytesMax = Limits.contentBytes

    static func read() throws -> [NewItem] {
        var bytes: [UInt8] = []
        while bytes.count <= bytesMax, let line = readLine(strippingNewline: false) { bytes += Array(line.utf8) }
        guard bytes.count <= bytesMax else {
            throw ServiceError("this is more than fits one change: paste less at once")
        }
        return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).compactMap { line in
            WebAddress(TextClasses.trimmed(String(line))) == nil ? NewItem(line: line) : NewItem(typed: String(line))
        }
    }
}

struct Edit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Change what an item says.",
        discussion: """
            Examples: caravan edit 2 --price 110 --clear note, caravan edit 2 --editor
            To pick one of several proposals, write it. With --editor, what others write meanwhile stays beside yours.
            """)

    @Argument(help: .item)
    var item: String

    @Option(help: "A new title.")
    var title: String?

    @OptionGroup var fields: FieldOptions

    @Option(
        help: ArgumentHelp("A field to clear; may be given several times.", valueName: "field"),
        transform: Field.init(named:))
    var clear: [Field] = []

    @Flag(inversion: .prefixedNo, exclusivity: .exclusive, help: "Whether it is done.")
    var done: Bool?

    @Option(help: ArgumentHelp("Something that is there; may be given several times.", valueName: "word"))
    var amenity: [String] = []

    @Option(help: ArgumentHelp("Something that is not there after all; may be given several times.", valueName: "word"))
    var noAmenity: [String] = []

    @Flag(help: "Change it in your editor: $VISUAL, $EDITOR, nano or vi.")
    var editor = false

    @OptionGroup var trip: TripOptions

    func validate() throws {
        let isEdited = title != nil || !fields.given.isEmpty || !clear.isEmpty || done != nil
        let isChanged = isEdited || !(amenity + noAmenity).isEmpty
        if isEdited, !(amenity + noAmenity).isEmpty {
            throw ValidationError("--amenity and --no-amenity stand alone: they are a change of their own")
        }
        if editor {
            guard !isChanged else { throw ValidationError("--editor stands alone: the fields are in the editor") }
            return
        }
        guard isChanged else {
            throw ValidationError("say what to change: --title, --note, --price …, --clear FIELD, or --editor")
        }
        if let field = clear.first(where: { fields.given[$0] != nil }) {
            throw ValidationError("--\(field.name) and --clear \(field.name) contradict each other")
        }
    }

    func run() async throws {
        if !(amenity + noAmenity).isEmpty {
            return try await trip.ask(.changeAmenities(item: item, added: amenity, removed: noAmenity))
        }
        if editor { return try await EditInEditor(item: item, trip: trip).run() }
        var edits: [Field: String?] = fields.given.mapValues { $0 }
        if let title { edits[.title] = title }
        if let done { edits.updateValue(done ? Field.setValue : nil, forKey: .done) }
        for field in clear { edits.updateValue(nil, forKey: field) }
        try await trip.ask(.edit(item: item, fields: edits))
    }
}

struct Remove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove items.", discussion: "They can be restored. Example: caravan remove 3")

    @Argument(help: .items)
    var item: [String]

    @OptionGroup var trip: TripOptions

    func run() async throws { try await trip.ask(.remove(items: item)) }
}

struct CastVote: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vote", abstract: "Vote for items, or against them.",
        discussion: "Examples: caravan vote 1 3, caravan vote 2 --against, caravan vote 4 --if-need-be")

    @Argument(help: .items)
    var item: [String]

    @Flag(help: "Vote against.")
    var against = false

    @Flag(help: "It would do: counts neither for nor against.")
    var ifNeedBe = false

    @OptionGroup var trip: TripOptions

    func validate() throws {
        guard !against || !ifNeedBe else { throw ValidationError("--against and --if-need-be contradict each other") }
    }

    func run() async throws {
        try await trip.ask(.vote(items: item, against ? .against : ifNeedBe ? .ifNeedBe : .for))
    }
}

struct Unvote: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unvote",
        abstract: "Take votes back.", discussion: "Example: caravan unvote 1 3")

    @Argument(help: .items)
    var item: [String]

    @OptionGroup var trip: TripOptions

    func run() async throws { try await trip.ask(.vote(items: item, nil)) }
}

struct Quantity: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "quantity",
        abstract: "Count an item up or down.", discussion: "Examples: caravan quantity 4 +2, caravan quantity 4 -1")

    @Argument(help: .item)
    var item: String

    @Argument(parsing: .allUnrecognized, help: "A step: +2, or -1.")
    var step: [Step]

    @OptionGroup var trip: TripOptions

    func validate() throws {
        guard step.count == 1 else { throw ValidationError("give one step: +2, or -1") }
    }

    func run() async throws { try await trip.ask(.changeQuantity(item: item, by: step[0].value)) }
}

extension Field {
    /// Reads a field's name from the command line.
    fileprivate init(named name: String) throws {
        guard let field = Field.allCases.first(where: { $0.name == name.lowercased() }) else {
            let names = Field.allCases.map(\.name)
            let hint =
                NearNames.nearest(name, among: names).map { "did you mean \($0)?" } ?? names.joined(separator: ", ")
            throw ValidationError("an item has no field \"\(name.prefix(40))\": \(hint)")
        }
        self = field
    }
}
