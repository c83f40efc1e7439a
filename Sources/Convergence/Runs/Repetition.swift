/// Runs a plan again. What goes otherwise then follows from something that is not in the plan: a clock, a random number, the
/// order of a hash table.
struct Repetition<World: SimulatedWorld> {
    private let world: World
    let isInterrupted: () -> Bool

    /// Runs of one plan in search of the event with which a difference begins: an order of a hash table may well be the same
    /// a few times.
    static var runsMax: Int { 16 }

    init(_ world: World, isInterrupted: @escaping () -> Bool) {
        self.world = world
        self.isInterrupted = isInterrupted
    }

    /// Runs a plan again, and tells how it went otherwise, made small; nil where it went as in `outcome`.
    func counterexample(seed: UInt64, _ plan: World.RunPlan, _ outcome: World.RunOutcome) -> Counterexample<World>? {
        guard let again = world.run(plan, isDone: { _ in isInterrupted() }), !again.isRepetition(of: outcome) else {
            return nil
        }
        return counterexample(seed: seed, plan, outcome, "one run showed \(outcome.summary), the next \(again.summary)")
    }

    /// The same for a plan of which it is known already that it did not repeat itself; `finding` says how, for where no other
    /// run shows it again.
    func counterexample(
        seed: UInt64, _ plan: World.RunPlan, _ outcome: World.RunOutcome, _ finding: String
    ) -> Counterexample<World> {
        var whole = outcome
        whole.violation = Violation(.determinism, finding)
        var (small, seen) = (plan, whole)
        if let difference = firstDifference(plan) {
            (whole.failedStep, seen) = (difference.failedStep, difference)
            let shrinker = Shrinker(world, runsMax: Shrinker<World>.runsMax / Self.runsMax) { part in
                guard !isInterrupted(), let difference = firstDifference(part) else { return false }
                seen = difference
                return true
            }
            small = shrinker.shrink(plan)
        }
        return Counterexample(
            world: world, seed: seed, plan: plan, outcome: whole, shrunkPlan: small, tape: nil, shrunkOutcome: seen)
    }

    /// Runs a plan until it goes otherwise than the first time: a run whose trace ends with the event that did.
    private func firstDifference(_ plan: World.RunPlan) -> World.RunOutcome? {
        let first = world.run(plan, isTracing: true)
        for _ in 1..<Self.runsMax {
            let again = world.run(plan, isTracing: true)
            let shared = zip(first.moments, again.moments).prefix { $0 == $1 }.count
            guard shared < max(first.moments.count, again.moments.count) else { continue }
            func moment(_ outcome: World.RunOutcome) -> Moment {
                outcome.moments.dropFirst(shared).first { $0.words != nil }
                    ?? Moment(time: 0, kind: .network, text: "nothing")
            }
            let (one, other) = (moment(first), moment(again))
            let words = (one.words ?? "", other.words ?? "")
            let violation = Violation(.determinism, "\"\(words.0)\" was \"\(words.1)\" when the same was run again")
            var outcome = first
            outcome.violation = violation
            outcome.failedStep = one.time
            outcome.moments =
                first.moments[..<shared] + [
                    one, Moment(time: other.time, kind: .repetition, text: words.1),
                    Moment(time: one.time, kind: .violation, text: "\(violation)"),
                ]
            return outcome
        }
        return nil
    }
}
