import DeltaCRDT
import TestTiers
import Testing

/// Bytes from anywhere: read and written again they are the same, or they are refused; nothing in between.
@Suite struct DecodingTests {
    @Test func cutOffBytesAreRefused() {
        for type in CodedType.all {
            for sample in type.samples {
                for length in 0..<sample.count {
                    #expect(throws: DecodingFailure.self) { try type.recode(Array(sample.prefix(length))) }
                }
                #expect(throws: DecodingFailure.self) { try type.recode(sample + [0]) }
            }
        }
    }

    @Test(.tags(.slow)) func changedBytesAreRefusedOrAnotherValue() {
        var random = SplitMix64(seed: 6)
        var (accepted, refused) = (0, 0)
        for type in CodedType.all {
            for sample in type.samples {
                for _ in 0..<150 {
                    var bytes = sample
                    for _ in 0...random.below(3) {
                        let place = random.below(bytes.count)
                        switch random.below(4) {
                        case 0: bytes[place] ^= 1 << UInt8(random.below(8))
                        case 1: bytes[place] = UInt8(random.below(256))
                        case 2: bytes.insert(UInt8(random.below(256)), at: place)
                        default: if bytes.count > 1 { bytes.remove(at: place) }
                        }
                    }
                    do throws(DecodingFailure) {
                        let again = try type.recode(bytes)
                        accepted += 1
                        #expect(again == bytes, "\(type.name) accepts \(bytes) and writes \(again)")
                    } catch {
                        refused += 1
                    }
                }
            }
        }
        #expect(accepted > 1000 && refused > 1000)
    }

    @Test func twentyBytesOfAnythingAreBounded() {
        var random = SplitMix64(seed: 7)
        for type in CodedType.all {
            let tag = type.samples[0][0]
            for _ in 0..<3000 {
                var bytes = (0..<1 + random.below(20)).map { _ in
                    // Small numbers and full ones: counts, kinds, and lengths beyond all bounds.
                    [UInt8(random.below(4)), UInt8(random.below(256)), 0xFF][random.below(3)]
                }
                bytes[0] = tag
                if let again = try? type.recode(bytes) { #expect(again == bytes) }
            }
        }
    }

    @Test func countsBeyondTheBytesAreRefusedBeforeAnythingIsAllocated() {
        let name = ReplicaID(high: 1, low: 2).bytes
        let huge: [UInt8] = [0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01]
        // 2⁴⁷ live dots of a register and a set.
        for tag: UInt8 in [0x19, 0x14] {
            #expect(throws: DecodingFailure.tooLarge) {
                let bytes = [tag, 1, 3] + name + huge
                if tag == 0x19 { _ = try MVRegister<Bool>(decoding: bytes) }
                if tag == 0x14 { _ = try AddWinsSet<String>(decoding: bytes) }
            }
        }
        // As many of a flag, or fallen dots, are one range, and welcome.
        #expect(throws: Never.self) { try EnableWinsFlag(decoding: [0x16, 1, 3] + name + huge) }
        let fallen: [UInt8] = [0xFD, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01]
        #expect(throws: Never.self) { try AddWinsSet<String>(decoding: [0x14, 1, 3] + name + fallen) }
        // Sixteen texts of 2⁴⁰ equal letters, packed.
        let long: [UInt8] = [0x80, 0x80, 0x80, 0x80, 0x80, 0x20]
        #expect(throws: DecodingFailure.tooLarge) {
            try AddWinsSet<String>(decoding: [0x14, 1, 3] + name + [16 << 2 | 2, 1, 1, 0x61] + long)
        }
        // A text, an array of texts and a vector of 2⁴⁰.
        #expect(throws: DecodingFailure.tooLarge) { try String(decoding: long) }
        #expect(throws: DecodingFailure.tooLarge) { try GSet<String>(decoding: [0x13] + long) }
        #expect(throws: DecodingFailure.tooLarge) { try VersionVector(decoding: long) }
        #expect(throws: DecodingFailure.tooLarge) { try CausalContext(decoding: long) }
        #expect(throws: DecodingFailure.tooLarge) { try StateSummary(decoding: long) }
        #expect(throws: DecodingFailure.tooLarge) { try RangeSummary(decoding: long) }
        // Ranges beyond the last event, in a summary and in a question.
        let last: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F]
        let eight = [UInt8](repeating: 7, count: 8)
        let island = [1, 0] + name + [0, 1, 1] + last + [0]
        #expect(throws: DecodingFailure.tooLarge) { try StateSummary(decoding: island) }
        let beyond = [1, 0] + name + [1, 1] + last + eight
        #expect(throws: DecodingFailure.tooLarge) { try RangeSummary(decoding: beyond) }
        // Nothing known, a range that touches the first events, a range of nothing.
        #expect(throws: DecodingFailure.notCanonical) { try StateSummary(decoding: [1, 0] + name + [0, 0, 0, 0, 0]) }
        #expect(throws: DecodingFailure.notCanonical) { try StateSummary(decoding: [1, 0] + name + [0, 1, 0, 1, 0]) }
        let none = [1, 0] + name + [1, 0, 0] + eight
        #expect(throws: DecodingFailure.notCanonical) { try RangeSummary(decoding: none) }
    }

    @Test func textsArePackedExactlyWhereThatIsShorter() throws {
        var random = SplitMix64(seed: 8)
        let alphabets = [
            "ab", "0123456789abcdef", "abcdefghijklmnopqrstuvwxyz 'ABCDEFGHIJKLMNOPQRSTUVWXYZ-.,;:!?", "äöü",
        ]
        for count in [1, 15, 16, 17, 100] {
            for alphabet in alphabets {
                for isEven in [true, false] {
                    var set = AddWinsSet<String>()
                    for number in 0..<count {
                        let length = isEven ? 12 : random.below(200)
                        let text = String((0..<length).map { _ in Array(alphabet)[random.below(alphabet.count)] })
                        set.insert("\(number % 2)" + text, by: ReplicaID(high: 1, low: 1))
                    }
                    let bytes = set.encoded()
                    #expect(try AddWinsSet<String>(decoding: bytes) == set)
                    #expect(try AddWinsSet<String>(decoding: bytes).elements == set.elements)
                    let plain = set.elements.reduce(0) { $0 + $1.utf8.count }
                    if count >= 100, alphabet != "äöü", isEven { #expect(bytes.count < plain * 9 / 10) }
                }
            }
        }
        // Many empty texts take no bytes, and come back.
        var empty = AddWinsSet<String>()
        for replica in 0..<UInt64(200) {
            var one = AddWinsSet<String>()
            one.insert("", by: ReplicaID(high: replica, low: 0))
            empty.merge(one)
        }
        #expect(empty.count == 1)
        #expect(try AddWinsSet<String>(decoding: empty.encoded()) == empty)
    }

    @Test func knownReplicasAreNotNamed() throws {
        let author = ReplicaID(high: 1, low: 2)
        var set = AddWinsSet<String>()
        let delta = set.insert("tent", by: author)
        let bytes = delta.encoded(knownReplicas: [author])
        #expect(bytes.count == delta.encoded().count - 15)
        #expect(try AddWinsSet(decoding: bytes, knownReplicas: [author]) == delta)
        #expect(throws: DecodingFailure.unknown) { try AddWinsSet<String>(decoding: bytes) }
        // Naming what is known is a second form of the same.
        #expect(throws: DecodingFailure.notCanonical) {
            try AddWinsSet<String>(decoding: delta.encoded(), knownReplicas: [author])
        }
    }
}
