import ArgumentParser
import CBuild
import CaravanNode
import Console
import TripService

struct ShowVersion: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "version",
        abstract: "Show the version.", discussion: "Example: caravan version")

    /// "caravan 1.0.0 (protocol 1, commit 0123456789)". A build of one's own names no commit.
    static var line: String {
        let commit = String(cString: caravan_commit())
        let source = commit.isEmpty ? "development build" : "commit " + commit
        return "caravan \(ProgramVersion.number) (protocol \(HomeNode.protocolVersion), \(source))"
    }

    func run() { Output.line(Self.line) }
}
