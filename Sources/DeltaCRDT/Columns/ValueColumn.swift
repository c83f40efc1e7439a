/// Values by slot, texts packed into one buffer.
///
/// Whether `Value` is `String` is asked at run time, so that users need declare nothing; specialised code drops the
/// question.
@usableFromInline
struct ValueColumn<Value: Hashable & Sendable>: Sendable {
    @usableFromInline var values: ContiguousArray<Value> = []
    /// The texts, where these are texts.
    @usableFromInline var texts = TextColumn()

    @inlinable init() {}

    @inlinable var holdsTexts: Bool { Self.holdsTexts }

    @inlinable static var holdsTexts: Bool { Value.self == String.self }

    @inlinable var count: Int { Self.holdsTexts ? texts.count : values.count }

    @inlinable subscript(slot: UInt32) -> Value {
        Self.holdsTexts ? Self.value(texts[Int(slot)]) : values[Int(slot)]
    }

    @inlinable mutating func append(_ value: Value) {
        if Self.holdsTexts { texts.append(Identity.text(value)) } else { values.append(value) }
    }

    @inlinable mutating func append(_ slot: UInt32, of other: ValueColumn) {
        if Self.holdsTexts {
            texts.append(Int(slot), of: other.texts)
        } else {
            values.append(other.values[Int(slot)])
        }
    }

    /// Forgets the value of a slot, which the last slot's value takes over.
    @inlinable mutating func swapRemove(_ slot: UInt32) {
        if Self.holdsTexts {
            texts.swapRemove(Int(slot))
        } else {
            values[Int(slot)] = values[values.count - 1]
            values.removeLast()
        }
    }

    @inlinable mutating func reserveCapacity(_ count: Int) {
        if Self.holdsTexts { texts.reserveCapacity(count) } else { values.reserveCapacity(count) }
    }

    /// A table from the values to their slots.
    @inlinable func makeTable() -> HashTable {
        if Self.holdsTexts { return texts.makeTable() }
        let table = HashTable(capacity: values.count)
        for slot in values.indices {
            let value = values[slot]
            table.insert(Identity.hash(value), slot: UInt32(slot)) { values[Int($0)] == value }
        }
        return table
    }

    @inlinable func hash(of slot: UInt32) -> UInt32 {
        Self.holdsTexts
            ? texts.withUTF8(Int(slot)) { Identity<Value>.hash(utf8: $0) } : Identity.hash(values[Int(slot)])
    }

    @inlinable func holds(_ value: Value, at slot: UInt32) -> Bool {
        guard Self.holdsTexts else { return values[Int(slot)] == value }
        var text = Identity.text(value)
        return text.withUTF8 { texts.holds($0, at: Int(slot)) }
    }

    @inlinable func isEqual(_ slot: UInt32, to otherSlot: UInt32, of other: ValueColumn) -> Bool {
        Self.holdsTexts
            ? texts.isEqual(Int(slot), to: Int(otherSlot), of: other.texts)
            : values[Int(slot)] == other.values[Int(otherSlot)]
    }

    @inlinable static func value(_ text: String) -> Value {
        withUnsafePointer(to: text) { UnsafeRawPointer($0).assumingMemoryBound(to: Value.self).pointee }
    }
}

extension ValueColumn where Value: CanonicalCodable {
    @inlinable func encode(_ slot: UInt32, into encoder: inout CanonicalEncoder) {
        if Self.holdsTexts {
            texts.encode(Int(slot), into: &encoder)
        } else {
            values[Int(slot)].encode(into: &encoder)
        }
    }

    /// Appends the values of slots.
    @inlinable func encode(_ slots: [UInt32], into encoder: inout CanonicalEncoder) {
        if Self.holdsTexts { return texts.encode(slots, into: &encoder) }
        for slot in slots { values[Int(slot)].encode(into: &encoder) }
    }

    /// Reads a value.
    @inlinable mutating func append(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        if Self.holdsTexts { return try texts.append(count: 1, from: &decoder) }
        values.append(try Value(from: &decoder))
    }

    /// Reads `count` values.
    @inlinable mutating func append(count: Int, from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        let room = self.count + min(count, decoder.remaining)
        reserveCapacity(room + room / 8)
        if Self.holdsTexts { return try texts.append(count: count, from: &decoder) }
        for _ in 0..<count { values.append(try Value(from: &decoder)) }
    }
}

/// When two values are one: by `==`, but texts by their bytes, because canonically equal texts have different encodings.
@usableFromInline
enum Identity<Value: Hashable> {
    @inlinable static func hash(_ value: Value) -> UInt32 {
        if Value.self == String.self {
            var text = text(value)
            return text.withUTF8 { hash(utf8: $0) }
        }
        return UInt32(truncatingIfNeeded: value.hashValue)
    }

    @usableFromInline static func hash(utf8: UnsafeBufferPointer<UInt8>) -> UInt32 {
        TextHash.hash(UnsafeRawBufferPointer(utf8))
    }

    @inlinable static func isEqual(_ left: Value, _ right: Value) -> Bool {
        guard Value.self == String.self else { return left == right }
        var (mine, other) = (text(left), text(right))
        return mine.withUTF8 { mine in other.withUTF8 { areEqual(mine, $0) } }
    }

    /// Texts by their bytes.
    @inlinable static func precedes(_ left: Value, _ right: Value) -> Bool where Value: Comparable {
        guard Value.self == String.self else { return left < right }
        return text(left).utf8.lexicographicallyPrecedes(text(right).utf8)
    }

    @inlinable static func text(_ value: Value) -> String {
        withUnsafePointer(to: value) { UnsafeRawPointer($0).assumingMemoryBound(to: String.self).pointee }
    }

    @usableFromInline static func areEqual(
        _ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        TextHash.areEqual(UnsafeRawBufferPointer(left), UnsafeRawBufferPointer(right))
    }
}
