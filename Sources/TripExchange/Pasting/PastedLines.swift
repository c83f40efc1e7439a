import TripModel
import TripService

/// An item a line, as people paste them and as Markdown has them: links, names, things to bring.
///
/// A heading names the list of what follows it; one that goes straight on to a deeper one, or is underlined with "===", names
/// the whole. Below an element, "- price: 80 EUR" is a field of it; below the title of the whole, "- note: Bus 28" is its note.
struct PastedLines {
    private var list = ImportedList(entryName: "line")
    /// A heading, and how many "#" it has, of which it is not known yet whether it names the whole.
    private var heading: (title: String, level: Int)?
    private var part: Int?
    /// The element that further lines may say more of.
    private var element: (number: Int, record: ListingRecord, part: Int?)?
    /// Whether a list has its heading, and no element yet.
    private var isListBegun = false
    /// Whether the whole has its title, and nothing stands under that yet but its note.
    private var isTitled = false
    /// The field whose text goes on in lines that are indented more.
    private var field: Field?
    /// Of each thing that is counted, where it stands among the entries.
    private var counted: [Thing: Int] = [:]

    private struct Thing: Hashable {
        let title: String
        let part: Int?
    }

    static func read(_ bytes: [UInt8]) throws(ServiceError) -> ImportedList {
        guard let text = String(validating: bytes.withoutByteOrderMark, as: UTF8.self) else {
            throw ServiceError("this text is not UTF-8; save it as UTF-8")
        }
        // "\r\n" is one character, and ends a line as the others do.
        let lines = text.split(
            maxSplits: ExchangeLimits.rows, omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        guard lines.count <= ExchangeLimits.rows || lines[ExchangeLimits.rows].isEmpty else {
            throw ServiceError("more than \(ExchangeLimits.rows) lines; import a part of them")
        }
        if let problem = ForeignFile.problem(inLines: lines) { throw problem }
        var reader = PastedLines()
        for (index, line) in lines.enumerated() {
            guard line.utf8.count <= ExchangeLimits.fieldBytes else {
                throw ServiceError("line \(index + 1) is longer than \(ExchangeLimits.fieldBytes >> 10) KiB")
            }
            do throws(ServiceError) {
                try reader.take(line, number: index + 1, next: index + 1 < lines.count ? lines[index + 1] : "")
            } catch { throw ServiceError("line \(index + 1): \(error.message)") }
        }
        try reader.endHeading(before: 0)
        try reader.endElement()
        if let note = reader.list.note {
            reader.list.note = ListingRecord.note(note, shortened: &reader.list.shortenedCount)
        }
        return reader.list
    }

    private mutating func take(_ line: Substring, number: Int, next: Substring) throws(ServiceError) {
        if let heading = MarkdownText.heading(line) {
            try endElement()
            try endHeading(before: heading.level)
            self.heading = heading
            isTitled = false
        } else if MarkdownText.isRule(line) {
            field = nil
        } else if MarkdownText.isUnderline(next), let title = MarkdownText.titleLine(line) {
            try endElement()
            try endHeading(before: .max)
            part = nil
            isTitled = list.name == nil
            if isTitled { list.name = title } else { heading = (title, 1) }
        } else if let nested = MarkdownText.field(line),
            element != nil || heading != nil || isListBegun || isTitled && nested.name == Field.note.name
        {
            try note(nested.name, nested.value)
        } else if let field, let further = MarkdownText.continuation(line) {
            // Where it lies: a file may go on for 20,000 lines.
            if element == nil, let part {
                list.parts[part].note?.append("\n" + further)
            } else if element == nil {
                list.note?.append("\n" + further)
            } else {
                element?.record.append("\n" + further, to: .field(field))
            }
        } else if !line.allSatisfy(\.isWhitespace) {
            try begin(line, number)
        }
    }

    // MARK: - Headings

    /// A heading that nothing stood under names the whole where a deeper one follows, and a list that is empty elsewhere.
    private mutating func endHeading(before level: Int) throws(ServiceError) {
        guard let heading else { return }
        self.heading = nil
        if heading.level < level {
            list.name = list.name ?? heading.title
            part = nil
        } else {
            part = try list.newPart(ImportedList.Part(title: heading.title))
            isListBegun = true
        }
    }

    // MARK: - Elements

    private mutating func begin(_ line: Substring, _ number: Int) throws(ServiceError) {
        try endElement()
        guard let item = NewItem(pasted: line) else { return }
        try endHeading(before: 0)
        (isListBegun, isTitled) = (false, false)
        var record = ListingRecord()
        record.note(item.title, as: .field(.title))
        for (field, text) in item.fields { record.note(text, as: .field(field)) }
        if let quantity = item.quantity { record.note(String(quantity), as: .quantity) }
        element = (number, record, part)
    }

    /// A field of the element, or of the list that has none yet.
    private mutating func note(_ name: String, _ value: String) throws(ServiceError) {
        field = nil
        if element == nil {
            try endHeading(before: 0)
            guard let part else {
                if isTitled {
                    list.note = value
                    field = .note
                }
                return
            }
            if name == Field.itemKind.name { list.parts[part].kind = ItemKind(rawValue: value) }
            if name == Field.note.name {
                list.parts[part].note = value
                field = .note
            }
            return
        }
        guard let column = ListingColumn(named: name), column != .list else { return }
        element?.record.replace(value, as: column)
        if case .field(let known) = column, known.kind == .prose { field = known }
    }

    private mutating func endElement() throws(ServiceError) {
        field = nil
        guard let element else { return }
        self.element = nil
        try list.add(element.record, number: element.number, part: element.part)
        guard var item = list.entries.popLast()?.item else { return }
        item.fields[.title] = nil
        // "2 towels" and, later, "3 towels" are five, where nothing tells one from the other.
        let thing = Thing(title: item.title.appearance, part: element.part)
        if let quantity = item.quantity, item.fields.isEmpty {
            if let known = counted[thing], let before = list.entries[known].item.quantity {
                let entry = list.entries[known]
                var sum = entry.item
                sum.quantity = list.adjusted(before + quantity)
                list.entries[known] = ImportedList.Entry(number: entry.number, item: sum, part: entry.part)
                return
            }
            counted[thing] = list.entries.count
        }
        list.entries.append(ImportedList.Entry(number: element.number, item: item, part: element.part))
    }
}

extension NewItem {
    /// A line as `init(line:)` reads it, or a link with a name or without. What bears neither a number nor a box to tick is
    /// not counted.
    init?(pasted line: Substring) {
        guard var item = NewItem(line: line, isCounted: false) else { return nil }
        if let (title, link) = MarkdownText.linked(item.title) {
            item.title = title.isBlank ? link.flatMap { WebAddress($0)?.title } ?? title : title
            item.fields[.link] = link
        } else {
            item = item.withLinkOfTitle
        }
        if MarkdownText.isElement(line) { item.title = MarkdownText.plain(MarkdownText.unguarded(item.title)) }
        guard !item.title.isBlank else { return nil }
        self = item
    }
}
