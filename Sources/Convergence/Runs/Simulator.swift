/// How runs are made.
public struct Conditions: Sendable {
    /// 1 to 64.
    public var replicas: Int
    /// Actions, messages and faults before everything heals.
    public var steps: Int
    /// What may go wrong.
    public var faults: Set<Fault>
    /// Of these, the ones that are drawn more often.
    package var emphasis: Set<Fault> = []

    /// Four replicas, 120 steps and every fault, unless told otherwise.
    public init(replicas: Int = 4, steps: Int = 120, faults: Set<Fault> = Set(Fault.allCases)) {
        self.replicas = min(max(replicas, 1), 64)
        self.steps = max(steps, 0)
        self.faults = faults
    }
}

/// Runs a type under test.
///
/// ```swift
/// if let failure = Simulator<FairCounter>().firstFailure(seeds: 1...100) { print(failure) }
/// ```
public struct Simulator<Subject: ReplicatedType>: Sendable {
    /// How runs are made.
    public var conditions: Conditions
    /// Where programs play the replicas.
    var host: ProgramHost?
    /// Whether all that happens falls into one millisecond.
    var isClockStanding = false

    /// Runs `Subject` under these conditions.
    public init(_ conditions: Conditions = Conditions()) { self.conditions = conditions }

    /// The plan of a seed.
    public func plan(seed: UInt64) -> Plan<Subject.Action> {
        Plan.Drawing<Subject>.plan(conditions, seed: seed)
    }

    /// One run. The same plan gives the same outcome, everywhere.
    public func run(_ plan: Plan<Subject.Action>, isTracing: Bool = false) -> Outcome {
        var run = Run<Subject>(plan, isTracing: isTracing, programs: host, isClockStanding: isClockStanding)
        return run.finish() ?? run.outcome
    }

    /// The same for a long run. `isDone` is called now and then with the number of steps carried out. If it returns true,
    /// the run ends without an outcome.
    public func run(_ plan: Plan<Subject.Action>, isDone: (Int) -> Bool) -> Outcome? {
        var run = Run<Subject>(plan, isTracing: false, programs: host)
        return run.finish(isDone)
    }

    /// How many of the first seeds are run twice, to see whether the type is deterministic.
    static var repeatedSeeds: Int { 4 }

    /// Tries seeds until a law breaks, and makes that run small; nil where every law holds. `isDone` is asked to go on
    /// after each seed. The first four seeds, and one that breaks a law, are run twice: ``Law/determinism``.
    public func firstFailure(
        seeds: ClosedRange<UInt64>, isDone: (UInt64, Outcome) -> Bool = { _, _ in false }
    ) -> Failure<Subject>? {
        firstFailure(seeds: seeds, passingOver: [], isInterrupted: { false }, isDone: isDone)
    }

    /// The same, going on where a law breaks that is one of some. `isInterrupted` is asked within a run, too, and while a
    /// failing one is made small.
    func firstFailure(
        seeds: ClosedRange<UInt64>, passingOver others: some Collection<Law>, isInterrupted: @escaping () -> Bool,
        isDone: (UInt64, Outcome) -> Bool
    ) -> Failure<Subject>? {
        let repetition = Repetition(self, isInterrupted: isInterrupted)
        for seed in seeds {
            let plan = plan(seed: seed)
            guard var outcome = run(plan, isDone: { _ in isInterrupted() }) else { return nil }
            let broken = outcome.violation.flatMap { others.contains($0.law) ? nil : $0.law }
            let isRepeated = broken != nil || seed - seeds.lowerBound < Self.repeatedSeeds
            outcome.premises.look(.determinism) { isRepeated }
            if isRepeated, let failure = repetition.failure(seed: seed, plan, outcome) { return failure }
            if let broken {
                let isFailing = { (part: Plan<Subject.Action>) in
                    !isInterrupted() && run(part).violation?.law == broken
                }
                var small = Shrinker(self, isFailing: isFailing).shrink(plan)
                let tape = TapeShrinker<Subject>(conditions, isFailing: isFailing).shrink(seed: seed, below: small)
                if let tape { small = Plan.Drawing<Subject>.plan(conditions, playing: tape.units).plan }
                let shrunk = run(small, isTracing: true)
                guard shrunk.violation?.law == broken else {
                    let finding = "a part of this run broke \(broken.name), and did not when it was run again"
                    return repetition.failure(seed: seed, plan, outcome, finding)
                }
                return Failure(
                    seed: seed, simulator: self, plan: plan, outcome: outcome, shrunkPlan: small, tape: tape,
                    shrunkOutcome: shrunk)
            }
            if isDone(seed, outcome) { break }
        }
        return nil
    }
}

extension Simulator: SimulatedWorld {
    package static var areRunsLong: Bool { false }

    package func part(of plan: Plan<Subject.Action>, without replica: Int) -> Plan<Subject.Action>? {
        Plan(replicaCount: plan.replicaCount, steps: plan.steps.filter { !$0.names(replica) })
    }
}

/// A run that broke a law, and the least part of it that does.
public struct Failure<Subject: ReplicatedType>: Sendable, CustomStringConvertible {
    /// The seed that failed.
    public let seed: UInt64
    /// By which it failed.
    let simulator: Simulator<Subject>
    /// Under which it failed.
    public var conditions: Conditions { simulator.conditions }
    /// The whole run's plan.
    public let plan: Plan<Subject.Action>
    /// What became of it.
    public let outcome: Outcome
    /// The least part of it that breaks the same law.
    public let shrunkPlan: Plan<Subject.Action>
    /// The draws of which it is made, where no part of the whole plan is as small.
    public let tape: PlanTape?
    /// What became of that part, with its trace.
    public let shrunkOutcome: Outcome

    /// The law that did not hold.
    public var law: Law { (shrunkOutcome.violation ?? outcome.violation)?.law ?? Law("none", "") }

    /// What replays the small run: the options of `caravan simulate`.
    package var options: String {
        "--replicas \(conditions.replicas) --steps \(conditions.steps) --seed \(seed) --faults "
            + Fault.list(conditions.faults)
            + (conditions.emphasis.isEmpty ? "" : " --emphasis " + Fault.list(conditions.emphasis))
            + (tape.map { " --tape \($0)" } ?? " --keep \(Selection(shrunkPlan, of: plan))")
    }

    /// The law and the small run, a line for each thing that happens.
    var account: String {
        let size = shrunkPlan.size
        return """
            seed \(seed) breaks \(law.name) at step \(outcome.failedStep ?? 0): \(law.description)
            shrunk from \(plan.size.replicas) replicas, \(plan.size.events) events, \(plan.size.faults) faults \
            to \(size.replicas), \(size.events), \(size.faults), with \(Figures.count(shrunkOutcome.deviationCount, "deviation")) from the polite schedule:
            \(shrunkOutcome.trace.joined(separator: "\n"))
            """
    }

    /// The law, the small run, a line for each thing that happens, and the line that runs it again.
    public var description: String { "\(account)\nthis run again: \(replay)" }
}
