import DeltaCRDT

// Ids in JSON and in messages are texts: short, the same everywhere, and keys of objects where one wants them.

extension ParticipantID: LosslessStringConvertible {
    /// 32 lowercase hexadecimal digits.
    package var description: String { ReplicaID(high: high, low: low).description }

    package init?(_ description: String) {
        guard let words = ReplicaID(digits: description) else { return nil }
        self.init(high: words.high, low: words.low)
    }
}

extension ChangeHash: LosslessStringConvertible {
    /// 64 lowercase hexadecimal digits.
    package var description: String { "\(halves.first)\(halves.second)" }

    package init?(_ description: String) {
        guard let first = ReplicaID(digits: description.prefix(32)),
            let second = ReplicaID(digits: description.dropFirst(32))
        else { return nil }
        self.init(words: (first.high, first.low, second.high, second.low))
    }
}

extension ItemID: LosslessStringConvertible {
    /// The change's 64 hexadecimal digits, a point, and the operation's index.
    package var description: String { "\(operation.change).\(operation.index)" }

    package init?(_ description: String) {
        let parts = description.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let change = ChangeHash(String(parts[0])), let index = decimal(parts[1]),
            index < Limits.operationsPerChange
        else { return nil }
        self.init(change: change, index: OperationIndex(index))
    }
}

extension LamportTimestamp: LosslessStringConvertible {
    /// The Lamport time, a point, and the 64 hexadecimal digits of the hash.
    package var description: String { "\(lamport).\(hash)" }

    package init?(_ description: String) {
        let parts = description.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let lamport = decimal(parts[0]), let hash = ChangeHash(String(parts[1])) else {
            return nil
        }
        self.init(lamport: lamport, hash: hash)
    }
}

/// What is written as its description. A protocol of its own would give enumerations with raw values two codings.
extension Decoder {
    fileprivate func value<Value: LosslessStringConvertible>(_ type: Value.Type) throws -> Value {
        let container = try singleValueContainer()
        guard let value = Value(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no \(type)")
        }
        return value
    }
}

extension Encoder {
    fileprivate func write(_ value: some LosslessStringConvertible) throws {
        var container = singleValueContainer()
        try container.encode(value.description)
    }
}

extension ParticipantID: Codable {
    package init(from decoder: any Decoder) throws { self = try decoder.value(Self.self) }
    package func encode(to encoder: any Encoder) throws { try encoder.write(self) }
}

extension ItemID: Codable {
    package init(from decoder: any Decoder) throws { self = try decoder.value(Self.self) }
    package func encode(to encoder: any Encoder) throws { try encoder.write(self) }
}

extension LamportTimestamp: Codable {
    package init(from decoder: any Decoder) throws { self = try decoder.value(Self.self) }
    package func encode(to encoder: any Encoder) throws { try encoder.write(self) }
}

extension Field: Codable, CodingKeyRepresentable, LosslessStringConvertible {
    package init(from decoder: any Decoder) throws { self = try decoder.value(Self.self) }
    package func encode(to encoder: any Encoder) throws { try encoder.write(self) }

    package var description: String { name }

    package init?(_ description: String) {
        guard let field = Field.allCases.first(where: { $0.name == description }) else { return nil }
        self = field
    }

    package var codingKey: any CodingKey { FieldKey(stringValue: name) }

    package init?(codingKey: some CodingKey) { self.init(codingKey.stringValue) }

    private struct FieldKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}

extension Vote: Codable, LosslessStringConvertible {
    package init(from decoder: any Decoder) throws { self = try decoder.value(Self.self) }
    package func encode(to encoder: any Encoder) throws { try encoder.write(self) }

    package var description: String { name }

    package init?(_ description: String) {
        guard let vote = Vote.allCases.first(where: { $0.name == description }) else { return nil }
        self = vote
    }
}

extension ReplicaID {
    /// Reads the 32 lowercase digits of `description`.
    fileprivate init?(digits: some StringProtocol) {
        let bytes = digits.utf8
        guard bytes.count == 32, bytes.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }),
            let high = UInt64(digits.prefix(16), radix: 16), let low = UInt64(digits.suffix(16), radix: 16)
        else { return nil }
        self.init(high: high, low: low)
    }
}

/// Reads a number in its one form: digits alone, and no zero before them.
private func decimal(_ digits: Substring) -> UInt64? {
    guard let number = UInt64(digits), String(number) == digits else { return nil }
    return number
}
