import DeltaCRDT

extension TripPayload {
    fileprivate static let unseenDot = TripError(.invalidChange, "it speaks of what its author cannot have seen")

    /// How a payload is refused that names a dot outside the change's past.
    static let unseen = TripError(.invalidChange, "a change is refused: \(unseenDot.message)")

    /// Reads the acts of a payload, with every dot under its present name, and refuses whatever `encode` cannot have
    /// written for an honest author: another form, a text against its rule, a dot outside the change's past, another
    /// number of operations.
    ///
    /// The answer depends only on the change and its past. Linear in the bytes.
    static func decode(
        _ bytes: [UInt8], operationCount: Int, resolve: (Dot) -> Dot?
    ) throws(TripError) -> [Act] {
        do {
            guard bytes.count <= Limits.payloadBytes else { throw DecodingFailure.tooLarge }
            var reader = ActReader(decoder: CanonicalDecoder(bytes))
            let acts = try reader.readAll(resolve: resolve)
            guard acts.reduce(0, { $0 + $1.operationCount }) == operationCount else {
                throw TripError(.invalidChange, "it has another number of operations than it says")
            }
            return acts
        } catch let failure as DecodingFailure {
            throw TripError(.invalidChange, "a change is refused: its payload is unreadable (\(failure))")
        } catch let error as TripError {
            throw TripError(.invalidChange, "a change is refused: \(error.message)")
        } catch {
            throw TripError(.invalidChange, "a change is refused")
        }
    }
}

private struct ActReader {
    var decoder: CanonicalDecoder
    private var operations = 0
    private var titled = false
    private var named = false
    private var seen: Set<Target> = []

    /// An item under its raw name, and what is done to it: once a change.
    private struct Target: Hashable {
        let mark: UInt8
        let item: Dot
    }

    init(decoder: CanonicalDecoder) {
        self.decoder = decoder
    }

    mutating func readAll(resolve: (Dot) -> Dot?) throws -> [Act] {
        guard try decoder.decodeByte() == TripPayload.version else {
            throw TripError(.invalidChange, "it is written in a newer form: update caravan")
        }
        let count = try decoder.decodeCount(limit: Limits.operationsPerChange, minimumSize: 2)
        guard count > 0 else { throw TripError(.invalidChange, "it does nothing") }
        var acts: [Act] = []
        acts.reserveCapacity(count)
        for _ in 0..<count {
            let act = try readAct(resolve: resolve)
            operations += act.operationCount
            guard operations <= Limits.operationsPerChange else { throw DecodingFailure.tooLarge }
            acts.append(act)
        }
        try decoder.finish()
        return acts
    }

    private mutating func readAct(resolve: (Dot) -> Dot?) throws -> Act {
        let mark = try decoder.decodeByte()
        switch mark {
        case ActMark.title:
            guard !titled else { throw DecodingFailure.notCanonical }
            titled = true
            let title = try readText(.tripTitle)
            return .setTitle(title, superseding: try readDots(resolve))
        case ActMark.name:
            guard !named else { throw DecodingFailure.notCanonical }
            named = true
            return .setName(try readText(.name))
        case ActMark.add:
            let fields = try readFields()
            let quantity = try decoder.decodeInt64()
            guard (0...Limits.quantityStep).contains(quantity) else { throw DecodingFailure.tooLarge }
            return .add(fields: fields, quantity: quantity)
        case ActMark.edit, ActMark.remove, ActMark.restore, ActMark.vote, ActMark.quantity:
            let (raw, item) = try readDot(resolve)
            guard seen.insert(Target(mark: mark, item: raw)).inserted else { throw DecodingFailure.notCanonical }
            let superseded = try readDots(resolve)
            return .item(ItemID(dot: item), superseding: superseded, try readItemAct(mark, resolve))
        default: throw DecodingFailure.unknown
        }
    }

    private mutating func readItemAct(_ mark: UInt8, _ resolve: (Dot) -> Dot?) throws -> ItemAct {
        switch mark {
        case ActMark.edit: return .edit(try readWrites(resolve))
        case ActMark.remove: return .remove
        case ActMark.restore: return .restore
        case ActMark.vote:
            let byte = try decoder.decodeByte()
            if byte == 0 { return .vote(nil) }
            guard let vote = Vote(rawValue: byte) else { throw DecodingFailure.unknown }
            return .vote(vote)
        default:
            let step = try decoder.decodeInt64()
            guard step != 0, (-Limits.quantityStep...Limits.quantityStep).contains(step) else {
                throw DecodingFailure.tooLarge
            }
            return .changeQuantity(by: step)
        }
    }

    /// The fields of a new item: ascending, its title among them.
    private mutating func readFields() throws -> [FieldValue] {
        let count = try decoder.decodeCount(limit: Field.allCases.count, minimumSize: 2)
        var fields: [FieldValue] = []
        for _ in 0..<count {
            let field = try readField(after: fields.last?.field)
            fields.append(FieldValue(field: field, value: try readText(.of(field), of: field)))
        }
        guard fields.first?.field == .title else { throw TripError(.invalidChange, "it adds an item with no title") }
        return fields
    }

    private mutating func readWrites(_ resolve: (Dot) -> Dot?) throws -> [FieldWrite] {
        let count = try decoder.decodeCount(limit: Field.allCases.count, minimumSize: 3)
        guard count > 0 else { throw DecodingFailure.notCanonical }
        var writes: [FieldWrite] = []
        for _ in 0..<count {
            let field = try readField(after: writes.last?.field)
            let value = try decoder.decodeBool() ? try readText(.of(field), of: field) : nil
            if field == .title, value == nil { throw TripError(.invalidChange, "it takes an item's title away") }
            writes.append(FieldWrite(field: field, value: value, superseding: try readDots(resolve)))
        }
        return writes
    }

    private mutating func readField(after last: Field?) throws(DecodingFailure) -> Field {
        guard let field = Field(rawValue: try decoder.decodeByte()) else { throw .unknown }
        if let last, last >= field { throw .notCanonical }
        return field
    }

    private mutating func readText(_ rule: TextRule, of field: Field? = nil) throws -> String {
        let text = try decoder.decodeString(limit: rule.bytesMax)
        if let field { try field.check(text) } else { try rule.check(text) }
        return text
    }

    /// Reads dots in ascending order of their raw names, and gives their present names, ascending.
    private mutating func readDots(_ resolve: (Dot) -> Dot?) throws -> [Dot] {
        let count = try decoder.decodeCount(limit: Limits.supersededPerOperation, minimumSize: 2)
        guard count > 0 else { return [] }
        var dots: [Dot] = []
        dots.reserveCapacity(count)
        var last: Dot?
        for _ in 0..<count {
            let (raw, dot) = try readDot(resolve)
            if let last, last >= raw { throw DecodingFailure.notCanonical }
            last = raw
            dots.append(dot)
        }
        return dots.sorted()
    }

    private mutating func readDot(_ resolve: (Dot) -> Dot?) throws -> (raw: Dot, present: Dot) {
        let raw = try decoder.decodeDot()
        guard let present = resolve(raw) else {
            throw TripPayload.unseenDot
        }
        return (raw, present)
    }
}
