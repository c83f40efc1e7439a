import DeltaCRDT
import Testing

/// Forged messages that readers accept: after a replica takes one and then acts, its state can still be read. They were found by changing
/// valid messages blindly and acting on those that were accepted; each broke this once.
@Suite struct ForgedStateTests {
    @Test(
        "a state made by a forged message stays readable, whatever is done to it next",
        arguments: [
            ("AddWinsSet", "14010500000000000000000000000000000001f8ffffffffffffff0305"),
            (
                "AddWinsSet",
                "140203000000000000000700000000000003e8060500000000000000070000000000000bb804f9ffffffffffffff03056265616368"
            ),
            (
                "RemoveWinsSet",
                "150205000000000000000700000000000003e804f9ffffffffffffff030500000000000000070000000000000fa00c060005626561636800"
            ),
            ("EnableWinsFlag", "160103000000000000000700000000000003e8fdffffffffffffff03"),
            (
                "DisableWinsFlag",
                "170303000000000000000700000000000003e80905000000000000000700000000000007d01106"
                    + "0300000000000000070000000000000bb8fdffffffffffffff0301"
            ),
            ("LWWRegister", "1801ffffffffffffff7f00000000000000000700000000000007d00776616c75652031"),
            (
                "MVRegister",
                "190405000000000000000700000000000003e8090605000000000000000700000000000007d00906"
                    + "0300000000000000070000000000000bb8150500000000000000070000000000000fa0f8ffffffffffffff0306c40194018801"
            ),
            (
                "LWWMap",
                "1a020500000000000000070000000000000bb8f8ffffffffffffff03060300000000000000070000000000000fa0"
                    + "05000102010776616c75652033"
            ),
            ("ORMap", "1b0105000000000000000700000000000003e8f8ffffffffffffff030600066c6973742032000204"),
            ("VoteCounter", "1c0106686f7374656c0100010001feffffffffffffff03"),
        ])
    func forgedStateStaysReadable(name: String, hexadecimal: String) throws {
        let digits = hexadecimal.compactMap(\.hexDigitValue)
        let bytes = stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
        let type = try #require(CodedType.all.first { $0.name == name })
        // Those of the messages; the first of them is also voter 0.
        let replicas = (0...4).map { ReplicaID(high: $0 == 0 ? 0 : 7, low: $0 == 0 ? 1 : UInt64($0) * 1000) }
        #expect(try type.staysReadable(bytes, replicas))
    }

    @Test("a time of nanoseconds since 1970, and the last there is, are read as they were written")
    func timesAreReadAsWritten() throws {
        let (jie, noah) = (ReplicaID(high: 1, low: 1), ReplicaID(high: 2, low: 2))
        for time: UInt64 in [1 << 56, 1_763_800_000_000_000_000, .max - 1, .max] {
            var register = LWWRegister<String>()
            register.set("hut", by: jie, after: time)
            #expect(try LWWRegister(decoding: register.encoded()) == register)
            #expect(try #require(register.stamp?.time) >= time)
            var map = LWWMap<String, Int>()
            map.updateValue(1, forKey: "hut", dot: Dot(replica: jie, counter: 1), time: time)
            map.updateValue(2, forKey: "hut", by: noah)
            #expect(try LWWMap(decoding: map.encoded()) == map)
            #expect(map["hut"] == 2)
        }
    }

    @Test("a register at the last time takes the writes of greater replicas alone, and converges")
    func registerAtTheLastTimeConverges() {
        let (jie, noah) = (ReplicaID(high: 1, low: 1), ReplicaID(high: 2, low: 2))
        var mine = LWWRegister<String>()
        mine.set("hut", by: jie, after: .max)
        var theirs = mine
        #expect(mine.set("tent", by: jie) == nil && mine.value == "hut")
        let delta = theirs.set("boat", by: noah) ?? LWWRegister()
        mine.merge(delta)
        #expect(mine == theirs && mine.value == "boat")
    }

    @Test("more events than any number counts fall at once")
    func moreEventsThanAnyNumberFall() throws {
        /// A flag with all events of 200 replicas: alive are those of kind 2, fallen those of kind 1.
        func flag(_ kind: UInt64) throws -> EnableWinsFlag {
            var encoder = CanonicalEncoder()
            encoder.encode(byte: EnableWinsFlag().encoded()[0])
            encoder.encode(count: 200)
            for number in 1...UInt64(200) {
                encoder.encode(UInt64(3))
                encoder.encode(fixed: ReplicaID(high: 7, low: number).bytes)
                encoder.encode(Dot.maximumCounter << 2 | kind)
            }
            return try EnableWinsFlag(decoding: encoder.bytes)
        }
        var mine = try flag(2)
        let before = mine.checkpoint
        mine.merge(try flag(1))
        #expect(!mine.isEnabled && mine.delta(since: before).context == mine.context)
    }

    @Test("more empty texts than are packed are read as they were written")
    func manyEmptyTextsAreRead() throws {
        var table = DotTable<String>()
        for counter in 1...UInt64(1 << 16 + 1) {
            table.insert(Dot(replica: ReplicaID(high: 1, low: 1), counter: counter), "")
        }
        #expect(try DotTable(decoding: table.encoded()) == table)
    }
}
