import Attachments
import Foundation
import Testing

@testable import TripModel

/// Contents in bytes with what they mean: `Tests/Vectors/content.json`, which other implementations read too.
@Suite struct VectorTests {
    private struct File: Decodable {
        let contents: [Vector]
        let itemIDs: [Digits]
    }

    private struct Vector: Decodable {
        let name: String
        let bytes: String
        /// Each operation in words, by index.
        let operations: [String]
        let hasUnknown: Bool
        /// Whether these bytes are what a node writes for it, or only what one reads.
        let isWritten: Bool
    }

    private struct Digits: Decodable {
        let change: String
        let index: UInt16
        let digits: String
    }

    private func file() throws -> File {
        let path = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        return try JSONDecoder().decode(File.self, from: Data(contentsOf: path.appending(path: "Vectors/content.json")))
    }

    @Test("a content means what its vector says, and is written so")
    func contents() throws {
        let vectors = try file().contents
        for vector in vectors {
            let bytes = try #require(Self.bytes(vector.bytes))
            let content = TripContent(bytes)
            #expect(content.operations.map(Self.words) == vector.operations, "\(vector.name)")
            #expect(content.hasUnknown == vector.hasUnknown, "\(vector.name)")
            #expect((TripContent.encode(content.operations) == bytes) == vector.isWritten, "\(vector.name)")
        }
        let kinds = Set(vectors.flatMap(\.operations).map { $0.prefix { $0 != " " } })
        #expect(
            kinds == [
                "title", "name", "add", "edit", "remove", "restore", "vote", "quantity", "list", "place", "comment",
                "claim", "attend", "amenities", "answer", "options", "seal", "close", "reveal", "undo", "own", "attach",
                "detach", "note", "trip-note", "nothing",
            ],
            "each kind has a vector")
    }

    @Test("an item's digits are those of its vector")
    func itemIDs() throws {
        for vector in try file().itemIDs {
            let change = try #require(ChangeHash(vector.change))
            #expect(ItemID(change: change, index: vector.index).digits == vector.digits)
        }
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private static func bytes(_ digits: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = digits[...]
        while !rest.isEmpty {
            guard let byte = UInt8(rest.prefix(2), radix: 16) else { return nil }
            bytes.append(byte)
            rest = rest.dropFirst(2)
        }
        return bytes
    }

    // MARK: - Words

    private static func words(_ operation: TripModel.Operation) -> String {
        switch operation {
        case .setTitle(let write): "title \(words(write))"
        case .setName(let name): "name \(quoted(name))"
        case .add(let fields, let quantity, let position):
            "add " + words(fields) + (quantity == 0 ? "" : " ×\(quantity)") + (position.map { " " + words($0) } ?? "")
        case .addList(let fields): "list " + words(fields)
        case .undo(let change): "undo \(change.description.prefix(8))"
        case .own(let note): "own \(note.count)"
        case .item(let item, let deed): words(deed, on: name(item))
        case .editNote(let edit): "trip-note" + words(edit)
        case .ineffective: "nothing"
        }
    }

    private static func words(_ deed: ItemOperation, on item: String) -> String {
        switch deed {
        case .edit(let writes):
            "edit \(item): " + writes.map { "\($0.field.name) \(words($0))" }.joined(separator: ", ")
        case .remove: "remove \(item)"
        case .restore: "restore \(item)"
        case .vote(let vote): "vote \(item) \(vote?.name ?? "none")"
        case .changeQuantity(let step): "quantity \(item) \(step)"
        case .place(let position): "place \(item) \(words(position))"
        case .comment(let text): "comment \(item) \(quoted(text))"
        case .claim(let claim): "claim \(item) \(claim.map { String($0.count) } ?? "none")"
        case .attend(let attendance): "attend \(item) \(attendance?.name ?? "none")"
        case .amenities(let added, let removed):
            "amenities \(item)" + words(added, removed)
        case .answer(let answer):
            "answer \(item)" + (answer?.choices.map { " \(quoted($0.text)) \($0.number)" }.joined() ?? " none")
        case .seal(let answer): "seal \(item) \(hexadecimal(answer.commitment)) \(answer.note.count)"
        case .close(let counted):
            "close \(item)"
                + counted.sorted { $0.key < $1.key }.map {
                    " \($0.key.description.prefix(8)) \(name(.there($0.value)))"
                }.joined()
        case .reveal(let revealed, let closing):
            "reveal \(item) after \(name(closing)) \(hexadecimal(revealed.nonce))"
                + revealed.answer.choices.map { " \(quoted($0.text)) \($0.number)" }.joined()
        case .options(let added, let removed): "options \(item)" + words(added, removed)
        case .attach(let photo): "attach \(item) \(photo.digits)"
        case .detach(let photo): "detach \(item) \(name(photo))"
        case .editNote(let edit): "note \(item)" + words(edit)
        }
    }

    private static func words(_ edit: NoteEdit) -> String {
        let insertions = edit.insertions.map { " +\(quoted($0.text))" + words($0.place) }
        let removals = edit.removals.map { " -\(name($0.operation)).\($0.numbers.lowerBound)×\($0.numbers.count)" }
        return insertions.joined() + removals.joined()
    }

    private static func words(_ place: NoteEdit.Place) -> String {
        switch place {
        case .beginning: ""
        case .after(let element): " behind \(name(element.operation)).\(element.number)"
        case .before(let element): " before \(name(element.operation)).\(element.number)"
        }
    }

    private static func words(_ added: [Text], _ removed: [Text]) -> String {
        added.map { " +" + quoted($0) }.joined() + removed.map { " -" + quoted($0) }.joined()
    }

    private static func words(_ fields: [FieldValue]) -> String {
        fields.map { "\($0.field.name) \($0.value.map(quoted) ?? "unknown")" }.joined(separator: ", ")
    }

    private static func words(_ position: Position) -> String {
        let list = position.list.map(name) ?? "no list"
        let side = position.side == .before ? "before" : "behind"
        return "in \(list)" + (position.anchor.map { " \(side) \(name($0))" } ?? " \(side) nothing")
    }

    private static func words(_ write: FieldWrite) -> String {
        let value =
            switch write.value {
            case .text(let text): quoted(text)
            case .cleared: "cleared"
            case .unknown: "unknown"
            }
        return value + (write.siblings.isEmpty ? "" : " beside " + write.siblings.map(name).joined(separator: " "))
    }

    private static func quoted(_ text: Text) -> String { "'\(text.string)'" }

    private static func name(_ reference: OperationReference) -> String {
        switch reference {
        case .here(let index): "#\(index)"
        case .there(let operation): "\(operation.change.description.prefix(8))#\(operation.index)"
        }
    }
}
