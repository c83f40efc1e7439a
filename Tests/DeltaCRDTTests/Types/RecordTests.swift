import DeltaCRDT
import Testing

@Suite struct RecordTests {
    private let jie = ReplicaID(high: 1, low: 1)
    private let noah = ReplicaID(high: 2, low: 2)

    @Test("a record's fields act under one context, and one delta has all that was done to them")
    func fieldsShareAContext() throws {
        var mine = Record<Card>()
        let delta = mine.update { card in
            card.title.set("Tent", by: jie)
            card.labels.insert("shopping", by: jie)
            card.estimate.add(3, by: jie)
            card.steps.updateValue(forKey: 1) { $0.set(true, by: jie) }
        }
        #expect(mine.context.versionVector[jie] == 4 && delta == mine)
        let removal = mine.update { $0.labels.remove("shopping") }
        var theirs = try Record<Card>(decoding: delta.encoded())
        theirs.estimate.add(4, by: noah)
        theirs.merge(removal)
        #expect(theirs.title.values == ["Tent"] && theirs.labels.isEmpty && theirs.estimate.value == 7)
        #expect(theirs.steps[1].values == [true])
    }

    @Test("a record catches up from its summary, removals in its fields included")
    func recordCatchesUp() {
        var mine = Record<Card>()
        mine.labels.formUnion((0..<40).map { "label \($0)" }, by: jie)
        var theirs = mine
        mine.labels.remove("label 7")
        mine.title.set("Tent", by: jie)
        let delta = mine.delta(since: theirs.summary())
        #expect(delta.labels.isEmpty && delta.context.versionVector.isEmpty)
        theirs.merge(delta)
        #expect(theirs == mine && !theirs.labels.contains("label 7"))
    }

    @Test("an earlier version of a schema keeps, passes on and lets fall what is in fields that it does not know")
    func unknownFieldsArePassedOn() throws {
        var newer = Record<Card>()
        newer.labels.insert("shopping", by: jie)
        newer.title.set("Tent", by: jie)
        newer.steps.updateValue(forKey: 1) { $0.set(true, by: jie) }
        var older = try Record<EarlierCard>(decoding: newer.encoded())
        #expect(older.hasUnknownFields && older.labels.elements == ["shopping"])
        #expect(older.encoded() == newer.encoded())
        older.labels.insert("camping", by: noah)
        let overwrite = newer.title.set("Large tent", by: jie)
        #expect(overwrite.values == ["Large tent"])
        // What is overwritten falls where it is not understood, and what stands comes back whole where it is.
        older.merge(try Record<EarlierCard>(decoding: newer.encoded()))
        newer.merge(try Record<Card>(decoding: older.encoded()))
        #expect(newer.title.values == ["Large tent"] && newer.labels.count == 2 && newer.steps[1].values == [true])
        older.removeAll()
        #expect(older.isEmpty && !older.hasUnknownFields)
        newer.merge(try Record<Card>(decoding: older.encoded()))
        #expect(newer.isEmpty)
    }

    @Test("a field that is written in a form not known here does no harm to the others")
    func unreadableFieldIsKept() throws {
        // Field 3, a flag, has no content; these four bytes are of no form that is known.
        let bytes: [UInt8] = [0x1D, 1, 3] + jie.bytes + [1 << 2 | 2, 3, 4, 9, 9, 9, 9]
        var record = try Record<Card>(decoding: bytes)
        #expect(record.encoded() == bytes && record.hasUnknownFields && !record.isDone.isEnabled)
        record.title.set("Tent", by: jie)
        #expect(try Record<Card>(decoding: record.encoded()) == record)
    }

