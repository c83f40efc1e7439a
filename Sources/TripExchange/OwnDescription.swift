import TripModel
import TripService

/// What is known of an item in lines, for forms that have one text for it: the note, then a line `name: value` for each thing
/// that the form has no place for, and the details last, for they may have lines of their own.
///
/// A line of a note that begins as one of these has a blank before it (as RFC 3676, section 4.4, stuffs them), so that what is
/// written is read as it was.
enum OwnDescription {
    static let quantity = "quantity", list = "list", amenities = "amenities", votes = "votes"
    static let attendance = "attendance"
    static let alsoProposed = "also proposed"

    static func write(_ item: ItemView, without others: Set<Field>) -> String {
        var lines: [String] = []
        if let note = item.fields[.note], !others.contains(.note) {
            lines += note.value.split(separator: "\n", omittingEmptySubsequences: false).map { line in
                isStuffed(line) ? " " + line : String(line)
            }
        }
        for (field, value) in item.exportedFields where field != .note && field != .details && !others.contains(field) {
            lines.append("\(field.name): \(value)")
        }
        if item.isDone, !others.contains(.done) { lines.append("\(Field.done.name): \(Field.setValue)") }
        lines += item.exportedFacts.map { "\($0.label): \($0.text)" }
        if let details = item.fields[.details] { lines.append("\(Field.details.name): \(details.value)") }
        return lines.joined(separator: "\n")
    }

    /// Notes in a record what such a text says.
    /// - Returns: the title of the list that it is in.
    static func read(_ text: String, into record: inout ListingRecord) -> String? {
        var note: [Substring] = []
        var list: String?
        var rest = text[...]
        while !rest.isEmpty {
            let line = rest.prefix { $0 != "\n" }
            guard let (label, value) = labelled(line) else {
                note.append(isStuffed(line) ? line.dropFirst() : line)
                rest = rest.dropFirst(line.count + 1)
                continue
            }
            if label == Field.details.name {
                record.note(String(rest.dropFirst(label.count + 1)), as: .field(.details))
                break
            }
            switch label {
            case Self.list: list = String(value)
            case quantity: record.note(String(value), as: .quantity)
            case amenities: record.note(String(value), as: .amenities)
            default:
                if let field = Field.ofPlans.first(where: { $0.name == label }) {
                    record.note(String(value), as: .field(field))
                }
            }
            rest = rest.dropFirst(line.count + 1)
        }
        record.note(note.joined(separator: "\n"), as: .field(.note))
        return list
    }

    /// Whether a word before a colon says what follows it.
    static func isLabel(_ word: String) -> Bool {
        labels.contains(word) || word.hasPrefix(alsoProposed + " (") && word.hasSuffix(")")
    }

    private static let labels = Set(
        Field.ofPlans.filter { $0 != .title }.map(\.name) + [quantity, list, amenities, votes, attendance])

    private static func labelled(_ line: Substring) -> (label: String, value: String)? {
        guard let colon = line.firstIndex(of: ":") else { return nil }
        let label = String(line[..<colon])
        guard label != Field.note.name, isLabel(label) else { return nil }
        return (label, String(line[line.index(after: colon)...]).trimmed)
    }

    private static func isStuffed(_ line: Substring) -> Bool { labelled(line.drop { $0 == " " }) != nil }
}

extension ImportedList {
    /// Notes what a text of `OwnDescription` says; the part that it names.
    mutating func note(ofOurs text: String, in record: inout ListingRecord) throws(ServiceError) -> Int? {
        guard let title = OwnDescription.read(text, into: &record) else { return nil }
        return try part(Part(title: title))
    }
}
