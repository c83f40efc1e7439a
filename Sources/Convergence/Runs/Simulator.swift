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

extension Conditions: SimulatedConditions {
    package var options: String {
        let names = faults.count == Fault.allCases.count ? "all" : Fault.list(faults)
        return "--replicas \(replicas) --steps \(steps) --faults \(names)"
            + (emphasis.isEmpty ? "" : " --emphasis \(Fault.list(emphasis))")
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
        var run = start(plan, isTracing: isTracing)
        return run.finish() ?? run.outcome
    }

    /// The same for a long run. `isDone` is called now and then with the number of steps carried out. If it returns true,
    /// the run ends without an outcome.
    public func run(_ plan: Plan<Subject.Action>, isDone: (Int) -> Bool) -> Outcome? {
        var run = start(plan, isTracing: false)
        return run.finish(isDone)
    }

    /// Tries seeds until a law breaks, and makes that run small; nil where every law holds. `isDone` is asked to go on
    /// after each seed. The first four seeds, and one that breaks a law, are run twice: ``Law/determinism``.
    public func firstFailure(
        seeds: ClosedRange<UInt64>, isDone: (UInt64, Outcome) -> Bool = { _, _ in false }
    ) -> Failure<Subject>? {
        counterexample(among: seeds, isDone: isDone).map(Failure.init)
    }
}

extension Simulator: SimulatedWorld {
    package static var areRunsLong: Bool { false }

    /// Of a type that has no form in bytes, none can be altered.
    package var possibleFaults: Set<Fault> {
        Subject.codec == nil ? conditions.faults.subtracting([.alteration]) : conditions.faults
    }

    package func start(_ plan: Plan<Subject.Action>, isTracing: Bool) -> Run<Subject> {
        Run(plan, isTracing: isTracing, programs: host, isClockStanding: isClockStanding)
    }

    package func measurements(of plan: Plan<Subject.Action>) -> Measurements { measure(plan).measurements }

    package func part(of plan: Plan<Subject.Action>, without replica: Int) -> Plan<Subject.Action>? {
        Plan(replicaCount: plan.replicaCount, steps: plan.steps.filter { !$0.names(replica) })
    }

    package func redrawn(
        seed: UInt64, below part: Plan<Subject.Action>, isFailing: @escaping (Plan<Subject.Action>) -> Bool
    ) -> (plan: Plan<Subject.Action>, tape: PlanTape)? {
        TapeShrinker<Subject>(conditions, isFailing: isFailing).shrink(seed: seed, below: part).map {
            (Plan.Drawing<Subject>.plan(conditions, playing: $0.units).plan, $0)
        }
    }
}

/// A run that broke a law, and the least part of it that does.
public struct Failure<Subject: ReplicatedType>: Sendable, CustomStringConvertible {
    package let found: Counterexample<Simulator<Subject>>

    init(_ found: Counterexample<Simulator<Subject>>) { self.found = found }

    /// By which it failed.
    var simulator: Simulator<Subject> { found.world }
    /// Under which it failed.
    public var conditions: Conditions { simulator.conditions }
    /// The seed that failed.
    public var seed: UInt64 { found.seed }
    /// The whole run's plan.
    public var plan: Plan<Subject.Action> { found.plan }
    /// What became of it.
    public var outcome: Outcome { found.outcome }
    /// The least part of it that breaks the same law.
    public var shrunkPlan: Plan<Subject.Action> { found.shrunkPlan }
    /// The draws of which it is made, where no part of the whole plan is as small.
    public var tape: PlanTape? { found.tape }
    /// What became of that part, with its trace.
    public var shrunkOutcome: Outcome { found.shrunkOutcome }
    /// The law that did not hold.
    public var law: Law { found.law }

    /// The law, the small run, a line for each thing that happens, and the line that runs it again.
    public var description: String { "\(found.description)\nthis run again: \(replay)" }
}
