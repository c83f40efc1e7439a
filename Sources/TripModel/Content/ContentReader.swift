import DeltaCRDT

/// Reads a change's content, whatever bytes it is, up to where nothing more can be read.
struct ContentReader {
    private let content: [UInt8]
    private let vocabulary: Vocabulary
    /// Whether something was met that a newer version knows.
    private(set) var hasUnknown = false

    init(_ content: [UInt8], _ vocabulary: Vocabulary) {
        self.content = content
        self.vocabulary = vocabulary
    }

    mutating func readAll() -> [Operation] {
        var decoder = CanonicalDecoder(content)
        guard let count = try? decoder.decodeUInt64() else { return [] }
        var operations: [Operation] = []
        // Each takes two bytes at least.
        let limit = min(count, UInt64(min(Limits.operationsPerChange, decoder.remaining / 2)))
        operations.reserveCapacity(Int(limit))
        while operations.count < limit, let kind = try? decoder.decodeUInt64(), let body = try? decoder.decodeBody() {
            var body = CanonicalDecoder(content, in: body.indices)
            operations.append(read(kind, &body) ?? .ineffective)
        }
        return operations
    }

    /// Nil for what is not known or cannot be read.
    private mutating func read(_ kind: UInt64, _ body: inout CanonicalDecoder) -> Operation? {
        guard kind <= vocabulary.kindMax else {
            hasUnknown = true
            return nil
        }
        switch kind {
        case OperationKind.title: return .setTitle(readTitle(&body))
        case OperationKind.name:
            guard let name = try? body.decodeString(limit: TextRule.name.bytesMax),
                (try? TextRule.name.check(name)) != nil
            else { return nil }
            return .setName(Text(name))
        case OperationKind.add: return readAdd(&body)
        case OperationKind.edit...OperationKind.quantity:
            guard let item = try? body.decodeReference(), let operation = readItemOperation(kind, &body) else {
                return nil
            }
            return .item(item, operation)
        default:
            hasUnknown = true
            return nil
        }
    }

    private mutating func readItemOperation(_ kind: UInt64, _ body: inout CanonicalDecoder) -> ItemOperation? {
        switch kind {
        case OperationKind.edit: return .edit(readWrites(&body))
        case OperationKind.remove: return .remove
        case OperationKind.restore: return .restore
        case OperationKind.vote:
            guard let byte = try? body.decodeByte() else { return nil }
            if byte == 0 { return .vote(nil) }
            guard byte <= vocabulary.voteMax, let vote = Vote(rawValue: byte) else {
                hasUnknown = true
                return nil
            }
            return .vote(vote)
        default:
            guard let step = try? body.decodeInt64(), Limits.isStep(step) else { return nil }
            return .changeQuantity(by: step)
        }
    }

    private func readTitle(_ body: inout CanonicalDecoder) -> FieldWrite {
        var rule = TextRule.tripTitle
        rule.characters = vocabulary.titleCharacters
        guard let title = try? body.decodeString(limit: rule.bytesMax), (try? rule.check(title)) != nil,
            let beside = try? body.decodeBeside()
        else { return FieldWrite(field: .title, value: .unknown, beside: []) }
        return FieldWrite(field: .title, value: .text(Text(title)), beside: beside)
    }

    /// Nil for an item that has no title. Of a field that is written twice the last value stands.
    private mutating func readAdd(_ body: inout CanonicalDecoder) -> Operation? {
        guard let quantity = try? body.decodeInt64(), let fields = try? body.decodeEntries() else { return nil }
        var values: [FieldValue] = []
        for (number, bytes) in fields {
            guard let field = field(number) else { continue }
            let text = String(validating: bytes, as: UTF8.self).flatMap { isAllowed($0, in: field) ? Text($0) : nil }
            let value = FieldValue(field: field, value: text)
            if let place = values.firstIndex(where: { $0.field == field }) {
                // What cannot be shown replaces nothing that is.
                if text != nil { values[place] = value }
            } else {
                values.append(value)
            }
        }
        guard values.contains(where: { $0.field == .title && $0.value != nil }) else { return nil }
        return .add(
            fields: values.sorted { $0.field < $1.field },
            quantity: quantity > 0 && Limits.isStep(quantity) ? quantity : 0)
    }

    /// The writes of an edit; none where their list cannot be read.
    private mutating func readWrites(_ body: inout CanonicalDecoder) -> [FieldWrite] {
        guard let entries = try? body.decodeEntries() else { return [] }
        var writes: [FieldWrite] = []
        for (number, bytes) in entries {
            guard let field = field(number) else { continue }
            var write = CanonicalDecoder(content, in: bytes.indices)
            writes.append(
                (try? read(&write, of: field)) ?? FieldWrite(field: field, value: .unknown, beside: []))
        }
        return writes
    }

    private func read(_ body: inout CanonicalDecoder, of field: Field) throws(DecodingFailure) -> FieldWrite {
        guard try body.decodeBool() else {
            // An item has a title.
            if field == .title { throw .unknown }
            return FieldWrite(field: field, value: .cleared, beside: try body.decodeBeside())
        }
        let text = try body.decodeString(limit: TextRule.of(field).bytesMax)
        guard isAllowed(text, in: field) else { throw .invalidText }
        return FieldWrite(field: field, value: .text(Text(text)), beside: try body.decodeBeside())
    }

    private func isAllowed(_ text: String, in field: Field) -> Bool {
        guard field != .title || text.unicodeScalars.count <= vocabulary.titleCharacters else { return false }
        return (try? field.check(text)) != nil
    }

    /// The field of a number; nil for one that is not known.
    private mutating func field(_ number: UInt64) -> Field? {
        guard number <= vocabulary.fieldMax, let field = Field(rawValue: UInt8(number)) else {
            hasUnknown = true
            return nil
        }
        return field
    }
}

extension CanonicalDecoder {
    /// Reads a length and as many bytes.
    fileprivate mutating func decodeBody() throws(DecodingFailure) -> ArraySlice<UInt8> {
        try decodeFixed(try decodeCount(limit: .max))
    }

    /// Reads a list of numbers, each with a body.
    fileprivate mutating func decodeEntries() throws(DecodingFailure) -> [(number: UInt64, body: ArraySlice<UInt8>)] {
        let count = try decodeCount(limit: .max, minimumSize: 2)
        var entries: [(UInt64, ArraySlice<UInt8>)] = []
        for _ in 0..<count { entries.append((try decodeUInt64(), try decodeBody())) }
        return entries
    }

    fileprivate mutating func decodeBeside() throws(DecodingFailure) -> [OperationReference] {
        let count = try decodeCount(limit: Limits.besidePerWrite, minimumSize: 2)
        var beside: [OperationReference] = []
        for _ in 0..<count { beside.append(try decodeReference()) }
        return beside
    }

    fileprivate mutating func decodeReference() throws(DecodingFailure) -> OperationReference {
        switch try decodeByte() {
        case 0:
            guard let index = OperationIndex(exactly: try decodeUInt64()) else { throw .tooLarge }
            return .here(index)
        case 1: return .there(try decodeOperationID())
        default: throw .unknown
        }
    }
}
