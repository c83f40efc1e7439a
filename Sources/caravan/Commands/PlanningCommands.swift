import ArgumentParser
import TripModel
import TripService

struct Add: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Add an item.", discussion: "Example: caravan add \"Casa do Rio\" --price 120 --host Ana")

    @Argument(help: "What it is called.")
    var title: String

    @OptionGroup var fields: FieldOptions

    @Option(help: ArgumentHelp("How many.", valueName: "n"))
    var quantity: Int64?

    @OptionGroup var trip: TripOptions

    func run() async throws {
        try await trip.ask(.add([NewItem(title: title, fields: fields.given, quantity: quantity)]))
    }
}

struct Edit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
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

    @Flag(help: "Change it in your editor: $VISUAL, $EDITOR, nano or vi.")
    var editor = false

    @OptionGroup var trip: TripOptions

    func validate() throws {
        let isChanged = title != nil || !fields.given.isEmpty || !clear.isEmpty || done != nil
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
        if editor { return try await EditInEditor(item: item, trip: trip).run() }
        var edits: [Field: String?] = fields.given.mapValues { $0 }
        if let title { edits[.title] = title }
        if let done { edits.updateValue(done ? Field.doneValue : nil, forKey: .done) }
        for field in clear { edits.updateValue(nil, forKey: field) }
        try await trip.ask(.edit(item: item, fields: edits))
    }
}

struct Remove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Remove items.", discussion: "They can be restored. Example: caravan remove 3")

    @Argument(help: .items)
    var item: [String]

    @OptionGroup var trip: TripOptions

    func run() async throws { try await trip.ask(.remove(items: item)) }
}

struct CastVote: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vote", abstract: "Vote for items, or against them.",
        discussion: "Examples: caravan vote 1 3, caravan vote 2 --against")

    @Argument(help: .items)
    var item: [String]

    @Flag(help: "Vote against.")
    var against = false

    @OptionGroup var trip: TripOptions

    func run() async throws { try await trip.ask(.vote(items: item, against ? .against : .for)) }
}

struct Unvote: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Take votes back.", discussion: "Example: caravan unvote 1 3")

    @Argument(help: .items)
    var item: [String]

    @OptionGroup var trip: TripOptions

    func run() async throws { try await trip.ask(.vote(items: item, nil)) }
}

struct Quantity: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
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
