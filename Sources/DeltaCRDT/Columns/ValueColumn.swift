/// Values by slot, texts packed into one buffer.
///
/// Whether `Value` is `String` is asked at run time, so that users need declare nothing; specialised code drops the
/// question.
struct ValueColumn<Value: Hashable & Sendable>: Sendable {
    private var values: ContiguousArray<Value> = []
    /// The texts, where these are texts.
    var texts = TextColumn()

    var holdsTexts: Bool { Self.holdsTexts }

    private static var holdsTexts: Bool { Value.self == String.self }

    var count: Int { Self.holdsTexts ? texts.count : values.count }

    subscript(slot: UInt32) -> Value {
        Self.holdsTexts ? Self.value(texts[Int(slot)]) : values[Int(slot)]
    }

    mutating func append(_ value: Value) {
        if Self.holdsTexts { texts.append(Self.text(value)) } else { values.append(value) }
    }

    mutating func append(_ slot: UInt32, of other: ValueColumn) {
        if Self.holdsTexts {
            texts.append(Int(slot), of: other.texts)
        } else {
            values.append(other.values[Int(slot)])
        }
    }

    /// Forgets the value of a slot, which the last slot's value takes over.
    mutating func swapRemove(_ slot: UInt32) {
        if Self.holdsTexts {
            texts.swapRemove(Int(slot))
        } else {
            values[Int(slot)] = values[values.count - 1]
            values.removeLast()
        }
    }

    mutating func reserveCapacity(_ count: Int) {
        if Self.holdsTexts { texts.reserveCapacity(count) } else { values.reserveCapacity(count) }
    }

    func hash(of slot: UInt32) -> UInt32 {
        Self.holdsTexts
            ? texts.withUTF8(Int(slot)) { Identity<Value>.hash(utf8: $0) } : Identity.hash(values[Int(slot)])
    }

    func holds(_ value: Value, at slot: UInt32) -> Bool {
        guard Self.holdsTexts else { return values[Int(slot)] == value }
        var text = Self.text(value)
        return text.withUTF8 { texts.holds($0, at: Int(slot)) }
    }

    func isEqual(_ slot: UInt32, to otherSlot: UInt32, of other: ValueColumn) -> Bool {
        Self.holdsTexts
            ? texts.isEqual(Int(slot), to: Int(otherSlot), of: other.texts)
            : values[Int(slot)] == other.values[Int(otherSlot)]
    }

    private static func value(_ text: String) -> Value {
        withUnsafePointer(to: text) { UnsafeRawPointer($0).assumingMemoryBound(to: Value.self).pointee }
    }

    private static func text(_ value: Value) -> String {
        withUnsafePointer(to: value) { UnsafeRawPointer($0).assumingMemoryBound(to: String.self).pointee }
    }
}

extension ValueColumn where Value: CanonicalCodable {
    func encode(_ slot: UInt32, into encoder: inout CanonicalEncoder) {
        if Self.holdsTexts {
            texts.encode(Int(slot), into: &encoder)
        } else {
            values[Int(slot)].encode(into: &encoder)
        }
    }

    /// Appends the values of slots.
    func encode(_ slots: [UInt32], into encoder: inout CanonicalEncoder) {
        if Self.holdsTexts { return texts.encode(slots, into: &encoder) }
        for slot in slots { values[Int(slot)].encode(into: &encoder) }
    }

    /// Reads `count` values.
    mutating func append(count: Int, from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        reserveCapacity(self.count + min(count, decoder.remaining))
        if Self.holdsTexts { return try texts.append(count: count, from: &decoder) }
        for _ in 0..<count { values.append(try Value(from: &decoder)) }
    }
}

/// When two values are one: by `==`, but texts by their bytes, because canonically equal texts have different encodings.
enum Identity<Value: Hashable> {
    static func hash(_ value: Value) -> UInt32 {
        if Value.self == String.self {
            var text = withUnsafePointer(to: value) {
                UnsafeRawPointer($0).assumingMemoryBound(to: String.self).pointee
            }
            return text.withUTF8 { hash(utf8: $0) }
        }
        return UInt32(truncatingIfNeeded: value.hashValue)
    }

    static func hash(utf8: UnsafeBufferPointer<UInt8>) -> UInt32 { TextHash.hash(UnsafeRawBufferPointer(utf8)) }

    static func isEqual(_ left: Value, _ right: Value) -> Bool {
        guard Value.self == String.self else { return left == right }
        return withUnsafePointer(to: left) { left in
            withUnsafePointer(to: right) { right in
                UnsafeRawPointer(left).assumingMemoryBound(to: String.self).pointee.utf8.elementsEqual(
                    UnsafeRawPointer(right).assumingMemoryBound(to: String.self).pointee.utf8)
            }
        }
    }
}
