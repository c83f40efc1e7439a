import DeltaCRDT
import Testing

@Suite struct FailureTests {
    private let jie = ReplicaID(high: 1, low: 1)

    @Test("a state in a later version of the format is told from a damaged one, and a report says where")
    func failuresAreTold() throws {
        var set = AddWinsSet<String>()
        set.insert("tent", by: jie)
        var bytes = set.encoded()
        bytes[0] += 1 << 4
        #expect(throws: DecodingFailure.newerVersion) { try AddWinsSet<String>(decoding: bytes) }
        bytes[0] = 0x01
        #expect(throws: DecodingFailure.unknown) { try AddWinsSet<String>(decoding: bytes) }
        let cut = Array(set.encoded().dropLast())
        let report = try #require(DecodingReport(of: cut, as: AddWinsSet<String>.self))
        #expect(report.failure == .tooLarge && report.count == cut.count && report.offset <= cut.count)
        #expect(report.description.hasPrefix("AddWinsSet<String>: tooLarge at byte "))
        #expect(DecodingReport(of: set.encoded(), as: AddWinsSet<String>.self) == nil)
    }

    private enum Earlier: UInt64 { case red = 1, green }
    private enum Later: UInt64 { case red = 1, green, blue }

    @Test("a case of a later version is kept and passed on, in a register and under a key")
    func laterCasesAreKept() throws {
        var later = ORMap<String, MVRegister<Open<Later>>>()
        later["tent"].set(Open(.blue), by: jie)
        later["stove"].set(Open(.green), by: jie)
        var earlier = try ORMap<String, MVRegister<Open<Earlier>>>(decoding: later.encoded())
        #expect(earlier["tent"].values.map(\.known) == [nil] && earlier["stove"].values.map(\.known) == [.green])
        #expect("\(earlier["tent"])" == "[unknown(3)]" && earlier.encoded() == later.encoded())
        earlier["tent"].set(Open(.red), by: ReplicaID(high: 2, low: 2))
        later.merge(try ORMap(decoding: earlier.encoded()))
        #expect(later["tent"].values.map(\.known) == [.red])
    }

    @Test("a replica's name is read from its text, and from no other")
    func namesAreText() {
        let name = ReplicaID(high: 0xAB, low: .max)
        #expect(ReplicaID(name.description) == name)
        #expect(ReplicaID("00000000000000AB" + "ffffffffffffffff") == name)
        for text in [
            "", "ab", name.description + "0", "+0000000000000abffffffffffffffff", "zz" + name.description.dropFirst(2),
        ] {
            #expect(ReplicaID(text) == nil)
        }
    }
}
