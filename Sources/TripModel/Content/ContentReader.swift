import Attachments
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
        case OperationKind.addList: return readTitled(&body).map { .addList(fields: $0) }
        case OperationKind.undo: return (try? body.decodeChangeHash()).map { .undo($0) }
        case OperationKind.tripNote: return (try? body.decodeNoteEdit()).map { .editNote($0) }
        case OperationKind.own: return (try? body.decodeFixed(body.remaining)).map { .own(Array($0)) }
        case OperationKind.edit...OperationKind.quantity, OperationKind.place...OperationKind.amenities,
            OperationKind.attach...OperationKind.note:
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
        case OperationKind.vote: return readWord(&body, max: vocabulary.voteMax).map { .vote($0) }
        case OperationKind.attendance: return readWord(&body).map { .attend($0) }
        case OperationKind.attach:
            // It may grow at its end.
            guard let bytes = try? body.decodeBody() else { return nil }
            var manifest = CanonicalDecoder(content, in: bytes.indices)
            return (try? PhotoManifest(from: &manifest)).map { .attach($0) }
        case OperationKind.detach: return (try? body.decodeReference()).map { .detach($0) }
        case OperationKind.quantity:
            guard let step = try? body.decodeInt64(), Limits.isStep(step) else { return nil }
            return .changeQuantity(by: step)
        case OperationKind.place: return (try? body.decodePosition()).map { .place($0) }
        case OperationKind.comment:
            guard let text = try? body.decodeString(limit: TextRule.comment.bytesMax),
                (try? TextRule.comment.check(text)) != nil
            else { return nil }
            return .comment(Text(text))
        case OperationKind.claim:
            guard let count = try? body.decodeUInt64(), count <= Limits.quantityStep else { return nil }
            return .claim(count == 0 ? nil : Claim(count: UInt32(count)))
        case OperationKind.answer: return readAnswer(&body).map { .answer($0) }
        case OperationKind.seal:
            guard let commitment = try? body.decodeFixed(32),
                let note = try? body.decodeBytes(limit: SealedAnswer.noteMax)
            else { return nil }
            return SealedAnswer(commitment: Array(commitment), note: Array(note)).map { .seal($0) }
        case OperationKind.close: return (try? body.decodeCounted()).map { .close(counting: $0) }
        case OperationKind.reveal:
            guard let closing = try? body.decodeReference(),
                let nonce = try? body.decodeFixed(RevealedAnswer.nonceSize), let answer = readChoices(&body)
            else {
                return nil
            }
            return RevealedAnswer(nonce: Array(nonce), answer: answer).map { .reveal($0, closing: closing) }
        case OperationKind.note: return (try? body.decodeNoteEdit()).map { .editNote($0) }
        case OperationKind.options:
            guard let (added, removed) = readWords(&body, of: TextRule.option, TextRule.option.check) else {
                return nil
            }
            return .options(added: added, removed: removed)
        default:
            guard let (added, removed) = readWords(&body, of: TextRule.amenity, TextRule.checkAmenity) else {
                return nil
            }
            return .amenities(added: added, removed: removed)
        }
    }

    /// A word of one byte, or 0 where it is taken back; nil where it cannot be read or is not known.
    private mutating func readWord<Word: RawRepresentable<UInt8>>(
        _ body: inout CanonicalDecoder, max: UInt8 = .max
    ) -> Word?? {
        guard let byte = try? body.decodeByte() else { return nil }
        if byte == 0 { return .some(nil) }
        guard byte <= max, let word = Word(rawValue: byte) else {
            hasUnknown = true
            return nil
        }
        return .some(word)
    }

    private func readTitle(_ body: inout CanonicalDecoder) -> FieldWrite {
        var rule = TextRule.tripTitle
        rule.characters = vocabulary.titleCharacters
        guard let title = try? body.decodeString(limit: rule.bytesMax), (try? rule.check(title)) != nil,
            let siblings = try? body.decodeSiblings()
        else { return FieldWrite(field: .title, value: .unknown, siblings: []) }
        return FieldWrite(field: .title, value: .text(Text(title)), siblings: siblings)
    }

    private mutating func readAdd(_ body: inout CanonicalDecoder) -> Operation? {
        guard let quantity = try? body.decodeInt64(), let fields = readTitled(&body) else { return nil }
        // Older versions wrote none.
        let position = body.remaining > 0 ? try? body.decodePosition() : nil
        return .add(
            fields: fields, quantity: quantity > 0 && Limits.isStep(quantity) ? quantity : 0, position: position)
    }

    /// The fields of what has a title; nil where it has none. Of a field that is written twice the last value stands.
    private mutating func readTitled(_ body: inout CanonicalDecoder) -> [FieldValue]? {
        guard let fields = try? body.decodeEntries() else { return nil }
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
        return values.sorted { $0.field < $1.field }
    }

    /// Words that are added, and words that are taken away; nil where one of them breaks its rule, and where there are none.
    private func readWords(
        _ body: inout CanonicalDecoder, of rule: TextRule, _ check: (String) throws(TripError) -> Void
    ) -> (added: [Text], removed: [Text])? {
        var parts: [[Text]] = []
        for _ in 0..<2 {
            guard let count = try? body.decodeCount(limit: Limits.wordsPerOperation, minimumSize: 2) else { return nil }
            var words: [Text] = []
            for _ in 0..<count {
                guard let word = try? body.decodeString(limit: rule.bytesMax), (try? check(word)) != nil else {
                    return nil
                }
                words.append(Text(word))
            }
            parts.append(words)
        }
        return parts[0].isEmpty && parts[1].isEmpty ? nil : (parts[0], parts[1])
    }

    /// An answer, or nothing where it is taken back; nil where it cannot be read.
    private mutating func readAnswer(_ body: inout CanonicalDecoder) -> Answer?? {
        switch try? body.decodeByte() {
        case 0: return .some(nil)
        case 1:
            return readChoices(&body).map { .some($0) }
        case nil: return nil
        default:
            hasUnknown = true
            return nil
        }
    }

    private func readChoices(_ body: inout CanonicalDecoder) -> Answer? {
        guard let answer = try? body.decodeAnswer(),
            answer.choices.allSatisfy({ (try? TextRule.option.check($0.option)) != nil })
        else { return nil }
        return answer
    }

    /// The writes of an edit; none where their list cannot be read. Of a field that is written twice the last write stands.
    private mutating func readWrites(_ body: inout CanonicalDecoder) -> [FieldWrite] {
        guard let entries = try? body.decodeEntries() else { return [] }
        var writes: [FieldWrite] = []
        for (number, bytes) in entries {
            guard let field = field(number) else { continue }
            var part = CanonicalDecoder(content, in: bytes.indices)
            let write = (try? read(&part, of: field)) ?? FieldWrite(field: field, value: .unknown, siblings: [])
            if let place = writes.firstIndex(where: { $0.field == field }) {
                // What cannot be shown replaces nothing that is.
                if write.value != .unknown { writes[place] = write }
            } else {
                writes.append(write)
            }
        }
        return writes
    }

    private func read(_ body: inout CanonicalDecoder, of field: Field) throws(DecodingFailure) -> FieldWrite {
        guard try body.decodeBool() else {
            // An item has a title.
            if field == .title { throw .unknown }
            return FieldWrite(field: field, value: .cleared, siblings: try body.decodeSiblings())
        }
        let text = try body.decodeString(limit: TextRule.of(field).bytesMax)
        guard isAllowed(text, in: field) else { throw .invalidText }
        return FieldWrite(field: field, value: .text(Text(text)), siblings: try body.decodeSiblings())
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

    fileprivate mutating func decodeSiblings() throws(DecodingFailure) -> [OperationReference] {
        let count = try decodeCount(limit: Limits.siblingsPerWrite, minimumSize: 2)
        var siblings: [OperationReference] = []
        for _ in 0..<count { siblings.append(try decodeReference()) }
        return siblings
    }

    fileprivate mutating func decodePosition() throws(DecodingFailure) -> Position {
        let list = try decodeBool() ? try decodeReference() : nil
        let anchor = try decodeBool() ? try decodeReference() : nil
        guard let side = Position.Side(rawValue: try decodeByte()) else { throw .unknown }
        return Position(list: list, anchor: anchor, side: side)
    }

    /// Reads an edit of a note.
    /// - Throws: where it says nothing, or inserts what no note may hold.
    fileprivate mutating func decodeNoteEdit() throws(DecodingFailure) -> NoteEdit {
        var edit = NoteEdit(insertions: [], removals: [])
        var left = Limits.noteCharacters
        for _ in 0..<(try decodeCount(limit: Limits.insertionsPerEdit, minimumSize: 2)) {
            let place: NoteEdit.Place =
                switch try decodeByte() {
                case 0: .beginning
                case 1: .after(try decodeElement())
                case 2: .before(try decodeElement())
                default: throw .unknown
                }
            let text = try decodeString(limit: left * Limits.bytesPerCharacter)
            left -= text.unicodeScalars.count
            guard left >= 0, TextRule.mayStandInNote(text) else { throw .invalidText }
            edit.insertions.append(.init(place: place, text: Text(text)))
        }
        for _ in 0..<(try decodeCount(limit: .max, minimumSize: 4)) {
            let operation = try decodeReference()
            guard let first = UInt32(exactly: try decodeUInt64()), let count = UInt32(exactly: try decodeUInt64()),
                count > 0, Int(first) + Int(count) <= Limits.noteCharacters
            else { throw .tooLarge }
            edit.removals.append(.init(operation: operation, numbers: first..<first + count))
        }
        guard !edit.isEmpty else { throw .unknown }
        return edit
    }

    mutating func decodeElement() throws(DecodingFailure) -> NoteEdit.Element {
        let operation = try decodeReference()
        guard let number = UInt32(exactly: try decodeUInt64()), number < Limits.noteCharacters else { throw .tooLarge }
        return .init(operation: operation, number: number)
    }

    /// Reads the answers that a closing names, ascending by participant.
    fileprivate mutating func decodeCounted() throws(DecodingFailure) -> [ParticipantID: OperationID] {
        var counted: [ParticipantID: OperationID] = [:]
        var last: ParticipantID?
        for _ in 0..<(try decodeCount(limit: Limits.answersCounted, minimumSize: 49)) {
            guard let participant = ParticipantID(bytes: try decodeFixed(16)) else { throw .unknown }
            if let last, participant <= last { throw .unknown }
            last = participant
            counted[participant] = try decodeOperationID()
        }
        return counted
    }

    mutating func decodeReference() throws(DecodingFailure) -> OperationReference {
        switch try decodeByte() {
        case 0:
            guard let index = OperationIndex(exactly: try decodeUInt64()) else { throw .tooLarge }
            return .here(index)
        case 1: return .there(try decodeOperationID())
        default: throw .unknown
        }
    }
}

extension CanonicalDecoder {
    /// Reads the options of an answer, each with its number.
    /// - Throws: unless they stand in the order of their bytes, each once.
    mutating func decodeAnswer() throws(DecodingFailure) -> Answer {
        var choices: [Answer.Choice] = []
        for _ in 0..<(try decodeCount(limit: Limits.optionsMax, minimumSize: 2)) {
            let option = try decodeString(limit: TextRule.option.bytesMax)
            guard let number = Int(exactly: try decodeUInt64()) else { throw .tooLarge }
            choices.append(Answer.Choice(option, number))
        }
        guard let answer = Answer(choices), answer.choices == choices else { throw .unknown }
        return answer
    }
}
