/// A world that is simulated: replicas of a type (``Simulator``), or nodes of a program. All that happens in a run follows from a plan, so
/// that a part of a plan is a run too.
package protocol SimulatedWorld: Sendable {
    associatedtype WorldConditions: SimulatedConditions
    associatedtype WorldRun: SimulatedRun where WorldRun.RunOutcome.FaultKind == WorldConditions.FaultKind
    typealias RunPlan = WorldRun.RunPlan
    typealias RunOutcome = WorldRun.RunOutcome

    /// Whether a run takes seconds, so that fewer are made.
    static var areRunsLong: Bool { get }
    /// What each replica is, in the plural.
    static var noun: String { get }
    /// The laws of which each check is counted.
    static var countedLaws: [Law] { get }

    /// How runs are made.
    var conditions: WorldConditions { get }
    /// What can go wrong under these conditions.
    var possibleFaults: Set<WorldConditions.FaultKind> { get }
    /// The plan of a seed: every choice follows from it.
    func plan(seed: UInt64) -> RunPlan
    /// A run that has not begun.
    func start(_ plan: RunPlan, isTracing: Bool) -> WorldRun
    /// What a report draws of a plan's run.
    func measurements(of plan: RunPlan) -> Measurements
    /// A plan without a replica and all that it does; nil where nothing of interest can be left.
    func part(of plan: RunPlan, without replica: Int) -> RunPlan?
    /// A failing plan that is no part of a seed's plan and smaller than a part, and its draws; nil where none was found.
    func redrawn(
        seed: UInt64, below part: RunPlan, isFailing: @escaping (RunPlan) -> Bool
    ) -> (plan: RunPlan, tape: PlanTape)?
}

extension SimulatedWorld {
    package static var noun: String { "replicas" }
    package static var countedLaws: [Law] { [] }
    package var possibleFaults: Set<WorldConditions.FaultKind> { conditions.faults }

    /// One run. The same plan gives the same outcome, everywhere.
    package func run(_ plan: RunPlan, isTracing: Bool = false) -> RunOutcome {
        var run = start(plan, isTracing: isTracing)
        return run.finish() ?? run.outcome
    }

    /// The same for a long run. `isDone` is asked now and then to go on, with the steps carried out; nil where it ends the run.
    package func run(_ plan: RunPlan, isDone: (Int) -> Bool) -> RunOutcome? {
        var run = start(plan, isTracing: false)
        return run.finish(isDone)
    }

    package func measurements(of plan: RunPlan) -> Measurements { run(plan).measurements }

    package func redrawn(
        seed: UInt64, below part: RunPlan, isFailing: @escaping (RunPlan) -> Bool
    ) -> (plan: RunPlan, tape: PlanTape)? { nil }
}

/// How runs are made.
package protocol SimulatedConditions: Sendable {
    associatedtype FaultKind: SimulatedFault

    var replicas: Int { get }
    var steps: Int { get }
    var faults: Set<FaultKind> { get }
    /// As options of `caravan simulate`.
    var options: String { get }
}

/// All that happens in a run, decided before it begins.
package protocol SimulatedPlan: Sendable {
    associatedtype Step: SimulatedStep

    /// In the order of their times.
    var steps: [Step] { get set }
    /// The replicas that take part, ascending.
    var participants: [Int] { get }
    /// What `--keep` takes for this part of a plan.
    func selection(from whole: Self) -> String
}

extension SimulatedPlan {
    /// The replicas that take part, everything that happens, and of that what goes wrong.
    package var size: (replicas: Int, events: Int, faults: Int) {
        (participants.count, steps.count, steps.count { $0.isFault })
    }
}

/// Something that happens in a run.
package protocol SimulatedStep: Sendable {
    /// Its index in the whole plan, from 0.
    var number: Int { get }
    /// Whether something goes wrong.
    var isFault: Bool { get }
    /// The same with nothing going wrong; nil where it is a fault altogether.
    var withoutFault: Self? { get }
}
