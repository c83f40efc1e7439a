import ArgumentParser
import CaravanNode
import TripModel
import TripService
import TripText

struct Choose: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "choose",
        abstract: "Mark items as chosen by the group.",
        discussion: """
            Everyone sees who marked them.

            Examples:
              caravan choose 2
              caravan choose 2 --not
            """)

    @Argument(help: .items, completion: .items)
    var item: [String]

    @Flag(help: "Remove the mark.")
    var not = false

    @OptionGroup var trip: WritingOptions

    func run() async throws { try await trip.ask(.act(.mark(.chosen, !not), on: .typed(item))) }
}

struct BringItem: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bring", abstract: "Say that you will bring items.",
        discussion: """
            Several people can bring the same item; all of them are shown.

            Examples:
              caravan bring 4
              caravan bring 5 --count 2
            """)

    @Argument(help: .items, completion: .items)
    var item: [String]

    @Option(help: ArgumentHelp("How many of each you bring.", valueName: "n"))
    var count: Int64 = 1

    @Flag(help: "Say that you won't bring them.")
    var not = false

    @OptionGroup var trip: WritingOptions

    func validate() throws {
        if count < 1 { throw ValidationError("--count takes 1 or more; with --not you bring none") }
    }

    func run() async throws { try await trip.ask(.act(.claim(not ? nil : count), on: .typed(item))) }
}

struct GoToItem: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "going", abstract: "Say whether you are going to items.",
        discussion: """
            Your last answer counts. It is not a vote.

            Examples:
              caravan going 2 3
              caravan going 4 --maybe
              caravan going 5 --not
            """)

    @Argument(help: .items, completion: .items)
    var item: [String]

    @Flag(help: "Say that you might go.")
    var maybe = false

    @Flag(help: "Say that you are not going.")
    var not = false

    @Flag(help: "Withdraw your answers.")
    var withdraw = false

    @OptionGroup var trip: WritingOptions

    func validate() throws {
        guard [maybe, not, withdraw].count(where: \.self) < 2 else {
            throw ValidationError("--maybe, --not and --withdraw cannot be combined")
        }
    }

    func run() async throws {
        let attendance: Attendance? = withdraw ? nil : maybe ? .maybe : not ? .notGoing : .going
        try await trip.ask(.act(.attend(attendance), on: .typed(item)))
    }
}

struct CommentOn: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "comment", abstract: "Comment on an item.",
        discussion: """
            `caravan show ITEM` numbers the comments. You can delete only your own.

            Examples:
              caravan comment 2 "Far from the station"
              caravan comment 2 --remove 1
            """)

    @Argument(help: .item, completion: .items)
    var item: String

    @Argument(help: "The text of your comment.")
    var text: String?

    @Option(help: ArgumentHelp("Delete your comment with this number (repeatable).", valueName: "number"))
    var remove: [Int] = []

    @OptionGroup var trip: WritingOptions

    func validate() throws {
        guard (text == nil) != remove.isEmpty else {
            throw ValidationError("give either the text of a comment, or --remove NUMBER")
        }
    }

    func run() async throws {
        try await trip.ask(
            text.map { .act(.comment($0), on: [.typed(item)]) }
                ?? .removeComments(item: .typed(item), comments: remove.map(String.init)))
    }
}

struct Undo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo",
        abstract: "Undo your last change.",
        discussion: """
            It undoes your own last change to the trip, from any of your devices, and no change of anybody else. On the \
            device that made it, an import is undone as a whole. Run it again to undo the change before that. It refuses to \
            overwrite what others changed since, unless you pass --anyway. After a refusal, the next undo goes on to the change \
            before.

            Example: caravan undo
            """)

    @Flag(help: "Undo even if others have changed it since.")
    var anyway = false

    @OptionGroup var trip: WritingOptions

    func run() async throws {
        let answer: TripAnswer
        do { answer = try await trip.answer(.undo(anyway: anyway)) } catch {
            guard error.code == .unchanged else { throw error }
            return trip.report.tellUnchanged(error)
        }
        trip.report.tell(answer)
        await trip.noteUnsent(try await trip.access())
        guard case .undone(let view, _) = answer else { return }
        let withdrawn = view.entries.flatMap(\.events).compactMap { event -> ItemID? in
            guard case .item(let id, _, .replied(_, nil), _) = event else { return nil }
            return id
        }
        guard !withdrawn.isEmpty,
            try await trip.view().items.contains(where: { withdrawn.contains($0.id) && $0.isDone })
        else { return }
        trip.report.note("The question is closed. What you answered before that still counts.")
    }
}

struct Rename: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename",
        abstract: "Rename the trip, or yourself.",
        discussion: """
            Examples:
              caravan rename "Lisbon in May"
              caravan rename --me "Jie of Macao"
            """)

    @Argument(help: "The new title of the trip.")
    var title: String?

    @Option(help: ArgumentHelp("Your new name in this trip.", valueName: "name"))
    var me: String?

    @OptionGroup var trip: WritingOptions

    func validate() throws {
        guard (title == nil) != (me == nil) else {
            throw ValidationError("give either a new title for the trip, or --me NAME")
        }
    }

    func run() async throws {
        let request: TripRequest? = title.map { .renameTrip($0) } ?? me.map { .renameSelf($0) }
        guard let request else { return }
        do {
            let answer = try await trip.answer(request)
            guard case .renamed(let name) = answer else { throw TripOptions.otherAnswer }
            trip.report.tell(
                me == nil ? "Renamed the trip to “\(name.displayed())”" : "You are now “\(name.displayed())”",
                TripJSON.answer(answer))
            await trip.noteUnsent(try await trip.access())
            if me == nil { await Home().noteOtherTrip(titled: name, trip.report) }
        } catch let error as ServiceError where error.code == .unchanged {
            trip.report.tellUnchanged(error)
        }
    }
}
