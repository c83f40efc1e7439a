/// What one seed's run showed, as a line of JSON that stands for itself: workers write lines, and any lines can be merged.
package struct SeedReport: Sendable, Equatable {
    /// What broke, and the run made small.
    package struct Failing: Sendable, Equatable {
        package var law: String
        package var finding: String
        package var replicas: Int
        package var events: Int
        package var faults: Int
        /// What repeats the small run.
        package var options: String
        /// The small run without times and names. Runs of one shape reveal the same fault.
        package var shape: String
    }

    /// What is tested, and how: lines of different ones aren't merged.
    package var sweep: String
    package var seed: UInt64
    package var digest: UInt64
    package var actions: Int
    package var delivered: Int
    package var faults: [String: Int]
    /// The laws that were owed, and whether each was at risk.
    package var risks: [String: Bool]
    /// Faults that were drawn more often, by name.
    package var emphasis: [String]
    package var failing: Failing?

    init<Subject: ReplicatedType>(
        _ sweep: String, _ seed: UInt64, _ emphasis: Set<Fault>, _ outcome: Outcome, _ failure: Failure<Subject>?
    ) {
        self.sweep = sweep
        self.seed = seed
        digest = outcome.digest
        actions = outcome.actionCount
        delivered = outcome.deliveredCount
        risks = outcome.risks
        self.emphasis = emphasis.sorted().map { $0.rawValue }
        faults = Dictionary(uniqueKeysWithValues: outcome.faults.map { ($0.key.rawValue, $0.value) })
        failing = failure.map { failure in
            let size = failure.shrunkPlan.size
            return Failing(
                law: failure.law.name, finding: failure.shrunkOutcome.violation?.finding ?? "", replicas: size.replicas,
                events: size.events, faults: size.faults, options: failure.found.options,
                shape: Self.shape(failure.shrunkPlan))
        }
    }

    /// Kinds of steps in their order, replicas by the order in which they come up.
    private static func shape<Action>(_ plan: Plan<Action>) -> String {
        var names: [Int] = []
        func name(_ replica: Int) -> Int {
            if !names.contains(replica) { names.append(replica) }
            return names.firstIndex(of: replica) ?? 0
        }
        return plan.steps.map { step in
            let mark = step.isFault ? "!" : ""
            return switch step.event {
            case .act(let replica, _, _): "act \(name(replica))\(mark)"
            case .send(let from, let to, _): "send \(name(from)) \(name(to))\(mark)"
            case .crash(let replica, _): "crash \(name(replica))"
            case .restart(let replica): "restart \(name(replica))"
            case .backup(let replica): "backup \(name(replica))"
            case .restore(let replica): "restore \(name(replica))"
            case .skew(let replica, _): "skew \(name(replica))"
            case .alter(let source, let target, _, _): "alter \(name(source)) \(name(target))"
            case .pause: "pause"
            case .partition: "partition"
            case .heal: "heal"
            }
        }.joined(separator: ", ")
    }

    // MARK: - Lines

    /// Version 1 of the form.
    package var line: String {
        var members: [String: JSON] = [
            "sweep": .string(sweep), "seed": .string(String(seed)), "digest": .string(Figures.digest(digest)),
            "actions": .integer(Int64(actions)), "delivered": .integer(Int64(delivered)),
            "faults": .object(faults.mapValues { .integer(Int64($0)) }),
            "risks": .object(risks.mapValues { .bool($0) }),
            "emphasis": .array(emphasis.map { .string($0) }), "version": 1,
        ]
        if let failing {
            members["failing"] = [
                "law": .string(failing.law), "finding": .string(failing.finding), "options": .string(failing.options),
                "replicas": .integer(Int64(failing.replicas)), "events": .integer(Int64(failing.events)),
                "faults": .integer(Int64(failing.faults)), "shape": .string(failing.shape),
            ]
        }
        return JSON.object(members).description
    }

    /// Nil for a text that is not such a line, and for a truncated one.
    package init?(_ line: some StringProtocol) {
        guard let json = try? JSON(parsing: line), json["version"]?.number == 1, let sweep = json["sweep"]?.text,
            let seed = json["seed"]?.text.flatMap({ UInt64($0) }),
            let digest = json["digest"]?.text.flatMap({ UInt64($0, radix: 16) }),
            let actions = json["actions"]?.number, let delivered = json["delivered"]?.number,
            let faults = json["faults"]?.members
        else { return nil }
        (self.sweep, self.seed, self.digest) = (sweep, seed, digest)
        (self.actions, self.delivered) = (Int(clamping: actions), Int(clamping: delivered))
        self.faults = faults.compactMapValues { $0.number.map { Int(clamping: $0) } }
        risks = json["risks"]?.members?.compactMapValues { $0.flag } ?? [:]
        emphasis = json["emphasis"]?.texts ?? []
        guard let failing = json["failing"] else { return }
        guard let law = failing["law"]?.text, let finding = failing["finding"]?.text,
            let options = failing["options"]?.text,
            let replicas = failing["replicas"]?.number, let events = failing["events"]?.number,
            let faultCount = failing["faults"]?.number, let shape = failing["shape"]?.text
        else { return nil }
        self.failing = Failing(
            law: law, finding: finding, replicas: Int(clamping: replicas), events: Int(clamping: events),
            faults: Int(clamping: faultCount), options: options, shape: shape)
    }
}

extension Simulator {
    /// The first seeds of a range, which every worker runs to see what they put at risk.
    private static var pilotMax: Int { 64 }

    /// Runs each of some seeds of a range, those that fail too, and hands out a line for each; `isDone` ends it. After the first 64 seeds
    /// of the range, faults that seldom happened and those that put laws at risk which seldom were are drawn more often. That follows from
    /// the range alone, so that workers agree whichever seeds are theirs.
    package func sweep(
        _ name: String, seeds: some Sequence<UInt64>, of range: ClosedRange<UInt64>, isDone: (SeedReport) -> Bool
    ) {
        let pilot = range.prefix(Self.pilotMax)
        var simulator = self
        var hasPilot = !conditions.emphasis.isEmpty
        for seed in seeds {
            if !hasPilot, let last = pilot.last, seed > last {
                simulator.conditions.emphasis = emphasis(after: pilot)
                hasPilot = true
            }
            var outcome: Outcome?
            let failure = simulator.firstFailure(seeds: seed...seed) {
                outcome = $1
                return true
            }
            guard let seen = failure?.outcome ?? outcome else { return }
            if isDone(SeedReport(name, seed, simulator.conditions.emphasis, seen, failure)) { return }
        }
    }

    /// What to draw more often after some seeds.
    private func emphasis(after pilot: some Collection<UInt64>) -> Set<Fault> {
        var (risks, happened) = (RiskCount(), [Fault: Int]())
        for seed in pilot {
            let outcome = run(plan(seed: seed))
            risks.add(outcome.risks)
            for fault in outcome.faults.keys { happened[fault, default: 0] += 1 }
        }
        return risks.emphasis(of: possibleFaults, happened: happened, in: pilot.count)
    }
}
