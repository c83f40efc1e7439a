/// Makes a failing plan as small as it can, with the same law still broken: whole replicas first, then events by delta
/// debugging (Zeller, Hildebrandt: *Simplifying and isolating failure-inducing input*, 2002), then faults one by one. Where faults are left, the plan without any of
/// them is tried, too. Where runs are long, what comes after the failure is left out before all else.
struct Shrinker<World: SimulatedWorld> {
    private let world: World
    private let isFailing: (World.RunPlan) -> Bool
    private let runsMax: Int

    /// Plans tried at most, and steps carried out in them, so that shrinking a big one ends.
    static var runsMax: Int { World.areRunsLong ? 10_000 : 20_000 }
    private static var stepsMax: Int { World.areRunsLong ? 1_000_000 : .max }

    /// Once `isFailing` always returns false, shrinking ends with the smallest run so far.
    init(_ world: World, runsMax: Int = Self.runsMax, isFailing: @escaping (World.RunPlan) -> Bool) {
        self.world = world
        self.isFailing = isFailing
        self.runsMax = runsMax
    }

    /// - Parameter failedStep: the number of the last step before the law broke.
    func shrink(_ plan: World.RunPlan, failedStep: Int? = nil) -> World.RunPlan {
        var (runs, steps) = (0, 0)
        func fails(_ plan: World.RunPlan) -> Bool {
            runs += 1
            // A run costs something however short it is.
            steps += plan.steps.count + 20
            return runs <= runsMax && steps <= Self.stepsMax && isFailing(plan)
        }
        var plan = plan
        if World.areRunsLong, let failedStep {
            let early = plan.with(plan.steps.filter { $0.number <= failedStep })
            if fails(early) { plan = early }
        }
        let small = shrink(plan, fails)
        guard small.steps.contains(where: { $0.isFault }) else { return small }
        let calm = plan.with(plan.steps.compactMap { $0.withoutFault })
        guard fails(calm) else { return small }
        let other = shrink(calm, fails)
        return other.steps.count <= small.steps.count ? other : small
    }

    private func shrink(_ plan: World.RunPlan, _ fails: (World.RunPlan) -> Bool) -> World.RunPlan {
        var small = plan
        while true {
            let before = small.size
            for replica in small.participants.reversed() {
                if let fewer = world.part(of: small, without: replica), fails(fewer) { small = fewer }
            }
            let whole = small
            small.steps = DeltaDebugging.minimise(whole.steps) { fails(whole.with($0)) }
            for index in small.steps.indices {
                guard small.steps[index].isFault, let plain = small.steps[index].withoutFault else { continue }
                var other = small
                other.steps[index] = plain
                if fails(other) { small = other }
            }
            if small.size == before { return small }
        }
    }
}

extension SimulatedPlan {
    /// The same with other steps.
    fileprivate func with(_ steps: [Step]) -> Self {
        var plan = self
        plan.steps = steps
        return plan
    }
}

extension Plan.Step {
    /// Whether a replica takes part in this event.
    func names(_ replica: Int) -> Bool {
        switch event {
        case .act(let actor, _, _): actor == replica
        case .send(let from, let to, _): from == replica || to == replica
        case .crash(let one, _), .restart(let one), .backup(let one), .restore(let one), .skew(let one, _):
            one == replica
        case .alter(let source, let target, _, _): source == replica || target == replica
        case .partition, .heal, .pause: false
        }
    }
}

/// Some steps of a plan, as text: their numbers, with `!` after those in which nothing goes wrong.
public struct Selection: Sendable, Hashable, CustomStringConvertible {
    private var steps: [(number: Int, isPlain: Bool)]

    /// Reads what `description` wrote; nil for anything else. At most 100,000 steps.
    public init?(_ text: String) {
        steps = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let isPlain = part.hasSuffix("!")
            guard steps.count < 100_000, let number = Int(isPlain ? part.dropLast() : part), number >= 0 else {
                return nil
            }
            steps.append((number, isPlain))
        }
    }

    /// The numbers of its steps, as they were written.
    public var numbers: [Int] { steps.map { $0.number } }

    init<Action>(_ small: Plan<Action>, of plan: Plan<Action>) {
        var wasFault: [Int: Bool] = [:]
        for step in plan.steps { wasFault[step.number] = step.isFault }
        steps = small.steps.map { ($0.number, wasFault[$0.number] == true && !$0.isFault) }
    }

    /// The chosen part of a plan.
    public func part<Action>(of plan: Plan<Action>) -> Plan<Action> {
        var isPlain: [Int: Bool] = [:]
        for step in steps { isPlain[step.number] = step.isPlain }
        var part = plan
        part.steps = plan.steps.compactMap { step in
            isPlain[step.number].flatMap { $0 ? step.withoutFault : step }
        }
        return part
    }

    public var description: String { steps.map { "\($0.number)\($0.isPlain ? "!" : "")" }.joined(separator: ",") }

    public static func == (left: Self, right: Self) -> Bool { left.description == right.description }
    public func hash(into hasher: inout Hasher) { hasher.combine(description) }
}
