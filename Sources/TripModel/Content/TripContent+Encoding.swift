import Attachments
import DeltaCRDT

/// The kinds of operations in a change's content. They never change their meaning.
enum OperationKind {
    static let title: UInt64 = 1
    static let name: UInt64 = 2
    static let add: UInt64 = 3
    static let edit: UInt64 = 4
    static let remove: UInt64 = 5
    static let restore: UInt64 = 6
    static let vote: UInt64 = 7
    static let quantity: UInt64 = 8
    static let addList: UInt64 = 9
    static let place: UInt64 = 10
    static let comment: UInt64 = 11
    static let claim: UInt64 = 12
    static let amenities: UInt64 = 13
    static let undo: UInt64 = 14
    static let own: UInt64 = 15
    static let attach: UInt64 = 20
    static let detach: UInt64 = 21
    static let attendance: UInt64 = 22
    static let answer: UInt64 = 23
    static let options: UInt64 = 24
    static let seal: UInt64 = 25
    static let close: UInt64 = 26
    static let reveal: UInt64 = 27
    static let note: UInt64 = 28
    static let tripNote: UInt64 = 29
}

extension TripContent {
    /// Writes `count, operations: kind, length, body`. The length stands before each body, and before each write in it. So a version that
    /// does not know it can skip it, and it may grow at its end. `ineffective` and `unknown` are never written.
    static func encode(_ operations: [Operation]) -> [UInt8] {
        var encoder = CanonicalEncoder()
        let frames = operations.compactMap(encoded)
        encoder.encode(count: frames.count)
        for (kind, body) in frames {
            encoder.encode(kind)
            encoder.encode(body)
        }
        return encoder.bytes
    }

    private static func encoded(_ operation: Operation) -> (kind: UInt64, body: [UInt8])? {
        var body = CanonicalEncoder()
        switch operation {
        case .setTitle(let write):
            guard case .text(let title) = write.value else { return nil }
            body.encode(title.string)
            body.encode(write.siblings)
            return (OperationKind.title, body.bytes)
        case .setName(let name):
            body.encode(name.string)
            return (OperationKind.name, body.bytes)
        case .add(let fields, let quantity, let position):
            body.encode(quantity)
            body.encode(fields)
            if let position { body.encode(position) }
            return (OperationKind.add, body.bytes)
        case .addList(let fields):
            body.encode(fields)
            return (OperationKind.addList, body.bytes)
        case .undo(let change):
            body.encode(change)
            return (OperationKind.undo, body.bytes)
        case .own(let note): return (OperationKind.own, note)
        case .item(let item, let operation):
            body.encode(item)
            return (body.encode(operation), body.bytes)
        case .editNote(let edit):
            body.encode(edit)
            return (OperationKind.tripNote, body.bytes)
        case .ineffective: return nil
        }
    }
}

extension CanonicalEncoder {
    /// Appends what is done to an item.
    /// - Returns: the kind of that.
    fileprivate mutating func encode(_ operation: ItemOperation) -> UInt64 {
        switch operation {
        case .edit(let writes):
            let known = writes.filter { $0.value != .unknown }
            encode(count: known.count)
            for write in known {
                encode(UInt64(write.field.rawValue))
                encode(Self.body(of: write))
            }
            return OperationKind.edit
        case .remove: return OperationKind.remove
        case .restore: return OperationKind.restore
        case .vote(let vote):
            encode(byte: vote?.rawValue ?? 0)
            return OperationKind.vote
        case .changeQuantity(let step):
            encode(step)
            return OperationKind.quantity
        case .attach(let photo):
            encode(photo.bytes)
            return OperationKind.attach
        case .detach(let photo):
            encode(photo)
            return OperationKind.detach
        case .place(let position):
            encode(position)
            return OperationKind.place
        case .comment(let text):
            encode(text.string)
            return OperationKind.comment
        case .claim(let claim):
            encode(UInt64(claim?.count ?? 0))
            return OperationKind.claim
        case .attend(let attendance):
            encode(byte: attendance?.rawValue ?? 0)
            return OperationKind.attendance
        case .amenities(let added, let removed):
            for words in [added, removed] { encode(words) }
            return OperationKind.amenities
        case .answer(let answer):
            encode(byte: answer == nil ? 0 : 1)
            if let answer { encode(answer) }
            return OperationKind.answer
        case .seal(let answer):
            encode(fixed: answer.commitment)
            encode(answer.note)
            return OperationKind.seal
        case .close(let counted):
            encode(count: counted.count)
            for (participant, operation) in counted.sorted(by: { $0.key < $1.key }) {
                encode(fixed: participant.bytes)
                encode(operation)
            }
            return OperationKind.close
        case .reveal(let revealed, let closing):
            encode(closing)
            encode(fixed: revealed.nonce)
            encode(revealed.answer)
            return OperationKind.reveal
        case .options(let added, let removed):
            for words in [added, removed] { encode(words) }
            return OperationKind.options
        case .editNote(let edit):
            encode(edit)
            return OperationKind.note
        }
    }

    fileprivate mutating func encode(_ edit: NoteEdit) {
        encode(count: edit.insertions.count)
        for insertion in edit.insertions {
            switch insertion.place {
            case .beginning: encode(byte: 0)
            case .after(let element):
                encode(byte: 1)
                encode(element)
            case .before(let element):
                encode(byte: 2)
                encode(element)
            }
            encode(insertion.text.string)
        }
        encode(count: edit.removals.count)
        for removal in edit.removals {
            encode(removal.operation)
            encode(UInt64(removal.numbers.lowerBound))
            encode(UInt64(removal.numbers.count))
        }
    }

    mutating func encode(_ element: NoteEdit.Element) {
        encode(element.operation)
        encode(UInt64(element.number))
    }

    private mutating func encode(_ words: [Text]) {
        encode(count: words.count)
        for word in words { encode(word.string) }
    }

    /// Those that can be shown.
    fileprivate mutating func encode(_ fields: [FieldValue]) {
        let known = fields.compactMap { entry in entry.value.map { (entry.field, $0) } }
        encode(count: known.count)
        for (field, value) in known {
            encode(UInt64(field.rawValue))
            encode(value.string)
        }
    }

    fileprivate mutating func encode(_ position: Position) {
        for reference in [position.list, position.anchor] {
            encode(reference != nil)
            if let reference { encode(reference) }
        }
        encode(byte: position.side.rawValue)
    }

    private static func body(of write: FieldWrite) -> [UInt8] {
        var body = CanonicalEncoder()
        if case .text(let text) = write.value {
            body.encode(true)
            body.encode(text.string)
        } else {
            body.encode(false)
        }
        body.encode(write.siblings)
        return body.bytes
    }

    fileprivate mutating func encode(_ siblings: [OperationReference]) {
        encode(count: siblings.count)
        for reference in siblings { encode(reference) }
    }

    mutating func encode(_ reference: OperationReference) {
        switch reference {
        case .here(let index):
            encode(byte: 0)
            encode(UInt64(index))
        case .there(let operation):
            encode(byte: 1)
            encode(operation)
        }
    }
}

extension CanonicalEncoder {
    /// Appends the options of an answer, each with its number, in the order of their bytes.
    mutating func encode(_ answer: Answer) {
        encode(count: answer.choices.count)
        for choice in answer.choices {
            encode(choice.option)
            encode(UInt64(choice.number))
        }
    }
}
