extension Simulator {
    /// Runs only the named steps of a seed's plan, as ``Failure/replay`` writes them, and says what happens.
    /// Nil where `text` is not such a text.
    public func replay(seed: UInt64, keeping text: String) -> Outcome? {
        Selection(text).map { replay(.events($0, seed: seed)) }
    }

    /// The same for the draws of a small plan. Nil where `text` is not such a text.
    public func replay(tape text: String) -> Outcome? { PlanTape(text).map { replay(.tape($0)) } }
}

extension Failure {
    /// A line of Swift that repeats the small run, for your own test. Of programs, `subject` is the ``ProgramSubject``.
    public var replay: String {
        var arguments = ["replicas: \(conditions.replicas)", "steps: \(conditions.steps)"]
        if conditions.faults != Set(Fault.allCases) {
            let names = conditions.faults.sorted().map { $0 == .oneWay ? ".oneWay" : "." + $0.rawValue }
            arguments.append("faults: [\(names.joined(separator: ", "))]")
        }
        let simulator = self.simulator.host == nil ? "Simulator<\(Subject.self)>" : "subject.simulator"
        return "\(simulator)(Conditions(\(arguments.joined(separator: ", "))))"
            + (tape.map { ".replay(tape: \"\($0)\")" }
                ?? ".replay(seed: \(seed), keeping: \"\(Selection(shrunkPlan, of: plan))\")")
    }

    /// As ``description``.
    public var report: String { description }
}
