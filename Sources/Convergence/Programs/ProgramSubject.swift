/// A data type that programs play: one, or several versions of one, which then take turns among the replicas.
///
///     let subject = try ProgramSubject([SubjectProcess("./my-set.py")])
///     if let failure = try subject.firstFailure(seeds: 1...1_000) { print(failure) }
///
/// <doc:TestAProgram> describes what a program must answer.
public struct ProgramSubject: Sendable {
    /// What the first program calls itself.
    public let name: String
    /// What it plays.
    public let type: DataType
    let host: ProgramHost
    private let saves: Bool

    /// Greets the programs. Throws if one does not answer, or if they play different types.
    public init(_ programs: [any LineProgram]) throws(ProgramFailure) {
        var greetings: [ProgramGreeting] = []
        for program in programs {
            greetings.append(try ProgramGreeting(try program.answer(to: ProgramGreeting.question)))
        }
        guard let first = greetings.first else { throw ProgramFailure("there is no program to test") }
        if let other = greetings.first(where: { $0.type != first.type }) {
            throw ProgramFailure(
                "\(first.name) plays a \(first.type), and \(other.name) something else; give versions of one")
        }
        name = greetings.map { $0.name }.joined(separator: " with ")
        type = first.type
        saves = greetings.allSatisfy { $0.saves }
        host = ProgramHost(programs.map(Self.answers), first.type)
    }

    private static func answers(of program: any LineProgram) -> ProgramHost.Answer {
        @Sendable func answer(_ line: String) throws(ProgramFailure) -> String { try program.answer(to: line) }
        return answer
    }

    /// The conditions without what these programs cannot do: one that does not save its state has no disk to lose or restore.
    public func fitted(_ conditions: Conditions) -> Conditions {
        var conditions = conditions
        conditions.faults.subtract([.alteration])
        if !saves { conditions.faults.subtract([.crash, .torn, .backup]) }
        return conditions
    }

    /// Runs that these programs play.
    public func simulator(_ conditions: Conditions = Conditions()) -> Simulator<ProgramReplica> {
        var simulator = Simulator<ProgramReplica>(fitted(conditions))
        simulator.host = host
        return simulator
    }

    /// Tries seeds until a law breaks, and makes that run small; nil where every law holds. `isDone` is asked after each
    /// seed. Throws where a program failed.
    public func firstFailure(
        _ conditions: Conditions = Conditions(), seeds: ClosedRange<UInt64>,
        isDone: (UInt64, Outcome) -> Bool = { _, _ in false }
    ) throws(ProgramFailure) -> Failure<ProgramReplica>? {
        let found = simulator(conditions).counterexample(
            among: seeds, isInterrupted: { _ in host.failure != nil }, isDone: isDone)
        if let failure = host.failure { throw failure }
        return found.map { Failure($0) }
    }

    /// Why a program cannot be tested any more; nil while all answer.
    public var failure: ProgramFailure? { host.failure }

    /// Lines that were sent to programs, and answered.
    public var lineCount: Int { host.lineCount }
}

/// What a program says of itself.
struct ProgramGreeting {
    static let question = JSON.object(["request": "hello", "convergence": 1]).description

    let name: String
    let type: DataType
    let saves: Bool

    init(_ answer: String) throws(ProgramFailure) {
        let json = try ProgramHost.parsed(answer)
        guard json["convergence"]?.number == 1 else {
            throw ProgramFailure("a program must answer “hello” with \"convergence\":1, not \(answer.prefix(200))")
        }
        let kinds = DataType.Kind.allCases.map { $0.rawValue }.joined(separator: ", ")
        guard let kind = json["type"]?.text.flatMap(DataType.Kind.init) else {
            throw ProgramFailure(
                "a program's \"type\" is one of \(kinds), not \(json["type"]?.description ?? "missing")")
        }
        func choice(_ member: String, _ usual: String, _ other: String) throws(ProgramFailure) -> Bool {
            guard let text = json[member] else { return false }
            guard text.text == usual || text.text == other else {
                throw ProgramFailure("a program's \"\(member)\" is \(usual) or \(other), not \(text)")
            }
            return text.text == other
        }
        name = String((json["name"]?.text ?? "a \(kind.rawValue)").prefix(80))
        type = DataType(
            kind, policy: try choice("policy", "add-wins", "either") ? .either : .addWins,
            keepsAll: try choice("keeps", "one", "all"),
            interleaving: try !choice("interleaving", "allowed", "never"))
        saves = json["saves"]?.flag ?? false
    }
}
