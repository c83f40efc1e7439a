import Foundation
import Testing

/// What a command says at a terminal of what it wrote while no node runs.
struct UnsentTests {
    /// What a home's command shows at a terminal, its errors among it.
    private func shown(_ home: Product, _ arguments: String...) async throws -> String {
        try await shown(home, arguments)
    }

    private func shown(_ home: Product, _ arguments: [String]) async throws -> String {
        var home = home
        home.wrapper = PseudoTerminal.wrapper + ["/bin/sh", "-c", "exec \"$@\" 2>&0", "sh"]
        let terminal = try PseudoTerminal()
        let outcome = try await home.start(arguments, output: terminal.slave, input: terminal.slave).ended(within: 20)
        #expect(outcome.status == 0, outcome.summary)
        return terminal.screen
    }

    @Test("a change that others have not been sent is said to be saved here, and nobody alone in a trip is told so")
    func saved() async throws {
        let trip = try await Gathering()
        let noah = try await trip.joined("noah", as: "Noah")
        try await trip.part()
        let told = try await shown(noah, "add", "Roof tent")
        #expect(told.contains("Added 1 “Roof tent”") && told.contains("Saved here, not sent yet"), "\(told)")
        try Data("title\nTorch\n".utf8).write(to: URL(fileURLWithPath: trip.scratch.path + "/i.csv"))
        for line in ["undo", "lists new Food", "rename Porto", "import \(trip.scratch.path)/i.csv"] {
            let told = try await shown(noah, line.split(separator: " ").map(String.init))
            #expect(told.contains("Saved here, not sent yet"), "\(line): \(told)")
        }
        let same = try await shown(noah, "rename", "Porto")
        #expect(same.contains("Nothing changed") && !same.contains("not sent yet"), "\(same)")
        let alone = trip.home("alone")
        try await alone.done("new", "Porto", "--as", "Mia")
        let untold = try await shown(alone, "add", "Roof tent")
        #expect(untold.contains("Added 1 “Roof tent”") && !untold.contains("not sent yet"), "\(untold)")
        #expect(!untold.contains("already had"), "\(untold)")
        let again = try await shown(alone, "add", "roof tent", "--place", "38.7,-9.1")
        #expect(again.contains("Added 2") && again.contains("The trip already had it as “Roof tent”."), "\(again)")
    }
}
