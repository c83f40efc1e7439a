import ArgumentParser
import Console
import Foundation

/// The program `caravan-simulate`, which `caravan simulate` runs. It is for engineers, and no part of what users install.
@main
enum CaravanSimulate {
    static func main() async {
        Output.keepPlaces()
        signal(SIGPIPE, SIG_IGN)
        do {
            let command = try Simulate.parse()
            try await command.run()
        } catch {
            if let problem = Output.problem { Output.error(problem) }
            leave(because: error)
        }
        if let problem = Output.problem {
            Output.error(problem)
            exit(1)
        }
    }

    /// Ends with one line and status 1; with one line, the usage and status 64 for a wrong command line; with 130 where
    /// somebody interrupted the work.
    private static func leave(because error: any Error) -> Never {
        if error is CancellationError { exit(130) }
        let code = Simulate.exitCode(for: error)
        if code == .success || error is ExitCode { Simulate.exit(withError: error) }
        guard code == .validationFailure else {
            Output.error("\(error)")
            exit(1)
        }
        let message = Simulate.message(for: error).split(separator: "\n").first ?? "this command line is wrong"
        let usage = Simulate.fullMessage(for: error).split(separator: "\n").first { $0.hasPrefix("Usage: ") }
        let hint = usage.map { "usage: " + $0.dropFirst("Usage: ".count) } ?? "see caravan simulate --help"
        Output.error("\(message.prefix(1).lowercased() + message.dropFirst()) (\(hint))")
        exit(EX_USAGE)
    }
}
