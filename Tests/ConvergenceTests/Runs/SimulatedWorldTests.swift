import Synchronization
import Testing

@testable import Convergence

private let aboveTen = Law("above-ten", "A sum stays below eleven.")

/// How long a run of a world takes, and what is added in it that no plan decides.
private protocol Kind: Sendable {
    static var areRunsLong: Bool { get }
    static func noise(_ run: Int) -> Int
}

private enum Short: Kind {
    static let areRunsLong = false
    static func noise(_ run: Int) -> Int { 0 }
}

private enum Long: Kind {
    static let areRunsLong = true
    static func noise(_ run: Int) -> Int { 0 }
}

private enum Noisy: Kind {
    static let areRunsLong = true
    static func noise(_ run: Int) -> Int { run }
}

/// A world without replicas: its steps add numbers, and a fault adds more. The law breaks above ten.
private final class Adding<K: Kind>: SimulatedWorld {
    struct Conditions: SimulatedConditions {
        var replicas = 3
        var steps = 40
        var faults: Set<Fault> = [.burst]
        let options = "--adding"
    }

    struct Step: SimulatedStep {
        let number: Int
        let player: Int
        var value: Int
        var isFault: Bool { value > 1 }
        var withoutFault: Step? { Step(number: number, player: player, value: min(value, 1)) }
    }

    struct Plan: SimulatedPlan {
        var steps: [Step]
        var participants: [Int] { Set(steps.map(\.player)).sorted() }
        func selection(from whole: Plan) -> String { steps.map { "\($0.number)" }.joined(separator: ",") }
    }

    struct Outcome: SimulatedOutcome {
        var violation: Violation?
        var failedStep: Int?
        var digest: UInt64 = 0
        var faults: [Fault: Int] = [:]
        var deliveredCount = 0
        var moments: [Moment] = []
        var trace: [String] { moments.compactMap(\.line) }
        var figures: [Report.Headline] { [.init("sum", deliveredCount, "in all")] }
    }

    struct Run: SimulatedRun {
        let plan: Plan
        var outcome = Outcome()
        let noise: Int

        mutating func begin() {}

        mutating func carryOut(_ step: Step, at place: Int) throws(Violation) {
            outcome.deliveredCount += step.value
            outcome.digest = UInt64(outcome.deliveredCount + noise)
            if step.isFault { outcome.faults[.burst, default: 0] += 1 }
            outcome.moments.append(Moment(time: step.number, kind: .network, text: "sum \(outcome.digest)"))
            if outcome.deliveredCount > 10 { throw Violation(aboveTen, "\(outcome.deliveredCount)") }
        }

        mutating func heal() {}

        mutating func conclude() {
            if let violation = outcome.violation {
                outcome.moments.append(Moment(time: 0, kind: .violation, text: "\(violation)"))
            }
        }
    }

    static var areRunsLong: Bool { K.areRunsLong }

    let conditions = Conditions()
    /// The values of a seed's steps, in turn.
    private let values: [Int]
    private let runs = Atomic<Int>(0)

    init(_ values: [Int]) { self.values = values }

    var runCount: Int { runs.load(ordering: .relaxed) }

    func plan(seed: UInt64) -> Plan {
        Plan(steps: (0..<40).map { Step(number: $0, player: $0 % 3, value: values[$0 % values.count]) })
    }

    func start(_ plan: Plan, isTracing: Bool) -> Run {
        Run(plan: plan, noise: K.noise(runs.add(1, ordering: .relaxed).newValue))
    }

    func part(of plan: Plan, without replica: Int) -> Plan? {
        let steps = plan.steps.filter { $0.player != replica }
        return steps.isEmpty ? nil : Plan(steps: steps)
    }
}

/// The one search, in a world that is neither replicas nor nodes.
struct SimulatedWorldTests {
    @Test("what broke in any world is made small, told, and named for repetition")
    func small() throws {
        let found = try #require(Adding<Short>([0, 0, 4, 1, 0, 0]).counterexample(among: 7...9))
        #expect(found.law == aboveTen && found.seed == 7 && found.outcome.failedStep == 14)
        #expect(found.shrunkPlan.steps.map(\.value) == [4, 4, 4] && found.shrunkPlan.size == (1, 3, 3), "\(found)")
        let kept = found.shrunkPlan.steps.map { "\($0.number)" }.joined(separator: ",")
        #expect(found.options == "--adding --seed 7 --keep \(kept)")
        #expect(found.shrunkOutcome.trace.last?.hasSuffix("violated: above-ten: 12") == true, "\(found)")
        #expect("\(found)".hasPrefix("seed 7 breaks above-ten at step 14: "), "\(found)")
    }

    @Test("where runs are long, nothing that comes after the failure is in the small run")
    func early() throws {
        let values = [0, 0, 4, 1, 0, 0]
        let long = try #require(Adding<Long>(values).counterexample(among: 1...1))
        #expect(long.shrunkPlan.steps.map(\.number) == [2, 8, 14] && long.outcome.failedStep == 14, "\(long)")
        let short = try #require(Adding<Short>(values).counterexample(among: 1...1))
        #expect(short.shrunkPlan.steps.map(\.number) == [26, 32, 38], "\(short)")
    }

    @Test("a seed whose law is passed over is told like the others, and the first seeds are run twice")
    func passedOver() {
        let (short, long) = (Adding<Short>([1, 4]), Adding<Long>([1, 4]))
        var told: [UInt64] = []
        let found = short.counterexample(
            among: 1...6, passingOver: [aboveTen],
            isDone: { seed, outcome in
                #expect(outcome.violation?.law == aboveTen)
                told.append(seed)
                return false
            })
        #expect(found == nil && told == [1, 2, 3, 4, 5, 6] && short.runCount == 6 + 4, "\(short.runCount)")
        #expect(long.counterexample(among: 1...6, passingOver: [aboveTen]) == nil && long.runCount == 6 + 1)
    }

    @Test("a run that its plan does not decide is reported in any world")
    func noise() throws {
        let found = try #require(Adding<Noisy>([1, 0, 4]).counterexample(among: 1...3))
        #expect(found.law == .determinism && found.shrunkPlan.size.events == 1, "\(found)")
        #expect(found.shrunkOutcome.trace.contains { $0.contains("run again: sum ") }, "\(found)")
    }

    @Test("an interruption ends a search, within a run and while a run is made small")
    func interrupted() throws {
        let world = Adding<Short>([1, 4])
        #expect(world.counterexample(among: 1...3, isInterrupted: { _ in true }) == nil && world.runCount == 1)
        // From the moment on in which a law broke.
        var isBroken = false
        let found = try #require(
            world.counterexample(
                among: 1...3, isInterrupted: { _ in isBroken }, willShrink: { seed, _ in isBroken = seed == 1 }))
        #expect(found.shrunkPlan.steps.count == 40, "\(found)")
    }

    @Test("what several runs showed is added up in any world")
    func tally() {
        let world = Adding<Long>([1, 0, 0, 0, 4])
        var tally = Tally(world)
        for seed: UInt64 in 1...3 { tally.add(world.run(world.plan(seed: seed)), seed: seed) }
        let report = tally.report(subject: "sums", command: "again", failing: nil)
        #expect(report.headlines.map(\.number) == [3, 3, 40, 33], "\(report.headlines)")
        #expect(report.faults == [.init(name: "burst", meaning: Fault.burst.meaning, count: 6)])
        #expect(report.laws.isEmpty && report.risks.isEmpty && report.panels.isEmpty)
    }
}
