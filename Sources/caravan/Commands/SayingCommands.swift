import ArgumentParser
import TripModel
import TripService

struct Choose: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "choose",
        abstract: "Say that the group decided for items.",
        discussion: "Everybody sees who said so. Examples: caravan choose 2, caravan choose 2 --not")

    @Argument(help: .items)
    var item: [String]

    @Flag(help: "Take that back.")
    var not = false

    @OptionGroup var trip: TripOptions

    func run() async throws { try await trip.ask(.mark(items: item, .chosen, !not)) }
}

struct BringItem: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bring", abstract: "Say that you bring items.",
        discussion: "Two who say so at once are both shown. Examples: caravan bring 4, caravan bring 5 --count 2")

    @Argument(help: .items)
    var item: [String]

    @Option(help: ArgumentHelp("How many of each.", valueName: "n"))
    var count: Int64 = 1

    @Flag(help: "Take that back.")
    var not = false

    @OptionGroup var trip: TripOptions

    func run() async throws { try await trip.ask(.claim(items: item, not ? nil : count)) }
}

struct CommentOn: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "comment", abstract: "Say something of an item.",
        discussion: """
            Examples: caravan comment 2 "Far from the station", caravan comment 2 --remove 1
            `caravan show ITEM` numbers the comments; each takes away their own.
            """)

    @Argument(help: .item)
    var item: String

    @Argument(help: "What you say.")
    var text: String?

    @Option(help: ArgumentHelp("The number of a comment of yours to take away.", valueName: "number"))
    var remove: [Int] = []

    @OptionGroup var trip: TripOptions

    func validate() throws {
        guard (text == nil) != remove.isEmpty else {
            throw ValidationError("give what you say, or --remove NUMBER")
        }
    }

    func run() async throws {
        try await trip.ask(text.map { .comment(item: item, $0) } ?? .removeComments(item: item, numbers: remove))
    }
}

struct Undo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo",
        abstract: "Take back what you did last.",
        discussion: """
            What somebody else changed since is not written over: it says so, and --anyway does it all the same.
            Said again, it takes back what you did before that. Example: caravan undo
            """)

    @Flag(help: "Take it back though others changed it since.")
    var anyway = false

    @OptionGroup var reading: ReadingOptions
    @OptionGroup var trip: TripOptions

    func run() async throws { try await trip.ask(.undo(anyway: anyway), json: reading.json) }
}

struct Rename: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename",
        abstract: "Give the trip another name, or yourself.",
        discussion: "Examples: caravan rename \"Lisbon in May\", caravan rename --me \"Jie of Macao\"")

    @Argument(help: "What the trip is called.")
    var title: String?

    @Option(help: ArgumentHelp("What you are called in it.", valueName: "name"))
    var me: String?

    @OptionGroup var trip: TripOptions

    func validate() throws {
        guard (title == nil) != (me == nil) else { throw ValidationError("give the trip's name, or --me NAME") }
    }

    func run() async throws {
        if let title { try await trip.ask(.renameTrip(title)) }
        if let me { try await trip.ask(.renameSelf(me)) }
    }
}
