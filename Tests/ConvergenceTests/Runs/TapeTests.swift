import DeltaCRDT
import Testing

@testable import Convergence

/// Breaks a law of its own once 27 are in it.
private struct Purse: ReplicatedType {
    struct Coin: Sendable, CustomStringConvertible {
        let value: Int
        var description: String { "put in \(value)" }
    }

    private(set) var view = 0

    init(birth: Birth) {}
    static func randomAction(using generator: inout SeededGenerator) -> Coin {
        Coin(value: generator.number(in: 1...9))
    }

    mutating func perform(_ action: Coin, at now: Int64) -> [Dot] {
        view += action.value
        return []
    }

    func message(to peer: Int, at now: Int64) -> Int? { nil }
    mutating func receive(_ message: Int, from peer: Int, at now: Int64) -> Reception<Int> { .ignored() }

    static func check(_ observation: Observation<Self>) -> Violation? {
        observation.view >= 27 ? Violation(Law("small", "Nobody puts in 27."), "\(observation.view)") : nil
    }
}

/// Plans as tapes of draws: the same plan, and smaller ones than a choice of events gives.
struct TapeTests {
    private typealias Counter = VoteTally<SharedEntry>

    @Test("a seed's tape gives its plan")
    func samePlan() {
        for seed: UInt64 in 1...20 {
            let simulator = Simulator<Counter>()
            let tape = Plan.Drawing<Counter>.tape(simulator.conditions, seed: seed)
            let played = Plan.Drawing<Counter>.plan(simulator.conditions, playing: tape.units)
            #expect(played.taken == tape.units)
            #expect(simulator.run(played.plan).digest == simulator.run(simulator.plan(seed: seed)).digest)
            #expect(
                simulator.replay(.tape(PlanTape(units: tape.units))).digest == simulator.run(played.plan).digest)
        }
    }

    @Test("a tape is read as it was written, and nothing else is")
    func text() throws {
        let tape = PlanTape(units: [[0, .max, 1 << 63], [0x1234 << 48], [1]])
        #expect(tape.description == "0.z.8/1234/0000000000000001" && PlanTape(tape.description) == tape)
        for text in [
            "", ".", "1//2", "g", "-1", "+1", "00000000000000001", String(repeating: "1/", count: 20_000) + "1",
        ] {
            #expect(PlanTape(text) == nil, "\(text.prefix(20))")
        }
        #expect(Simulator<Counter>().replay(tape: "x") == nil)
    }

    /// An event of a plan puts in what it puts in; only on the tape can it be more, so that fewer are enough.
    @Test("what is smaller on the tape is found there, breaks the same law, and runs again")
    func smaller() throws {
        var smallerCount = 0
        for seed: UInt64 in 1...10 {
            guard let failure = Simulator<Purse>(Conditions(replicas: 3, steps: 60)).firstFailure(seeds: seed...seed)
            else { continue }
            let again = try #require(
                failure.tape.map { failure.simulator.replay(tape: "\($0)") }
                    ?? failure.simulator.replay(
                        seed: seed, keeping: "\(Selection(failure.shrunkPlan, of: failure.plan))"))
            #expect(again.trace == failure.shrunkOutcome.trace && again.violation?.law == failure.law)
            guard failure.tape != nil else { continue }
            smallerCount += 1
            // The program takes a tape or a seed.
            #expect(failure.found.options.contains(" --tape ") && !failure.found.options.contains("--seed"))
            #expect(failure.shrunkPlan.size.events == 3, "\(failure)")
        }
        #expect(smallerCount > 0)
    }
}
