import ArgumentParser
import Console
import Foundation
import TripModel
import TripService
import TripText

/// The command line.
@main
struct Caravan: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "caravan",
        abstract: "Plan a trip together with no server and no internet.",
        discussion: """
            Run `caravan up` on each machine. Members of a trip find each other on the local network and sync. Members who \
            are apart sync through a mailbox: see `caravan help mailbox`.

            Refer to an ITEM by its number in `caravan list`, the start of its id, or its title. Refer to a TRIP by its \
            title or the start of its id; `caravan use TRIP` sets the current trip.

            Trips are stored in $CARAVAN_HOME, by default ~/.local/share/caravan.

            Options before the command: -t, --trip TRIP names the trip, --home FOLDER the folder of your trips; \
            --color auto|always|never; --no-pager. Help topics: `caravan help naming`, `exit-codes`, `environment`.
            """,
        version: ShowVersion.line,
        groupedSubcommands: [
            CommandGroup(
                name: "Trip",
                subcommands: [
                    New.self, Invites.self, Join.self, Devices.self, Members.self, Leave.self, Archive.self, Trips.self,
                    Use.self, Delete.self, Trash.self,
                ]),
            CommandGroup(
                name: "Planning",
                subcommands: [
                    Add.self, Edit.self, Remove.self, Restore.self, CastVote.self, Unvote.self, Choose.self,
                    Quantity.self, BringItem.self, GoToItem.self, CommentOn.self, Notes.self, Photograph.self,
                    FetchDetails.self, Lists.self, Move.self, Undo.self,
                    Rename.self, Import.self, WishFor.self, Wishes.self,
                ]),
            CommandGroup(name: "Days", subcommands: [PlanItem.self, UnplanItems.self, ShowDays.self]),
            CommandGroup(
                name: "Questions",
                subcommands: [
                    Ask.self, AnswerQuestion.self, ChangeOptions.self, CloseQuestion.self, ListQuestions.self,
                ]),
            CommandGroup(name: "Costs", subcommands: [CostGroup.self, ShowBalances.self, Settle.self]),
            CommandGroup(
                name: "Reading",
                subcommands: [
                    ListItems.self, Search.self, Show.self, ShowHistory.self, Recent.self, Feeds.self, Browse.self,
                    ShareCommand.self, Export.self,
                ]),
            CommandGroup(name: "Safety", subcommands: [BackUp.self, ProtectKeys.self, Salvage.self]),
            CommandGroup(
                name: "Node",
                subcommands: [
                    Up.self, Down.self, OpenPage.self, Guests.self, MailboxGroup.self, Status.self, Watch.self,
                    Diagnose.self, Service.self,
                    Demo.self, ShowVersion.self,
                ]),
            CommandGroup(name: "Testing", subcommands: [RunSimulator.self]),
        ])

    /// Without a command: how things stand, and what to do next.
    func run() async throws { try await Overview.show() }

    static func main() async {
        Output.keepPlaces()
        Output.layOut { Reader.fitted($0, to: $1) }
        signal(SIGPIPE, SIG_IGN)
        dumpNoSecrets()
        do {
            try refuseForeignBytes()
            try refuseDashes(in: CommandLine.arguments.dropFirst())
            let global = CommandWords.typed.global
            if !global.isEmpty { try GlobalOptions.parse(global).apply() }
            var words = CommandWords.typed.command.withoutDashes
            if words == ["help", "help"] { words.removeLast() }
            if let topic = HelpTopic(words) {
                Pager.show(topic.text + "\n")
                return requireWholeOutput()
            }
            try WrongCommandLine.refuseUnknownHelp(words)
            try WrongCommandLine.refuseMissingCommand(words)
            try CompletedCaravan.answer(words)
            var command = try parseAsRoot(words)
            try GlobalOptions.refuseRelativeHome()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            if let problem = Output.problem { Output.error(problem) }
            leave(because: error)
        }
        requireWholeOutput()
    }

    /// Ends with 1 if not everything could be printed.
    fileprivate static func requireWholeOutput() {
        guard let problem = Output.problem else { return }
        Output.error(problem)
        Foundation.exit(1)
    }

    /// A crash must not write the memory, with the keys in it, to a disk.
    private static func dumpNoSecrets() {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    }

    /// Bytes that aren't UTF-8 would become other characters, for everybody and for good.
    private static func refuseForeignBytes() throws {
        for index in 1..<max(1, Int(CommandLine.argc)) {
            guard let argument = CommandLine.unsafeArgv[index], String(validatingCString: argument) == nil else {
                continue
            }
            throw ValidationError("argument \(index) isn’t UTF-8 text; set your terminal to UTF-8 and type it again")
        }
    }

    /// A text that begins with one dash would be read as a row of short options, the h in it as a call for help.
    private static func refuseDashes(in arguments: ArraySlice<String>) throws {
        for (argument, last) in zip(arguments, [""] + arguments) {
            if argument == "--" { return }
            guard argument.hasPrefix("-"), !argument.hasPrefix("--"), argument.count > 2, Int64(argument) == nil,
                last != "--place", !CommandWords.isRow(argument)
            else { continue }
            throw ValidationError(WrongCommandLine.dash(argument))
        }
    }

    /// One line for what could not be done, and 1; 64 and a hint for a wrong command line; help and versions as asked.
    private static func leave(because error: any Error) -> Never {
        // Interrupted, which needs no words: the status that shells give.
        if error is CancellationError { Foundation.exit(130) }
        let code = exitCode(for: error)
        if code == .success || error is CleanExit { tell(error) }
        if code == .failure && error is ExitCode { exit(withError: error) }
        if code == .validationFailure {
            Output.error(WrongCommandLine(error: error, words: CommandWords.typed.command).line)
            Foundation.exit(EX_USAGE)
        }
        Output.error(Reader.line(error))
        Foundation.exit(1)
    }
}

extension ParsableCommand {
    /// Prints help, a version or a completion script, and ends. The library's own way doesn't notice that a disk is full.
    static func tell(_ answer: any Error) -> Never { tell(fullMessage(for: answer)) }

    /// Prints a text that is laid out already, and ends.
    static func tell(_ text: String) -> Never {
        if !text.isEmpty { Pager.show(text + "\n", isLaidOut: true) }
        Caravan.requireWholeOutput()
        Foundation.exit(0)
    }
}

extension [String] {
    /// A quantity below 0 is taken with -- before it and without it.
    fileprivate var withoutDashes: [String] {
        guard first == "quantity", count > 3, self[count - 2] == "--", Int64(self[count - 1]) != nil else {
            return self
        }
        return dropLast(2) + suffix(1)
    }
}
