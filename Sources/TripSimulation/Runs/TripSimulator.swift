package import Convergence

/// Runs a trip with real nodes: the same log, protocol and rules that ship, over a simulated network, clocks and disks.
package struct TripSimulator: SimulatedWorld {
    /// How runs are made.
    package var conditions: TripConditions

    /// Runs trips under these conditions.
    package init(_ conditions: TripConditions = TripConditions()) { self.conditions = conditions }

    package static var areRunsLong: Bool { true }
    package static var noun: String { "nodes" }
    package static var countedLaws: [Law] { Law.ofTrips }

    /// The plan of a seed.
    package func plan(seed: UInt64) -> TripPlan { TripPlan.make(conditions, seed: seed) }

    package func start(_ plan: TripPlan, isTracing: Bool) -> TripRun { TripRun(plan, conditions, isTracing: isTracing) }

    /// Nil where no member is left: a person who comes by an invite is let in by nobody, and that breaks a law by itself.
    package func part(of plan: TripPlan, without replica: Int) -> TripPlan? {
        var part = plan
        part.nodes.removeAll { $0 == replica }
        part.steps.removeAll { $0.names(replica) }
        return part.nodes.contains(where: conditions.isMember) ? part : nil
    }

    /// One run in which power also fails at one write: `outcome.writeCount` of the plan's run says how many there are.
    ///
    /// - Parameters:
    ///   - plan: what happens otherwise.
    ///   - write: the number of the write among all nodes' writes, from 1.
    ///   - end: what is left of it: `.tornWrite` half, `.lateCrash` all of it, anything else nothing.
    package func run(_ plan: TripPlan, cuttingPowerAtWrite write: Int, end: TripFault) -> TripOutcome {
        var run = start(plan, isTracing: false)
        run.world.powerCut = (write, end == .tornWrite ? .torn : end == .lateCrash ? .unacknowledged : .lost)
        return run.finish() ?? run.outcome
    }
}
