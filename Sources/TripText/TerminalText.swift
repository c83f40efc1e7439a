package import TripModel

/// A trip as people read it in a terminal. Pure: the same view gives the same text. Every text ends with a line end.
package enum TerminalText {
    /// The text of `caravan list`.
    ///
    ///     Summer by the lake · Jie, Michelle, Noah
    ///
    ///      1  Cabin      +2  Michelle, Noah
    ///         €120 · ×2
    ///         also proposed: Hut (Noah)
    package static func list(
        _ whole: TripView, sortedBy order: ItemOrder = .order, includingRemoved: Bool = false, limit: Int? = nil,
        style: TextStyle = TextStyle()
    ) -> String {
        let (view, leftOut) = whole.first(limit, sortedBy: order, includingRemoved: includingRemoved)
        var lines = heading(view, style: style)
        let items = view.items(sortedBy: order)
        let removed = includingRemoved ? view.removedItems : []
        if items.isEmpty { lines.append("No items yet. Add one with `caravan add TITLE`.") }
        let columns = Columns(items + removed, width: style.width)
        let group = whole.group
        let isInLists = order == .order && !view.lists.isEmpty
        for item in isInLists || order == .order ? view.unlistedItems : items {
            lines += entry(item, group, columns: columns, style: style)
        }
        for list in isInLists ? view.lists : [] {
            lines += listHeading(list, isFirst: lines.last?.isEmpty ?? true, style)
            for item in view.items(of: list) { lines += entry(item, group, columns: columns, style: style) }
        }
        let rivals = rivalDates(whole, style)
        if !rivals.isEmpty { lines += [""] + rivals }
        if !removed.isEmpty {
            lines += ["", "Removed (restore with `caravan restore ITEM`)"]
            for item in removed { lines += entry(item, group, columns: columns, style: style) }
        }
        if leftOut > 0 { lines += ["", "\(counted(leftOut, "more item")): run this without --limit"] }
        return text(lines)
    }

    private static func listHeading(_ list: ListView, isFirst: Bool, _ style: TextStyle) -> [String] {
        var lines = isFirst ? [] : [""]
        lines += style.wrap("\(plain(list.title))\(list.items.isEmpty ? " (empty)" : "")").map(style.bold)
        if let title = list.fields[.title], !title.alternatives.isEmpty {
            lines += alsoProposed(title, indent: 0, style)
        }
        return lines
    }

    /// The text of `caravan lists`.
    package static func lists(_ view: TripView, style: TextStyle = TextStyle()) -> String {
        guard !view.lists.isEmpty || !view.removedLists.isEmpty else {
            return "No lists yet. Create one with `caravan lists new TITLE`.\n"
        }
        let lists = view.lists + view.removedLists
        let width = column(lists.map { plain($0.title) }, style)
        let rows = lists.flatMap { list -> [String] in
            let kind = list.kind.map { ", \($0.rawValue)" } ?? ""
            let removed = list.isRemoved ? ", removed" : ""
            let facts = "\(counted(list.items.count, "item"))\(kind)\(removed) (\(list.shortID))"
            return tableRow(plain(list.title), to: width, facts, style)
        }
        return text(rows)
    }

    private static func heading(_ view: TripView, style: TextStyle) -> [String] {
        var lines = style.wrap(view.title.map { plain($0.value) } ?? "Untitled trip").map(style.bold)
        let names = view.participants.filter { !$0.isOut }.map(\.displayName).joined(separator: ", ")
        if let title = view.title, !title.alternatives.isEmpty {
            lines += alsoProposed(title, indent: 0, style)
        }
        if !names.isEmpty { lines += style.wrap(names) }
        return lines + [""]
    }

    /// "Note of the trip: Bus 28 goes to the castle …", on one line.
    package static func noteLine(_ note: String, style: TextStyle = TextStyle()) -> String {
        let line = "Note of the trip: " + firstLine(note)
        guard let width = style.width else { return line.displayed(limit: noteCharacters) }
        return DisplayWidth.fit(line, to: min(width, DisplayWidth.of(line)))
    }

    /// The widths of the list's columns.
    private struct Columns {
        let number: Int
        let title: Int
        let tally: Int

        init(_ items: [ItemView], width: Int?) {
            number = max(2, items.map { String($0.number).utf8.count }.max() ?? 0)
            tally = items.map { TerminalText.tally($0).utf8.count }.max() ?? 0
            let widest = items.map { DisplayWidth.of(TerminalText.headline($0)) }.max() ?? 0
            title = min(widest, width.map { $0 * 5 / 8 } ?? TerminalText.columnMax)
        }

        /// Where an item's further lines begin.
        var indent: Int { number + 3 }
    }

    private static func entry(_ item: ItemView, _ group: Group, columns: Columns, style: TextStyle) -> [String] {
        let number = String(item.number)
        let tally = tally(item)
        var head = String(repeating: " ", count: 1 + columns.number - number.utf8.count) + number + "  "
        let whole = headline(item)
        let isWhole = style.width == nil && DisplayWidth.of(whole) > columns.title
        let title = isWhole ? whole : DisplayWidth.fit(whole, to: columns.title)
        head += item.isRemoved ? style.dim(title) : item.isChosen ? style.good(title) : style.bold(title)
        let used = columns.indent + columns.title + 4 + columns.tally
        var lines: [String] = []
        if item.votes.isEmpty {
            lines.append(trimmedEnd(head, isStyled: style.isStyled))
        } else {
            head += "  " + String(repeating: " ", count: columns.tally - tally.utf8.count) + tally + "  "
            if let width = style.width, width - used < votersMin {
                lines.append(trimmedEnd(head, isStyled: style.isStyled))
                lines += indented(voters(item), by: columns.indent, style)
            } else {
                let voters = style.wrap(voters(item), beside: used)
                lines.append(head + (voters.first ?? ""))
                lines += voters.dropFirst().map { String(repeating: " ", count: used) + $0 }
            }
        }
        let facts = facts(item, group, style)
        if !facts.isEmpty {
            let lack = item.quantity.flatMap { $0 < 0 ? quantity($0) : nil }
            lines += indented(facts, by: columns.indent, style).map { line in
                lack.map { marked($0, in: line, style) } ?? line
            }
        }
        if let link = item.fields[.link] { lines += indented(plain(link.value), by: columns.indent, style) }
        for field in Field.ofPlans {
            guard let view = item.fields[field], !view.alternatives.isEmpty else { continue }
            lines += alsoProposed(view, of: field, group, indent: columns.indent, style)
        }
        return lines
    }

    /// The columns that voters need beside a title.
    private static let votersMin = 16

    private static func headline(_ item: ItemView) -> String {
        (item.isChosen ? "★ " : "") + (item.isDone ? "✓ " : "") + plain(item.title)
    }

    static func tally(_ item: ItemView) -> String {
        if item.votes.isEmpty { return "" }
        return item.tally > 0 ? "+\(item.tally)" : String(item.tally)
    }

    /// "Jie, Noah · OK if need be: Mia · against: Michelle".
    static func voters(_ item: ItemView) -> String {
        names(item.votes, [("", .for), ("OK if need be: ", .ifNeedBe), ("against: ", .against)])
    }

    /// "Jie, Noah · maybe: Mia · not going: Michelle".
    static func attendance(_ item: ItemView) -> String {
        names(item.sayings.attendance, Attendance.allCases.map { ($0 == .going ? "" : $0.label + ": ", $0) })
    }

    private static func names<Word>(_ words: [LastWord<Word>], _ groups: [(label: String, word: Word)]) -> String {
        groups.compactMap { label, word in
            let names = words.filter { $0.word == word }.map(\.name)
            return names.isEmpty ? nil : label + names.joined(separator: ", ")
        }
        .joined(separator: " · ")
    }

    /// "€80 a night, €40 each".
    static func price(_ item: ItemView, _ group: Group) -> String? {
        guard let price = item.fields[.price] else { return nil }
        let text = plain(price.value)
        guard let data = item.price, data.per != .person,
            let each = data.each(people: max(1, group.members.count), nights: item.nights(ofTrip: group.nights))
        else { return text }
        return "\(text), \(data.shown(each)) each"
    }

    /// "Jie brings it, Mia brings 2".
    static func claims(_ item: ItemView) -> String {
        item.sayings.claims.map { claim in
            "\(claim.name) brings \(claim.word == 1 ? "it" : String(claim.word))"
        }
        .joined(separator: ", ")
    }

    /// "×2", or "×-1 (short by 1)" where more were taken away than there were.
    package static func quantity(_ quantity: Int64) -> String {
        quantity < 0 ? "×\(quantity) (short by \(quantity.magnitude))" : "×\(quantity)"
    }

    private static func facts(_ item: ItemView, _ group: Group, _ style: TextStyle) -> String {
        var facts: [String] = []
        if item.isOfCosts, let cost = item.costText {
            facts.append(
                "\(item.fields[.payment] == nil ? "expense" : "payment") of \(Field.cost.words(of: cost))"
                    + dispute(item))
        }
        if item.isWaiting { facts.append("added by \(item.addedByName)") }
        if let dates = item.dates, dates.words != item.title { facts.append(dates.words) }
        if let price = price(item, group) { facts.append(price) }
        if let quantity = item.quantity { facts.append(self.quantity(quantity)) }
        if let task = group.task(of: item, isOverdue: style.isOverdue(item)) { facts.append(task) }
        if !item.sayings.claims.isEmpty { facts.append(claims(item)) }
        let going = item.sayings.attendance.filter { !$0.isOut && $0.word == .going }.count
        if going > 0 { facts.append("\(going) going") }
        if let beds = item.fields[.beds] { facts.append("\(beds.value) bed\(beds.value == "1" ? "" : "s")") }
        if let host = item.fields[.host] { facts.append("host: \(plain(host.value))") }
        if let address = item.fields[.address], address.value != item.title { facts.append(plain(address.value)) }
        if !item.sayings.comments.isEmpty { facts.append(counted(item.sayings.comments.count, "comment")) }
        if let note = item.fields[.note] {
            let line = firstLine(note.value)
            facts.append(
                style.width == nil
                    ? line.displayed(limit: noteCharacters) : DisplayWidth.fit(line, to: min(48, DisplayWidth.of(line)))
            )
        }
        return facts.joined(separator: " · ")
    }

    /// Of a note, where no window bounds the line.
    private static let noteCharacters = 200

    /// - Parameter group: which names people.
    static func alsoProposed(
        _ view: FieldView, of field: Field = .title, _ group: Group? = nil, indent: Int, _ style: TextStyle
    ) -> [String] {
        let values = view.alternatives.map { "\(firstLine(words($0.value, of: field, group))) (\($0.authorName))" }
            .joined(separator: ", ")
        let label = field == .title ? "" : field.name + " "
        return indented("\(label)also proposed: \(values)", by: indent, style).map(style.open)
    }

    /// A line with a part of it shown as wrong. It is colored where it stands, so that no line breaks elsewhere.
    private static func marked(_ part: String, in line: String, _ style: TextStyle) -> String {
        line.replacing(part, with: style.bad(part), maxReplacements: 1)
    }

    /// A field's value as people read it: days in words, people by their names.
    private static func words(_ value: String, of field: Field, _ group: Group?) -> String {
        guard let group else { return field.words(of: value) }
        return field.words(of: value, group.name)
    }

    /// How wide a column of names is: as the widest of them, or so that the text beside it has room.
    static func column(_ names: [String], _ style: TextStyle) -> Int {
        min(names.map { DisplayWidth.of($0) }.max() ?? 0, style.width.map { $0 - 26 } ?? columnMax)
    }

    /// In a pipe, where nothing is cut, and one long name would move what stands beside the others far away.
    private static let columnMax = 48

    /// A row of a table: a name, and beside it a text within the width. What is broken off the text stands below its first word. If a name
    /// is wider than its column, the text stands below it; in a pipe, behind it.
    package static func tableRow(_ name: String, to column: Int, _ text: String, _ style: TextStyle) -> [String] {
        let isWide = DisplayWidth.of(name) > column
        guard style.width != nil else { return [(isWide ? name : DisplayWidth.fit(name, to: column)) + "  " + text] }
        let lines = indented(text, by: column + 2, style)
        guard !isWide, let first = lines.first else { return [name] + lines }
        let head = DisplayWidth.fit(name, to: column) + String(first.dropFirst(column))
        return [head] + lines.dropFirst()
    }

    /// Lines within the width: what is broken off one stands below its first word.
    static func within(_ lines: [String], _ style: TextStyle) -> [String] {
        lines.flatMap { line in
            let indent = line.prefix { $0 == " " }.count
            return indented(String(line.dropFirst(indent)), by: indent, style)
        }
    }

    static func indented(_ text: String, by indent: Int, _ style: TextStyle) -> [String] {
        style.wrap(text, beside: indent).map { String(repeating: " ", count: indent) + $0 }
    }

    private static func firstLine(_ text: String) -> String {
        let lines = text.split(separator: "\n", maxSplits: 1)
        return plain(String(lines.first ?? "")) + (lines.count > 1 ? " …" : "")
    }

    private static func trimmedEnd(_ line: String, isStyled: Bool) -> String {
        guard !isStyled, let last = line.utf8.lastIndex(where: { $0 != 0x20 }) else { return line }
        return String(Substring(line.utf8[...last]))
    }

    /// Prose as its author wrote it, with nothing in it that moves what stands around it.
    static func plain(_ text: String) -> String { text.displayed(keepsLines: true, marksIdle: true) }

    static func text(_ lines: [String]) -> String { lines.joined(separator: "\n") + "\n" }
}
