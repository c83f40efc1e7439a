import TripModel
import TripService

/// Items as a table in comma-separated values (RFC 4180): a row of column names, then a row an item, each ended by CRLF.
///
/// A field of the model is a column under its name, and read again as what it was, as are the quantity, the list and the
/// amenities. The others are for people.
enum ItemCSV {
    private struct Column: Sendable {
        let name: String
        let value: @Sendable (ItemView) -> String
    }

    private static let columns: [Column] = fields + others

    private static let fields = Field.ofPlans.map { field in
        Column(name: field.name) { $0.fields[field]?.value ?? "" }
    }

    private static let others = [
        Column(name: "quantity") { $0.quantity.map { String($0) } ?? "" },
        Column(name: "list") { $0.sayings.list?.title ?? "" },
        Column(name: "amenities") { $0.sayings.amenities.joined(separator: ", ") },
        Column(name: "tally") { String($0.tally) },
        Column(name: "votes_for") { names($0.votes, .for) },
        Column(name: "votes_if_need_be") { names($0.votes, .ifNeedBe) },
        Column(name: "votes_against") { names($0.votes, .against) },
        Column(name: "going") { names($0.sayings.attendance, .going) },
        Column(name: "maybe_going") { names($0.sayings.attendance, .maybe) },
        Column(name: "not_going") { names($0.sayings.attendance, .notGoing) },
        Column(name: "added_by") { $0.addedByName },
        Column(name: "added_at") { CivilTime.rfc3339($0.addedAt) },
        Column(name: "also_proposed") { item in
            item.exportedProposals.map { "\($0.field.name): \($0.value)" }.joined(separator: "; ")
        },
    ]

    static func write(_ items: [ItemView]) -> String {
        let rows = [columns.map(\.name)] + items.map { item in columns.map { SpreadsheetText.write($0.value(item)) } }
        return rows.map { $0.map(quoted).joined(separator: ",") + "\r\n" }.joined()
    }

    private static func names<Word>(_ words: [LastWord<Word>], _ word: Word) -> String {
        words.filter { $0.word == word }.map(\.name).joined(separator: "; ")
    }

    private static func quoted(_ text: String) -> String {
        guard text.utf8.contains(where: { [0x22, 0x2C, 0x0A, 0x0D, 0x3B, 0x09].contains($0) }) else { return text }
        return "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}
