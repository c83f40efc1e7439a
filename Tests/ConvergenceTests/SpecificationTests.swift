import Convergence
import DeltaCRDT
import Testing

/// A register that people write small numbers to; `Fault` says what is wrong with it.
private struct Slate<Fault: SlateFault>: ReplicatedType {
    struct Write: Sendable, CustomStringConvertible {
        let value: Int
        var description: String { "write \(value)" }
    }

    private var name: ReplicaID
    private var clock: UInt64 = 0
    private var writer = ReplicaID(high: 0, low: 0)
    private var value: Int?

    init(birth: Birth) { name = birth.start }
    mutating func restarted(as birth: Birth) { name = birth.start }
    static func randomAction(using generator: inout SeededGenerator) -> Write {
        Write(value: generator.number(in: 1...5))
    }

    mutating func perform(_ action: Write, at now: Int64) -> [Dot] {
        // The fault: what was there stays, as if it were the newer.
        (clock, writer, value) = (clock + 1, name, Fault.keepsOld ? value ?? action.value : action.value)
        return []
    }

    mutating func message(to peer: Int, at now: Int64) -> Self? { self }

    mutating func receive(_ message: Self, from peer: Int, at now: Int64) -> Reception<Self> {
        let isNewer = clock != message.clock ? clock < message.clock : writer < message.writer
        if isNewer { (clock, writer, value) = (message.clock, message.writer, message.value) }
        return .taken()
    }

    var view: [Int] { value.map { [Fault.doubles ? $0 * 10 : $0] } ?? [] }

    static func check(_ observation: Observation<Self>) -> Violation? {
        RegisterSpecification.check(observation.view, of: observation.history, keepsAll: false) { $0.value }
    }

    func persist(on disk: inout SimulatedDisk<Self>) {
        guard !Fault.forgets else { return }
        disk.append(self)
        disk.sync()
    }
}

private protocol SlateFault: Sendable {
    static var keepsOld: Bool { get }
    static var doubles: Bool { get }
    static var forgets: Bool { get }
}

extension SlateFault {
    static var keepsOld: Bool { false }
    static var doubles: Bool { false }
    static var forgets: Bool { false }
}

private enum Whole: SlateFault {}
private enum KeepsOld: SlateFault { static var keepsOld: Bool { true } }
private enum Doubles: SlateFault { static var doubles: Bool { true } }
private enum Forgets: SlateFault { static var forgets: Bool { true } }

struct SpecificationTests {
    private func law<Fault: SlateFault>(_ fault: Fault.Type, faults: Set<Convergence.Fault> = []) -> Law? {
        Simulator<Slate<Fault>>(Conditions(faults: faults)).firstFailure(seeds: 1...60)?.law
    }

    @Test func aRegisterIsHeldToWhatWasWritten() {
        #expect(law(Whole.self, faults: Set(Fault.allCases)) == nil)
        #expect(law(KeepsOld.self) == .observedRemoves)
        #expect(law(Doubles.self) == .nothingInvented)
    }

    /// What a type never wrote is no more durable than what it did not sync.
    @Test func aTypeThatWritesNothingLosesWhatItAcknowledged() {
        #expect(law(Forgets.self, faults: [.crash]) == .durability)
    }

    /// Or it says `--faults` and nothing, which no command line takes.
    @Test func noFaultsAreCalledNone() throws {
        let failure = try #require(Simulator<Slate<Doubles>>(Conditions(faults: [])).firstFailure(seeds: 1...1))
        #expect(failure.found.options.contains(" --faults none --seed "), "\(failure)")
    }

    /// Of a lone replica nobody can be cut off.
    @Test func aPartitionThatCutsNobodyOffIsNoFault() {
        let simulator = Simulator<Slate<Whole>>(Conditions(replicas: 1, faults: [.partition, .oneWay]))
        #expect((1...20).allSatisfy { simulator.run(simulator.plan(seed: $0)).faults == [:] })
    }
}
