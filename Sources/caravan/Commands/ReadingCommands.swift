import ArgumentParser
import CaravanNode

struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show the trip.", discussion: "Examples: caravan list, caravan list --sort votes --all")

    @Option(help: ArgumentHelp("votes (highest first), order (as they came) or recent.", valueName: "by"))
    var sort: String?

    @Flag(help: "Removed items too.")
    var all = false

    @OptionGroup var reading: ReadingOptions
    @OptionGroup var trip: TripOptions

    func validate() throws {
        guard sort.map({ ["votes", "order", "recent"].contains($0) }) ?? true else {
            throw ValidationError("--sort takes votes, order or recent")
        }
    }

    func run() async throws {
        try await trip.ask(.list(sort: sort, includingRemoved: all), json: reading.json)
    }
}

struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show one item as a card.", discussion: "Example: caravan show 2")

    @Argument(help: .item)
    var item: String

    @OptionGroup var reading: ReadingOptions
    @OptionGroup var trip: TripOptions

    func run() async throws { try await trip.ask(.show(item: item), json: reading.json) }
}

struct History: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show who did what, and when.", discussion: "Example: caravan history")

    @OptionGroup var reading: ReadingOptions
    @OptionGroup var trip: TripOptions

    func run() async throws { try await trip.ask(.history, json: reading.json) }
}

struct Members: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show who is in and who brought them, or take somebody out.",
        discussion: "Example: caravan members",
        subcommands: [ShowMembers.self, RemoveMember.self], defaultSubcommand: ShowMembers.self)
}

struct RemoveMember: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Take somebody out whom you brought, or who came by them.",
        discussion: """
            Their devices are cut off by everyone who hears of it. What they have already stays with them.
            Example: caravan members remove Noah
            """)

    @Argument(help: "Their name, or the beginning of their id.")
    var name: String

    @OptionGroup var trip: TripOptions

    func run() async throws { try await trip.ask(.removeMember(name: name)) }
}

struct Leave: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Leave the trip, with all your devices.",
        discussion: "What you have of it stays here. Let your node run until somebody has heard. Example: caravan leave"
    )

    @OptionGroup var trip: TripOptions

    func run() async throws { try await trip.ask(.leave) }
}

struct ShowMembers: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show who is in, and who brought them.", discussion: "Example: caravan members")

    @OptionGroup var reading: ReadingOptions
    @OptionGroup var trip: TripOptions

    func run() async throws { try await trip.ask(.members, json: reading.json) }
}

struct Status: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show who is here, and whether everyone has everything.",
        discussion: "Example: caravan status --json")

    @OptionGroup var reading: ReadingOptions
    @OptionGroup var trip: TripOptions

    func run() async throws { try await trip.ask(.status, json: reading.json) }
}
