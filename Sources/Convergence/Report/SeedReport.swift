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
        /// The small run without times and names: runs of one shape tell of one fault.
        package var shape: String
    }

    /// What is tested, and how: lines of different ones aren't merged.
    package var sweep: String
    package var seed: UInt64
    package var digest: UInt64
    package var actions: Int
    package var delivered: Int
    package var faults: [String: Int]
    package var failing: Failing?

    init<Subject: ReplicatedType>(_ sweep: String, _ seed: UInt64, _ outcome: Outcome, _ failure: Failure<Subject>?) {
        self.sweep = sweep
        self.seed = seed
        digest = outcome.digest
        actions = outcome.actionCount
        delivered = outcome.deliveredCount
        faults = Dictionary(uniqueKeysWithValues: outcome.faults.map { ($0.key.rawValue, $0.value) })
        failing = failure.map { failure in
            let size = failure.shrunkPlan.size
            return Failing(
                law: failure.law.name, finding: failure.shrunkOutcome.violation?.finding ?? "", replicas: size.replicas,
                events: size.events, faults: size.faults, options: failure.options,
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
            "faults": .object(faults.mapValues { .integer(Int64($0)) }), "version": 1,
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

    /// Nil for what is no such line, and for one that was cut.
    package init?(_ line: some StringProtocol) {
        guard let json = try? JSON(parsing: line), json["version"]?.number == 1, let sweep = json["sweep"]?.text,
            let seed = json["seed"]?.text.flatMap({ UInt64($0) }),
            let digest = json["digest"]?.text.flatMap({ UInt64($0, radix: 16) }),
            let actions = json["actions"]?.number, let delivered = json["delivered"]?.number,
            let faults = json["faults"]?.members
        else { return nil }
        (self.sweep, self.seed, self.digest) = (sweep, seed, digest)
        (self.actions, self.delivered) = (Int(actions), Int(delivered))
        self.faults = faults.compactMapValues { $0.number.map { Int($0) } }
        guard let failing = json["failing"] else { return }
        guard let law = failing["law"]?.text, let finding = failing["finding"]?.text,
            let options = failing["options"]?.text,
            let replicas = failing["replicas"]?.number, let events = failing["events"]?.number,
            let faultCount = failing["faults"]?.number, let shape = failing["shape"]?.text
        else { return nil }
        self.failing = Failing(
            law: law, finding: finding, replicas: Int(replicas), events: Int(events), faults: Int(faultCount),
            options: options, shape: shape)
    }
}

extension Simulator {
    /// Runs each seed, those that fail too, and hands out a line for each. `isDone` ends it.
    package func sweep(_ name: String, seeds: some Sequence<UInt64>, isDone: (SeedReport) -> Bool) {
        for seed in seeds {
            var outcome: Outcome?
            let failure = firstFailure(seeds: seed...seed) {
                outcome = $1
                return true
            }
            guard let seen = failure?.outcome ?? outcome else { return }
            if isDone(SeedReport(name, seed, seen, failure)) { return }
        }
    }
}
