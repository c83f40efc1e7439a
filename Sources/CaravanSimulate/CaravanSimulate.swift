import ArgumentParser
import Console
import Foundation

/// The program `caravan-simulate`, which `caravan simulate` runs. It is for engineers, and no part of what users install.
@main
enum CaravanSimulate {
    static func main() async {
        Output.keepPlaces()
        signal(SIGPIPE, SIG_IGN)
        // Not subcommands of the parser: it would give options that both have, such as --seeds, to the outer command.
        let arguments = Array(CommandLine.arguments.dropFirst())
        switch arguments.first {
        case "subject": await run(SimulateSubject.self, Array(arguments.dropFirst()))
        case "history": await run(SimulateHistory.self, Array(arguments.dropFirst()))
        case "sweep": await run(SimulateShard.self, Array(arguments.dropFirst()))
        case "merge": await run(SimulateMerge.self, Array(arguments.dropFirst()))
        default: await run(Simulate.self, arguments)
        }
        if let problem = Output.problem {
            Output.error(problem)
            exit(1)
        }
    }

    private static func run<Command: AsyncParsableCommand>(_ type: Command.Type, _ arguments: [String]) async {
        do {
            var command = try Command.parse(arguments)
            try await command.run()
        } catch {
            if let problem = Output.problem { Output.error(problem) }
            leave(type, because: error)
        }
    }

    /// Ends with one line and status 1; with one line, the usage and status 64 for a wrong command line; with 130 where
    /// somebody interrupted the work.
    private static func leave<Command: ParsableCommand>(_ type: Command.Type, because error: any Error) -> Never {
        if error is CancellationError { exit(130) }
        let code = type.exitCode(for: error)
        if code == .success || error is ExitCode { type.exit(withError: error) }
        guard code == .validationFailure else {
            Output.error("\(error)")
            exit(1)
        }
        let message = type.message(for: error).split(separator: "\n").first ?? "this command line is wrong"
        let usage = type.fullMessage(for: error).split(separator: "\n").first { $0.hasPrefix("Usage: ") }
        let hint = usage.map { "usage: " + $0.dropFirst("Usage: ".count) } ?? "see caravan simulate --help"
        Output.error("\(message.prefix(1).lowercased() + message.dropFirst()) (\(hint))")
        exit(EX_USAGE)
    }
}
