import Convergence
import DeltaCRDT
import Testing

/// What wins of two writes of one time.
private protocol Tie: Sendable {
    static func wins(_ challenger: ReplicaID, over holder: ReplicaID) -> Bool
}

/// What is there already: everywhere something else.
private enum HolderWins: Tie { static func wins(_ challenger: ReplicaID, over holder: ReplicaID) -> Bool { false } }
private enum GreaterWins: Tie {
    static func wins(_ challenger: ReplicaID, over holder: ReplicaID) -> Bool { challenger > holder }
}

/// A register in which the last writer wins, by the clock on the wall.
private struct WallRegister<T: Tie>: ReplicatedType {
    struct Write: Sendable, CustomStringConvertible {
        let value: Int
        var description: String { "write \(value)" }
    }

    struct Entry: Sendable {
        var time: Int64
        var writer: ReplicaID
        var value: Int
    }

    private var name: ReplicaID
    private var entry: Entry?

    init(birth: Birth) { name = birth.start }
    mutating func restarted(as birth: Birth) { name = birth.start }
    static func randomAction(using generator: inout SeededGenerator) -> Write {
        Write(value: generator.number(in: 1...9))
    }

    mutating func perform(_ action: Write, at now: Int64) -> [Dot] {
        take(Entry(time: now, writer: name, value: action.value))
        return []
    }

    private mutating func take(_ other: Entry) {
        if let entry, entry.time > other.time { return }
        if let entry, entry.time == other.time, !T.wins(other.writer, over: entry.writer) { return }
        entry = other
    }

    mutating func message(to peer: Int, at now: Int64) -> Entry? { entry }

    mutating func receive(_ message: Entry, from peer: Int, at now: Int64) -> Reception<Entry> {
        take(message)
        return .taken()
    }

    var view: Int { entry?.value ?? 0 }
}

struct BurstTests {
    @Test("a tie of clocks that nothing decides is found by a burst, and small")
    func tie() throws {
        let burst = Conditions(faults: [.burst])
        let failure = try #require(Simulator<WallRegister<HolderWins>>(burst).firstFailure(seeds: 1...20))
        #expect(failure.law == .convergence)
        #expect(failure.shrunkPlan.size == (2, 2, 1), "\(failure)")
        let times = failure.shrunkOutcome.trace.prefix(2).map { $0.prefix(5) }
        #expect(times[0] == times[1], "\(failure)")
        #expect(failure.outcome.faults[.burst] ?? 0 > 0)

        // As text, too, the small run holds its burst, and without it nothing breaks.
        let steps = try #require(failure.replay.split(separator: "\"").dropFirst().first).split(separator: ",")
        func replay(_ steps: String) -> Law? {
            Simulator<WallRegister<HolderWins>>(burst).replay(seed: failure.seed, keeping: steps)?.violation?.law
        }
        #expect(replay(steps.joined(separator: ",")) == .convergence)
        #expect(replay(steps.map { $0 + "!" }.joined(separator: ",")) == nil)
    }

    @Test("without bursts no two people act in one millisecond")
    func noBurst() {
        #expect(Simulator<WallRegister<HolderWins>>(Conditions(faults: [])).firstFailure(seeds: 1...60) == nil)
    }

    @Test("a tie that the writers' names decide is no fault")
    func decided() {
        #expect(
            Simulator<WallRegister<GreaterWins>>(Conditions(faults: [.burst, .delay])).firstFailure(seeds: 1...60)
                == nil)
    }
}
