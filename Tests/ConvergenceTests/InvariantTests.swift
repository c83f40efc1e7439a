import Convergence
import DeltaCRDT
import Testing

/// Faults that no view shows, and that an invariant of the state does.
struct InvariantTests {
    private static let seeds: ClosedRange<UInt64> = 1...200

    @Test func aBrokenInvariantIsReportedAndShrunk() throws {
        let simulator = Simulator<Tally<AddsCounts, Held>>()
        let failure = try #require(simulator.firstFailure(seeds: Self.seeds))
        #expect(failure.law == countFits, "\(failure)")
        #expect(failure.shrunkPlan.size.replicas == 2, "\(failure)")
        #expect(failure.shrunkPlan.size.events <= 3, "\(failure)")
        #expect(failure.report.contains("seed \(failure.seed) breaks count-fits at step "), "\(failure.report)")
        #expect("\(failure)".hasSuffix("\nthis run again: \(failure.replay)"), "\(failure)")
        #expect(failure.replay.hasPrefix("Simulator<Tally<"), "\(failure.replay)")
        // The line that runs it again breaks the same law.
        let again = try #require(
            failure.tape.map { simulator.replay(tape: "\($0)") }
                ?? simulator.replay(seed: failure.seed, keeping: Self.kept(by: failure.replay)))
        #expect(again.violation?.law == countFits)
        #expect(again.violation?.finding == failure.shrunkOutcome.violation?.finding)
    }

    @Test func whatNoInvariantTellsIsNotFound() {
        #expect(Simulator<Tally<AddsCounts, Untold>>().firstFailure(seeds: Self.seeds) == nil)
    }

    @Test func aSoundStateHolds() {
        #expect(Simulator<Tally<CountsAgain, Held>>().firstFailure(seeds: Self.seeds) == nil)
    }

    /// The names of the steps in a line that replays a run.
    private static func kept(by line: String) -> String {
        line.split(separator: "\"").dropFirst().first.map(String.init) ?? ""
    }
}

private let countFits = Law("count-fits", "The count is that of the elements.")

private protocol Counting: Sendable {
    static func count(_ elements: Set<Int>, mine: Int, theirs: Int) -> Int
}
/// The fault: what both have is counted twice.
private enum AddsCounts: Counting {
    static func count(_ elements: Set<Int>, mine: Int, theirs: Int) -> Int { mine + theirs }
}
private enum CountsAgain: Counting {
    static func count(_ elements: Set<Int>, mine: Int, theirs: Int) -> Int { elements.count }
}

private protocol Telling: Sendable { static var isTold: Bool { get } }
private enum Held: Telling { static var isTold: Bool { true } }
private enum Untold: Telling { static var isTold: Bool { false } }

/// A set that only grows, and how many elements it has, which nobody is shown.
private struct Tally<Count: Counting, Tell: Telling>: ReplicatedType {
    struct State: Sendable {
        var elements: Set<Int> = []
        var count = 0
    }

    private var state = State()

    init(birth: Birth) {}

    static func randomAction(using generator: inout SeededGenerator) -> Int { generator.number(in: 0...9) }

    mutating func perform(_ action: Int, at now: Int64) -> [Dot] {
        if state.elements.insert(action).inserted { state.count += 1 }
        return []
    }

    mutating func message(to peer: Int, at now: Int64) -> State? { state }

    mutating func receive(_ message: State, from peer: Int, at now: Int64) -> Reception<State> {
        state.elements.formUnion(message.elements)
        state.count = Count.count(state.elements, mine: state.count, theirs: message.count)
        return .taken()
    }

    var view: [Int] { state.elements.sorted() }

    func checkInvariants() -> Violation? {
        guard Tell.isTold, state.count != state.elements.count else { return nil }
        return Violation(countFits, "\(state.count) counted, \(state.elements.count) there")
    }
}
