import ArgumentParser
import CaravanNode
import Console
import TripService
import TripText

struct Diagnose: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Diagnose problems with storage and syncing.",
        discussion: """
            Checks your files, the node and this machine's network, and tells you what to do. Changes nothing, and takes a \
            few seconds. The exit status is 1 if there is a problem.

            Examples:
              caravan doctor
              caravan doctor --json
            """)

    @OptionGroup var reading: ReadingOptions

    func run() async throws {
        let findings = await Doctor(home: Home(), passphrases: .ofKeysUnlessTyped).examine()
        Output.text(reading.json ? TripJSON.findings(findings).line : TerminalText.findings(findings))
        if findings.contains(where: \.isProblem) { throw ExitCode.failure }
    }
}