    @Test("of a map in a field, what is in a form not known here is kept beside the keys that can be read")
    func unreadableKeysAreKept() throws {
        var later = Record<LaterSteps>()
        for (key, value) in [(1, 9), (2, 1), (2, 0), (3, 7), (4, 1)] as [(UInt64, UInt64)] {
            later.steps[key].set(value, by: key == 2 ? ReplicaID(high: value, low: 9) : jie)
        }
        var earlier = try Record<EarlierSteps>(decoding: later.encoded())
        #expect(earlier.steps.keys.sorted() == [2, 4] && earlier.hasUnknownFields)
        #expect(earlier.encoded() == later.encoded())
        earlier.steps.removeValue(forKey: 4)
        earlier.steps[1].set(true, by: noah)
        later.merge(try Record<LaterSteps>(decoding: earlier.encoded()))
        #expect(later.steps.keys.sorted() == [1, 2, 3] && later.steps[1].values == [9, 1])
        var one = Record<LaterSteps>()
        one.steps[1].set(9, by: jie)
        let alone = try Record<EarlierSteps>(decoding: one.encoded())
        #expect(alone.hasUnknownFields && alone.steps.isEmpty && !alone.isEmpty)
    }

    @Test("what a state from elsewhere has seen fall in other fields falls in a record that merges it into one")
    func fieldsOfOtherRecordsAreMergedWithTheirContext() {
        var mine = Record<Card>()
        mine.labels.insert("shopping", by: jie)
        var theirs = mine
        theirs.labels.remove("shopping")
        theirs.title.set("Tent", by: noah)
        let delta = mine.update { $0.title.merge(theirs.title) }
        #expect(mine.labels.isEmpty && mine == theirs)
        #expect(delta.title.values == ["Tent"])
    }

    @Test("a copy of a record keeps its fields, whatever comes and goes in the other")
    func copiesAreApart() throws {
        var mine = Record<Card>()
        mine.title.set("Tent", by: jie)
        mine.labels.insert("shopping", by: jie)
        let copy = mine
        mine.labels.remove("shopping")
        mine.title.set("Large tent", by: jie)
        mine.estimate.add(2, by: jie)
        mine.steps[1].set(true, by: jie)
        #expect(copy.title.values == ["Tent"] && copy.labels.elements == ["shopping"] && copy.steps.isEmpty)
        #expect(mine.title.values == ["Large tent"] && mine.labels.isEmpty && mine.steps[1].values == [true])
        #expect(copy.merging(mine) == mine && mine.merging(copy) == mine)
        mine.removeAll()
        #expect(mine.isEmpty && copy.title.values == ["Tent"])
    }

    @Test("fields whose values must lie at multiples of 16 bytes stand among others")
    func fieldsAreAligned() {
        var layers = Record<Layers>()
        for number in 0..<3 {
            layers.name.set("layer \(number)", by: jie)
            layers.center.set(Lanes(SIMD4(Float(number), 1, 2, 3)), by: jie)
            layers.isShown.set(number > 0, by: jie)
            layers.size.set(Lanes(SIMD8(repeating: Float(number))), by: jie)
        }
        let copy = layers
        layers.name.clear()
        layers.isShown.clear()
        #expect(
            layers.center.values == [Lanes(SIMD4(2, 1, 2, 3))] && layers.size.values == [Lanes(SIMD8(repeating: 2))])
        #expect(copy.name.values == ["layer 2"] && copy.isShown.values == [true] && copy.center == layers.center)
    }
}

/// A value that lies at multiples of 16 bytes, or of 32.
private struct Lanes<Vector: SIMD & Sendable>: Hashable, Sendable, CanonicalCodable where Vector.Scalar == Float {
    let lanes: Vector

    init(_ lanes: Vector) { self.lanes = lanes }

    init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        lanes = Vector(repeating: try Float(from: &decoder))
    }

    func encode(into encoder: inout CanonicalEncoder) { lanes[0].encode(into: &encoder) }
}

private struct EarlierSteps: RecordSchema {
    var steps = ORMap<UInt64, MVRegister<Bool>>()

    static let fields: [RecordField<EarlierSteps>] = [.init(1, \.steps)]
}

private struct LaterSteps: RecordSchema {
    var steps = ORMap<UInt64, MVRegister<UInt64>>()

    static let fields: [RecordField<LaterSteps>] = [.init(1, \.steps)]
}

private struct Layers: RecordSchema {
    var isShown = MVRegister<Bool>()
    var center = MVRegister<Lanes<SIMD4<Float>>>()
    var name = MVRegister<String>()
    var size = MVRegister<Lanes<SIMD8<Float>>>()

    static let fields: [RecordField<Layers>] = [
        .init(1, \.isShown), .init(2, \.center), .init(3, \.name), .init(4, \.size),
    ]
}
