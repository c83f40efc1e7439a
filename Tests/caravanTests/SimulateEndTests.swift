import Foundation
import Testing

/// How `caravan simulate` ends: when it should, and with a status that says what was found.
struct SimulateEndTests {
    private let caravan: Product
    private let scratch: ScratchFolder

    init() throws {
        scratch = try ScratchFolder()
        caravan = Product(home: scratch.path + "/home")
    }

    private func simulate(_ line: String) async throws -> Product.Outcome {
        try await caravan.run(["simulate"] + line.split(separator: " ").map(String.init))
    }

    @Test func seedsWithoutAnEndEndWhereALawBreaks() async throws {
        let outcome = try await simulate("--mutant early-node-acknowledgement --seeds 1..9223372036854775807")
        #expect(outcome.status == 1 && !outcome.isKilled, "\(outcome.errors)")
        #expect(outcome.output.contains("early-node-acknowledgement") && outcome.output.contains("is violated"))
    }

    @Test func seedsWithoutAnEndEndWhereSomebodyInterrupts() async throws {
        let running = try caravan.start(
            ["simulate", "--seeds", "0..9223372036854775806", "--replicas", "2", "--steps", "5"])
        #expect(try await eventually { running.errors.contains("seed ") })
        kill(running.process.processIdentifier, SIGINT)
        let outcome = try await running.ended(within: 20)
        #expect(outcome.status == 130 && !outcome.isKilled)
        #expect(outcome.output.contains("no violation until it was interrupted"), "\(outcome.output)")
    }
}
