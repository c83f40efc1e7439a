/// A set of runs that are all tried: every order in which a few replicas can act, send and receive a few messages.
///
/// Most faults show in a small scope (Jackson's small scope hypothesis: *Software abstractions*, 2006). Some of the small types with a
/// known fault that random seeds find, ``Mutant``, need a larger scope; the documentation names them. A law that holds in a scope
/// may break in a larger one.
public struct Scope: Hashable, Sendable {
    /// 1 to 4.
    public var replicas: Int
    /// The total number of actions, 1 to 6.
    public var operations: Int
    /// Messages before all faults end, 0 to 6. Then every replica receives everything.
    public var messages: Int
    /// Of these, how many may be late, lost or doubled.
    public var lateMessages: Int
    /// How often a replica may stop and start from its disk, in a write or between two.
    public var crashes: Int
    /// Whether runs in which replicas change their names are taken for one.
    public var isSymmetric: Bool
    /// Where the search gives up.
    public var statesMax: Int

    /// Three replicas, four operations, three messages of which one may be late, and a crash.
    public init(
        replicas: Int = 3, operations: Int = 4, messages: Int = 3, lateMessages: Int = 1, crashes: Int = 1,
        isSymmetric: Bool = true, statesMax: Int = 5_000_000
    ) {
        self.replicas = min(max(replicas, 1), 4)
        self.operations = min(max(operations, 1), 6)
        self.messages = min(max(messages, 0), 6)
        self.lateMessages = min(max(lateMessages, 0), self.messages)
        self.crashes = min(max(crashes, 0), 2)
        self.isSymmetric = isSymmetric
        self.statesMax = max(statesMax, 1)
    }
}

extension Scope: CustomStringConvertible {
    /// "3 replicas, 4 operations, 3 messages (1 late, lost or doubled), 1 crash".
    public var description: String {
        [
            Figures.count(replicas, "replica"), Figures.count(operations, "operation"),
            Figures.count(messages, "message") + (lateMessages > 0 ? " (\(lateMessages) late, lost or doubled)" : ""),
            crashes == 1 ? "1 crash" : "\(crashes) crashes",
        ].joined(separator: ", ") + (isSymmetric ? "" : ", names told apart")
    }
}

/// What trying all runs of a scope showed.
public struct Exploration<Subject: ReplicatedType>: Sendable, CustomStringConvertible {
    /// Which runs.
    public let scope: Scope
    /// What people could do in them.
    public let actions: [String]
    /// Different states that were reached; those that only differ in the order of what does not concern one another are one.
    public internal(set) var stateCount = 0
    /// Runs that were carried to their end.
    public internal(set) var runCount = 0
    /// Whether no run of the scope was left out.
    public internal(set) var isComplete = true
    /// A shortest run that breaks a law.
    public internal(set) var plan: Plan<Subject.Action>?
    /// What became of it, with its trace.
    public internal(set) var outcome: Outcome?

    /// The law that did not hold.
    public var law: Law? { outcome?.violation?.law }

    public var description: String {
        let counts =
            "\(Figures.grouped(stateCount)) states, \(Figures.grouped(runCount)) runs; \(scope); of: \(actions.joined(separator: ", "))"
        guard let outcome, let violation = outcome.violation else {
            return (isComplete ? "every law holds in all runs" : "no law broke until the search was given up") + ": "
                + counts
        }
        return (["\(violation.law.name) breaks: \(violation.law.description)", counts] + outcome.trace).joined(
            separator: "\n")
    }
}
