import ArgumentParser
import TripModel
import TripService
import TripText

struct WishFor: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wish", abstract: "Add an item to your private wish list.",
        discussion: """
            Only your own devices can read it, until you share it with `caravan wishes share`.

            Examples:
              caravan wish "Boat trip" --price "40 EUR/person"
              caravan wish https://example.org/rooms/1
            """)

    @Argument(help: "The title, or a link.")
    var title: String?

    @OptionGroup var fields: FieldOptions
    @OptionGroup var trip: WritingOptions

    private var wish: Wish? { NewItem(title: title, fields: fields.given).map { Wish($0) } }

    func validate() throws {
        guard wish != nil else { throw ValidationError("give a title or a link") }
    }

    func run() async throws {
        guard let wish else { return }
        _ = try await trip.answer(.wish([wish]))
        trip.report.tell(
            "Added “\(wish.title.displayed())” to your wish list",
            TripJSON.answer(.wished(WishReceipt(added: [wish]))))
    }
}

struct Wishes: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wishes",
        abstract: "Show, share or remove items on your private wish list.",
        discussion: """
            Examples:
              caravan wishes
              caravan wishes share 2 --list Shortlist
            """,
        subcommands: [ShowWishes.self, ShareWishes.self, RemoveWishes.self], defaultSubcommand: ShowWishes.self)
}

struct ShowWishes: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show your private wish list.", discussion: "Example: caravan wishes --json",
        aliases: ["list", "ls"])

    @OptionGroup var reading: ReadingOptions
    @OptionGroup var trip: TripOptions

    func run() async throws {
        try await trip.show(.wishes, json: reading.json)
    }
}

struct ShareWishes: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "share", abstract: "Move wishes into the trip, visible to everyone.",
        discussion: """
            Examples:
              caravan wishes share 2
              caravan wishes share "Boat trip" --list Shortlist
            """)

    @Argument(help: "Numbers in your wish list, or titles.")
    var wish: [String]

    @Option(help: ArgumentHelp("Append them to this list.", valueName: "list"), completion: .lists)
    var list: String?

    @OptionGroup var trip: WritingOptions

    func run() async throws { try await trip.ask(.shareWishes(wish, list: list)) }
}

struct RemoveWishes: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove wishes from your list.",
        discussion: "Example: caravan wishes remove 2", aliases: ["rm"])

    @Argument(help: "Numbers in your wish list, or titles.")
    var wish: [String]

    @OptionGroup var trip: WritingOptions

    func run() async throws { try await trip.ask(.unwish(wish)) }
}
