import Convergence
import DeltaCRDT
import Synchronization
import Testing

/// Calls of all runs, which no plan decides.
private let calls = Atomic<Int>(0)

private protocol Noise: Sendable {
    /// What is added to a number, by how many calls there were.
    static func noise(_ calls: Int) -> Int
    static var isMergedBySum: Bool { get }
}

/// Of another run of the same plan nothing is the same.
private enum EveryTime: Noise {
    static func noise(_ calls: Int) -> Int { calls }
    static var isMergedBySum: Bool { false }
}

/// Some runs differ, and break a law that others hold.
private enum NowAndThen: Noise {
    static func noise(_ calls: Int) -> Int { calls % 997 == 0 ? 1 : 0 }
    static var isMergedBySum: Bool { false }
}

/// A law breaks in all runs alike.
private enum Never: Noise {
    static func noise(_ calls: Int) -> Int { 0 }
    static var isMergedBySum: Bool { true }
}

private struct NoisyCounter<N: Noise>: ReplicatedType {
    struct Press: Sendable, CustomStringConvertible { var description: String { "press" } }

    private var name: ReplicaID
    private var counts: [ReplicaID: Int] = [:]

    init(birth: Birth) { name = birth.start }
    mutating func restarted(as birth: Birth) { name = birth.start }
    static func randomAction(using generator: inout SeededGenerator) -> Press { Press() }

    mutating func perform(_ action: Press, at now: Int64) -> [Dot] {
        let count = calls.add(1, ordering: .relaxed).newValue
        counts[name, default: 0] += 1 + N.noise(count)
        return []
    }

    mutating func message(to peer: Int, at now: Int64) -> [ReplicaID: Int]? { counts }

    mutating func receive(_ message: [ReplicaID: Int], from peer: Int, at now: Int64) -> Reception<[ReplicaID: Int]> {
        counts.merge(message) { N.isMergedBySum ? $0 + $1 : max($0, $1) }
        return .taken()
    }

    var view: Int { counts.values.reduce(0, +) }

    static func check(_ observation: Observation<Self>) -> Violation? {
        guard !N.isMergedBySum else { return nil }
        return CounterSpecification.check(observation.view, of: observation.history) { _ in 1 }
    }
}

struct DeterminismTests {
    @Test("a run that its plan does not decide is reported with the first event that differed")
    func firstDifference() throws {
        let failure = try #require(Simulator<NoisyCounter<EveryTime>>().firstFailure(seeds: 1...10))
        #expect(failure.law == .determinism)
        #expect(failure.shrunkPlan.size.replicas == 1 && failure.shrunkPlan.size.events == 1, "\(failure)")
        let trace = failure.shrunkOutcome.trace
        try #require(trace.count == 3, "\(failure)")
        #expect(trace[0].contains(": press → "))
        #expect(trace[1].contains("run again: ") && trace[1].contains(": press → ") && trace[0] != trace[1])
        #expect(trace[2].contains("violated: determinism: "))
    }

    @Test("a law that only some runs of a plan break is not what is reported")
    func rareNoise() throws {
        let failure = try #require(Simulator<NoisyCounter<NowAndThen>>().firstFailure(seeds: 1...200))
        #expect(failure.law == .determinism, "\(failure)")
    }

    @Test("a law that every run of a plan breaks is reported as itself")
    func noNoise() throws {
        let failure = try #require(Simulator<NoisyCounter<Never>>().firstFailure(seeds: 1...200))
        #expect(failure.law == .convergence, "\(failure)")
    }
}
