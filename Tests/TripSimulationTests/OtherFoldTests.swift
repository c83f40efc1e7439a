import Attachments
import ChangeLog
import DeltaCRDT
import Foundation
import Sodium
import Testing
import TripModel
import TripRules

/// What another implementation, made from the document alone, shows of trips whose changes hold operations of all kinds.
struct OtherFoldTests {
    private struct File: Decodable { let trips: [Trip] }

    private struct Trip: Decodable {
        let trip: String
        let records: [String]
        let view: View
    }

    private struct View: Decodable, Equatable {
        var title: [String]
        var note: [String]
        var items: [Item]
        var lists: [List]
        /// What is in no list and there, in its order.
        var unlisted: [String]
        var names: [String: String]
    }

    private struct Item: Decodable, Equatable {
        var id: String
        var exists: Bool
        var fields: [String: [String]]
        var votes: [String: Int]
        var claims: [String: Int64]
        var attendance: [String: Int]
        var quantity: Int64
        var comments: [Comment]
        var amenities: [String]
        var photos: [String]
    }

    private struct Comment: Decodable, Equatable {
        var by: String
        var text: String
    }

    private struct List: Decodable, Equatable {
        var id: String
        var exists: Bool
        var fields: [String: [String]]
        var items: [String]
    }

    @Test("what another implementation shows of its trips is what this one shows")
    func fold() throws {
        let path = URL(filePath: #filePath).appending(path: "../../Vectors/protocol-python.json").standardizedFileURL
        let file = try JSONDecoder().decode(File.self, from: Data(contentsOf: path))
        let cryptography = try SodiumCryptography()
        var kinds: Set<String> = []
        for (number, expected) in file.trips.enumerated() {
            let trip = try #require(Bytes32(bytes(expected.trip)))
            var log = TripLog(trip: trip, cryptography: cryptography)
            #expect(log.receive(expected.records.map(bytes)).refusal == nil)
            var replica = TripReplica()
            for index in log.graph.changes.indices where log.isShown(index) { replica.apply(log.applied(index)) }
            let shown = view(replica.view, log, names: expected.view.names.keys)
            #expect(shown.title == expected.view.title && shown.names == expected.view.names, "trip \(number)")
            #expect(shown.note == expected.view.note, "trip \(number)")
            #expect(shown.items == expected.view.items, "trip \(number)")
            // Of a list its name, note and kind are shown, whatever else is said of it.
            let lists = expected.view.lists.map { list in
                List(
                    id: list.id, exists: list.exists, fields: list.fields.filter { ["1", "2", "10"].contains($0.key) },
                    items: list.items)
            }
            #expect(shown.lists == lists, "trip \(number)")
            #expect(shown.unlisted == expected.view.unlisted, "trip \(number)")
            for item in expected.view.items {
                for (kind, isThere) in [
                    ("claim", !item.claims.isEmpty), ("answer", !item.attendance.isEmpty),
                    ("comment", !item.comments.isEmpty),
                    ("photo", !item.photos.isEmpty),
                    ("amenity", !item.amenities.isEmpty), ("chosen", item.fields["14"] != nil),
                    ("both", (item.fields["1"]?.count ?? 0) > 1),
                ] where isThere { kinds.insert(kind) }
            }
            if expected.view.lists.contains(where: { $0.items.count > 1 }) { kinds.insert("list") }
            if !expected.view.note.isEmpty { kinds.insert("note") }
            if log.graph.changes.indices.contains(where: { log.isShown($0) && !log.isEffective($0) }) {
                kinds.insert("upheld")
            }
        }
        #expect(
            kinds == [
                "claim", "answer", "comment", "photo", "amenity", "chosen", "both", "list", "note", "upheld",
            ])
    }

    private func view(_ view: TripView, _ log: TripLog, names: some Sequence<String>) -> View {
        let inside = Set(log.people.filter(\.isIn).map { ParticipantID($0.id) })
        let isIn = { (participant: ParticipantID) in inside.contains(participant) }
        let items = (view.items + view.removedItems).map { item in
            Item(
                id: "\(item.id)", exists: !item.isRemoved, fields: fields(item.fields),
                votes: pairs(
                    item.votes.filter { isIn($0.participant) }.map { ($0.participant, Int($0.word.rawValue)) }),
                claims: pairs(item.sayings.claims.filter { isIn($0.participant) }.map { ($0.participant, $0.word) }),
                attendance: pairs(
                    item.sayings.attendance.filter { isIn($0.participant) }
                        .map { ($0.participant, Int($0.word.rawValue)) }),
                quantity: item.quantity ?? 0,
                comments: item.sayings.comments.map { Comment(by: "\($0.author)", text: $0.text) },
                amenities: item.sayings.amenities, photos: item.photos.map(\.manifest.digits))
        }
        let stamps = Dictionary(
            uniqueKeysWithValues: (view.items + view.removedItems).map { ("\($0.id)", ($0.added, $0.id)) })
        let inOrder = items.sorted { one, other in
            guard let (stamp, id) = stamps[one.id], let (otherStamp, otherID) = stamps[other.id] else { return false }
            return stamp == otherStamp ? id.operation.index < otherID.operation.index : stamp < otherStamp
        }
        let listed = Set(view.items.filter { $0.sayings.list != nil }.map { "\($0.id)" })
        let lists = (view.lists + view.removedLists).map { list in
            List(
                id: "\(list.id)", exists: !list.isRemoved, fields: fields(list.fields),
                items: list.items.map { "\($0)" })
        }
        let held = Set(lists.flatMap(\.items)).union(listed)
        let unlisted =
            view.unlistedOrder.map { $0.map { "\($0)" } }
            ?? inOrder.filter { $0.exists && !held.contains($0.id) }.map(\.id)
        let told = names.compactMap { digits in
            view.participants.first { "\($0.id)" == digits }.flatMap { person in person.name.map { (digits, $0) } }
        }
        return View(
            title: view.title.map(texts) ?? [], note: view.note.map(texts) ?? [], items: inOrder,
            lists: order(lists, log), unlisted: unlisted, names: Dictionary(uniqueKeysWithValues: told))
    }

    /// By the changes that made them.
    private func order(_ lists: [List], _ log: TripLog) -> [List] {
        let key = { (list: List) -> (UInt64, String, Int) in
            let parts = list.id.split(separator: ".")
            let change = Bytes32(bytes(String(parts[0]))).flatMap { log.graph.index(of: $0) }.map {
                log.graph.changes[$0]
            }
            return (change?.stamp.lamport ?? 0, String(parts[0]), Int(parts[1]) ?? 0)
        }
        return lists.sorted { key($0) < key($1) }
    }

    private func fields(_ fields: [Field: FieldView]) -> [String: [String]] {
        Dictionary(uniqueKeysWithValues: fields.map { ("\($0.key.rawValue)", texts($0.value)) })
    }

    private func texts(_ field: FieldView) -> [String] { [field.value] + field.alternatives.map(\.value) }

    private func pairs<Word>(_ words: [(ParticipantID, Word)]) -> [String: Word] {
        Dictionary(uniqueKeysWithValues: words.map { ("\($0.0)", $0.1) })
    }

    private func bytes(_ digits: String) -> [UInt8] {
        let digits = Array(digits.utf8)
        return stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(decoding: digits[$0..<($0 + 2)], as: UTF8.self), radix: 16)
        }
    }
}
