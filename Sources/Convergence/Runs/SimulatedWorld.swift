/// A world that is simulated: replicas of a type (``Simulator``), or nodes of a program. All that happens in a run follows from a plan, so
/// that a part of a plan is a run too.
package protocol SimulatedWorld: Sendable {
    associatedtype RunPlan: SimulatedPlan

    /// Whether a run takes seconds, so that fewer are made.
    static var areRunsLong: Bool { get }

    /// A plan without a replica and all that it does; nil where nothing of interest can be left.
    func part(of plan: RunPlan, without replica: Int) -> RunPlan?
}

/// All that happens in a run, decided before it begins.
package protocol SimulatedPlan: Sendable {
    associatedtype Step: SimulatedStep

    /// In the order of their times.
    var steps: [Step] { get set }
    /// The replicas that take part, ascending.
    var participants: [Int] { get }
}

extension SimulatedPlan {
    /// The replicas that take part, everything that happens, and of that what goes wrong.
    package var size: (replicas: Int, events: Int, faults: Int) {
        (participants.count, steps.count, steps.count(where: \.isFault))
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
