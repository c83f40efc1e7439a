import ArgumentParser
import CaravanNode
import Console
import TripService
import TripText

struct Diagnose: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Say what keeps your trips from being kept or shared here.",
        discussion: """
            Looks at your home, its node and this machine's network, and says what to do. Changes nothing, and takes a few
            seconds. The exit status is 1 where something is wrong.
            Examples: caravan doctor, caravan doctor --json
            """)

    @OptionGroup var reading: ReadingOptions

    func run() async throws {
        let findings = await Doctor(home: Home(), passphrases: .ofKeysUnlessTyped).examine()
        Output.text(reading.json ? TripJSON.findings(findings).line : TerminalText.findings(findings))
        if findings.contains(where: \.isProblem) { throw ExitCode.failure }
    }
}
