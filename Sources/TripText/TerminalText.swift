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
        _ view: TripView, sortedBy order: ItemOrder = .order, includingRemoved: Bool = false,
        style: TextStyle = TextStyle()
    ) -> String {
        var lines = heading(view, style: style)
        let items = view.items(sortedBy: order)
        let removed = includingRemoved ? view.removedItems : []
        if items.isEmpty { lines.append("Nothing here yet. Add something: caravan add TITLE") }
        let columns = Columns(items + removed, width: style.width)
        for item in items { lines += entry(item, columns: columns, style: style) }
        if !removed.isEmpty {
            lines += ["", "Removed (bring back: caravan restore ITEM)"]
            for item in removed { lines += entry(item, columns: columns, style: style) }
        }
        return text(lines)
    }

    private static func heading(_ view: TripView, style: TextStyle) -> [String] {
        var lines = style.wrap(view.title.map { plain($0.value) } ?? "A trip with no title").map(style.bold)
        let names = view.participants.filter { !$0.isOut }.map(\.displayName).joined(separator: ", ")
        if let title = view.title, !title.alternatives.isEmpty {
            lines += alsoProposed(title, label: nil, indent: 0, style)
        }
        if !names.isEmpty { lines += style.wrap(names) }
        return lines + [""]
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
            title = width.map { min(widest, $0 * 5 / 8) } ?? widest
        }

        /// Where an item's further lines begin.
        var indent: Int { number + 3 }
    }

    private static func entry(_ item: ItemView, columns: Columns, style: TextStyle) -> [String] {
        let number = String(item.number)
        let tally = tally(item)
        var head = String(repeating: " ", count: 1 + columns.number - number.utf8.count) + number + "  "
        let title = DisplayWidth.fit(headline(item), to: columns.title)
        head += style.bold(title)
        let used = columns.indent + columns.title + 4 + columns.tally
        var lines: [String] = []
        if item.votes.isEmpty {
            lines.append(trimmedEnd(head, isBold: style.isBold))
        } else {
            head += "  " + String(repeating: " ", count: columns.tally - tally.utf8.count) + tally + "  "
            let voters = style.wrap(voters(item), beside: used)
            lines.append(head + (voters.first ?? ""))
            lines += voters.dropFirst().map { String(repeating: " ", count: used) + $0 }
        }
        let facts = facts(item, style)
        if !facts.isEmpty { lines += indented(facts, by: columns.indent, style) }
        if let link = item.fields[.link] { lines += indented(plain(link.value), by: columns.indent, style) }
        for field in Field.allCases {
            guard let view = item.fields[field], !view.alternatives.isEmpty else { continue }
            let label = field == .title ? nil : field.name
            lines += alsoProposed(view, label: label, indent: columns.indent, style)
        }
        return lines
    }

    private static func headline(_ item: ItemView) -> String { (item.isDone ? "✓ " : "") + plain(item.title) }

    static func tally(_ item: ItemView) -> String {
        if item.votes.isEmpty { return "" }
        return item.tally > 0 ? "+\(item.tally)" : String(item.tally)
    }

    /// "Jie, Noah · against: Michelle".
    static func voters(_ item: ItemView) -> String {
        let names = { (vote: Vote) in
            item.votes.filter { $0.vote == vote }.map(\.name).joined(separator: ", ")
        }
        let (supporters, opponents) = (names(.for), names(.against))
        return [supporters, opponents.isEmpty ? "" : "against: \(opponents)"].filter { !$0.isEmpty }
            .joined(separator: " · ")
    }

    /// "×2", or "×-1 (short by 1)" where more were taken away than there were.
    package static func quantity(_ quantity: Int64) -> String {
        quantity < 0 ? "×\(quantity) (short by \(quantity.magnitude))" : "×\(quantity)"
    }

    private static func facts(_ item: ItemView, _ style: TextStyle) -> String {
        var facts: [String] = []
        if let price = item.fields[.price] { facts.append(plain(price.value)) }
        if let quantity = item.quantity { facts.append(self.quantity(quantity)) }
        if let host = item.fields[.host] { facts.append("host: \(plain(host.value))") }
        if let note = item.fields[.note] {
            let line = firstLine(note.value)
            facts.append(style.width == nil ? line : DisplayWidth.fit(line, to: min(48, DisplayWidth.of(line))))
        }
        return facts.joined(separator: " · ")
    }

    static func alsoProposed(_ field: FieldView, label: String?, indent: Int, _ style: TextStyle) -> [String] {
        let values = field.alternatives.map { "\(firstLine($0.value)) (\($0.authorName))" }.joined(separator: ", ")
        return indented("\(label.map { $0 + " " } ?? "")also proposed: \(values)", by: indent, style)
    }

    private static func indented(_ text: String, by indent: Int, _ style: TextStyle) -> [String] {
        style.wrap(text, beside: indent).map { String(repeating: " ", count: indent) + $0 }
    }

    private static func firstLine(_ text: String) -> String {
        let lines = text.split(separator: "\n", maxSplits: 1)
        return plain(String(lines.first ?? "")) + (lines.count > 1 ? " …" : "")
    }

    private static func trimmedEnd(_ line: String, isBold: Bool) -> String {
        guard !isBold else { return line }
        return String(line.reversed().drop { $0 == " " }.reversed())
    }

    /// Prose as its author wrote it, with nothing in it that moves what stands around it.
    static func plain(_ text: String) -> String { text.displayed(keepsLines: true) }

    static func text(_ lines: [String]) -> String { lines.joined(separator: "\n") + "\n" }
}
