import TripModel
import TripService

/// An item a line, as people paste them: links, names, things to bring. A heading of Markdown names the list, or stands
/// between its parts.
enum PastedLines {
    static func read(_ bytes: [UInt8]) throws(ServiceError) -> ImportedList {
        guard let text = String(validating: bytes.withoutByteOrderMark, as: UTF8.self) else {
            throw ServiceError("this text is not UTF-8; save it as UTF-8")
        }
        var list = ImportedList(entryName: "line")
        // "\r\n" is one character, and ends a line as the others do.
        let lines = text.split(
            maxSplits: ExchangeLimits.rows, omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        guard lines.count <= ExchangeLimits.rows || lines[ExchangeLimits.rows].isEmpty else {
            throw ServiceError("more than \(ExchangeLimits.rows) lines; import a part of them")
        }
        for (index, line) in lines.enumerated() {
            guard line.utf8.count <= ExchangeLimits.fieldBytes else {
                throw ServiceError("line \(index + 1) is longer than \(ExchangeLimits.fieldBytes >> 10) KiB")
            }
            if let heading = heading(line) {
                list.name = list.name ?? heading
                continue
            }
            guard let item = NewItem(pasted: line) else { continue }
            list.entries.append(ImportedList.Entry(number: index + 1, item: item))
        }
        return list
    }

    /// "Packing" of "## Packing"; nil for any other line.
    private static func heading(_ line: Substring) -> String? {
        let text = line.drop { $0 == "#" }
        guard text.startIndex != line.startIndex, text.first == " " else { return nil }
        return String(text).trimmed
    }
}

extension NewItem {
    /// A line as `init(line:)` reads it, or a link with a name or without. What bears neither a number nor a box to tick is
    /// not counted.
    init?(pasted line: Substring) {
        guard let item = NewItem(line: line, isCounted: false) else { return nil }
        guard line.contains("://"), let linked = NewItem(typed: item.title), linked.fields[.link] != nil else {
            self = item
            return
        }
        self.init(title: linked.title, fields: linked.fields.merging(item.fields) { $1 }, quantity: item.quantity)
    }
}
