import Convergence
import DeltaCRDT
import Testing

/// What is wrong with how a note is written.
private protocol Writing: Sendable {
    static func written(_ bytes: [UInt8]) -> [UInt8]
}

private enum AsItIs: Writing { static func written(_ bytes: [UInt8]) -> [UInt8] { bytes } }
private enum OneByteMore: Writing { static func written(_ bytes: [UInt8]) -> [UInt8] { bytes + [0] } }

/// A register whose times are nanoseconds of the clock on the wall.
private struct DatedNote<W: Writing>: ReplicatedType {
    struct Write: Sendable, CustomStringConvertible {
        let value: UInt64
        var description: String { "write \(value)" }
    }

    private var name: ReplicaID
    private var note = LWWRegister<UInt64>()

    init(birth: Birth) { name = birth.start }
    mutating func restarted(as birth: Birth) { name = birth.start }
    static func randomAction(using generator: inout SeededGenerator) -> Write {
        Write(value: UInt64(generator.number(in: 0...9)))
    }

    mutating func perform(_ action: Write, at now: Int64) -> [Dot] {
        note.set(action.value, by: name, after: UInt64(now) * 1_000_000)
        return []
    }

    mutating func message(to peer: Int, at now: Int64) -> LWWRegister<UInt64>? { note }

    mutating func receive(
        _ message: LWWRegister<UInt64>, from peer: Int, at now: Int64
    ) -> Reception<LWWRegister<UInt64>> {
        note.merge(message)
        return .taken()
    }

    var view: String { note.value.map { "\($0)" } ?? "nothing" }

    static var codec: Codec<Self>? {
        Codec(encode: { W.written($0.note.encoded()) }, decode: { $0.note = try LWWRegister(decoding: $1) })
    }
}

struct CodecTests {
    @Test("times in nanoseconds since 1970 can be read again, and so can states that took forged ones")
    func nanoseconds() {
        let failure = Simulator<DatedNote<AsItIs>>().firstFailure(seeds: 1...100)
        #expect(failure == nil, "\(failure?.description ?? "")")
    }

    @Test("a form that its own reader refuses is found, and the bytes are told")
    func refused() throws {
        let failure = try #require(Simulator<DatedNote<OneByteMore>>().firstFailure(seeds: 1...5))
        #expect(failure.law == .readability)
        let finding = try #require(failure.shrunkOutcome.violation?.finding)
        #expect(finding.contains("which cannot be read: trailingBytes"), "\(finding)")
    }

    @Test("no state is altered of a type that has no form in bytes")
    func noCodec() throws {
        let simulator = Simulator<Plain>(Conditions(faults: [.alteration]))
        #expect((1...20).allSatisfy { simulator.run(simulator.plan(seed: $0)).faults == [:] })
        let failure = try #require(Simulator<Plain>().firstFailure(seeds: 1...20))
        #expect(!failure.page(subject: "plain", command: "").text.contains("alteration"))
    }
}

/// A number that everybody sets to 1 and nobody sends.
private struct Plain: ReplicatedType {
    struct Set: Sendable, CustomStringConvertible { var description: String { "set" } }

    private var number = 0

    init(birth: Birth) {}
    static func randomAction(using generator: inout SeededGenerator) -> Set { Set() }

    mutating func perform(_ action: Set, at now: Int64) -> [Dot] {
        number = 1
        return []
    }

    mutating func message(to peer: Int, at now: Int64) -> Bool? { true }
    mutating func receive(_ message: Bool, from peer: Int, at now: Int64) -> Reception<Bool> { .taken() }
    var view: Int { number }
}
