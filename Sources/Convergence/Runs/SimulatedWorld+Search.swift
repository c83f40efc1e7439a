extension SimulatedWorld {
    /// How many of the first seeds are run twice, to see whether the world is deterministic.
    private static var repeatedSeeds: Int { areRunsLong ? 1 : 4 }

    /// Tries seeds until a law breaks that is none of some, and makes that run small; nil where every other law holds. The first seeds, and
    /// one that breaks a law, are run twice: ``Law/determinism``.
    ///
    /// - Parameters:
    ///   - isInterrupted: ends it; asked within a run, with the steps carried out, and while a failing one is made small.
    ///   - willShrink: hears of a seed that breaks a law before its run is made small, which may take minutes.
    ///   - isDone: asked to go on after each other seed.
    package func counterexample(
        among seeds: ClosedRange<UInt64>, passingOver others: [Law] = [],
        isInterrupted: @escaping (Int) -> Bool = { _ in false },
        willShrink: (UInt64, Violation) -> Void = { _, _ in }, isDone: (UInt64, RunOutcome) -> Bool = { _, _ in false }
    ) -> Counterexample<Self>? {
        let repetition = Repetition(self) { isInterrupted(0) }
        for seed in seeds {
            let plan = plan(seed: seed)
            guard var outcome = run(plan, isDone: isInterrupted) else { return nil }
            let broken = outcome.violation.flatMap { others.contains($0.law) ? nil : $0 }
            let isRepeated = broken != nil || seed - seeds.lowerBound < Self.repeatedSeeds
            outcome.look(isRepeated: isRepeated)
            if let broken { willShrink(seed, broken) }
            if isRepeated, let found = repetition.counterexample(seed: seed, plan, outcome) { return found }
            if let broken { return shrunk(seed, plan, outcome, broken.law, repetition) }
            if isDone(seed, outcome) { break }
        }
        return nil
    }

    private func shrunk(
        _ seed: UInt64, _ plan: RunPlan, _ outcome: RunOutcome, _ broken: Law, _ repetition: Repetition<Self>
    ) -> Counterexample<Self> {
        let isFailing = { (part: RunPlan) in
            !repetition.isInterrupted() && run(part, isTracing: false).violation?.law == broken
        }
        let part = Shrinker(self, isFailing: isFailing).shrink(plan, failedStep: outcome.failedStep)
        let redrawn = redrawn(seed: seed, below: part, isFailing: isFailing)
        let small = redrawn?.plan ?? part
        let shrunk = run(small, isTracing: true)
        guard shrunk.violation?.law == broken else {
            let finding = "a part of this run broke \(broken.name), and did not when it was run again"
            return repetition.counterexample(seed: seed, plan, outcome, finding)
        }
        return Counterexample(
            world: self, seed: seed, plan: plan, outcome: outcome, shrunkPlan: small, tape: redrawn?.tape,
            shrunkOutcome: shrunk)
    }
}

/// A run that broke a law in any world, and the least part of it that does: see ``Failure``.
package struct Counterexample<World: SimulatedWorld>: Sendable, CustomStringConvertible {
    package let world: World
    package let seed: UInt64
    package let plan: World.RunPlan
    package let outcome: World.RunOutcome
    package let shrunkPlan: World.RunPlan
    package let tape: PlanTape?
    package let shrunkOutcome: World.RunOutcome

    /// The law that did not hold.
    package var law: Law { violation?.law ?? Law("none", "") }

    private var violation: Violation? { shrunkOutcome.violation ?? outcome.violation }

    /// The law and the small run, a line for each thing that happens.
    package var description: String {
        let (before, after) = (plan.size, shrunkPlan.size)
        return """
            seed \(seed) breaks \(law.name) at step \(outcome.failedStep ?? 0): \(law.description)
            shrunk from \(before.replicas) replicas, \(before.events) events, \(before.faults) faults \
            to \(after.replicas), \(after.events), \(after.faults)\(Report.Failing.deviations(shrunkOutcome.deviationCount)):
            \(shrunkOutcome.trace.joined(separator: "\n"))
            """
    }

    /// What replays the small run: options of `caravan simulate`. A tape needs no seed.
    package var options: String {
        world.conditions.options
            + (tape.map { " --tape \($0)" } ?? " --seed \(seed) --keep \(shrunkPlan.selection(from: plan))")
    }

    /// What broke, for a report.
    package func failing(command: String?) -> Report.Failing {
        var failing = Report.Failing(
            law: law, finding: violation?.finding ?? "", seed: seed, failedStep: outcome.failedStep ?? 0,
            before: plan.size, after: shrunkPlan.size, trace: shrunkOutcome.trace, command: command)
        failing.happened = Set(shrunkOutcome.faults.keys.map { $0.rawValue })
        failing.deviationCount = shrunkOutcome.deviationCount
        failing.diagram = SpaceTime(shrunkOutcome.moments)
        return failing
    }
}
