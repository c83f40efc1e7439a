import ArgumentParser
import Console
import TripModel
import TripService
import TripText

struct Lists: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lists",
        abstract: "Show, create, rename and remove lists.",
        discussion: """
            Examples:
              caravan lists
              caravan lists new "Mussels party" Mussels Fries
            """,
        subcommands: [
            ShowLists.self, NewList.self, RenameList.self, RemoveList.self, RestoreList.self,
        ],
        defaultSubcommand: ShowLists.self)
}

struct ShowLists: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show the lists.", discussion: "Example: caravan lists --json",
        aliases: ["list", "ls"])

    @OptionGroup var reading: ReadingOptions
    @OptionGroup var trip: TripOptions

    func run() async throws {
        let answer = try await trip.answer(.view)
        guard case .trip(let view) = answer else { return Reader.show(answer, json: reading.json) }
        Output.text(
            reading.json
                ? JSONValue.array((view.lists + view.removedLists).map { TripJSON.list($0, in: view) }).line
                : Reader.fitted(TerminalText.lists(view, style: Reader.style)))
    }
}

struct NewList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new", abstract: "Create a list, with items in it.",
        discussion: """
            Examples:
              caravan lists new Shortlist
              caravan lists new Packing "3 towels" Soap --kind bring
              caravan lists new "Mussels party 2" --from "Mussels party"
            """)

    @Argument(help: "The title of the list.")
    var title: String

    @Argument(help: "New items in it: titles, links, “3 towels”. `caravan move` moves items that exist.")
    var things: [String] = []

    @Option(
        help: ArgumentHelp("The kind of its items: stay, activity, bring, idea or dates.", valueName: "kind"),
        completion: .kinds,
        transform: ItemKind.init(argument:))
    var kind: ItemKind?

    @Option(help: ArgumentHelp("Copy the items of this list.", valueName: "list"), completion: .lists)
    var from: String?

    @Flag(help: "Read items from standard input, one per line.")
    var lines = false

    @OptionGroup var trip: WritingOptions

    func run() async throws {
        for thing in things { try await refuseNumbers(thing) }
        let typed = things.compactMap { thing in
            WebAddress(thing) == nil ? NewItem(line: thing[...]) : NewItem(typed: thing)
        }
        var items = typed + (lines ? try TypedLines.read() : [])
        if let kind {
            for index in items.indices {
                items[index].fields[.itemKind] = items[index].fields[.itemKind] ?? kind.rawValue
            }
        }
        // "3 towels" counts; what is named alone is counted where it is brought.
        if kind != .bring {
            for index in items.indices where items[index].quantity == 1 { items[index].quantity = nil }
        }
        try await trip.ask(.addList(title: title, kind: kind, items: items, template: from))
        try await trip.noteOtherList(titled: title)
    }

    /// Throws where numbers of items stand, "9" or "9,12": new items would be called so.
    private func refuseNumbers(_ thing: String) async throws {
        let numbers = thing.split(separator: ",").map { TextClasses.trimmed(String($0)) }
        guard numbers.allSatisfy(WritingOptions.isNumber) else { return }
        for number in numbers {
            guard let item = try await trip.item(numbered: number) else { continue }
            let list = title.contains(where: \.isWhitespace) ? "\"\(title)\"" : title
            throw ServiceError(
                "\(number) is the number of \(item.title.quoted), and the words here are titles of new items; to move items, "
                    + "run `caravan lists new \(list)`, then `caravan move \(numbers.joined(separator: " ")) --list \(list)`"
            )
        }
    }
}

struct RenameList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename", abstract: "Rename a list.",
        discussion: "Example: caravan lists rename Shortlist \"Near the river\"")

    @Argument(help: .list, completion: .lists)
    var list: String

    @Argument(help: "The new title.")
    var title: String

    @OptionGroup var trip: WritingOptions

    func run() async throws {
        try await trip.ask(.editList(list: list, fields: [.title: title]))
        try await trip.noteOtherList(titled: title)
    }
}

struct RemoveList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a list. Its items stay in the trip.",
        discussion: "Example: caravan lists remove Shortlist", aliases: ["rm"])

    @Argument(help: .list, completion: .lists)
    var list: String

    @OptionGroup var trip: WritingOptions

    func run() async throws { try await trip.ask(.removeList(list: list)) }
}

struct RestoreList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Restore a removed list.",
        discussion: "Example: caravan lists restore Shortlist")

    @Argument(help: .list, completion: .removedLists)
    var list: String

    @OptionGroup var trip: WritingOptions

    func run() async throws { try await trip.ask(.restoreList(list: list)) }
}

struct Move: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move",
        abstract: "Move items to a list, or next to another item.",
        discussion: """
            Examples:
              caravan move 2 5 --list Shortlist
              caravan move 3 --before 1
              caravan move 2 --out
            """, aliases: ["mv"])

    @Argument(help: .items, completion: .items)
    var item: [String]

    @Option(help: ArgumentHelp("Append them to this list.", valueName: "list"), completion: .lists)
    var list: String?

    @Flag(help: "Take them off their list.")
    var out = false

    @Option(help: ArgumentHelp("Put them before this item.", valueName: "item"), completion: .items)
    var before: String?

    @Option(help: ArgumentHelp("Put them after this item.", valueName: "item"), completion: .items)
    var after: String?

    @OptionGroup var trip: WritingOptions

    func validate() throws {
        guard [list, before, after].count(where: { $0 != nil }) + (out ? 1 : 0) == 1 else {
            throw ValidationError("give exactly one of --list LIST, --before ITEM, --after ITEM and --out")
        }
    }

    func run() async throws {
        let target: MoveTarget =
            before.map { .before(item: .typed($0)) } ?? after.map { .behind(item: .typed($0)) } ?? .list(list)
        try await trip.ask(.move(items: .typed(item), target))
    }
}

extension WritingOptions {
    /// Says so if several lists have a title now.
    fileprivate func noteOtherList(titled title: String) async throws {
        guard try await view().lists.count(where: { $0.title.appearance == title.appearance }) > 1 else { return }
        report.note("There is another list with this title. Name them by their ids, which `caravan lists` shows.")
    }
}

extension ArgumentHelp {
    static let list: ArgumentHelp = "Its title, or the start of its id."
}
