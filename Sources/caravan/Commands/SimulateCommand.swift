import ArgumentParser
import Foundation
import TripService

/// Runs the simulator, which is a program of its own: what only engineers need is not linked into what users install.
struct RunSimulator: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Simulate nodes with injected faults, and check the laws.",
        discussion: """
            Runs caravan-simulate, which must be in the same folder as caravan. Build it from Caravan's sources with \
            `swift build -c release --product caravan-simulate`.

            Example: caravan simulate --seeds 1..100
            """)

    /// The program, in the folder of this one.
    private static let program = "caravan-simulate"

    @Argument(
        parsing: .captureForPassthrough,
        help: ArgumentHelp("Options of the simulator; see `caravan simulate --help`.", valueName: "option"))
    var options: [String] = []

    func run() throws {
        let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        let path = folder.appendingPathComponent(Self.program).path
        var arguments = ([Self.program] + options).map { strdup($0) } + [nil]
        execv(path, &arguments)
        guard errno != ENOENT else {
            throw ServiceError(
                "\(Self.program) is not installed in \(folder.path); build it from Caravan's sources with "
                    + "`swift build -c release --product \(Self.program)`, and put it there")
        }
        throw ServiceError("cannot run \(path): \(String(cString: strerror(errno)))")
    }
}
