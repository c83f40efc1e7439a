/// Makes a failing plan as small as it can, with the same law still broken: whole replicas first, then events by delta
/// debugging (Zeller, Hildebrandt: *Simplifying and isolating failure-inducing input*, 2002), then faults one by one. Where faults are left, the plan without any of
/// them is tried, too.
struct Shrinker<Subject: ReplicatedType> {
    private typealias Steps = [Plan<Subject.Action>.Step]

    private let isFailing: (Plan<Subject.Action>) -> Bool
    private let runsMax: Int

    /// Plans tried at most, so that shrinking a big one ends.
    static var runsMax: Int { 20_000 }

    /// Once `isFailing` always returns false, shrinking ends with the smallest run so far.
    init(runsMax: Int = Self.runsMax, isFailing: @escaping (Plan<Subject.Action>) -> Bool) {
        self.isFailing = isFailing
        self.runsMax = runsMax
    }

    func shrink(_ plan: Plan<Subject.Action>) -> Plan<Subject.Action> {
        var runs = 0
        func fails(_ steps: Steps) -> Bool {
            runs += 1
            return runs <= runsMax && isFailing(Plan(replicaCount: plan.replicaCount, steps: steps))
        }
        let small = shrink(plan, fails)
        guard small.steps.contains(where: { $0.isFault }) else { return small }
        let calm = Plan(replicaCount: plan.replicaCount, steps: plan.steps.compactMap { $0.withoutFault })
        guard fails(calm.steps) else { return small }
        let other = shrink(calm, fails)
        return other.steps.count <= small.steps.count ? other : small
    }

    private func shrink(_ plan: Plan<Subject.Action>, _ fails: (Steps) -> Bool) -> Plan<Subject.Action> {
        var small = plan
        while true {
            let before = small
            for replica in small.participants.reversed() {
                let others = small.steps.filter { !$0.names(replica) }
                if fails(others) { small.steps = others }
            }
            small.steps = DeltaDebugging.minimise(small.steps, fails)
            for index in small.steps.indices {
                guard small.steps[index].isFault, let plain = small.steps[index].withoutFault else { continue }
                var steps = small.steps
                steps[index] = plain
                if fails(steps) { small.steps = steps }
            }
            if small.steps.count == before.steps.count, small.size == before.size { return small }
        }
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
