import ArgumentParser
import Console

struct Version: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "version",
        abstract: "Show the version.", discussion: "Example: caravan version")

    static let number = "0.1.0"

    func run() { Output.line(Self.number) }
}
