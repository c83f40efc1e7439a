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

            Options before the command: -t, --trip TRIP names the trip, and --home FOLDER the folder of your trips.
            """,
        version: Version.number,
        groupedSubcommands: [
            CommandGroup(
                name: "Trip",
                subcommands: [
                    New.self, Invites.self, Join.self, Devices.self, Members.self, Leave.self, Trips.self, Use.self,
                    Delete.self,
                ]),
            CommandGroup(
                name: "Planning",
                subcommands: [
                    Add.self, Edit.self, Remove.self, Restore.self, CastVote.self, Unvote.self, Choose.self,
                    Quantity.self, BringItem.self, GoToItem.self, CommentOn.self, Photograph.self, Lists.self,
                    Move.self, Undo.self,
                    Rename.self, Import.self, WishFor.self, Wishes.self,
                ]),
            CommandGroup(name: "Days", subcommands: [PlanItem.self, UnplanItems.self, ShowDays.self]),
            CommandGroup(name: "Costs", subcommands: [CostGroup.self, ShowBalances.self, Settle.self]),
            CommandGroup(
                name: "Reading",
                subcommands: [
                    List.self, Search.self, Show.self, History.self, Recent.self, Feeds.self, Browse.self, Share.self,
                    Export.self,
                ]),
            CommandGroup(name: "Safety", subcommands: [BackUp.self, ProtectKeys.self, Salvage.self]),
            CommandGroup(
                name: "Node",
                subcommands: [
                    Up.self, Down.self, Open.self, Guests.self, Mailboxes.self, Status.self, Watch.self, Diagnose.self,
                    Service.self,
                    Demo.self, Version.self,
                ]),
            CommandGroup(name: "Testing", subcommands: [Simulate.self]),
        ])

    static func main() async {
        Output.keepPlaces()
        signal(SIGPIPE, SIG_IGN)
        dumpNoSecrets()
        do {
            try refuseDashes(in: CommandLine.arguments.dropFirst())
            try GlobalOptions.parse(CommandWords.typed.global).apply()
            var command = try parseAsRoot(CommandWords.typed.command)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            if let problem = Output.problem { Output.error(problem) }
            leave(because: error)
        }
        if let problem = Output.problem {
            Output.error(problem)
            Foundation.exit(1)
        }
    }

    /// A crash must not write the memory, with the keys in it, to a disk.
    private static func dumpNoSecrets() {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    }

    /// A text that begins with one dash would be read as a row of short options, the h in it as a call for help.
    private static func refuseDashes(in arguments: ArraySlice<String>) throws {
        for (argument, last) in zip(arguments, [""] + arguments) {
            if argument == "--" { return }
            guard argument.hasPrefix("-"), !argument.hasPrefix("--"), argument.count > 2, Int64(argument) == nil,
                last != "--place"
            else { continue }
            throw ValidationError(
                "“\(argument.prefix(40))” starts with a dash; put -- before it, or = between an option and its value")
        }
    }

    /// One line for what could not be done, and 1; 64 and a hint for a wrong command line; help and versions as asked.
    private static func leave(because error: any Error) -> Never {
        // Interrupted, which needs no words: the status that shells give.
        if error is CancellationError { Foundation.exit(130) }
        let code = exitCode(for: error)
        if code == .success || code == .failure && error is ExitCode || error is CleanExit { exit(withError: error) }
        if code == .validationFailure {
            Output.error("\(complaint(about: error)) (\(hint(for: error)))")
            Foundation.exit(EX_USAGE)
        }
        Output.error(Reader.line(error))
        Foundation.exit(1)
    }

    /// What is wrong with the command line, in one line.
    private static func complaint(about error: any Error) -> String {
        let message = message(for: error).split(separator: "\n").first.map(String.init) ?? "invalid command line"
        return message.prefix(1).lowercased() + message.dropFirst() + (misspelling.map { "; \($0)" } ?? "")
    }

    /// What was meant, where the first word is no command, or quotes were left out.
    private static var misspelling: String? {
        let names = configuration.groupedSubcommands.flatMap(\.subcommands).flatMap {
            [$0._commandName] + $0.configuration.aliases
        }
        let words = CommandWords.typed.command
        guard let word = words.first, !word.hasPrefix("-") else { return nil }
        if ["add", "new"].contains(word), words.dropFirst(2).first?.hasPrefix("-") == false {
            return "put a title of several words in quotes"
        }
        guard !names.contains(word) else { return nil }
        return NearNames.nearest(word, among: names).map { "did you mean `caravan \($0)`?" }
    }

    /// How the command that was meant is written.
    private static func hint(for error: any Error) -> String {
        let usage = fullMessage(for: error).split(separator: "\n").first { $0.hasPrefix("Usage: ") }
        guard let usage, !usage.hasSuffix("<subcommand>") else { return "see caravan --help" }
        return "usage: " + usage.dropFirst(7)
    }
}
