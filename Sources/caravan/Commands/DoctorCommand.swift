import ArgumentParser
import CaravanNode
import Console
import Desktop
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
        async let pictures = self.pictures()
        async let links = Desktop.fetchProblem().map { [Finding.link(.noFetcher(reason: $0))] } ?? []
        let findings = await Doctor(home: Home(), passphrases: .ofKeysUnlessTyped).examine() + pictures + links
        Output.text(
            reading.json ? TripJSON.findings(findings).line : Reader.fitted(TerminalText.findings(findings)))
        if findings.contains(where: \.isProblem) { throw ExitCode.failure }
    }

    /// Whether photos are read, and kept apart while they are.
    private func pictures() async -> [Finding] {
        if let reason = await Desktop.photoProblem() { return [.picture(.noDecoder(reason: reason))] }
        return await Desktop.confinementProblem().map { [.picture(.noSandbox(reason: $0))] } ?? []
    }
}
