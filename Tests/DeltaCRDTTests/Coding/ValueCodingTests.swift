import DeltaCRDT
import Testing

@Suite struct ValueCodingTests {
    private func recoded<Value: CanonicalCodable & Equatable>(_ value: Value, bytes: [UInt8]? = nil) throws {
        if let bytes { #expect(value.encoded() == bytes) }
        #expect(try Value(decoding: value.encoded()) == value)
    }

    @Test("the standard library's values are read as they were written")
    func valuesAreReadAsWritten() throws {
        for value in [UInt8.min, 7, .max] { try recoded(value, bytes: [value]) }
        for value in [UInt16.min, .max] { try recoded(value) }
        for value in [UInt32.min, .max] { try recoded(value) }
        for value in [UInt.min, .max] { try recoded(value) }
        for value in [Int8.min, -1, .max] { try recoded(value) }
        for value in [Int16.min, .max] { try recoded(value) }
        for value in [Int32.min, .max] { try recoded(value) }
        for value in [0, 1.5, -Double.greatestFiniteMagnitude, .leastNonzeroMagnitude, .infinity] { try recoded(value) }
        for value in [0, 1.5, -Float.greatestFiniteMagnitude, .leastNonzeroMagnitude, .infinity] { try recoded(value) }
        try recoded(1.0, bytes: [0, 0, 0, 0, 0, 0, 0xF0, 0x3F])
        try recoded(Optional(7 as UInt8), bytes: [1, 7])
        try recoded(Optional<UInt8>.none, bytes: [0])
        try recoded(Optional(Optional<UInt8>.none), bytes: [1, 0])
        try recoded([1, 2, 300] as [UInt64], bytes: [3, 1, 2, 0xAC, 2])
        try recoded([7, 8] as [UInt8], bytes: [2, 7, 8])
        try recoded([[String]]([["hut"], []]))
    }

    @Test("a number too great for its type, a second zero and a second NaN are refused")
    func secondFormsAreRefused() {
        #expect(throws: DecodingFailure.tooLarge) { try UInt16(decoding: UInt64(1 << 16).encoded()) }
        #expect(throws: DecodingFailure.tooLarge) { try Int8(decoding: Int64(128).encoded()) }
        #expect(throws: DecodingFailure.notCanonical) { try Double(decoding: [0, 0, 0, 0, 0, 0, 0, 0x80]) }
        #expect(throws: DecodingFailure.notCanonical) { try Double(decoding: [1, 0, 0, 0, 0, 0, 0xF8, 0x7F]) }
        #expect(throws: DecodingFailure.notCanonical) { try Float(decoding: [0, 0, 0, 0x80]) }
        #expect(throws: DecodingFailure.tooLarge) { try [UInt64](decoding: [0xFF, 0xFF, 0xFF, 0x7F, 1]) }
        #expect((-0.0).encoded() == 0.0.encoded() && (-Double.nan).encoded() == Double.nan.encoded())
    }

    private enum Kind: UInt8, CanonicalCodable { case hut = 1, tent }

    @Test("an enumeration is written as its raw value, and one without meaning is refused")
    func enumerationsAreRawValues() throws {
        try recoded(Kind.tent, bytes: [2])
        #expect(throws: DecodingFailure.unknown) { try Kind(decoding: [3]) }
    }

    private struct Place: Hashable, Sendable, CanonicalCodable {
        var name: String

        init(_ name: String) { self.name = name }

        func encode(into encoder: inout CanonicalEncoder) { encoder.encode(name) }

        init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
            name = try decoder.decodeString(limit: 100)
        }
    }

    @Test("structures of texts in two normal forms are two values where their bytes decide")
    func bytesDecideEquality() throws {
        let (jie, noah) = (ReplicaID(high: 1, low: 1), ReplicaID(high: 2, low: 2))
        let (one, two) = (Place("caf\u{E9}"), Place("cafe\u{301}"))
        #expect(one == two && one.encoded() != two.encoded())
        var mine = AddWinsSet<Canonical<Place>>()
        mine.insert(Canonical(one), by: jie)
        var theirs = AddWinsSet<Canonical<Place>>()
        theirs.insert(Canonical(two), by: jie)
        #expect(mine != theirs)
        theirs = AddWinsSet()
        theirs.insert(Canonical(two), by: noah)
        mine.merge(theirs)
        theirs.merge(mine)
        #expect(mine.count == 2 && theirs == mine && theirs.encoded() == mine.encoded())
        #expect(try AddWinsSet<Canonical<Place>>(decoding: mine.encoded()).count == 2)
    }
}
