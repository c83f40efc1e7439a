import Convergence
import ConvergenceTesting
import DeltaCRDT
import Synchronization
import Testing

/// Counts people's presses; `Sum` says how two replicas are joined.
private struct PressCounter<Join: Joining>: ReplicatedType {
    struct Press: Sendable, CustomStringConvertible {
        var count = 1
        var description: String { "press" }
    }

    private var name: ReplicaID
    private var counts: [ReplicaID: Int] = [:]

    init(birth: Birth) { name = birth.start }
    mutating func restarted(as birth: Birth) { name = birth.start }
    static func randomAction(using generator: inout SeededGenerator) -> Press {
        Press(count: Join.slips && generator.next().isMultiple(of: 200) ? 2 : 1)
    }

    mutating func perform(_ action: Press, at now: Int64) -> [Dot] {
        counts[name, default: 0] += action.count
        return []
    }

    mutating func message(to peer: Int, at now: Int64) -> [ReplicaID: Int]? { counts }

    mutating func receive(
        _ message: [ReplicaID: Int], from peer: Int, at now: Int64
    ) -> Reception<[ReplicaID: Int]> {
        counts.merge(message) { Join.join($0, $1) }
        return .taken()
    }

    var view: Int { counts.values.reduce(0, +) }

    static func check(_ observation: Observation<Self>) -> Violation? {
        CounterSpecification.check(observation.view, of: observation.history) { _ in 1 }
    }
}

private protocol Joining: Sendable {
    static func join(_ left: Int, _ right: Int) -> Int
    /// Whether a press seldom counts twice.
    static var slips: Bool { get }
}
extension Joining { static var slips: Bool { false } }
private enum Greater: Joining { static func join(_ left: Int, _ right: Int) -> Int { max(left, right) } }
private enum Slipping: Joining {
    static func join(_ left: Int, _ right: Int) -> Int { max(left, right) }
    static var slips: Bool { true }
}
private enum Sum: Joining { static func join(_ left: Int, _ right: Int) -> Int { left + right } }

struct ExpectConvergenceTests {
    private func issues(_ body: () -> Void) -> [String] {
        let seen = Mutex<[String]>([])
        withKnownIssue(isIntermittent: true) {
            body()
        } matching: { issue in
            seen.withLock { $0.append(issue.comments.map(\.rawValue).joined(separator: "\n")) }
            return true
        }
        return seen.withLock { $0 }
    }

    @Test func aSoundTypePasses() {
        #expect(expectConvergence(of: PressCounter<Greater>.self, seeds: 1...40) == nil)
    }

    @Test("of seeds that several tasks try, the lowest that fails is reported, and all are tried where none does")
    func parallelSeeds() async throws {
        #expect(await expectConvergence(of: PressCounter<Greater>.self, seeds: 1...200, tasks: 4) == nil)
        let conditions = Conditions(replicas: 2, steps: 4, faults: [])
        let alone = try #require(Simulator<PressCounter<Slipping>>(conditions).firstFailure(seeds: 1...10_000))
        #expect(alone.seed > 32, "not in the first part")
        for tasks in [-1, 3, 1_000] {
            let found = Mutex<UInt64?>(nil)
            await withKnownIssue {
                let failure = await expectConvergence(
                    of: PressCounter<Slipping>.self, conditions, seeds: 1...10_000, tasks: tasks)
                found.withLock { $0 = failure?.seed }
            }
            #expect(found.withLock { $0 } == alone.seed)
        }
    }

    @Test func aFaultyTypesIssueSaysWhatHappensAndHowToRepeatIt() throws {
        var failure: Failure<PressCounter<Sum>>?
        let comments = issues { failure = expectConvergence(of: PressCounter<Sum>.self, seeds: 1...40) }
        let (comment, found) = (try #require(comments.first), try #require(failure))
        #expect(comments.count == 1)
        #expect(comment.contains("breaks every-act-counts"), "\(comment)")
        #expect(comment.contains("\(found.shrunkOutcome.trace.joined(separator: "\n"))"))
        #expect(comment.contains("violated: every-act-counts: "))
        #expect(comment.contains(".replay(seed: \(found.seed), keeping: \""))

        // The line that it offers does what it says.
        let steps = try #require(found.replay.split(separator: "\"").dropFirst().first)
        let again = Simulator<PressCounter<Sum>>(found.conditions).replay(seed: found.seed, keeping: String(steps))
        #expect(again?.violation == found.shrunkOutcome.violation)
        #expect(again?.trace == found.shrunkOutcome.trace)
    }

    @Test func whatIsExpectedToFailMustFailByTheLawNamed() {
        #expect(issues { expectViolation(of: .everyActCounts, by: PressCounter<Sum>.self, seeds: 1...40) } == [])
        let other = issues { expectViolation(of: .durability, by: PressCounter<Sum>.self, seeds: 1...40) }
        #expect(other.count == 1 && other[0].hasPrefix("expected a violation of durability, not:"), "\(other)")
        let none = issues { expectViolation(of: .durability, by: PressCounter<Greater>.self, seeds: 1...5) }
        #expect(none == ["PressCounter<Greater> breaks no law in seeds 1 to 5"])
    }
}
